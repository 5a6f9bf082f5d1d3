//! Every statement, as a constant. Each names its tenant and its store itself; row security stands behind that.

pub(crate) mod door;
pub(crate) mod near;
pub(crate) mod sync;

/// A call is one processor's work: to begin a process beside it costs more than most questions. Plans are made anew:
/// tenants are of very different sizes, and a plan that was made for a small one, or for a table that was empty then, is
/// thousands of times too slow for a large one.
pub(crate) const CONTEXT: &str = "select set_config('oldhand.tenant', $1, true), set_config('oldhand.stores', $2, true), \
     set_config('lock_timeout', $3, true), set_config('statement_timeout', $4, true), \
     set_config('idle_in_transaction_session_timeout', '60000', true), \
     set_config('plan_cache_mode', 'force_custom_plan', true), \
     set_config('max_parallel_workers_per_gather', '0', true)";

pub(crate) const SERVER_FACTS: &str = "select current_setting('server_version_num')::int as version, \
     (select extversion from pg_extension where extname = 'vector') as vector, \
     current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes, \
     current_setting('synchronous_commit') as synchronous_commit, \
     (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses, \
     exists (select from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace \
             and pg_has_role(current_user, relowner, 'member')) as owns, \
     array(select relname::text from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace \
           and relname <> 'refinery_schema_history' and not (relrowsecurity and relforcerowsecurity) \
           order by 1) as open";

/// Any number that is ours alone.
pub(crate) const LOCK_SCHEMA: &str = "select pg_advisory_lock(7243392871046021)";
pub(crate) const UNLOCK_SCHEMA: &str = "select pg_advisory_unlock(7243392871046021)";
pub(crate) const HAS_SCHEMA: &str = "select to_regclass('refinery_schema_history') is not null";
pub(crate) const SCHEMA_VERSION: &str = "select max(version) from refinery_schema_history";

// Files.

pub(crate) const FIND: &str = "select path, text from memory where tenant = $1 and store = $2 and id = $3 and folder <> $4 order by path";
pub(crate) const FIND_AT: &str =
    "select path, text from memory where tenant = $1 and store = $2 and path = $3";
pub(crate) const IDS: &str =
    "select id from memory where tenant = $1 and store = $2 and folder <> $3 order by path";
pub(crate) const COUNT_ALL: &str =
    "select count(*) from memory where tenant = $1 and store = $2 and folder <> $3";
pub(crate) const VISIT_ALL: &str = "select path, text from memory \
     where tenant = $1 and store = $2 and folder <> $3 and path > $4 order by path limit $5";
pub(crate) const VISIT_FOLDER: &str = "select path, text from memory \
     where tenant = $1 and store = $2 and folder = $3 and path > $4 order by path limit $5";
pub(crate) const COUNT_FILES: &str = "select count(*) from \
     (select from memory where tenant = $1 and store = $2 and folder = $3 limit $4) counted";
pub(crate) const KEPT: &str =
    "select text from version where tenant = $1 and store = $2 and hash = $3";

// The log.

pub(crate) const EVENTS: &str = "select seq, body::text from event \
     where tenant = $1 and store = $2 and seq > $3 order by seq limit $4";
pub(crate) const EVENTS_OF: &str = "select seq, body::text from event \
     where tenant = $1 and store = $2 and memory = $3 order by seq";

// A write. Key columns stay as they are, so a row that refers to the store need not wait for it.

pub(crate) const LOCK_STORE: &str = "select revision, seq, last, log::text, truth, head, repository from store \
     where tenant = $1 and store = $2 for no key update";
pub(crate) const FILES_AT: &str = "select no, path, hash, indexed, lens, passages from memory \
     where tenant = $1 and store = $2 and path = any ($3)";
pub(crate) const KEEP_VERSIONS: &str = "insert into version (tenant, store, hash, text) \
     select tenant, store, hash, text from memory where tenant = $1 and store = $2 and no = any ($3) \
     on conflict do nothing";
