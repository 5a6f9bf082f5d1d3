//! What a repository's configuration may set. It comes with a clone, so formats apply at once, the
//! team's settings once the user has accepted the store, and only the user sets what agents read or
//! what switches something on.

use super::Setting;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Needed to read the files at all.
    Format,
    /// How a team works with its store.
    Team,
    /// The user's own, in their own configuration.
    Person,
}

/// Keys by the first words of their names; all others are the team's.
const ROWS: &[(&str, Reach)] = &[
    ("format", Reach::Format),
    ("kinds.", Reach::Format),
    // Where it is known, and not what it does.
    ("team.id", Reach::Format),
    ("team.server", Reach::Person),
    ("trust.", Reach::Person),
    ("user.", Reach::Person),
    // Agents read these.
    ("capture.model.", Reach::Person),
    ("capture.default_model", Reach::Person),
];

impl Reach {
    pub fn of(key: &str) -> Self {
        let row = ROWS.iter().find(|(start, _)| key.starts_with(start));
        row.map_or(Self::Team, |(_, reach)| *reach)
    }
}

/// Values of settings that make oldhand do more on its own, least first.
const LADDERS: &[(&str, &[&str])] = &[
    ("capture.mode", &["off", "extract", "agent"]),
    ("capture.harvest", &["false", "true"]),
    ("capture.nudge", &["false", "true"]),
    ("capture.uses", &["false", "true"]),
    ("hooks.enabled", &["false", "true"]),
    ("recall.mode", &["explicit", "pointers", "inject"]),
];

/// A store may switch off what its user has on, not the other way round.
pub fn switches_on(key: &str, users: &Setting, stores: &Setting) -> bool {
    // From none to some is a switch; any other change is a matter of degree.
    if key == "recall.max_inject" {
        return *users == Setting::Number(0) && *stores != Setting::Number(0);
    }
    let Some((_, steps)) = LADDERS.iter().find(|(name, _)| *name == key) else { return false };
    let step = |value: &Setting| steps.iter().position(|step| *step == value.to_string());
    step(stores) > step(users)
}
