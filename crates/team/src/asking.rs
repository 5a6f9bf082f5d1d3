//! What REST and the tools share: which store is asked, and how a refusal of the door is said.

use http::StatusCode;
use oldhand_pg::admin::StoreAccess;

use crate::answers::Told;
use crate::door::refusal::Refusal;
use crate::door::rights::find;
use crate::visitor::Visitor;

/// The store of that name; without a name the only repository that they see, or the only store.
pub(crate) fn store_of<'v>(
    visitor: &'v Visitor,
    name: Option<&str>,
) -> Result<&'v StoreAccess, Told> {
    if let Some(name) = name {
        return find(visitor, name).map_err(|refusal| told(&refusal));
    }
    let mut repositories = visitor.stores.iter().filter(|it| it.level == "repository");
    match (repositories.next(), repositories.next(), visitor.stores.as_slice()) {
        (Some(only), None, _) | (None, None, [only]) => Ok(only),
        _ => Err(Told::error(
            StatusCode::BAD_REQUEST,
            "USAGE_ERROR",
            "which store?",
            "name it with `store`; `/v1/stores` lists those that you can use",
        )),
    }
}

pub(crate) fn told(refusal: &Refusal) -> Told {
    Told::error(refusal.status(), refusal.code(), &refusal.message(), &refusal.hint())
}
