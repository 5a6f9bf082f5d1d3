//! Many memories at once, as rows that the server and its worker would have written, in a few copies. The index has the
//! words of the texts; the vectors are noise. Counting triggers and references are off meanwhile, and what they would
//! have counted is counted at the end.

use std::error::Error;
use std::ops::Range;
use std::pin::pin;

use jiff::Timestamp;
use oldhand_core::event::Event;
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_core::recall::row::LogFacts;
use oldhand_core::signals::Signals;
use oldhand_index::{Counts, FIELDS, Stamp, Vector, length_of, terms_of};
use oldhand_store::document::Made;
use oldhand_store::index::Embedder as _;
use oldhand_store::port::{FileWrite, Stored};
use oldhand_store::ulid::ulid;
use pgvector::HalfVector;
use tokio_postgres::Client;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::Outcome;
use crate::house::{House, OWNER};
use crate::texts::{Noise, creation};

const CHUNK: usize = 25_000;

/// A table with the columns that are copied, and a look at their types.
struct Table {
    copy: &'static str,
    look: &'static str,
}

macro_rules! table {
    ($name:literal, $columns:literal) => {
        Table {
            copy: concat!("copy ", $name, " (", $columns, ") from stdin (format binary)"),
            look: concat!("select ", $columns, " from ", $name),
        }
    };
}

const MEMORY: Table = table!(
    "memory",
    "tenant, store, no, path, folder, id, text, hash, revision, indexed, state, instant, lens, passages, card, line, terms"
);
const EVENT: Table = table!("event", "tenant, store, seq, id, at, type, memory, write, body");
const WORD: Table = table!("word", "tenant, store, term, no, tf, lens, state");
const PASSAGE: Table = table!("passage", "tenant, store, no, nth, state, scale, v");

/// As PostgreSQL takes it: one byte for the version before the text.
#[derive(Debug)]
struct Json(String);

impl ToSql for Json {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.extend_from_slice(&[1]);
        out.extend_from_slice(self.0.as_bytes());
        Ok(IsNull::No)
    }

    fn accepts(of: &Type) -> bool {
        *of == Type::JSONB
    }

    to_sql_checked!();
}

type Values<'v> = &'v [&'v (dyn ToSql + Sync)];

struct Copying<'c> {
    client: &'c Client,
    tenant: i32,
    store: i32,
    kinds: Kinds,
    trust: TrustPolicy,
    log: LogFacts,
    lens: [i64; FIELDS],
    last: String,
}

struct Whole {
    no: i64,
    file: FileWrite,
    event: Event,
    made: Made,
    terms: Vec<(u64, Counts)>,
    lens: i32,
    vectors: Vec<Vector>,
}

/// Memories of these numbers, into a store that has no others. Without an index only what a push writes.
pub(crate) fn fill(
    house: &House,
    (tenant, store): (i32, i32),
    numbers: Range<u64>,
    is_indexed: bool,
) -> Outcome<()> {
    let (client, _) = house.connect(OWNER)?;
    let (log, lens, last) = (LogFacts::default(), [0; FIELDS], String::new());
    let (kinds, trust) = (Kinds::default(), TrustPolicy::default());
    let mut copying = Copying { client: &client, tenant, store, kinds, trust, log, lens, last };
    house.runtime.block_on(async {
        client.batch_execute("set session_replication_role = replica").await?;
        let all: Vec<u64> = numbers.clone().collect();
        for chunk in all.chunks(CHUNK) {
            copying.chunk(chunk, numbers.start, is_indexed).await?;
        }
        copying.end(numbers.end - numbers.start, is_indexed).await
    })
}

