//! Every number that a rule depends on, one struct or constant group per topic. Values only.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::kind::Kind;

/// Bytes of one memory file; a longer text belongs into a document that a memory points at.
pub const MEMORY_BYTES_MAX: u64 = 1024 * 1024;
/// Frontmatter is metadata; a larger one is a mistake or an attack.
pub const FRONTMATTER_BYTES_MAX: usize = 64 * 1024;
pub const YAML_NODES_MAX: usize = 10_000;
pub const YAML_DEPTH_MAX: usize = 32;
/// One imported document or transcript.
pub const IMPORT_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// One file of the event log; a busy month stays far below it.
pub const EVENT_FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

pub const TITLE_CHARS_MAX: usize = 120;
pub const DESCRIPTION_CHARS_MAX: usize = 500;
pub const TAGS_MAX: usize = 12;
pub const RELATED_TO_MAX: usize = 5;
pub const LIST_ITEMS_MAX: usize = 500;
pub const CHANGES_MAX: usize = 50;
pub const CHANGE_SUMMARY_CHARS_MAX: usize = 300;
pub const REASON_CHARS_MAX: usize = 1_000;

/// One retrospective and its lessons.
pub const RETRO_BYTES_MAX: usize = 1024 * 1024;
pub const RETRO_LESSONS_MAX: usize = 200;
pub const CLASSIFY_CHARS_MAX: usize = 4_000;
/// One signal of a task, and how many of a sort.
pub const SIGNAL_CHARS_MAX: usize = 200;
pub const SIGNALS_MAX: usize = 50;
/// The newest incidents that are searched for repetition.
pub const INCIDENTS_MAX: usize = 10_000;
/// What counts as repeated (R187 to R189, R191, R192), and as proven for a recipe (R190).
pub const REPEATED_TIMES: usize = 2;
pub const RECIPE_TASKS: usize = 3;
/// A self-check at or below this counts as unsure (R192), of 1 to 5.
pub const SELF_CHECK_LOW: u8 = 2;
pub const SELF_CHECK_MAX: u8 = 5;

/// How much a small and a medium task change (R173, R174).
pub const SMALL_FILES_MAX: usize = 3;
pub const SMALL_LINES_MAX: usize = 100;
pub const MEDIUM_FILES_MAX: usize = 15;
pub const MEDIUM_LINES_MAX: usize = 600;
/// Items of one list of a summary, and files that it names.
pub const SUMMARY_ITEMS_MAX: usize = 300;
pub const SUMMARY_FILES_MAX: usize = 50;
/// Changed files whose documents are looked for, and documents that are read for it.
pub const DOC_FILES_MAX: usize = 60;
pub const DOCS_READ_MAX: usize = 200;
/// Exchanges after which a conversation is compacted before it is handed over (R163).
pub const HANDOFF_EXCHANGES_MAX: usize = 10;
/// Limits for the diff of one piece of work.
pub const DIFF_WAIT: Duration = Duration::from_secs(20);
pub const DIFF_FILES_MAX: usize = 5_000;
pub const DIFF_COMMITS_MAX: usize = 50;
pub const DIFF_MANIFESTS_MAX: usize = 20;
pub const DIFF_FILE_BYTES_MAX: u64 = 1024 * 1024;

pub const MENTIONS_WAIT: Duration = Duration::from_secs(10);
/// How long a freshness check waits for git before it is incomplete.
pub const FRESH_WAIT: Duration = Duration::from_secs(5);
/// The same during a write, which holds the lock.
pub const SEEN_WAIT: Duration = Duration::from_secs(1);

/// Stands for "no tags", so that they can be filtered.
pub const TAG_FALLBACK: &str = "untagged";

/// Only a person may claim this much certainty (R268).
pub const CONFIDENCE_PERSON_ONLY: f64 = 0.9;

/// Likeness from which a memory says what another one says. On the development pairs of
/// `evals/twins` 97 of 100 matches are right from here on, with and without a model.
pub const TWIN_FLOOR: f64 = 0.86;

/// Settings with their defaults.
macro_rules! policy {
    ($($(#[$meta:meta])* $name:ident {
        $($(#[$field_meta:meta])* $field:ident: $type:ty = $default:expr,)+
    })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type),+ }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }
    )+};
}

