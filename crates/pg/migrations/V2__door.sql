-- Who may ask, what they did, and how much a store may hold.

-- Of the tenant as a whole: tokens of others, the audit, exports, erasing.
alter table principal add column is_admin bool not null default false;

-- Browsers that somebody signed in with. `visit` is a keyed hash of the cookie; `groups` are those that the
-- identity provider named at that moment.
create table visit (
    tenant int not null,
    visit bytea not null,
    principal int not null,
    groups text[] not null default '{}',
    since timestamptz not null default now(),
    until timestamptz not null,
    primary key (tenant, visit),
    foreign key (tenant, principal) references principal
);
create index visit_hash on visit (visit);

-- The end of each chain: whoever adds a line holds it.
create table audit_head (
    tenant int primary key references tenant,
    seq bigint not null default 0,
    hash bytea not null default ''
);

-- Up to which revision the writes of a store are lines of the audit. They are recorded in `written` by the
-- transaction that writes; chaining them there would make all stores of a tenant wait for each other.
create table audited (
    tenant int not null,
    store int not null,
    revision bigint not null default 0,
    primary key (tenant, store),
    foreign key (tenant, store) references store
);

-- What a store holds, counted by whoever changes it.
create table held (
    tenant int not null,
    store int not null,
    files bigint not null default 0,
    bytes bigint not null default 0,
    primary key (tenant, store),
    foreign key (tenant, store) references store
);

insert into held (tenant, store, files, bytes)
    select tenant, store, count(*), coalesce(sum(octet_length(text)), 0) from memory group by tenant, store;

do $$
declare
    of_tenant constant text := '(tenant = (select nullif(current_setting(''oldhand.tenant'', true), '''')::int))';
    of_store constant text := ' and store = any (array(select unnest('
        'nullif(current_setting(''oldhand.stores'', true), '''')::int[])))';
    it text;
begin
    foreach it in array array['visit', 'audit_head'] loop
        execute format('alter table %I enable row level security', it);
        execute format('alter table %I force row level security', it);
        execute format('create policy own on %I using (%s)', it, of_tenant);
    end loop;
    foreach it in array array['audited', 'held'] loop
        execute format('alter table %I enable row level security', it);
        execute format('alter table %I force row level security', it);
        execute format('create policy own on %I using (%s)', it, of_tenant || of_store);
    end loop;
end $$;

grant select, insert, update, delete on visit to oldhand_server;
grant select, insert, update on audit_head, audited, held to oldhand_server;

-- A store that is full takes nothing more, whoever writes and however. The limits are those of the store, or of its
-- tenant, or there are none; a change that makes a store smaller always passes.
create function count_held(of_tenant int, of_store int, more_files bigint, more_bytes bigint) returns void
language plpgsql set search_path = pg_catalog, public as $$
declare
    now_held held;
    limits jsonb;
begin
    insert into held as h (tenant, store, files, bytes) values (of_tenant, of_store, more_files, more_bytes)
        on conflict (tenant, store) do update
        set files = h.files + excluded.files, bytes = h.bytes + excluded.bytes
        returning * into now_held;
    if more_files <= 0 and more_bytes <= 0 then
        return;
    end if;
    select t.limits || coalesce(s.settings -> 'limits', '{}') into limits
        from store s join tenant t on t.tenant = s.tenant where s.tenant = of_tenant and s.store = of_store;
    if now_held.files > (limits ->> 'memories')::bigint then
        raise exception using errcode = '53400',
            message = format('the store is full: it may hold %s memories', limits ->> 'memories');
    end if;
    if now_held.bytes > (limits ->> 'bytes')::bigint then
        raise exception using errcode = '53400',
            message = format('the store is full: it may hold %s bytes', limits ->> 'bytes');
    end if;
end $$;

create function count_created() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
    perform count_held(n.tenant, n.store, n.files, n.bytes)
        from (select tenant, store, count(*) as files, sum(octet_length(text)) as bytes
              from created group by tenant, store) n;
    return null;
end $$;

