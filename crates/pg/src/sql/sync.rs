//! Statements about a store and its repository.

pub(crate) const FIND_STORE: &str = "select store from store \
     where tenant = $1 and store = any ($2) and (name = $3 or repository = $3) order by repository = $3 desc nulls last";
pub(crate) const SYNC_STATE: &str = "select name, level, truth, repository, head, revision, seq, \
     (select count(*) from change c where c.tenant = s.tenant and c.store = s.store and c.taken_at is null) as waiting \
     from store s where tenant = $1 and store = $2";
pub(crate) const FILE_HASHES: &str =
    "select path, hash from memory where tenant = $1 and store = $2 order by path";
pub(crate) const LACKING: &str = "select hash from unnest($3::text[]) as asked (hash) where hash not in \
     (select hash from upload where tenant = $1 and store = $2 \
      union all select hash from memory where tenant = $1 and store = $2 \
      union all select hash from version where tenant = $1 and store = $2 \
      union all select hash from taken_log where tenant = $1 and store = $2) order by hash";
pub(crate) const TEXTS: &str = "select distinct on (hash) hash, text from \
     (select hash, text from upload where tenant = $1 and store = $2 and hash = any ($3) \
      union all select hash, text from memory where tenant = $1 and store = $2 and hash = any ($3) \
      union all select hash, text from version where tenant = $1 and store = $2 and hash = any ($3)) all_texts";
/// Before many rows are added: the check that the store of a row is there would be planned anew for each.
pub(crate) const MANY_ROWS: &str = "select set_config('plan_cache_mode', 'auto', true)";
pub(crate) const UPLOAD: &str = "insert into upload (tenant, store, hash, text) \
     select $1, $2, hash, text from unnest($3::text[], $4::text[]) as n (hash, text) on conflict do nothing";
/// Those of other pushes stay for a day.
pub(crate) const END_UPLOADS: &str = "delete from upload where tenant = $1 and store = $2 \
     and (hash = any ($3) or at < now() - interval '1 day')";
pub(crate) const TAKEN_LOGS: &str =
    "select hash from taken_log where tenant = $1 and store = $2 and hash = any ($3)";
pub(crate) const TAKE_LOGS: &str = "insert into taken_log (tenant, store, hash) \
     select $1, $2, unnest($3::text[]) on conflict do nothing";
pub(crate) const KNOWN_EVENTS: &str =
    "select id from event where tenant = $1 and store = $2 and id = any ($3)";
/// What a configuration declares decides how memories are read.
pub(crate) const REREAD: &str = "update memory m set indexed = 0 from store s \
     where m.tenant = $1 and m.store = $2 and m.indexed > 0 and s.tenant = $1 and s.store = $2 \
     and coalesce(s.settings ->> 'config', '') <> $3";
pub(crate) const SET_HEAD: &str = "update store set head = $3, repository = $4, settings = jsonb_set(settings, '{config}', to_jsonb($5::text)) \
     where tenant = $1 and store = $2";
pub(crate) const DROP_CODE: &str = "delete from code_answer where tenant = $1 and store = $2";
pub(crate) const ADD_CODE: &str = "insert into code_answer (tenant, store, question, answer) \
     select $1, $2, question, answer::jsonb from unnest($3::text[], $4::text[]) as n (question, answer) \
     on conflict do nothing";
pub(crate) const CODE_ANSWERS: &str = "select question, answer::text from code_answer \
     where tenant = $1 and store = $2 and question = any ($3)";
pub(crate) const HEAD_OF: &str = "select head from store where tenant = $1 and store = $2";
/// A change that waits already with the same files is not put there twice.
pub(crate) const ADD_CHANGE: &str = "insert into change (tenant, store, kind, body) select $1, $2, $3, $4::text::jsonb \
     where $4::text::jsonb -> 'files' = '[]' or not exists (select from change where tenant = $1 and store = $2 \
     and taken_at is null and body -> 'files' = $4::text::jsonb -> 'files')";
pub(crate) const CHANGES: &str = "select seq, kind, body::text, at::text, outcome, note from change \
     where tenant = $1 and store = $2 and taken_at is null and seq > $3 order by seq limit $4";
/// Changes of files: a use changes nothing that is shown.
pub(crate) const WAITING_FOR: &str = "select distinct f ->> 'id' as id, c.kind from change c \
     cross join jsonb_array_elements(c.body -> 'files') f where c.tenant = $1 and c.store = $2 \
     and c.taken_at is null and f ->> 'id' = any ($3) order by 1, 2";
pub(crate) const SETTLE_CHANGE: &str = "update change set outcome = $4, note = $5, \
     taken_at = case when $6 then now() end where tenant = $1 and store = $2 and seq = $3 and taken_at is null";
pub(crate) const CHANGES_ARRIVED: &str = "update change set taken_at = now() \
     where tenant = $1 and store = $2 and taken_at is null and seq = any ($3)";
