//! The arguments of a call. What agents get wrong is named: the field, what was expected, what to do.

use oldhand_mcp::Call;
use oldhand_text::problem::Problem;
use oldhand_text::strings::nearest;
use serde_json::{Map, Value};

use super::table;

/// What agents call our fields.
const SYNONYMS: &[(&str, &str)] = &[
    ("files", "paths"),
    ("file", "paths"),
    ("path", "paths"),
    ("type", "kind"),
    ("category", "kind"),
    ("types", "kinds"),
    ("kind", "kinds"),
    ("state", "states"),
    ("q", "query"),
    ("search", "query"),
    ("task", "query"),
    ("text", "proposal"),
    ("decision", "proposal"),
    ("memory", "text"),
    ("fields", "content"),
    ("rating", "effect"),
    ("outcome", "effect"),
    ("notes", "note"),
];

pub(super) struct Args<'a> {
    said: &'a Map<String, Value>,
}

impl<'a> Args<'a> {
    pub(super) fn of(call: &'a Call<'_>) -> Result<Self, Problem> {
        Self::new(&call.arguments, &table::fields_of(call.tool))
    }

    /// Nothing is passed over in silence: an unknown field is refused.
    pub(super) fn new(said: &'a Map<String, Value>, known: &[&str]) -> Result<Self, Problem> {
        let Some(other) = said.keys().find(|key| !known.contains(&key.as_str())) else {
            return Ok(Self { said });
        };
        let problem = Problem::new(other, &format!("one of {}", known.join(", ")), "another field");
        let meant = SYNONYMS.iter().find(|(said, _)| *said == other.as_str());
        let meant = meant.map(|(_, meant)| *meant).filter(|meant| known.contains(meant));
        Err(match meant.or_else(|| nearest(other, known.iter().copied())) {
            Some(near) => problem.with_fix(format!("did you mean `{near}`?")),
            None => problem.with_fix("leave it out"),
        })
    }

    /// A missing field and null are the same.
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.said.get(name).filter(|value| !value.is_null())
    }

    /// An empty text counts as missing.
    pub(super) fn text(&self, name: &str) -> Result<Option<&'a str>, Problem> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(other) => Err(wrong(name, "a string", other)),
        }
    }

    pub(super) fn needed(&self, name: &str, what: &str) -> Result<&'a str, Problem> {
        self.text(name)?.ok_or_else(|| {
            Problem::new(name, what, "nothing").with_fix(format!("call again with `{name}`"))
        })
    }

    /// One string is a list too: agents often mean that.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, Problem> {
        let no_list = |found| wrong(name, "a list of strings", found);
        let items = match self.get(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) => items,
            Some(Value::String(text)) => return Ok(listed(text)),
            Some(other) => return Err(no_list(other)),
        };
        let text = |item: &'a Value| item.as_str().map(str::trim).ok_or_else(|| no_list(item));
        let texts: Vec<&str> = items.iter().map(text).collect::<Result<_, _>>()?;
        Ok(texts.into_iter().filter(|text| !text.is_empty()).map(str::to_owned).collect())
    }

    pub(super) fn number(&self, name: &str, least: usize) -> Result<Option<usize>, Problem> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let typed = value.as_str().and_then(|text| text.trim().parse().ok());
        let number = value.as_u64().or(typed).and_then(|number| usize::try_from(number).ok());
        match number.filter(|number| *number >= least) {
            Some(number) => Ok(Some(number)),
            None => Err(wrong(name, &format!("a whole number from {least} on"), value)),
        }
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, Problem> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::String(text)) if text.eq_ignore_ascii_case("true") => Ok(true),
            Some(Value::String(text)) if text.eq_ignore_ascii_case("false") => Ok(false),
            Some(other) => Err(wrong(name, "true or false", other)),
        }
    }

    pub(super) fn choice(
        &self,
        name: &str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, Problem> {
        let Some(said) = self.text(name)? else { return Ok(None) };
        let word = words.iter().find(|word| word.eq_ignore_ascii_case(said));
        let expected = || format!("one of {}", words.join(", "));
        let wrong = || Problem::new(name, &expected(), said).with_fix("say one of these");
        word.copied().map(Some).ok_or_else(wrong)
    }

    /// An empty object counts as missing.
    pub(super) fn object(&self, name: &str) -> Result<Option<Value>, Problem> {
        let Some(said) = self.get(name) else { return Ok(None) };
        // Some models write an object as the text of one.
        let read = said.as_str().map_or(Some(said.clone()), |it| serde_json::from_str(it).ok());
        match read {
            Some(Value::Object(object)) if object.is_empty() => Ok(None),
            Some(value @ Value::Object(_)) => Ok(Some(value)),
            _ => Err(wrong(name, "an object", said)),
        }
    }
}

/// A list that was written as a text: as JSON, or with commas.
fn listed(text: &str) -> Vec<String> {
    if let Ok(list) = serde_json::from_str::<Vec<String>>(text) {
        return list;
    }
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

fn wrong(name: &str, expected: &str, found: &Value) -> Problem {
    let found = match found {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    Problem::new(name, expected, &found).with_fix(format!("call again with `{name}` as expected"))
}

#[cfg(test)]
mod tests {
    use super::Args;
    use serde_json::{Map, Value, json};

    fn of(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn what_is_not_known_is_named_with_what_is_near() {
        let said = of(json!({"qeury": "x"}));
        let problem = Args::new(&said, &["query", "ids"]).err().expect("a problem");
        assert_eq!(
            (problem.field.as_str(), problem.fix.as_str()),
            ("qeury", "did you mean `query`?")
        );
    }

    #[test]
    fn wrong_types_are_problems_and_kind_ones_are_understood() {
        let said = of(json!({"a": 1, "b": "one", "c": ["x", ""], "d": "12", "e": {}, "f": null}));
        let args = Args::new(&said, &["a", "b", "c", "d", "e", "f"]).expect("known fields");
        assert!(args.text("a").is_err());
        assert_eq!(args.texts("b").expect("a list"), ["one"]);
        assert_eq!(args.texts("c").expect("a list"), ["x"]);
        assert_eq!(args.number("d", 1).expect("a number"), Some(12));
        assert!(args.number("d", 13).is_err());
        assert!(args.object("e").expect("empty is unsaid").is_none());
        assert!(args.text("f").expect("null is unsaid").is_none());
        assert!(args.flag("a").is_err());
        assert!(args.choice("b", &["two"]).is_err());
    }
}
