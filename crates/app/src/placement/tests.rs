//! The matrix of content groups and scopes.

use super::*;

/// R113: four content groups map to stores, honouring `example_only`.
#[test]
fn the_matrix() {
    let record = WritePolicy::default();
    let mut table = String::new();
    for audience in Audience::ALL {
        for scope in [None, Some(Scope::Global), Some(Scope::Project)] {
            let store = placement(&Kind::Reference, Some(*audience), scope.as_ref(), &record);
            let scope = scope.map_or("unsaid".to_owned(), |scope| scope.to_string());
            table.push_str(&format!("{audience} {scope}: {store:?}\n"));
        }
    }
    assert_eq!(
        table,
        "feedback unsaid: Project\nfeedback global: User\nfeedback project: Project\n\
         project unsaid: Project\nproject global: User\nproject project: Project\n\
         reference unsaid: Project\nreference global: User\nreference project: Project\n\
         user unsaid: User\nuser global: User\nuser project: Project\n"
    );
    let example_only = WritePolicy { decisions_example_only: true, ..record };
    assert_eq!(placement(&Kind::Decision, None, None, &example_only), Placement::SessionNotes);
    assert_eq!(placement(&Kind::Constraint, None, None, &example_only), Placement::Project);
}
