//! The contexts that divide the journeys. Each one has the journeys of one topic, and reaches the
//! store, and the other contexts, through its [`Engine`].

use crate::Engine;

macro_rules! contexts {
    ($($(#[$doc:meta])* $name:ident $accessor:ident;)+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name<'a>(Engine<'a>);

            impl<'a> std::ops::Deref for $name<'a> {
                type Target = Engine<'a>;

                fn deref(&self) -> &Engine<'a> {
                    &self.0
                }
            }
        )+

        impl<'a> Engine<'a> {
            $(
                $(#[$doc])*
                pub fn $accessor(&self) -> $name<'a> {
                    $name(*self)
                }
            )+
        }
    };
}

contexts! {
    /// New memories and changed ones, with what joins a memory that says the same.
    Writing writing;
    /// Contradictions with decisions in force, and the proposals that wait for a person.
    Gate gate;
    /// Moves between states: promote, retire, restore, archive, supersede.
    Lifecycle life;
    /// What use and time call for: counting uses, reviews, sweeps, garbage collection.
    Upkeep upkeep;
    /// Recall, search, lists and freshness. Nothing here writes.
    Memories memories;
    /// Memories from conversations: captured candidates, drafts and lessons.
    Learning learning;
    /// Tasks and sessions: resume, completion, handoff, conformance, the architecture map.
    Sessions sessions;
    /// What happened to a memory: its history and versions, and undo.
    Trail trail;
    /// Memories in and out of the store: import, export, views.
    Exchange exchange;
    /// The state of the store: doctor, health, statistics.
    Care care;
}