/// With a job for each, as all that follow here: the worker never looks at what is pending.
pub(crate) const CREATE_FILES: &str = "with made as \
     (insert into memory (tenant, store, path, folder, id, text, hash, revision) \
      select $1, $2, path, folder, id, text, hash, $3 \
      from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) as n (path, folder, id, text, hash) \
      returning no, folder) \
     insert into job (tenant, store, no, revision) select $1, $2, no, $3 from made where folder <> 'pending'";
pub(crate) const CHANGE_FILES: &str = "with changed as \
     (update memory m set path = n.path, folder = n.folder, text = n.text, hash = n.hash, revision = $3 \
      from unnest($4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[]) as n (no, path, folder, text, hash) \
      where m.tenant = $1 and m.store = $2 and m.no = n.no returning m.no, m.folder) \
     insert into job (tenant, store, no, revision) select $1, $2, no, $3 from changed where folder <> 'pending' \
     on conflict (tenant, store, no) do update set revision = excluded.revision, tries = 0, not_before = now()";
pub(crate) const TOUCH_FILES: &str = "with touched as (update memory set revision = $3 \
      where tenant = $1 and store = $2 and id = any ($4) and folder <> 'pending' and revision < $3 returning no) \
     insert into job (tenant, store, no, revision) select $1, $2, no, $3 from touched \
     on conflict (tenant, store, no) do update set revision = excluded.revision, tries = 0, not_before = now()";
pub(crate) const TERMS_OF: &str = "select distinct unnest(terms) from memory \
     where tenant = $1 and store = $2 and no = any ($3)";
/// By the key of the table: nothing else says where the words of a memory are.
pub(crate) const DROP_WORDS: &str =
    "delete from word where tenant = $1 and store = $2 and term = any ($3) and no = any ($4)";
pub(crate) const DROP_PASSAGES: &str =
    "delete from passage where tenant = $1 and store = $2 and no = any ($3)";
pub(crate) const DROP_JOBS: &str =
    "delete from job where tenant = $1 and store = $2 and no = any ($3)";
pub(crate) const DROP_FILES: &str =
    "delete from memory where tenant = $1 and store = $2 and no = any ($3)";
pub(crate) const ADD_TOTALS: &str = "insert into totals as t (tenant, store, memories, embedded, lens, passages) \
     values ($1, $2, $3, $4, $5, $6) on conflict (tenant, store) do update set \
     memories = t.memories + excluded.memories, embedded = t.embedded + excluded.embedded, \
     passages = t.passages + excluded.passages, lens = array[t.lens[1] + excluded.lens[1], t.lens[2] + excluded.lens[2], \
                  t.lens[3] + excluded.lens[3], t.lens[4] + excluded.lens[4]]";
pub(crate) const ADD_EVENTS: &str = "insert into event (tenant, store, source, seq, id, at, type, memory, write, body) \
     select $1, $2, $3, seq, id, at::timestamptz, type, memory, write, body::jsonb \
     from unnest($4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[]) \
          as n (seq, id, at, type, memory, write, body)";
pub(crate) const END_WRITE: &str = "with w as (insert into written (tenant, store, write, token, revision, principal) \
                values ($1, $2, $7, $9, $3, $8)) \
     update store set revision = $3, seq = $4, last = $5, log = $6::text::jsonb where tenant = $1 and store = $2";
pub(crate) const WAS_WRITTEN: &str =
    "select from written where tenant = $1 and store = $2 and write = $3 and token = $4";

// Pages.

pub(crate) const READ_PAGE: &str =
    "select text from page where tenant = $1 and store = $2 and name = $3";
pub(crate) const NEW_PAGE: &str =
    "insert into page (tenant, store, name, text) values ($1, $2, $3, $4) on conflict do nothing";
pub(crate) const CHANGE_PAGE: &str = "update page set text = $4 \
     where tenant = $1 and store = $2 and name = $3 and text = $5";

// Inspection.

pub(crate) const LOG_FACTS: &str = "select s.seq, count(e.seq), coalesce(max(e.seq), 0) \
     from store s left join event e on e.tenant = s.tenant and e.store = s.store \
     where s.tenant = $1 and s.store = $2 group by s.seq";

