//! What can be done from a page: one route per verb, as a form or as JSON. The rules are the
//! engine's; here a request becomes a deed, and its outcome an answer.

use std::collections::BTreeMap;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Query, Request};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderName};
use maud::html;
use oldhand_text::strings::visible;
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::door::Session;
use crate::frame::Visit;
use crate::house::deeds::Deed;
use crate::house::store::Undo;
use crate::house::{Answer, Trouble};
use crate::parts::{encoded, inside, prose};
use crate::reply;

const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-form-token");

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/do/{verb}", post(act)).route("/undo", get(ask_undo))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UndoAsk {
    /// Where to go from there.
    back: String,
    /// The write that whoever asks has made; nothing else is undone in its place.
    of: String,
}

/// Undo is shown before it is done.
async fn ask_undo(visit: Visit, Query(asked): Query<UndoAsk>) -> Response {
    let title = |_: &Undo| "Undo".to_owned();
    let back = inside(&asked.back).to_owned();
    crate::frame::show(
        visit,
        title,
        move |house| house.undo_preview()?.only(&asked.of),
        move |undo, scene| {
            html! {
                h1 { "Undo the last write?" }
                ul.plain {
                    @for step in &undo.steps { li { (prose(step)) } }
                    @if undo.more > 0 { li.muted { (undo.behind()) } }
                }
                form.line method="post" action="/do/undo" {
                    input type="hidden" name="token" value=(scene.form_token);
                    input type="hidden" name="back" value=(back);
                    input type="hidden" name="if_match" value=(undo.write);
                    button.primary type="submit" autofocus { "Undo it" }
                    a.button href=(back) data-back { "Leave it" }
                }
            }
        },
    )
    .await
}

impl Undo {
    fn only(self, wanted: &str) -> Answer<Self> {
        if wanted.is_empty() || wanted == self.write {
            return Ok(self);
        }
        Err(Trouble {
            code: "OCC_CONFLICT".to_owned(),
            message: "something else was written since, and only the last write can be undone"
                .to_owned(),
            hint: format!(
                "nothing was undone; the page Store would undo this: {}{}",
                self.steps.join(", "),
                self.behind()
            ),
            ..Trouble::default()
        })
    }
}

/// The fields of a form, or of one JSON object, from a page of this session.
pub(crate) struct Posted {
    pub(crate) fields: BTreeMap<String, String>,
    is_json: bool,
}

fn refused(trouble: Trouble) -> Response {
    reply::json_of(Err(trouble))
}

fn unreadable(what: &str) -> Response {
    refused(Trouble {
        code: "USAGE_ERROR".to_owned(),
        message: format!("expected {what}"),
        hint: "send the form again; nothing was changed".to_owned(),
        ..Trouble::default()
    })
}

impl FromRequest<App> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let Some(session) = request.extensions().get::<Session>().cloned() else {
            return Err(refused(reply::foreign_form()));
        };
        let kind = request.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let is_json = kind.is_some_and(|it| it.starts_with("application/json"));
        let header = request.headers().get(TOKEN_HEADER).and_then(|it| it.to_str().ok());
        let header = header.map(str::to_owned);
        let bytes = Bytes::from_request(request, app).await.map_err(IntoResponse::into_response)?;
        let fields = if is_json {
            serde_json::from_slice(&bytes).map_err(|_| unreadable("one object of texts"))?
        } else {
            parse_form(&bytes).ok_or_else(|| unreadable("the fields of a form"))?
        };
        let posted = Self { fields, is_json };
        let token = header.unwrap_or_else(|| posted.field("token"));
        if session.takes(&token) { Ok(posted) } else { Err(refused(reply::foreign_form())) }
    }
}

/// The first value of each name counts.
fn parse_form(bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    let mut fields = BTreeMap::new();
    for pair in std::str::from_utf8(bytes).ok()?.split('&').filter(|it| !it.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        fields.entry(decoded(name)?).or_insert(decoded(value)?);
    }
    Some(fields)
}

fn decoded(text: &str) -> Option<String> {
    let text = text.replace('+', " ");
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    // Browsers send line breaks of text areas as two characters.
    Some(String::from_utf8(bytes).ok()?.replace("\r\n", "\n"))
}

impl Posted {
    pub(crate) fn field(&self, name: &str) -> String {
        self.fields.get(name).cloned().unwrap_or_default()
    }