impl Copying<'_> {
    async fn chunk(&mut self, numbers: &[u64], first: u64, is_indexed: bool) -> Outcome<()> {
        let mut all: Vec<Whole> =
            numbers.iter().map(|number| self.whole(*number, first)).collect::<Outcome<_>>()?;
        self.events(&all, first).await?;
        // By path, as the index of paths wants them.
        all.sort_by(|a, b| a.file.path.cmp(&b.file.path));
        self.memories(&all, is_indexed).await?;
        if is_indexed {
            self.words(&all).await?;
            self.passages(&all).await?;
        }
        Ok(())
    }

    fn whole(&mut self, number: u64, first: u64) -> Outcome<Whole> {
        let no = i64::try_from(number)? + 1;
        let (file, mut event) = creation(number, &self.kinds)?;
        event.id = ulid(Timestamp::from_second(1_000_000 + no)?, u128::from(number));
        event.write = ulid(Timestamp::from_second(1_000_000)?, u128::from(first));
        self.log.take(&event);
        self.last.clone_from(&event.id);
        let text = file.after.clone().unwrap_or_default();
        let stored = Stored::parse(&file.path, text.into_bytes(), &self.kinds);
        let stored = stored.map_err(|unreadable| unreadable.why)?;
        let events = std::slice::from_ref(&event);
        let signals = Signals::fold(&stored.memory, events, &self.trust);
        let made = Made::of(&stored, &self.kinds, Stamp::default(), &signals);
        let (mut terms, lengths) = terms_of(&made.document.fields);
        terms.extend(made.document.filters.iter().map(|key| (*key, Counts::default())));
        terms.sort_unstable_by_key(|(key, counts)| (*key, std::cmp::Reverse(*counts)));
        terms.dedup_by_key(|(key, _)| *key);
        for (sum, code) in self.lens.iter_mut().zip(lengths) {
            *sum += i64::from(length_of(code));
        }
        let vectors = made.passages.iter().map(|passage| Noise.embed(passage)).collect();
        Ok(Whole { no, file, event, made, terms, lens: i32::from_le_bytes(lengths), vectors })
    }

    async fn events(&self, all: &[Whole], first: u64) -> Outcome<()> {
        let mut copy = pin!(self.copy(&EVENT).await?);
        for it in all {
            let seq = it.no - i64::try_from(first)?;
            let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(it.no.unsigned_abs());
            let body = Json(serde_json::to_string(&it.event)?);
            let (kind, memory) = (it.event.event_type.to_string(), it.file.id.as_str());
            let values: Values<'_> = &[
                &self.tenant,
                &self.store,
                &seq,
                &it.event.id,
                &at,
                &kind,
                &memory,
                &it.event.write,
                &body,
            ];
            copy.as_mut().write(values).await?;
        }
        copy.finish().await?;
        Ok(())
    }

    async fn memories(&self, all: &[Whole], is_indexed: bool) -> Outcome<()> {
        let mut copy = pin!(self.copy(&MEMORY).await?);
        for it in all {
            let text = it.file.after.as_deref().unwrap_or_default();
            let folder = it.file.path.split_once('/').map_or("", |(folder, _)| folder);
            let hash = it.file.hash().map(|hash| hash.to_string());
            let document = &it.made.document;
            let (state, indexed) = (i16::from(document.state), i64::from(is_indexed));
            let passages = i16::try_from(it.vectors.len())?;
            let card = std::str::from_utf8(&document.card)?;
            let terms: Vec<i64> = it.terms.iter().map(|(term, _)| term.cast_signed()).collect();
            let derived = |it| is_indexed.then_some(it);
            let values: Values<'_> = &[
                &self.tenant,
                &self.store,
                &it.no,
                &it.file.path,
                &folder,
                &it.file.id.as_str(),
                &text,
                &hash,
                &1_i64,
                &indexed,
                &is_indexed.then_some(state),
                &is_indexed.then_some(document.instant),
                &is_indexed.then_some(it.lens),
                &is_indexed.then_some(passages),
                &derived(card),
                &is_indexed.then_some(&document.row),
                &is_indexed.then_some(terms),
            ];
            copy.as_mut().write(values).await?;
        }
        copy.finish().await?;
        Ok(())
    }

    async fn words(&self, all: &[Whole]) -> Outcome<()> {
        let mut rows = Vec::new();
        for it in all {
            let state = i16::from(it.made.document.state);
            let row = |(term, counts): &(u64, Counts)| {
                (term.cast_signed(), it.no, i32::from_le_bytes(*counts), it.lens, state)
            };
            rows.extend(it.terms.iter().map(row));
        }
        rows.sort_unstable();
        let mut copy = pin!(self.copy(&WORD).await?);
        for (term, no, counts, lens, state) in &rows {
            let values: Values<'_> = &[&self.tenant, &self.store, term, no, counts, lens, state];
            copy.as_mut().write(values).await?;
        }
        copy.finish().await?;
        Ok(())
    }

    async fn passages(&self, all: &[Whole]) -> Outcome<()> {
        let mut copy = pin!(self.copy(&PASSAGE).await?);
        for it in all {
            let state = i16::from(it.made.document.state);
            for (nth, vector) in (0_i16..).zip(&it.vectors) {
                let half = HalfVector::from_f32_slice(&vector.bytes.map(f32::from));
                let values: Values<'_> =
                    &[&self.tenant, &self.store, &it.no, &nth, &state, &vector.scale, &half];
                copy.as_mut().write(values).await?;
            }
        }
        copy.finish().await?;
        Ok(())
    }

    async fn copy(&self, table: &Table) -> Outcome<BinaryCopyInWriter> {
        let looked = self.client.prepare(table.look).await?;
        let types: Vec<Type> = looked.columns().iter().map(|it| it.type_().clone()).collect();
        Ok(BinaryCopyInWriter::new(self.client.copy_in(table.copy).await?, &types))
    }

    /// What a write leaves behind itself, and what the triggers would have counted.
    async fn end(&self, count: u64, is_indexed: bool) -> Outcome<()> {
        let (client, count) = (self.client, i64::try_from(count)?);
        let log = serde_json::to_string(&self.log)?;
        let (tenant, store) = (&self.tenant, &self.store);
        let head = "update store set revision = 1, seq = $3, last = $4, log = $5::text::jsonb \
             where tenant = $1 and store = $2";
        client.execute(head, &[tenant, store, &count, &self.last, &log]).await?;
        let held = "insert into held (tenant, store, files, bytes) select $1, $2, count(*), \
             coalesce(sum(octet_length(text)), 0) from memory where tenant = $1 and store = $2 \
             on conflict (tenant, store) do update set files = excluded.files, bytes = excluded.bytes";
        client.execute(held, &[tenant, store]).await?;
        if is_indexed {
            let totals = "insert into totals (tenant, store, memories, embedded, passages, lens, model) \
                 select $1, $2, $3, $3, (select count(*)::int from passage where tenant = $1 and store = $2), $4, $5";
            let (memories, lens) = (i32::try_from(count)?, self.lens.as_slice());
            client.execute(totals, &[tenant, store, &memories, &lens, &Noise.tag()]).await?;
        }
        let next = "select setval(pg_get_serial_sequence('memory', 'no'), \
             (select max(no) from memory))";
        client.query_one(next, &[]).await?;
        Ok(())
    }
}