// Administration.

pub(crate) const NEXT_TENANT: &str =
    "select nextval(pg_get_serial_sequence('tenant', 'tenant'))::int";
pub(crate) const NEW_TENANT: &str =
    "insert into tenant (tenant, name) overriding system value values ($1, $2)";
pub(crate) const NEW_PRINCIPAL: &str =
    "insert into principal (tenant, kind, name) values ($1, $2, $3) returning principal";
pub(crate) const NEW_STORE: &str =
    "insert into store (tenant, name, level, truth) values ($1, $2, $3, $4) returning store";
pub(crate) const GRANT: &str = "insert into access (tenant, store, principal, role) values ($1, $2, $3, $4) \
     on conflict (tenant, store, principal) do update set role = excluded.role";
pub(crate) const STORE_FACTS: &str = "select revision, coalesce(settings ->> 'config', '') as config \
     from store where tenant = $1 and store = $2";
pub(crate) const NEW_CREDENTIAL: &str = "insert into credential (tenant, credential, principal, hash, scopes, stores, expires_at) \
     values ($1, $2::text::uuid, $3, $4, $5, $6, $7::text::timestamptz)";
pub(crate) const REVOKE_CREDENTIAL: &str = "update credential set revoked_at = now() \
     where tenant = $1 and credential = $2::text::uuid and revoked_at is null";
// Answers to requests with a key.

pub(crate) const CLAIM_ANSWER: &str = "update answer set attempt = $4 where tenant = $1 and principal = $2 \
     and key = $3::text::uuid and status is null and (attempt is null or attempt = $4)";
pub(crate) const NEW_ANSWER: &str = "insert into answer (tenant, principal, key, asked) \
     values ($1, $2, $3::text::uuid, $4) on conflict do nothing";
pub(crate) const ANSWER: &str = "select asked, attempt, status, body from answer \
     where tenant = $1 and principal = $2 and key = $3::text::uuid";
pub(crate) const END_ANSWER: &str = "update answer set status = $4, body = $5 where tenant = $1 and principal = $2 \
     and key = $3::text::uuid and status is null";
pub(crate) const FORGET_ANSWERS: &str =
    "delete from answer where tenant = $1 and at < now() - interval '24 hours'";

// The index. `indexed = revision` leaves out what has changed since: that is weighed from its text.

pub(crate) const TOTALS: &str = "select s.store, s.log::text as log, coalesce(t.memories, 0) as memories, \
     coalesce(t.embedded, 0) as embedded, coalesce(t.passages, 0) as passages, \
     coalesce(t.lens, '{0,0,0,0}') as lens, coalesce(t.model, '') as model \
     from store s left join totals t on t.tenant = s.tenant and t.store = s.store \
     where s.tenant = $1 and s.store = any ($2)";
/// Store by store: for many at once the planner expects a third of all memories, and reads all of them.
pub(crate) const CHANGED: &str = "select m.* from unnest($2::int[]) as s (store) cross join lateral \
     (select store, no, path, id, text, revision, lens, passages, card from memory \
      where tenant = $1 and store = s.store and indexed < revision and folder <> 'pending' \
      order by revision desc limit $3) m order by m.revision desc limit $3";
pub(crate) const EVENTS_OF_MANY: &str = "select store, seq, memory, body::text from event \
     where tenant = $1 and store = any ($2) and memory = any ($3) order by seq";
/// A row for each term that is anywhere: thousands of rows cost more to send and to read than to find.
pub(crate) const WORDS: &str = "select t.term, w.* from unnest($3::bigint[]) as t (term) cross join lateral \
     (select array_agg(no), array_agg(tf), array_agg(lens), array_agg(state) from word \
      where tenant = $1 and store = any ($2) and word.term = t.term having count(*) > 0) w";
/// Passages, among those that may be returned: grouped by their memories, vectors would be sorted on the disk.
pub(crate) const NEAREST: &str = "select no from passage where tenant = $1 and store = any ($2) \
     and state = any ($3) and ($4::bigint[] is null or no = any ($4)) and no <> all ($5) \
     order by (v <#> $6) * scale limit $7";