    fn deed(&self, verb: &str) -> Option<Deed> {
        let (id, reason) = (self.field("id"), self.field("reason"));
        Some(match verb {
            "review" => {
                let (decision, more) = (self.field("decision"), self.field("more"));
                Deed::Review { id, decision, reason, more }
            }
            "resolve" => Deed::Resolve {
                pending: self.field("pending"),
                resolution: self.field("resolution"),
                reason,
            },
            "promote" => Deed::Promote { id, pending: self.field("pending"), reason },
            "update" => {
                let fields = self.fields.iter().filter_map(|(name, value)| {
                    Some((name.strip_prefix("field-")?.to_owned(), value.clone()))
                });
                let lists = self.fields.iter().filter_map(|(name, value)| {
                    let items = value.lines().map(str::trim).filter(|it| !it.is_empty());
                    Some((
                        name.strip_prefix("list-")?.to_owned(),
                        items.map(str::to_owned).collect(),
                    ))
                });
                let (fields, lists) = (fields.collect(), lists.collect());
                Deed::Update { id, fields, lists, note: reason }
            }
            "supersede" => Deed::Supersede { id, by: self.field("by"), reason },
            "retire" => Deed::Retire { id, reason },
            "restore" => Deed::Restore { id, version: self.field("version") },
            "archive" => Deed::Archive { id, reason },
            "verify" => Deed::Verify { id },
            "apply" => {
                let (effect, task) = (self.field("effect"), self.field("task"));
                Deed::Apply { id, effect, task, notes: reason }
            }
            "add" => Deed::Add { text: self.field("text"), kind: self.field("kind") },
            "undo" => Deed::Undo,
            _ => return None,
        })
    }
}

async fn act(visit: Visit, Path(verb): Path<String>, posted: Posted) -> Response {
    let Some(deed) = posted.deed(&verb) else {
        return refused(Trouble {
            code: "NOT_FOUND".to_owned(),
            message: format!("there is no verb `{verb}`"),
            ..Trouble::default()
        });
    };
    let seen = Some(posted.field("if_match")).filter(|it| !it.is_empty());
    let done = visit.app.ask(move |house| house.act(&deed, seen.as_deref())).await;
    if posted.is_json {
        return reply::json_of(done.map(|done| done.json));
    }
    let back = posted.field("back");
    match done {
        Ok(done) => {
            let next = Some(posted.field("next")).filter(|it| !it.is_empty()).unwrap_or(back);
            let next = inside(&next);
            let page = with_outcome(next, &done.said, "");
            if visit.wants_parts {
                let said = visible(&done.said);
                let answer = json!({ "said": said, "next": next, "page": page });
                return reply::json_text(StatusCode::OK, answer.to_string());
            }
            Redirect::to(&page).into_response()
        }
        Err(trouble) if visit.wants_parts => {
            let message = visible(&trouble.message);
            let answer = json!({ "code": trouble.code, "message": message });
            reply::json_text(reply::status_of(&trouble), answer.to_string())
        }
        Err(trouble) => told(visit, &trouble, &posted).await,
    }
}

/// A refusal as a page, with the form as it was filled in, so that nothing typed is lost.
pub(crate) async fn told(visit: Visit, trouble: &Trouble, posted: &Posted) -> Response {
    let status = reply::status_of(trouble);
    let body = crate::frame::refused_view(trouble, &posted.fields, visit.here.as_str());
    let shown = crate::frame::show(visit, |()| "Refused".to_owned(), |_| Ok(()), |(), _| body);
    let mut response = shown.await;
    *response.status_mut() = status;
    response
}

/// The page says what came of a deed. It is text in an address, and is shown as text.
///
/// `write` is what undo shall take back, and nothing else; empty for the last write.
pub(crate) fn with_outcome(path: &str, said: &str, write: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let is_old = |it: &str| it.starts_with("said=") || it.starts_with("of=");
    let kept = query.split('&').filter(|it| !it.is_empty() && !is_old(it));
    let kept: String = kept.map(|it| format!("{it}&")).collect();
    let of = if write.is_empty() { String::new() } else { format!("&of={}", encoded(write)) };
    format!("{path}?{kept}said={}{of}", encoded(said))
}

#[cfg(test)]
mod tests {
    use super::{parse_form, with_outcome};

    #[test]
    fn forms_are_read_as_browsers_send_them() {
        let fields = parse_form(b"reason=it+holds%2C+%C3%A4&id=a&id=b&empty=").unwrap();
        assert_eq!(fields["reason"], "it holds, ä");
        assert_eq!(fields["id"], "a");
        assert_eq!(fields["empty"], "");
        assert_eq!(parse_form(b"a=%f"), None);
        assert_eq!(parse_form(b"a=%ff"), None);
    }

    #[test]
    fn nobody_is_sent_elsewhere() {
        assert_eq!(crate::parts::inside("/m/use-cents?x=1"), "/m/use-cents?x=1");
        for foreign in ["//evil.example", "https://evil.example", "/\\evil", "", "/a\r\nb", "a"] {
            assert_eq!(crate::parts::inside(foreign), "/", "{foreign}");
        }
    }

    #[test]
    fn the_last_outcome_is_replaced() {
        assert_eq!(
            with_outcome("/review?at=a&said=x&of=W1", "kept: a&b", ""),
            "/review?at=a&said=kept%3A%20a%26b"
        );
        assert_eq!(with_outcome("/review?of=W1", "kept", "W2"), "/review?said=kept&of=W2");
    }
}
