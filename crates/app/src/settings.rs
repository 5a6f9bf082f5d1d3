//! The rules in force, as the configuration resolved them.

use oldhand_core::kind::Kinds;
use oldhand_core::policy::{
    CapturePolicy, ExportPolicy, GcPolicy, HealthPolicy, HookPolicy, LifePolicy, RecallPolicy,
    ReviewPolicy, SweepPolicy, TrustPolicy, WritePolicy,
};
use oldhand_core::reviewer::Reviewers;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// The type of the agent that asks, if it says so: what is for another type is not for it.
    pub agent: Option<String>,
    /// Nobody here has accepted the store: what it says binds nobody.
    pub is_unaccepted: bool,
    pub kinds: Kinds,
    pub write: WritePolicy,
    pub gc: GcPolicy,
    pub life: LifePolicy,
    pub trust: TrustPolicy,
    pub review: ReviewPolicy,
    pub reviewers: Reviewers,
    pub sweep: SweepPolicy,
    pub health: HealthPolicy,
    pub recall: RecallPolicy,
    pub hooks: HookPolicy,
    pub capture: CapturePolicy,
    pub views: Views,
    pub export: ExportPolicy,
}

/// Which rendered pages are kept up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Views {
    pub decisions: bool,
    pub archive: bool,
    pub architecture: bool,
    /// `index.md` is committed too; without it each clone builds its own.
    pub index: bool,
    pub agents: bool,
    pub claude: bool,
    pub gemini: bool,
    pub copilot: bool,
}
