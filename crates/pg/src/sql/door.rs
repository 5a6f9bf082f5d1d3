//! Who may ask, and what they did.

// Principals and their access.

pub(crate) const PRINCIPALS: &str = "select principal, kind, name, is_admin, disabled_at is not null as is_disabled \
     from principal where tenant = $1 order by principal";
pub(crate) const PRINCIPAL_OF_SUBJECT: &str = "select principal, kind, name, is_admin, disabled_at is not null as is_disabled \
     from principal where tenant = $1 and issuer = $2 and subject = $3";
/// A name that is taken gets the number of its row behind it.
pub(crate) const NEW_SUBJECT: &str = "insert into principal (tenant, kind, name, issuer, subject) \
     select $1, 'person', case when exists (select from principal where tenant = $1 and name = $4) \
            then $4 || ' ' || left(md5($2 || $3), 8) else $4 end, $2, $3 \
     on conflict (tenant, issuer, subject) do nothing";
pub(crate) const SET_ADMIN: &str =
    "update principal set is_admin = $3 where tenant = $1 and principal = $2";
pub(crate) const DISABLE: &str = "update principal set disabled_at = coalesce(disabled_at, now()) \
     where tenant = $1 and principal = $2";
pub(crate) const ENABLE: &str =
    "update principal set disabled_at = null where tenant = $1 and principal = $2";
pub(crate) const STORES: &str = "select s.store, s.name, s.level, s.truth, 'maintainer' as role, s.revision, \
     coalesce(h.files, 0) as files, coalesce(h.bytes, 0) as bytes \
     from store s left join held h on h.tenant = s.tenant and h.store = s.store where s.tenant = $1 order by s.store";
/// Of a principal and of the groups that they are in.
pub(crate) const STORES_OF: &str = "select s.store, s.name, s.level, s.truth, a.role from access a \
     join store s on s.tenant = a.tenant and s.store = a.store \
     join principal p on p.tenant = a.tenant and p.principal = a.principal \
     where a.tenant = $1 and (a.principal = $2 or (p.kind = 'group' and p.name = any ($3) and p.disabled_at is null)) \
     order by s.store";
pub(crate) const IS_ADMIN_GROUP: &str = "select coalesce(bool_or(is_admin), false) from principal \
     where tenant = $1 and kind = 'group' and name = any ($2) and disabled_at is null";
pub(crate) const ACCESS_OF_STORE: &str = "select p.name, p.kind, a.role from access a \
     join principal p on p.tenant = a.tenant and p.principal = a.principal \
     where a.tenant = $1 and a.store = $2 order by p.name";
pub(crate) const UNGRANT: &str =
    "delete from access where tenant = $1 and store = $2 and principal = $3";

pub(crate) const TENANT_NAMED: &str = "select tenant from door_tenant($1)";

// Tokens and browsers.

pub(crate) const CREDENTIAL: &str = "select tenant, credential::text, principal, kind, name, is_admin, scopes, stores, is_valid, is_seen \
     from door_credential($1)";
pub(crate) const CREDENTIALS: &str = "select c.credential::text, c.principal, p.name, c.scopes, c.stores, c.expires_at::text, \
     c.last_day::text, c.revoked_at is not null as is_revoked, c.expires_at <= now() as is_ended \
     from credential c join principal p on p.tenant = c.tenant and p.principal = c.principal \
     where c.tenant = $1 and ($2::int is null or c.principal = $2) order by c.expires_at desc, c.credential";
pub(crate) const SEE_CREDENTIAL: &str = "update credential set last_day = current_date \
     where tenant = $1 and credential = $2::text::uuid and last_day is distinct from current_date";
/// The old one of a rotation: it never gets longer.
pub(crate) const SHORTEN_CREDENTIAL: &str = "update credential set expires_at = least(expires_at, $3::text::timestamptz) \
     where tenant = $1 and credential = $2::text::uuid and revoked_at is null and expires_at > now() \
     returning principal, scopes, stores";
pub(crate) const VISIT: &str =
    "select tenant, principal, kind, name, is_admin, groups from door_visit($1)";
pub(crate) const NEW_VISIT: &str = "insert into visit (tenant, visit, principal, groups, until) \
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))";
pub(crate) const END_VISIT: &str = "delete from visit where tenant = $1 and visit = $2";
pub(crate) const FORGET_VISITS: &str = "delete from visit where tenant = $1 and until < now()";

// The audit.

/// So that there is a row to lock.
pub(crate) const MAKE_AUDIT_HEAD: &str =
    "insert into audit_head (tenant) values ($1) on conflict do nothing";
pub(crate) const LOCK_AUDIT: &str = "select seq, hash, (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros \
     from audit_head where tenant = $1 for update";
