-- The tables of the team server. Every key begins with the tenant, so that a filter, a partition or a shard can be
-- made of it. Two settings of the transaction say what its caller may see: `oldhand.tenant` and `oldhand.stores`.
-- Without them no row is seen and none can be written. What only the worker writes can be made again from `memory`
-- and `event`.

create extension if not exists vector;

-- Roles belong to the whole cluster: another database may have made them already, perhaps at this moment.
do $$
begin
    create role oldhand_server login nosuperuser nocreatedb nocreaterole nobypassrls;
exception when duplicate_object or unique_violation then null;
end $$;

-- Owns the few functions that look across tenants, and may do nothing else.
do $$
begin
    create role oldhand_door nologin nosuperuser nocreatedb nocreaterole nobypassrls;
exception when duplicate_object or unique_violation then null;
end $$;

create table tenant (
    tenant int generated always as identity primary key,
    name text not null unique check (name <> ''),
    limits jsonb not null default '{}',
    created_at timestamptz not null default now()
);

create table principal (
    tenant int not null references tenant,
    principal int generated always as identity,
    kind text not null check (kind in ('person', 'agent', 'ci', 'group')),
    name text not null check (name <> ''),
    issuer text,
    subject text,
    disabled_at timestamptz,
    primary key (tenant, principal),
    unique (tenant, name),
    unique (tenant, issuer, subject)
);

-- `hash` is keyed with a secret that is not in the database.
create table credential (
    tenant int not null,
    credential uuid not null,
    principal int not null,
    hash bytea not null unique,
    scopes text[] not null,
    -- Null for every store that the principal has access to.
    stores int[],
    expires_at timestamptz not null,
    last_day date,
    revoked_at timestamptz,
    primary key (tenant, credential),
    foreign key (tenant, principal) references principal
);

-- `seq` is that of the last event, `last` its id; `log` what the events say about the store as a whole.
create table store (
    tenant int not null references tenant,
    store int generated always as identity,
    name text not null check (name <> ''),
    level text not null check (level in ('org', 'team', 'repository', 'person')),
    truth text not null check (truth in ('git', 'server')),
    remote text,
    head text,
    revision bigint not null default 0,
    seq bigint not null default 0,
    last text not null default '',
    log jsonb not null default '{}',
    settings jsonb not null default '{}',
    primary key (tenant, store),
    unique (tenant, name)
);

create table access (
    tenant int not null,
    store int not null,
    principal int not null,
    role text not null check (role in ('reader', 'writer', 'reviewer', 'maintainer')),
    primary key (tenant, store, principal),
    foreign key (tenant, store) references store,
    foreign key (tenant, principal) references principal
);

-- A file of a store, whatever it holds. From `indexed` on the columns are derived: they are those of that
-- revision, and `indexed` below `revision` means that the worker still has to look at it.
create table memory (
    tenant int not null,
    store int not null,
    no bigint generated always as identity,
    path text collate "C" not null,
    folder text collate "C" not null,
    id text collate "C" not null,
    text text not null,
    hash text collate "C" not null,
    revision bigint not null,
    indexed bigint not null default 0,
    state smallint,
    instant bigint,
    lens int,
    passages smallint,
    card text,
    line bytea,
    terms bigint[],
    why text,
    primary key (tenant, store, no),
    unique (tenant, store, path),
    foreign key (tenant, store) references store
);
create index memory_id on memory (tenant, store, id);
create index memory_folder on memory (tenant, store, folder, path);
create index memory_waiting on memory (tenant, store, no) where indexed < revision and folder <> 'pending';

-- Texts that were replaced or taken out.
create table version (
    tenant int not null,
    store int not null,
    hash text collate "C" not null,
    text text not null,
    at timestamptz not null default now(),
    primary key (tenant, store, hash),
    foreign key (tenant, store) references store
);

create table event (
    tenant int not null,
    store int not null,
    seq bigint not null,
    id text collate "C" not null,
    at timestamptz not null,
    type text not null,
    memory text not null,
    write text not null,
    source text not null default 'server',
    body jsonb not null,
    primary key (tenant, store, seq),
    unique (tenant, store, id),
    foreign key (tenant, store) references store
);
create index event_memory on event (tenant, store, memory, seq);

-- Every write that was committed, and who asked for it: a lost answer is looked up here. Two writers that began with
-- the same store, of which the first never came to its end, may have chosen the same id: `token` is of one alone.
create table written (
    tenant int not null,
    store int not null,
    write text not null,
    token text not null,
    revision bigint not null,
    principal int,
    at timestamptz not null default now(),
    primary key (tenant, store, write),
    foreign key (tenant, store) references store
);

-- Pages of a repository that were rendered for it.
create table page (
    tenant int not null,
    store int not null,
    name text not null,
    text text not null,
    primary key (tenant, store, name),
    foreign key (tenant, store) references store
);

-- Where a term is: how often in each of four fields, their lengths, and the state of the memory, each as the local
-- index keeps it. What can be filtered by is a term that is in no field. There is no foreign key: a memory has dozens
-- of these rows, and whoever writes them holds its row.
create table word (
    tenant int not null,
    store int not null,
    term bigint not null,
    no bigint not null,
    tf int not null,
    lens int not null,
    state smallint not null,
    primary key (tenant, store, term, no) include (tf, lens, state)
);

create table passage (
    tenant int not null,
    store int not null,
    no bigint not null,
    nth smallint not null,
    state smallint not null,
    scale real not null,
    v halfvec(384) not null,
    primary key (tenant, store, no, nth)
);
-- Compressed vectors save nothing, and would be unpacked for each comparison.
alter table passage alter column v set storage plain;

