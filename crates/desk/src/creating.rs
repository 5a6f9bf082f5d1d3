//! Writing a new memory into the store it belongs to, for every surface.

use oldhand_app::placement::{Placement, placement_of};
use oldhand_app::written::Written;
use oldhand_app::{Done, Engine};
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::origin::Origin;
use oldhand_core::policy::WritePolicy;
use oldhand_core::scope::Scope;
use oldhand_core::yaml::Yaml;
use oldhand_text::problem::Problem;

use crate::desk::Desk;
use crate::failure::Fail;

pub fn place(
    draft: &Draft,
    kind: &Kind,
    desk: &Desk<'_>,
    policy: &WritePolicy,
) -> Result<Placement, Problem> {
    placement_of(draft, kind, policy, desk.flags.global, desk.is_person()?)
}

pub fn create<T>(
    draft: &Draft,
    (origin, placement): (Origin, Placement),
    desk: &Desk<'_>,
    then: impl FnOnce(&Engine<'_>, Done<'_, Written>) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let mut draft = draft.clone();
    let mut in_scope = |scope: Scope| draft.set("scope", Yaml::text(scope.to_string()));
    let (layout, lift) = match placement {
        Placement::Project => (desk.layout()?, ""),
        Placement::SessionNotes => {
            return desk
                .work(|engine| then(engine, engine.writing().note_decision(&draft, origin)?));
        }
        Placement::User => {
            in_scope(Scope::Global);
            (desk.user_layout()?, "")
        }
        // What an agent says to every project: here alone, or nowhere yet.
        Placement::Confined => match desk.located()?.layout() {
            Some(layout) => {
                in_scope(Scope::Project);
                (layout, LIFT_BY_SCOPE)
            }
            None => {
                in_scope(Scope::Global);
                draft.unverified = true;
                (desk.user_layout()?, LIFT_BY_PROMOTION)
            }
        },
    };
    if desk.user_layout().is_ok_and(|own| own.root == layout.root) {
        desk.make_user_store(&layout)?;
    }
    desk.work_in(layout, |engine| {
        let mut done = engine.writing().create(&draft, origin)?;
        if !lift.is_empty() {
            let lift = lift.replace("<id>", done.answer.memory.id.as_str());
            done.answer.warnings.push(lift);
        }
        then(engine, done)
    })
}

const LIFT_BY_SCOPE: &str = "it holds in this project alone; a person lifts it with \
                             `oldhand update <id> --scope global`";
const LIFT_BY_PROMOTION: &str = "it waits in the user's own store; a person lifts it with \
                                 `oldhand promote --global <id>`";