pub(crate) const PRODUCTS: &str = "select no, state, scale, -(v <#> $4) as dot from passage \
     where tenant = $1 and store = any ($2) and no = any ($3)";
pub(crate) const PATHS: &str = "select no, path from memory \
     where tenant = $1 and store = any ($2) and no = any ($3)";
pub(crate) const CARDS: &str = "select store, no, path, card from memory \
     where tenant = $1 and store = any ($2) and no = any ($3)";
/// The newest of each store and then of all: an index has the order of one store.
pub(crate) const NEWEST: &str = "select m.store, m.no, m.path, m.card, m.instant from unnest($2::int[]) as s (store) \
     cross join lateral (select store, no, path, card, instant from memory \
                         where tenant = $1 and store = s.store and indexed = revision and state = any ($3) \
                         and ($4::bigint[] is null or no = any ($4)) order by instant desc, path limit $5) m \
     order by m.instant desc, m.path limit $5";
pub(crate) const LINES: &str = "select path, line from memory \
     where tenant = $1 and store = any ($2) and indexed = revision and state = any ($3) \
     and ($4::bigint[] is null or no = any ($4))";
pub(crate) const COUNT_INDEXED: &str = "select count(*) from memory \
     where tenant = $1 and store = any ($2) and indexed = revision and state = any ($3) \
     and ($4::bigint[] is null or no = any ($4))";
pub(crate) const UNREADABLE: &str = "select store, path, why from memory \
     where tenant = $1 and store = any ($2) and why is not null and indexed = revision order by store, path";

// The worker.

pub(crate) const DUE: &str = "select tenant, store from door_jobs($1)";
pub(crate) const CLAIM_JOBS: &str = "with due as materialized (select no from job where tenant = $1 and store = $2 and not_before <= now() \
                               order by not_before limit $3 for update skip locked) \
     update job set not_before = now() + interval '60 seconds' * (tries + 1), tries = tries + 1 \
     where tenant = $1 and store = $2 and no = any (array(select no from due)) returning no";
pub(crate) const TO_INDEX: &str = "select store, no, path, id, text, revision, lens, passages, card from memory \
     where tenant = $1 and store = any ($2) and no = any ($3)";
pub(crate) const HOLD: &str = "select no, revision, lens, passages from memory \
     where tenant = $1 and store = $2 and no = any ($3) for update skip locked";
pub(crate) const MODEL: &str = "select model from totals where tenant = $1 and store = $2";
pub(crate) const SET_INDEXED: &str = "update memory m set indexed = n.revision, state = n.state, instant = n.instant, \
     lens = n.lens, passages = n.passages, card = n.card, line = n.line, why = n.why, \
     terms = coalesce((select array_agg(w.term) from unnest($11::bigint[], $12::bigint[]) as w (no, term) \
                       where w.no = n.no), '{}') \
     from unnest($3::bigint[], $4::bigint[], $5::smallint[], $6::bigint[], $7::int[], $8::smallint[], $9::text[], \
                 $10::bytea[], $13::text[]) \
          as n (no, revision, state, instant, lens, passages, card, line, why) \
     where m.tenant = $1 and m.store = $2 and m.no = n.no";
pub(crate) const ADD_WORDS: &str = "insert into word (tenant, store, term, no, tf, lens, state) \
     select $1, $2, term, no, tf, lens, state \
     from unnest($3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::smallint[]) as n (term, no, tf, lens, state)";
pub(crate) const ADD_PASSAGES: &str = "insert into passage (tenant, store, no, nth, state, scale, v) \
     select $1, $2, no, nth, state, scale, v \
     from unnest($3::bigint[], $4::smallint[], $5::smallint[], $6::real[], $7::halfvec[]) as n (no, nth, state, scale, v)";
pub(crate) const SET_PASSAGES: &str = "update passage p set state = n.state \
     from unnest($3::bigint[], $4::smallint[]) as n (no, state) \
     where p.tenant = $1 and p.store = $2 and p.no = n.no and p.state <> n.state";
