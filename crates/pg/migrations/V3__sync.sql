-- A store whose truth is in git, and what goes back and forth between the two.

-- The id in the `config.toml` of the repository: its address may change, this does not.
alter table store add column repository text;
create unique index store_repository on store (tenant, repository);

-- What became of a change in a checkout, as whoever took it told. `taken_at` is when that was settled: it came with
-- a push, or does not fit any more.
alter table change add column outcome text, add column note text not null default '';
create index change_waiting on change (tenant, store, seq) where taken_at is null;

-- Texts that were sent for a push that was not applied yet.
create table upload (
    tenant int not null,
    store int not null,
    hash text collate "C" not null,
    text text not null,
    at timestamptz not null default now(),
    primary key (tenant, store, hash),
    foreign key (tenant, store) references store
);

-- Files of the log whose events are all here, by their hash.
create table taken_log (
    tenant int not null,
    store int not null,
    hash text collate "C" not null,
    primary key (tenant, store, hash),
    foreign key (tenant, store) references store
);

-- What git said about the code that memories rest on, at the head of the store.
create table code_answer (
    tenant int not null,
    store int not null,
    question text not null,
    answer jsonb not null,
    primary key (tenant, store, question),
    foreign key (tenant, store) references store
);

do $$
declare
    it text;
begin
    foreach it in array array['upload', 'taken_log', 'code_answer'] loop
        execute format('alter table %I enable row level security', it);
        execute format('alter table %I force row level security', it);
        execute format('create policy own on %I using (%s)', it,
            '(tenant = (select nullif(current_setting(''oldhand.tenant'', true), '''')::int))'
            ' and store = any (array(select unnest('
            'nullif(current_setting(''oldhand.stores'', true), '''')::int[])))');
    end loop;
end $$;

grant select, insert, update, delete on upload, taken_log, code_answer to oldhand_server;