/// As the database will give it back.
pub(crate) const NORMAL_JSON: &str = "select n.what::jsonb::text from unnest($1::text[]) with ordinality as n (what, at) order by n.at";
pub(crate) const ADD_AUDIT: &str = "insert into audit (tenant, seq, at, principal, action, what, before, hash) \
     select $1, seq, timestamptz 'epoch' + micros * interval '1 microsecond', principal, action, what::jsonb, before, hash \
     from unnest($2::bigint[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::bytea[], $8::bytea[]) \
          as n (seq, micros, principal, action, what, before, hash)";
pub(crate) const MOVE_AUDIT_HEAD: &str =
    "update audit_head set seq = $2, hash = $3 where tenant = $1";
pub(crate) const AUDIT_HEAD: &str = "select seq, hash from audit_head where tenant = $1";
pub(crate) const AUDIT_LINES: &str = "select seq, (extract(epoch from at) * 1000000)::bigint as micros, principal, action, \
     what::text as what, before, hash from audit where tenant = $1 and seq > $2 order by seq limit $3";
pub(crate) const UNAUDITED: &str = "select tenant, store from door_unaudited($1)";
pub(crate) const AUDITED: &str = "select revision from audited where tenant = $1 and store = $2";
pub(crate) const WRITES_SINCE: &str = "select write, revision, principal, (extract(epoch from at) * 1000000)::bigint as micros \
     from written where tenant = $1 and store = $2 and revision > $3 order by revision limit $4";
pub(crate) const SET_AUDITED: &str = "insert into audited (tenant, store, revision) values ($1, $2, $3) \
     on conflict (tenant, store) do update set revision = excluded.revision";
pub(crate) const WRITES_NAMED: &str = "select store, write, revision, principal from written \
     where tenant = $1 and store = any ($2) and write = any ($3)";
pub(crate) const WRITES_AUDITED: &str = "select a.store, count(w.write) from audited a \
     left join written w on w.tenant = a.tenant and w.store = a.store and w.revision <= a.revision \
     where a.tenant = $1 group by a.store order by a.store";

// Erasing.

pub(crate) const DROP_VERSIONS: &str =
    "delete from version where tenant = $1 and store = $2 and hash = any ($3)";
pub(crate) const ERASE_WORDS: &str = "select door_erase_words($1, $2)";
/// What sessions were given or asked of a memory: every line and value that names it.
pub(crate) const ERASE_MENTIONS: &[&str] = &[
    "delete from session_line where tenant = $1 and store = $2 and position($3 in body) > 0",
    "delete from session_value where tenant = $1 and store = $2 and position($3 in body) > 0",
    "delete from answer where tenant = $1 and $2::int is not null and position($3 in coalesce(body, '')) > 0",
    "delete from change where tenant = $1 and store = $2 and position($3 in body::text) > 0",
];
pub(crate) const ERASE_PERSON: &[&str] = &[
    "delete from session_line where tenant = $1 and principal = $2",
    "delete from session_value where tenant = $1 and principal = $2",
    "delete from session_work where tenant = $1 and principal = $2",
    "delete from answer where tenant = $1 and principal = $2",
    "delete from visit where tenant = $1 and principal = $2",
    "delete from access where tenant = $1 and principal = $2",
    "update credential set revoked_at = coalesce(revoked_at, now()) where tenant = $1 and principal = $2",
    "update principal set name = 'erased ' || principal, issuer = null, subject = null, is_admin = false, \
     disabled_at = coalesce(disabled_at, now()) where tenant = $1 and principal = $2",
];

// Verifying.

pub(crate) const PAGE_OF_FILES: &str = "select path, id, hash, text from memory \
     where tenant = $1 and store = $2 and path > $3 order by path limit $4";
pub(crate) const LAST_HASHES: &str = "select distinct on (memory) memory, body ->> 'after' as after from event \
     where tenant = $1 and store = $2 and (body ? 'after' or body ? 'before') order by memory, seq desc";
pub(crate) const HELD: &str = "select coalesce(h.files, 0), coalesce(h.bytes, 0), \
     (select count(*) from memory m where m.tenant = s.tenant and m.store = s.store), \
     (select coalesce(sum(octet_length(m.text)), 0)::bigint from memory m where m.tenant = s.tenant and m.store = s.store) \
     from store s left join held h on h.tenant = s.tenant and h.store = s.store where s.tenant = $1 and s.store = $2";

// Operations.

pub(crate) const IS_ALIVE: &str = "select 1";
pub(crate) const TENANT_LIMITS: &str =
    "update tenant set limits = limits || $2::text::jsonb where tenant = $1";