pub(crate) const END_JOBS: &str = "delete from job j using unnest($3::bigint[], $4::bigint[]) as n (no, revision) \
     where j.tenant = $1 and j.store = $2 and j.no = n.no and j.revision <= n.revision";
pub(crate) const JOBS_OF_CHANGED: &str = "insert into job (tenant, store, no, revision) \
     select tenant, store, no, revision from memory where tenant = $1 and store = $2 and indexed < revision \
     and folder <> 'pending' on conflict do nothing";
/// Vectors of another model can't be compared with these.
pub(crate) const DROP_MODEL: &[&str] = &[
    "delete from passage where tenant = $1 and store = $2",
    "update memory set passages = null, indexed = 0 where tenant = $1 and store = $2 and indexed > 0",
    JOBS_OF_CHANGED,
    "update totals set embedded = 0, passages = 0 where tenant = $1 and store = $2",
];
pub(crate) const SET_MODEL: &str = "insert into totals (tenant, store, model) values ($1, $2, $3) \
     on conflict (tenant, store) do update set model = excluded.model";

// Sessions.

pub(crate) const VALUE: &str = "select body from session_value where tenant = $1 and store = $2 and principal = $3 \
     and part = $4 and session = $5 and agent = $6";
/// So that there is a row to lock.
pub(crate) const MAKE_VALUE: &str = "insert into session_value (tenant, store, principal, part, session, agent, body) \
     values ($1, $2, $3, $4, $5, $6, '') on conflict do nothing";
pub(crate) const LOCK_VALUE: &str = "select body from session_value where tenant = $1 and store = $2 \
     and principal = $3 and part = $4 and session = $5 and agent = $6 for update";
pub(crate) const SET_VALUE: &str = "update session_value set body = $7, touched = now() where tenant = $1 \
     and store = $2 and principal = $3 and part = $4 and session = $5 and agent = $6";
pub(crate) const RECENT_VALUES: &str = "select body from session_value where tenant = $1 and store = $2 \
     and principal = $3 and part = $4 and agent = '' and body <> '' order by touched desc limit $5";
pub(crate) const VALUES_OF_AGENTS: &str = "select body from session_value where tenant = $1 and store = $2 \
     and principal = $3 and part = $4 and session = $5 and agent <> '' and body <> '' order by agent";
pub(crate) const SESSION_LINES: &str = "select n, body from session_line where tenant = $1 and store = $2 \
     and principal = $3 and part = $4 and session = $5 order by n desc limit $6";
pub(crate) const ADD_LINES: &str = "insert into session_line (tenant, store, principal, part, session, body) \
     select $1, $2, $3, $4, $5, body from unnest($6::text[]) with ordinality as n (body, at) order by n.at";
pub(crate) const TAKE_LINES: &str = "delete from session_line where tenant = $1 and store = $2 \
     and principal = $3 and part = $4 and session = $5 returning n, body";
pub(crate) const HOLD_WORK: &str = "insert into session_work (tenant, store, principal, session, agent, holder, until) \
     values ($1, $2, $3, $4, $5, $6, now() + interval '10 minutes') \
     on conflict (tenant, store, principal, session, agent) do update set holder = excluded.holder, \
     until = excluded.until where session_work.until < now()";
pub(crate) const END_WORK: &str = "delete from session_work where tenant = $1 and store = $2 \
     and principal = $3 and session = $4 and agent = $5 and holder = $6";
/// As long as files of sessions are kept.
pub(crate) const FORGET_SESSIONS: &[&str] = &[
    "delete from session_value where tenant = $1 and store = $2 and principal = $3 and session <> '' \
     and touched < now() - interval '45 days'",
    "delete from session_line where tenant = $1 and store = $2 and principal = $3 \
     and at < now() - interval '45 days'",
];
pub(crate) const FORGET_LINES: &str = "delete from session_line where tenant = $1 and store = $2 \
     and principal = $3 and part = $4 and session = '' \
     and case when pg_input_is_valid(body, 'jsonb') then body::jsonb ->> 'at' < $5 else false end";