policy! {
    /// How the write rules behave; each field is a configuration key.
    WritePolicy {
        /// A retired memory does not come back by being written again (R258).
        resurrection_hours: i64 = 24,
        /// Active memories of one kind; 0 is no limit (R292).
        memories_per_kind_max: usize = 100,
        /// Decisions go to the session notes (R97).
        decisions_example_only: bool = false,
    }

    /// When retired memories are collected (R270, R293).
    GcPolicy {
        grace_period_days: i64 = 30,
        /// Collecting archives instead of deleting.
        archive_retired: bool = true,
    }

    /// What a memory must show before it moves (R199 to R204).
    LifePolicy {
        provisional_evidence: u32 = 2,
        stable_successes: u32 = 3,
        canonical_successes: u32 = 5,
        canonical_tasks: u32 = 3,
        canonical_approvers: usize = 2,
        provisional_review_days: i64 = 30,
        stable_review_days: i64 = 90,
        canonical_review_days: i64 = 180,
        review_failures: u32 = 2,
        decay_contradictions: u32 = 3,
        trust_floor: f64 = 0.3,
        /// The review of this number no longer reinstates (R230).
        last_reinstating_review: u32 = 2,
    }

    /// How reviews are held (R199), and when they are late.
    ReviewPolicy {
        /// Candidates with enough evidence rise to provisional without a meeting.
        lightweight: bool = true,
        /// When a review is named as waiting, and when as urgent.
        reminder_days: i64 = 30,
        urgent_days: i64 = 60,
    }

    /// What the sweep does with the notes of sessions (R147 to R150) and with old candidates.
    SweepPolicy {
        /// Notes that were used in so many tasks are kept beyond their session.
        promote_tasks: usize = 2,
        /// Other notes go after so many days or tasks; 0 is never.
        purge_days: i64 = 7,
        purge_tasks: usize = 10,
        /// What hooks found goes after so many days in which nobody confirmed it; 0 is never.
        candidate_days: i64 = 60,
    }

    /// When the store needs attention (R115 to R118, R151 to R154).
    ExportPolicy {
        /// Agents read the block with every session: about a page.
        block_tokens: usize = 1_200,
    }

    HealthPolicy {
        decisions_max: usize = 50,
        decisions_bytes_max: usize = 30 * 1024,
        archive_review_days: i64 = 90,
        sessions_healthy: usize = 5,
        sessions_max: usize = 10,
        /// All active memories.
        memories_max: usize = 500,
        contradictions_max: usize = 3,
        waiting_max: usize = 10,
        /// Shares of the memories in use, in percent.
        stale_percent_max: usize = 30,
        unused_percent_max: usize = 60,
        /// Younger memories had no time to be used.
        unused_after_days: i64 = 90,
    }

    /// How much one use moves trust, and where trust starts (R185, R216 to R221).
    TrustPolicy {
        positive: f64 = 0.1,
        negative: f64 = -0.1,
        contradiction: f64 = -0.2,
        /// By pieces of evidence: one, two, three and more.
        by_evidence: [f64; 3] = [0.4, 0.6, 0.8],
        /// Stated by a person, or let pass through the gate by one.
        user_floor: f64 = 0.9,
        capture_floor: f64 = 0.7,
        /// At least this, once a review has made it stable.
        stable_floor: f64 = 0.7,
        /// The highest trust after uses that helped in one task, and in two.
        ceilings: [f64; 2] = [0.95, 0.98],
    }

    /// The weights and floors are measured, see `docs/recall.md`; the limits are promises.
    RecallPolicy {
        /// At or above one of these the store is searched, below both it is read in full (R130, R131).
        selective_memories: usize = 30,
        selective_bytes: u64 = 20 * 1024,
        /// The newest memories that are searched beside the keyword matches (R134).
        newest: usize = 5,
        /// Memories of a full read that is over budget (R159).
        full_read_max: usize = 20,
        half_life_days: i64 = 90,
        budget_tokens: usize = 3_000,
        index_tokens: usize = 1_500,
        /// Memories in one answer (R83).
        items_max: usize = 5,
        caution_trust: f64 = 0.5,
        /// Likeness from which two memories say the same.
        near_duplicate: f64 = 0.85,
        candidates: usize = 60,
        /// The share of a task's words, weighed by rarity, that a title must have.
        title_floor: f64 = 0.6,
        /// Links of `related_to` that are followed from each memory.
        related_max: usize = 5,
        weights: RankWeights = RankWeights::default(),
    }

    RankWeights {
        /// The best score by words; halved where that score is `words_half` or less.
        words: f64 = 1.8,
        words_half: f64 = 8.0,
        /// Added to it where candidates usually have more than two passages, times the logarithm of how
        /// many times two: of long texts the words say more than the vectors.
        words_per_passages: f64 = 2.0,
        /// The share of the telling words.
        names: f64 = 0.75,
        /// A likeness and its square.
        likeness: f64 = 3.3,
        likeness_squared: f64 = 2.4,
        /// Subtracted from a likeness, times the logarithm of the number of passages.
        dense_per_passages: f64 = 0.06,
        neighbour: f64 = 0.1,
        recency: f64 = 0.05,
        trust: f64 = 0.05,
        proximity: f64 = 0.1,
        /// Matches below this share of the best relevance are noise.
        share_of_best: f64 = 0.5,
        /// The chance of an answer below which recall is silent.
        floor: f64 = 0.13,
        /// The same where nobody asked. Below `unasked_sure` words must match as well: in a store about
        /// one topic everything is near.
        unasked_floor: f64 = 0.2,
        unasked_sure: f64 = 0.4,
        unasked_words: f64 = 0.25,
        /// The same only with so many memories to choose from: in few, words say little.
        crowd: usize = 12,
        evidence: Evidence = Evidence::default(),
        /// Without a model: the share of the telling words that a memory must have.
        keyword_floor: f64 = 0.45,
        /// How much a path at hand adds to that share.
        path_share: f64 = 0.3,
        /// The same after the model found nothing near enough.
        doubted_floor: f64 = 0.75,
    }

    /// What speaks for a memory being an answer, as parts of a logit. Fitted on `evals/coding` and on
    /// `evals/recall/dev`; the stores of `evals/recall/test` showed that the chances are right.
    Evidence {
        base: f64 = -7.8,
        likeness: f64 = 8.3,
        /// How far the likeness is above what the store has for any request.
        above: f64 = 8.05,
        names: f64 = 1.78,
        /// The request names something in particular.
        specific: f64 = 2.44,
        /// It is about the file at hand.
        path: f64 = 4.0,
        /// The background of a store that is too small to have one, and how many memories it counts as.
        background: f64 = 0.15,
        background_weight: f64 = 4.0,
    }

    HookPolicy {
        enabled: bool = true,
        mode: InjectMode = InjectMode::Inject,
        deadline_ms: i64 = 1_500,
        /// Memories that are added to one prompt (R291).
        inject_max: usize = 2,
        inject_tokens: usize = 2_000,
        log_days: i64 = 14,
        /// Exchanges on one task after which a compaction is due (R162); 0 is never.
        compact_after: usize = 10,
    }

    CapturePolicy {
        mode: CaptureMode = CaptureMode::Extract,
        /// A row for each kind that is captured.
        thresholds: BTreeMap<Kind, f64> = CapturePolicy::THRESHOLDS.iter().cloned().collect(),
        /// The same kinds; an empty one takes the default.
        models: BTreeMap<Kind, String> = CapturePolicy::THRESHOLDS
            .iter()
            .map(|(kind, _)| (kind.clone(), own_model(kind)))
            .collect(),
        default_model: String = "haiku".to_owned(),
        parallel: bool = true,
        per_stop_max: usize = 5,
        uses: bool = true,
        /// Whether a running agent is reminded to keep what was settled, and how often in a session.
        nudge: bool = true,
        nudges_max: usize = 12,
        /// Whether what a person chose, or a model wrote down, is taken over.
        harvest: bool = true,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InjectMode {
    #[default]
    Inject,
    /// Ids alone.
    Pointers,
    /// Nothing: memory is loaded only when it is asked for (R45).
    Explicit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CaptureMode {
    /// Candidates are sentences of the session; no model is needed.
    #[default]
    Extract,
    Agent,
    Off,
}

impl CapturePolicy {
    /// Scores from which a kind is captured (R236); a session by its activity (R237).
    pub const THRESHOLDS: &[(Kind, f64)] = &[
        (Kind::Decision, 0.4),
        (Kind::Runbook, 0.5),
        (Kind::Constraint, 0.45),
        (Kind::TechDebt, 0.4),
        (Kind::Preference, 0.4),
        // What somebody asked to remember and is none of the others.
        (Kind::Reference, 0.5),
        (Kind::SessionSummary, 0.6),
    ];

    pub fn threshold(&self, kind: &Kind) -> f64 {
        self.thresholds.get(kind).copied().unwrap_or(1.0)
    }

    /// R240: the kind's own model first, then the default one.
    pub fn model(&self, kind: &Kind) -> &str {
        match self.models.get(kind).map(String::as_str) {
            Some(own) if !own.is_empty() => own,
            _ => &self.default_model,
        }
    }
}

/// Decisions and constraints need the larger model.
fn own_model(kind: &Kind) -> String {
    let needs_more = matches!(kind, Kind::Decision | Kind::Constraint);
    if needs_more { "sonnet".to_owned() } else { String::new() }
}

/// Tokens that a resumed session may load (R60 to R64): always, the last state, each later pull.
pub const ALWAYS_TOKENS: usize = 500;
pub const LAST_TOKENS: usize = 1_500;
pub const PULL_TOKENS: usize = 1_000;

/// Tokens of a conversation (R88 to R91): the newest turns, the running summary, what memory adds.
pub const RAW_TOKENS: usize = 4_000;
pub const SUMMARY_TOKENS: usize = 1_500;
pub const LONG_TERM_TOKENS: usize = 3_000;
pub const CONVERSATION_TOKENS: usize = RAW_TOKENS + SUMMARY_TOKENS + LONG_TERM_TOKENS;
/// The budget of `oldhand compact`: the smallest at which each of 144 real sessions kept all of its
/// paths and commands (`examples/compaction.rs`). Below the minimum there is no summary.
pub const COMPACT_TOKENS: usize = 8_000;
pub const COMPACT_TOKENS_MIN: usize = 400;
