//! One JSON text under change, with comments and trailing commas as people keep it. It is parsed
//! again for every question and after every cut, so positions are never stale.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use oldhand_text::problem::Problem;
use serde_json::Value;

use super::splice::{append, at, remove};

/// What to do about a file that can't be edited.
pub(super) const UNCHANGED: &str =
    "fix the file in an editor, then run the command again; nothing was changed";

const BYTE_ORDER_MARK: char = '\u{feff}';

pub(super) struct Document<'t> {
    path: &'t str,
    before: Option<&'t str>,
    /// Without the byte order mark.
    text: String,
    is_changed: bool,
}

impl<'t> Document<'t> {
    /// A file that is missing, or that holds only blanks, is an empty object.
    pub(super) fn open(path: &'t str, before: Option<&'t str>) -> Result<Self, Problem> {
        let text = before.unwrap_or_default().trim_start_matches(BYTE_ORDER_MARK);
        let text = if text.trim_ascii().is_empty() { "{}\n" } else { text };
        let document = Self { path, before, text: text.to_owned(), is_changed: false };
        document.root()?;
        Ok(document)
    }

    fn root(&self) -> Result<ast::Value<'_>, Problem> {
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let found = match parse_to_ast(&self.text, &CollectOptions::default(), &options) {
            Ok(parsed) => match parsed.value {
                Some(root @ ast::Value::Object(_)) => return Ok(root),
                Some(_) => "line 1: another value".to_owned(),
                None => "line 1: no value".to_owned(),
            },
            Err(error) => {
                let what = error.kind().to_string().to_lowercase();
                format!("line {}: {}", error.line_display(), what.trim_end_matches('.'))
            }
        };
        Err(Problem::new(self.path, "JSON with an object", &found).with_fix(UNCHANGED))
    }

    pub(super) fn value_at(&self, keys: &[&str]) -> Result<Option<Value>, Problem> {
        Ok(at(&self.root()?, keys).map(|node| node.clone().into()))
    }

    /// Puts an item at the end of a list, which is made when it is missing.
    pub(super) fn push(&mut self, keys: &[&str], item: &Value) -> Result<(), Problem> {
        let root = self.root()?;
        let text = match at(&root, keys) {
            None => return self.insert(keys, &Value::Array(vec![item.clone()])),
            Some(list @ ast::Value::Array(_)) => append(&self.text, &root, list, None, item),
            Some(_) => return Err(self.unfit(keys, "a list")),
        };
        self.change(text)
    }

    /// Puts a member at the end of its object, together with the objects above it.
    pub(super) fn insert(&mut self, keys: &[&str], value: &Value) -> Result<(), Problem> {
        let root = self.root()?;
        let known =
            (0..keys.len()).rev().find_map(|count| Some((count, at(&root, &keys[..count])?)));
        let (known, container) = known.unwrap_or((0, &root));
        if container.as_object().is_none() {
            return Err(self.unfit(&keys[..known], "an object"));
        }
        let mut value = value.clone();
        for key in keys[known + 1..].iter().rev() {
            value = Value::Object([((*key).to_owned(), value)].into_iter().collect());
        }
        let text = append(&self.text, &root, container, Some(keys[known]), &value);
        self.change(text)
    }

    /// Takes out a member, or an item of a list by its number.
    pub(super) fn remove(&mut self, keys: &[&str]) -> Result<(), Problem> {
        let root = self.root()?;
        let Some((last, above)) = keys.split_last() else { return Ok(()) };
        let Some(container) = at(&root, above) else { return Ok(()) };
        let text = remove(&self.text, container, last);
        self.change(text)
    }

    /// Takes a container away that has nothing left in it, and those above it.
    pub(super) fn prune(&mut self, keys: &[&str]) -> Result<(), Problem> {
        for count in (1..=keys.len()).rev() {
            let root = self.root()?;
            let Some(node) = at(&root, &keys[..count]) else { continue };
            // A comment in there is somebody's.
            let text = node.text(&self.text);
            if !is_blank_between(text, "{", "}") && !is_blank_between(text, "[", "]") {
                break;
            }
            self.remove(&keys[..count])?;
        }
        Ok(())
    }

    /// The text, or no file when nothing is left in it but what we put beside our own entries.
    pub(super) fn finish(self) -> Option<String> {
        if !self.is_changed {
            return self.before.map(str::to_owned);
        }
        let dense = self.text.replace(char::is_whitespace, "");
        if matches!(&*dense, "{}" | "{\"version\":1}" | "{\"version\":1,}") {
            return None;
        }
        let has_mark = self.before.is_some_and(|before| before.starts_with(BYTE_ORDER_MARK));
        Some(if has_mark { format!("{BYTE_ORDER_MARK}{}", self.text) } else { self.text })
    }

    fn change(&mut self, text: String) -> Result<(), Problem> {
        self.text = text;
        self.is_changed = true;
        // What we can't read back is never written.
        self.root().map(|_| ())
    }

    fn unfit(&self, keys: &[&str], expected: &str) -> Problem {
        let found = self.value_at(keys).ok().flatten();
        let found = found.map_or_else(String::new, |value| value.to_string());
        let place = format!("{}: {}", self.path, keys.join("."));
        Problem::new(&place, expected, &found).with_fix(UNCHANGED)
    }
}

fn is_blank_between(text: &str, open: &str, close: &str) -> bool {
    let inside = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
    inside.is_some_and(|inside| inside.trim().is_empty())
}