-- What is indexed of a store, as the averages of BM25 need it. A store without a row has nothing indexed.
create table totals (
    tenant int not null,
    store int not null,
    memories int not null default 0,
    embedded int not null default 0,
    lens bigint[] not null default '{0,0,0,0}',
    -- Whose vectors these are.
    model text not null default '',
    primary key (tenant, store),
    foreign key (tenant, store) references store
);

create table job (
    tenant int not null,
    store int not null,
    no bigint not null,
    revision bigint not null,
    tries int not null default 0,
    not_before timestamptz not null default now(),
    primary key (tenant, store, no),
    foreign key (tenant, store) references store
);
create index job_due on job (not_before);

-- What is known of sessions, of one principal each: `part` says what. Values are replaced, lines are added.
create table session_value (
    tenant int not null,
    store int not null,
    principal int not null,
    part text not null,
    session text not null,
    agent text not null,
    body text not null,
    touched timestamptz not null default now(),
    primary key (tenant, store, principal, part, session, agent),
    foreign key (tenant, store) references store
);

create table session_line (
    tenant int not null,
    store int not null,
    principal int not null,
    part text not null,
    session text not null,
    n bigint generated always as identity,
    body text not null,
    at timestamptz not null default now(),
    primary key (tenant, store, principal, part, session, n),
    foreign key (tenant, store) references store
);

-- Whoever does the slow work of a session, until then at the latest.
create table session_work (
    tenant int not null,
    store int not null,
    principal int not null,
    session text not null,
    agent text not null,
    holder text not null,
    until timestamptz not null,
    primary key (tenant, store, principal, session, agent),
    foreign key (tenant, store) references store
);

-- Each line has the hash of the one before, so that none can be taken out unseen.
create table audit (
    tenant int not null references tenant,
    seq bigint not null,
    at timestamptz not null default now(),
    principal int,
    action text not null,
    what jsonb not null default '{}',
    before bytea not null,
    hash bytea not null,
    primary key (tenant, seq)
);

-- Answers to requests with a key. `attempt` is whose writes count; `asked` is a hash of the request.
create table answer (
    tenant int not null references tenant,
    key uuid not null,
    principal int not null,
    asked bytea not null,
    attempt text,
    status int,
    body text,
    at timestamptz not null default now(),
    primary key (tenant, principal, key)
);
create index answer_at on answer (at);

-- What a store whose truth is in git shall take over.
create table change (
    tenant int not null,
    store int not null,
    seq bigint generated always as identity,
    kind text not null,
    body jsonb not null,
    at timestamptz not null default now(),
    taken_at timestamptz,
    primary key (tenant, store, seq),
    foreign key (tenant, store) references store
);

-- Row security for all of them. `(select …)` is evaluated once per statement, not once per row.
do $$
declare
    of_tenant constant text := '(tenant = (select nullif(current_setting(''oldhand.tenant'', true), '''')::int))';
    of_store constant text := ' and store = any (array(select unnest('
        'nullif(current_setting(''oldhand.stores'', true), '''')::int[])))';
    it text;
begin
    foreach it in array array['tenant', 'principal', 'credential', 'store', 'access', 'audit', 'answer'] loop
        execute format('alter table %I enable row level security', it);
        execute format('alter table %I force row level security', it);
        execute format('create policy own on %I using (%s)', it, of_tenant);
    end loop;
    foreach it in array array['memory', 'version', 'event', 'written', 'page', 'word', 'passage', 'totals', 'job',
                              'session_value', 'session_line', 'session_work', 'change'] loop
        execute format('alter table %I enable row level security', it);
        execute format('alter table %I force row level security', it);
        execute format('create policy own on %I using (%s)', it, of_tenant || of_store);
    end loop;
end $$;

grant usage on schema public to oldhand_server, oldhand_door;
grant select on tenant, refinery_schema_history to oldhand_server;
grant select, insert, update on principal, credential, store to oldhand_server;
grant select, insert, update, delete on access to oldhand_server;
-- The log and the audit are only ever added to.
grant select, insert on event, written, audit to oldhand_server;
grant select, insert, delete on version to oldhand_server;
grant select, insert, update, delete
    on memory, page, word, passage, totals, job, session_value, session_line, session_work, answer, change
    to oldhand_server;

-- The doors: what has to be known before the tenant is. Each gives one thing and takes no text that it runs.
grant select on credential, principal, job to oldhand_door;
create policy door on credential for select to oldhand_door using (true);
create policy door on principal for select to oldhand_door using (true);
create policy door on job for select to oldhand_door using (true);

create function door_credential(sought bytea)
returns table (tenant int, credential uuid, principal int, kind text, name text, scopes text[], stores int[],
               is_valid bool)
language sql stable security definer set search_path = pg_catalog, public
begin atomic
    select c.tenant, c.credential, c.principal, p.kind, p.name, c.scopes, c.stores,
           c.revoked_at is null and p.disabled_at is null and c.expires_at > now()
    from credential c join principal p on p.tenant = c.tenant and p.principal = c.principal
    where c.hash = sought;
end;

create function door_jobs(most int)
returns table (tenant int, store int)
language sql stable security definer set search_path = pg_catalog, public
begin atomic
    select distinct due.tenant, due.store
    from (select j.tenant, j.store from job j where j.not_before <= now() order by j.not_before limit most) due;
end;

grant create on schema public to oldhand_door;
grant oldhand_door to current_user;
alter function door_credential(bytea) owner to oldhand_door;
alter function door_jobs(int) owner to oldhand_door;
revoke all on function door_credential(bytea), door_jobs(int) from public;
grant execute on function door_credential(bytea), door_jobs(int) to oldhand_server;
revoke create on schema public from oldhand_door;
revoke oldhand_door from current_user;