create function count_removed() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
    perform count_held(n.tenant, n.store, -n.files, -n.bytes)
        from (select tenant, store, count(*) as files, sum(octet_length(text)) as bytes
              from removed group by tenant, store) n;
    return null;
end $$;

create function count_changed() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
    perform count_held(new.tenant, new.store, 0, octet_length(new.text) - octet_length(old.text));
    return null;
end $$;

create trigger held_created after insert on memory referencing new table as created
    for each statement execute function count_created();
create trigger held_removed after delete on memory referencing old table as removed
    for each statement execute function count_removed();
create trigger held_changed after update of text on memory
    for each row when (octet_length(old.text) <> octet_length(new.text)) execute function count_changed();

-- The doors again, and new ones.
grant oldhand_door to current_user;
grant create on schema public to oldhand_door;

grant select on tenant, visit, store, audited to oldhand_door;
create policy door on tenant for select to oldhand_door using (true);
create policy door on visit for select to oldhand_door using (true);
create policy door on store for select to oldhand_door using (true);
create policy door on audited for select to oldhand_door using (true);

drop function door_credential(bytea);
create function door_credential(sought bytea)
returns table (tenant int, credential uuid, principal int, kind text, name text, is_admin bool, scopes text[],
               stores int[], is_valid bool, is_seen bool)
language sql stable security definer set search_path = pg_catalog, public
begin atomic
    select c.tenant, c.credential, c.principal, p.kind, p.name, p.is_admin, c.scopes, c.stores,
           c.revoked_at is null and p.disabled_at is null and c.expires_at > now(),
           c.last_day is not distinct from current_date
    from credential c join principal p on p.tenant = c.tenant and p.principal = c.principal
    where c.hash = sought;
end;

create function door_visit(sought bytea)
returns table (tenant int, principal int, kind text, name text, is_admin bool, groups text[])
language sql stable security definer set search_path = pg_catalog, public
begin atomic
    select v.tenant, v.principal, p.kind, p.name, p.is_admin, v.groups
    from visit v join principal p on p.tenant = v.tenant and p.principal = v.principal
    where v.visit = sought and v.until > now() and p.disabled_at is null;
end;

create function door_tenant(sought text)
returns table (tenant int)
language sql stable security definer set search_path = pg_catalog, public
begin atomic
    select t.tenant from tenant t where t.name = sought;
end;

-- Stores with writes that are no lines of the audit yet.
create function door_unaudited(most int)
returns table (tenant int, store int)
language sql stable security definer set search_path = pg_catalog, public
begin atomic
    select s.tenant, s.store from store s
    left join audited a on a.tenant = s.tenant and a.store = s.store
    where s.revision > coalesce(a.revision, 0) limit most;
end;

-- Takes the words out of the events of one memory, in the tenant and stores of whoever asks. Nothing else may
-- change an event.
grant select, update (body) on event to oldhand_door;
create policy door on event to oldhand_door
    using (tenant = (select nullif(current_setting('oldhand.tenant', true), '')::int)
           and store = any (array(select unnest(nullif(current_setting('oldhand.stores', true), '')::int[]))));
create function door_erase_words(of_store int, of_memory text)
returns bigint
language sql volatile security definer set search_path = pg_catalog, public
begin atomic
    with changed as (
        update event set body = body - '{reason,evidence,fields,task,signals}'::text[]
        where store = of_store and memory = of_memory returning 1)
    select count(*) from changed;
end;

alter function door_credential(bytea) owner to oldhand_door;
alter function door_visit(bytea) owner to oldhand_door;
alter function door_tenant(text) owner to oldhand_door;
alter function door_unaudited(int) owner to oldhand_door;
alter function door_erase_words(int, text) owner to oldhand_door;
revoke all on function door_credential(bytea), door_visit(bytea), door_tenant(text), door_unaudited(int),
    door_erase_words(int, text) from public;
grant execute on function door_credential(bytea), door_visit(bytea), door_tenant(text), door_unaudited(int),
    door_erase_words(int, text) to oldhand_server;
revoke create on schema public from oldhand_door;
revoke oldhand_door from current_user;
