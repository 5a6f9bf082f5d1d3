-- Large tenants get a vector index of their own, made by `promotion`. These are the counts that decide it.

alter table totals add column passages int not null default 0;

-- Row security holds for the owner too, who here counts all tenants.
alter table totals no force row level security;
alter table passage no force row level security;
update totals t set passages = n.passages
    from (select tenant, store, count(*)::int as passages from passage group by tenant, store) n
    where n.tenant = t.tenant and n.store = t.store;
alter table totals force row level security;
alter table passage force row level security;

grant oldhand_door to current_user;
grant create on schema public to oldhand_door;
grant select on totals to oldhand_door;
create policy door on totals for select to oldhand_door using (true);

-- Passages of the tenant of whoever asks, also in stores that they may not see: a number, and nothing else.
create function door_passages() returns bigint
language sql stable security definer set search_path = pg_catalog, public
begin atomic
    select coalesce(sum(t.passages), 0)::bigint from totals t
    where t.tenant = (select nullif(current_setting('oldhand.tenant', true), '')::int);
end;

-- Which tenants are large.
create function door_sizes(above bigint)
returns table (tenant int, passages bigint)
language sql stable security definer set search_path = pg_catalog, public
begin atomic
    select t.tenant, sum(t.passages)::bigint from totals t group by t.tenant having sum(t.passages) > above;
end;

alter function door_passages() owner to oldhand_door;
alter function door_sizes(bigint) owner to oldhand_door;
revoke all on function door_passages(), door_sizes(bigint) from public;
grant execute on function door_passages(), door_sizes(bigint) to oldhand_server;
grant execute on function door_sizes(bigint) to current_user;
revoke create on schema public from oldhand_door;
revoke oldhand_door from current_user;
