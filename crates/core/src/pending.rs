//! What waits for a person, one file each: a proposal that the gate stopped, with its text, or
//! a promotion that still lacks an approval.

use jiff::Timestamp;

use crate::actor::Via;
use crate::codec::document::Document;
use crate::codec_error::CodecError;
use crate::memory::MemoryId;
use crate::state::State;
use crate::yaml::{self, Yaml, write_entry};
use oldhand_text::problem::Problem;
use oldhand_text::strings::{normalise_line, shorten};
use oldhand_text::time::{format_instant, parse_instant, whole_seconds};
use oldhand_text::word::words;

pub const PENDING_FOLDER: &str = "pending";

words! {
    /// What would be done with a proposal that a person lets pass.
    Action, "action" {
        Create = "create",
        Update = "update",
        /// Back from the archive, or from retirement.
        Restore = "restore",
        /// An agent asked for the reversal itself.
        Supersede = "supersede",
        /// It is in force: a merge brought it together with what it clashes with.
        Merge = "merge",
    }
}

/// A memory that a proposal clashes with.
#[derive(Debug, Clone, PartialEq)]
pub struct Against {
    pub id: String,
    pub title: String,
    pub date: String,
    pub why: String,
    pub ours: String,
    pub theirs: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    pub by: String,
    /// Empty when none was said.
    pub role: String,
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Matter {
    Conflict {
        action: Action,
        /// The memory that the proposal is, or would be.
        memory: String,
        title: String,
        against: Vec<Against>,
        /// The file as it would be written.
        proposal: String,
        /// Of an update: the version that it is about.
        base: Option<String>,
    },
    Approval {
        memory: String,
        to: State,
        reason: String,
        votes: Vec<Vote>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    pub id: MemoryId,
    pub by: String,
    /// How that was known.
    pub via: Via,
    pub at: Timestamp,
    pub matter: Matter,
}

impl Pending {
    pub fn conflict_id(memory: &str) -> MemoryId {
        MemoryId::of_title(&format!("conflict {memory}"))
    }

    pub fn approval_id(memory: &str) -> MemoryId {
        MemoryId::of_title(&format!("promote {memory}"))
    }

    pub fn headline(&self) -> String {
        match &self.matter {
            Matter::Conflict { title, .. } if self.is_change_of_itself() => {
                format!("a change of \"{title}\" waits")
            }
            Matter::Conflict { title, against, .. } => {
                let ids: Vec<&str> = against.iter().map(|one| one.id.as_str()).collect();
                format!("\"{title}\" clashes with {}", ids.join(", "))
            }
            Matter::Approval { memory, to, votes, .. } => {
                let names: Vec<&str> = votes.iter().map(|vote| vote.by.as_str()).collect();
                match names.as_slice() {
                    [] => format!("{memory} to {to}, not approved yet"),
                    names => format!("{memory} to {to}, approved by {}", names.join(", ")),
                }
            }
        }
    }

    /// An update that stands against nothing but what it changes.
    fn is_change_of_itself(&self) -> bool {
        let Matter::Conflict { action, memory, against, .. } = &self.matter else { return false };
        *action == Action::Update && against.iter().all(|one| one.id == *memory)
    }

    pub fn render(&self) -> String {
        let mut out = String::from("---\n");
        let mut put = |key: &str, value: Yaml| out.push_str(&write_entry(key, &value));
        put("id", Yaml::text(self.id.as_str()));
        match &self.matter {
            Matter::Conflict { action, memory, against, base, .. } => {
                put("pending", Yaml::text("conflict"));
                put("action", Yaml::text(action.as_str()));
                put("memory", Yaml::text(memory));
                base.iter().for_each(|base| put("base", Yaml::text(base)));
                put("against", Yaml::List(against.iter().map(Against::to_yaml).collect()));
            }
            Matter::Approval { memory, to, reason, votes } => {
                put("pending", Yaml::text("approval"));
                put("memory", Yaml::text(memory));
                put("to", Yaml::text(to.as_str()));
                put("reason", Yaml::text(reason));
                put("approvals", Yaml::List(votes.iter().map(Vote::to_yaml).collect()));
            }
        }
        put("by", Yaml::text(&self.by));
        if !self.via.is_unknown() {
            put("via", Yaml::text(self.via.to_string()));
        }
        put("at", Yaml::text(format_instant(self.at)));
        out.push_str("---\n\n");
        out.push_str(&self.body());
        out
    }

    fn body(&self) -> String {
        let id = &self.id;
        match &self.matter {
            Matter::Conflict { title, proposal, .. } => {
                let fence = fence_for(proposal);
                let report = self.report();
                format!(
                    "# {title}\n\n{report}\n## Proposal\n{fence}markdown\n{proposal}{}{fence}\n",
                    if proposal.ends_with('\n') { "" } else { "\n" }
                )
            }
            Matter::Approval { memory, to, .. } => format!(
                "# {memory} to {to}\n\nA promotion that waits for another approval.\n\n\
                 - approve: `oldhand promote {memory} --by <name> --role <role>`\n\
                 - drop the request: `oldhand resolve {id} --follow --by <name>`\n"
            ),
        }
    }

    /// R95: what was decided, what is proposed, why they clash, and your options.
    pub fn report(&self) -> String {
        let Matter::Conflict { title, against, .. } = &self.matter else {
            return self.headline();
        };
        let id = &self.id;
        let is_change = self.is_change_of_itself();
        let mut out = match is_change {
            true => format!("A change of \"{title}\" waits for a person.\n\n"),
            false => format!("\"{title}\" clashes with what was decided before.\n\n"),
        };
        for Against { id, title, date, why, ours, theirs } in against {
            out.push_str(&format!(
                "- {date} · {title} ({id})\n  decided: {theirs}\n  proposed: {ours}\n  why: {why}\n"
            ));
        }
        out.push_str("\nOptions for a person:\n");
        let (follow, supersede) = match is_change {
            true => ("leave it as it is", "accept the change"),
            false => ("follow what was decided", "reverse it"),
        };
        let way = |what: &str, flags: &str| format!("- {what}: `oldhand resolve {id} {flags}`\n");
        out.push_str(&way(follow, "--follow --by <name>"));
        out.push_str(&way(supersede, "--supersede --by <name> --reason \"…\""));
        if !is_change {
            out.push_str(&way("both hold", "--keep-both --by <name> --reason \"…\""));
        }
        out
    }

    pub fn parse(stem: &str, text: &str) -> Result<Self, Problem> {
        let unreadable = |error: CodecError| unexpected("pending", &error.to_string());
        let document = Document::parse(text).map_err(unreadable)?;
        let map = yaml::parse_map(document.frontmatter_text()).map_err(unreadable)?;
        let map = Yaml::Map(map);
        let text_of = |key: &str| map.text_at(key).unwrap_or_default();
        let matter = match text_of("pending") {
            "conflict" => Matter::Conflict {
                action: Action::parse(text_of("action"))?,
                memory: text_of("memory").to_owned(),
                title: document.title().unwrap_or_default().to_owned(),
                against: items(map.get("against")).iter().map(Against::of_yaml).collect(),
                proposal: proposal_of(&document)
                    .ok_or_else(|| unexpected("proposal", "nothing"))?,
                base: map.text_at("base").map(str::to_owned),
            },
            "approval" => Matter::Approval {
                memory: text_of("memory").to_owned(),
                to: State::parse(text_of("to"))?,
                reason: text_of("reason").to_owned(),
                votes: items(map.get("approvals")).iter().filter_map(Vote::of_yaml).collect(),
            },
            other => return Err(unexpected("pending", other)),
        };
        let at = parse_instant(text_of("at")).ok_or_else(|| unexpected("at", text_of("at")))?;
        Ok(Self {
            id: MemoryId::parse(stem)?,
            by: text_of("by").to_owned(),
            via: Via::from(text_of("via").to_owned()),
            at: whole_seconds(at),
            matter,
        })
    }
}

fn unexpected(field: &str, found: &str) -> Problem {
    Problem::new(field, "what `oldhand` wrote into `pending/`", found)
        .with_fix("take the file's last committed version back with git")
}

fn items(value: Option<&Yaml>) -> &[Yaml] {
    if let Some(Yaml::List(items)) = value { items } else { &[] }
}

impl Against {
    const KEYS: [&str; 6] = ["id", "title", "date", "why", "ours", "theirs"];

    fn to_yaml(&self) -> Yaml {
        let line = |text| shorten(&normalise_line(text), crate::policy::CHANGE_SUMMARY_CHARS_MAX);
        let Self { id, title, date, why, ours, theirs } = self;
        let values = [id, title, date, why, ours, theirs].map(|text| Yaml::text(line(text)));
        Yaml::map(Self::KEYS.into_iter().zip(values))
    }

    fn of_yaml(item: &Yaml) -> Self {
        let [id, title, date, why, ours, theirs] =
            Self::KEYS.map(|key| item.text_at(key).unwrap_or_default().to_owned());
        Self { id, title, date, why, ours, theirs }
    }
}

impl Vote {
    fn to_yaml(&self) -> Yaml {
        let at = format_instant(self.at);
        let texts = [("by", &self.by), ("role", &self.role), ("at", &at)];
        Yaml::map(texts.map(|(key, text)| (key, Yaml::text(text))))
    }

    fn of_yaml(item: &Yaml) -> Option<Self> {
        let text = |key: &str| item.text_at(key).unwrap_or_default().to_owned();
        Some(Self { by: text("by"), role: text("role"), at: parse_instant(&text("at"))? })
    }
}

/// Longer than any run of backticks in the text, so that the text can't close it.
fn fence_for(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

/// The text in the fence behind the last `## Proposal` that opens one.
fn proposal_of(document: &Document<'_>) -> Option<String> {
    let body = &document.source[document.body.clone()];
    let start = body.find("\n## Proposal\n```")? + "\n## Proposal\n".len();
    let rest = &body[start..];
    let fence: String = rest.chars().take_while(|c| *c == '`').collect();
    let inside = rest.split_once('\n')?.1;
    let end = inside.rfind(&format!("\n{fence}"))? + 1;
    Some(inside[..end].to_owned())
}

#[cfg(test)]
mod tests;
