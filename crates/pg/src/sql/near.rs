//! Statements about vector indexes.

/// Any number that is ours alone.
pub(crate) const TRY_LOCK: &str = "select pg_try_advisory_lock(7243392871046022)";
pub(crate) const UNLOCK: &str = "select pg_advisory_unlock(7243392871046022)";
pub(crate) const OWNS: &str = "select exists (select from pg_class where oid = to_regclass('public.passage') \
     and pg_has_role(current_user, relowner, 'member'))";
pub(crate) const SIZES: &str = "select tenant, passages from door_sizes($1)";
/// By their names: nothing else says whose an index is.
pub(crate) const INDEXES: &str = "select substr(c.relname, 14)::int as tenant, i.indisvalid as is_valid \
     from pg_index i join pg_class c on c.oid = i.indexrelid \
     where i.indrelid = 'public.passage'::regclass and c.relname ~ '^passage_near_[0-9]+$' order by 1";
pub(crate) const MAKE: &str = "select format('create index concurrently passage_near_%s on public.passage \
     using hnsw (v halfvec_cosine_ops) with (m = 16, ef_construction = 64) where tenant = %s', $1::int, $1::int)";
pub(crate) const DROP: &str =
    "select format('drop index concurrently if exists public.passage_near_%s', $1::int)";

/// Whether the tenant of whoever asks has an index, and how many passages.
pub(crate) const PROMOTED: &str = "select door_passages() as passages, exists (select from pg_index i \
     join pg_class c on c.oid = i.indexrelid where i.indrelid = 'public.passage'::regclass and i.indisvalid \
     and c.relname = 'passage_near_' || $1::int) as is_promoted";
/// A sort would compare every passage, and the planner does not always know better.
pub(crate) const BY_INDEX: &str = "select set_config('hnsw.ef_search', '100', true), \
     set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('enable_sort', 'off', true)";
pub(crate) const BY_ALL: &str = "select set_config('enable_sort', 'on', true)";
/// By the angle, which is what the scale of a passage makes of the product. Whoever asks measures again exactly.
pub(crate) const NEAREST_BY_INDEX: &str = "select no from passage where tenant = $1 and store = any ($2) \
     and state = any ($3) and ($4::bigint[] is null or no = any ($4)) and no <> all ($5) \
     order by v <=> $6 limit $7";
