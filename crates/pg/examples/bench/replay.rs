//! The statements of the server once more, by a client that does nothing else: they are taken from the log of
//! PostgreSQL with their values, so they are those that the server sends, whatever it sends.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{Format, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Statement};

use crate::Outcome;
use crate::house::House;

/// Text that PostgreSQL reads as whatever the statement wants.
#[derive(Debug, Clone)]
struct Typed(Option<String>);

impl ToSql for Typed {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        let Some(text) = &self.0 else { return Ok(IsNull::Yes) };
        out.extend_from_slice(text.as_bytes());
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    to_sql_checked!();
}

#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub sql: String,
    /// `None` for what is sent as plain text, such as `begin`.
    values: Option<Vec<Typed>>,
}

impl Said {
    pub(crate) fn plain(sql: &str) -> Self {
        Self { sql: sql.to_owned(), values: None }
    }

    /// Bytes of its values.
    pub(crate) fn size(&self) -> usize {
        self.values.iter().flatten().filter_map(|it| it.0.as_ref()).map(String::len).sum()
    }
}

/// Statements in the order in which they were sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recording(pub Vec<Said>);

/// What the server does by itself every few seconds.
const ASIDE: [&str; 4] = ["door_unaudited", "door_waiting", "door_jobs", "audit"];

pub(crate) struct Recorder {
    log: PathBuf,
    from: u64,
}

impl Recorder {
    /// From now on the log has every statement of connections that begin now.
    pub(crate) fn switch(house: &House, is_on: bool) -> Outcome<()> {
        match is_on {
            true => house.sql(
                "alter role oldhand_server set log_min_messages = 'log'; \
                 alter role oldhand_server set log_statement = 'all'",
            ),
            false => house.sql("alter role oldhand_server reset all"),
        }
    }

    pub(crate) fn begin(socket: &Path) -> Outcome<Self> {
        let log = socket.join("log");
        let from = std::fs::metadata(&log)?.len();
        Ok(Self { log, from })
    }

    pub(crate) fn end(self) -> Outcome<Recording> {
        let bytes = std::fs::read(&self.log)?;
        let text = String::from_utf8_lossy(&bytes[usize::try_from(self.from)?..]).into_owned();
        Ok(Recording(transactions(&text)))
    }
}

/// By process, a transaction as a whole, in the order in which they ended.
fn transactions(log: &str) -> Vec<Said> {
    let (mut done, mut open): (Vec<Said>, HashMap<&str, Vec<Said>>) = Default::default();
    // A line of its own begins with `@`, others are the rest of the one before.
    for record in log.split("\n@") {
        let record = record.strip_prefix('@').unwrap_or(record);
        let Some((process, rest)) = record.split_once(' ') else { continue };
        let mine = open.entry(process).or_default();
        let rest = rest.replace("\n\t", "\n");
        if let Some(values) = rest.strip_prefix("DETAIL:  ") {
            if let (Some(said), Some(at)) = (mine.last_mut(), values.find("$1 = ")) {
                said.values = Some(values_of(&values[at..]));
            }
        } else if let Some(sql) = rest.strip_prefix("LOG:  statement: ") {
            mine.push(Said::plain(sql.trim_end()));
        } else if let Some((_, sql)) =
            rest.strip_prefix("LOG:  execute ").and_then(|it| it.split_once(": "))
        {
            mine.push(Said { sql: sql.trim_end().to_owned(), values: Some(Vec::new()) });
        }
        let is_over = |said: &Said| matches!(said.sql.as_str(), "commit" | "rollback");
        let is_single = mine.first().is_some_and(|said| !said.sql.starts_with("begin"));
        // One without a transaction ends where the next one of its process begins: its values come behind it.
        if mine.last().is_some_and(is_over) || (is_single && mine.len() > 1) {
            let rest = if is_single { mine.split_off(mine.len() - 1) } else { Vec::new() };
            let whole = std::mem::replace(mine, rest);
            let is_aside = |said: &Said| ASIDE.iter().any(|name| said.sql.contains(name));
            if !whole.iter().any(is_aside) {
                done.extend(whole);
            }
        }
    }
    done
}

/// `$1 = 'it''s', $2 = NULL`.
fn values_of(text: &str) -> Vec<Typed> {
    let (mut values, mut rest) = (Vec::new(), text);
    while let Some((_, value)) = rest.split_once(" = ") {
        let Some(quoted) = value.strip_prefix('\'') else {
            values.push(Typed(None));
            rest = value;
            continue;
        };
        let (mut one, mut at) = (String::new(), 0);
        while let Some(end) = quoted[at..].find('\'') {
            one.push_str(&quoted[at..at + end]);
            at += end + 1;
            if !quoted[at..].starts_with('\'') {
                break;
            }
            one.push('\'');
            at += 1;
        }
        values.push(Typed(Some(one)));
        rest = &quoted[at..];
    }
    values
}

impl Recording {
    /// The same about another store: each statement names the tenant first and then the store.
    pub(crate) fn about(&self, from: i32, to: i32) -> Self {
        let (plain, many) = (from.to_string(), format!("{{{from}}}"));
        let moved = |typed: &Typed| match &typed.0 {
            Some(text) if *text == plain => Typed(Some(to.to_string())),
            Some(text) if *text == many => Typed(Some(format!("{{{to}}}"))),
            _ => typed.clone(),
        };
        let one = |said: &Said| {
            let mut said = said.clone();
            if let Some(second) = said.values.as_mut().and_then(|values| values.get_mut(1)) {
                *second = moved(second);
            }
            said
        };
        Self(self.0.iter().map(one).collect())
    }

    /// How many times each statement is there.
    pub(crate) fn kinds(&self) -> Vec<(&str, usize)> {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for said in &self.0 {
            match kinds.iter_mut().find(|(sql, _)| *sql == said.sql) {
                Some((_, count)) => *count += 1,
                None => kinds.push((&said.sql, 1)),
            }
        }
        kinds
    }
}

/// A connection that prepares each statement once, as the server's do.
pub(crate) struct Plain<'c> {
    client: &'c Client,
    prepared: HashMap<String, Statement>,
}

impl<'c> Plain<'c> {
    pub(crate) fn new(client: &'c Client) -> Self {
        Self { client, prepared: HashMap::new() }
    }

    pub(crate) async fn say(&mut self, said: &Said) -> Outcome<usize> {
        let Some(values) = &said.values else {
            self.client.batch_execute(&said.sql).await?;
            return Ok(0);
        };
        let statement = match self.prepared.get(&said.sql) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self.client.prepare(&said.sql).await?;
                self.prepared.insert(said.sql.clone(), statement.clone());
                statement
            }
        };
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|it| it as _).collect();
        Ok(self.client.query(&statement, &values).await?.len())
    }

    pub(crate) async fn say_all(&mut self, recording: &Recording) -> Outcome<()> {
        for said in &recording.0 {
            self.say(said).await?;
        }
        Ok(())
    }
}
