//! One JSON text under change: read again after every cut, so that places are never stale.

use oldhand_text::problem::Problem;
use serde_json::Value;

use super::jsonc::{Kind, Node, parse};
use super::splice::{Layout, New, append, remove};

/// What to do about a file that can't be edited.
pub(super) const UNCHANGED: &str =
    "fix the file in an editor, then run the command again; nothing was changed";

pub(super) struct Document {
    path: String,
    pub text: String,
    root: Node,
    layout: Layout,
}

impl Document {
    /// A file that is missing, or that holds only blanks, is an empty object.
    pub(super) fn open(path: &str, text: Option<&str>) -> Result<Self, Problem> {
        let text = match text {
            Some(text) if !text.trim_matches(['\u{feff}', ' ', '\t', '\n', '\r']).is_empty() => {
                text
            }
            _ => "{}\n",
        };
        let root = read(path, text)?;
        let layout = Layout::of(text, &root);
        Ok(Self { path: path.to_owned(), text: text.to_owned(), root, layout })
    }

    pub(super) fn value_at(&self, keys: &[&str]) -> Option<Value> {
        self.root.at(keys).map(|node| node.value(&self.text))
    }

    pub(super) fn keys_of(&self, keys: &[&str]) -> Vec<String> {
        let members = self.root.at(keys).map_or(&[][..], Node::members);
        members.iter().map(|member| member.key.clone()).collect()
    }

    pub(super) fn items_at(&self, keys: &[&str]) -> usize {
        self.root.at(keys).map_or(0, |node| node.items().len())
    }

    /// Puts an item at the end of a list, which is made when it is missing.
    pub(super) fn push(&mut self, keys: &[&str], item: &Value) -> Result<(), Problem> {
        match self.root.at(keys) {
            None => self.insert(keys, &Value::Array(vec![item.clone()])),
            Some(list) => {
                let Kind::Array(_) = list.kind else { return Err(self.unfit(keys, "a list")) };
                let new = New { key: None, value: item };
                let text = append(&self.text, list, &self.layout, &new);
                self.change(text)
            }
        }
    }

    /// Puts a member at the end of its object, together with the objects above it.
    pub(super) fn insert(&mut self, keys: &[&str], value: &Value) -> Result<(), Problem> {
        let known = (0..keys.len()).rev().find(|count| self.root.at(&keys[..*count]).is_some());
        let known = known.unwrap_or(0);
        let Some(container) = self.root.at(&keys[..known]) else {
            return Err(self.unfit(keys, "an object"));
        };
        let Kind::Object(_) = container.kind else {
            return Err(self.unfit(&keys[..known], "an object"));
        };
        let mut value = value.clone();
        for key in keys[known + 1..].iter().rev() {
            value = Value::Object([((*key).to_owned(), value)].into_iter().collect());
        }
        let new = New { key: Some(keys[known]), value: &value };
        let text = append(&self.text, container, &self.layout, &new);
        self.change(text)
    }

    pub(super) fn remove_item(&mut self, keys: &[&str], number: usize) -> Result<(), Problem> {
        let Some(list) = self.root.at(keys) else { return Ok(()) };
        let text = remove(&self.text, list, number);
        self.change(text)
    }

    /// Takes a handler out of a group in a list.
    pub(super) fn remove_nested(
        &mut self,
        keys: &[&str],
        number: usize,
        place: usize,
    ) -> Result<(), Problem> {
        let group = self.root.at(keys).and_then(|list| list.items().get(number));
        let Some(handlers) = group.and_then(|group| group.get("hooks")) else { return Ok(()) };
        let text = remove(&self.text, &handlers.value, place);
        self.change(text)
    }

    pub(super) fn remove_key(&mut self, keys: &[&str]) -> Result<(), Problem> {
        let Some((last, above)) = keys.split_last() else { return Ok(()) };
        let Some(object) = self.root.at(above) else { return Ok(()) };
        let number = object.members().iter().rposition(|member| member.key == *last);
        let Some(number) = number else { return Ok(()) };
        let text = remove(&self.text, object, number);
        self.change(text)
    }

    /// Takes a container away that has nothing left in it, and those above it.
    pub(super) fn prune(&mut self, keys: &[&str]) -> Result<(), Problem> {
        for count in (1..=keys.len()).rev() {
            let Some(node) = self.root.at(&keys[..count]) else { continue };
            let is_empty = match &node.kind {
                Kind::Object(members) => members.is_empty(),
                Kind::Array(items) => items.is_empty(),
                Kind::Scalar => false,
            };
            // A comment in there is somebody's.
            if !is_empty || !self.text[node.start + 1..node.end - 1].trim().is_empty() {
                break;
            }
            self.remove_key(&keys[..count])?;
        }
        Ok(())
    }

    /// Nothing but what we put beside our own is left, and no comment.
    fn is_blank(&self) -> bool {
        let members = self.root.members();
        let inside = self.text[self.root.start..self.root.end].replace(char::is_whitespace, "");
        let outside = (&self.text[..self.root.start], &self.text[self.root.end..]);
        let is_bare = outside.0.trim_matches(['\u{feff}', ' ', '\t', '\n', '\r']).is_empty()
            && outside.1.trim().is_empty();
        is_bare
            && (inside == "{}"
                || (members.len() == 1
                    && matches!(&*inside, "{\"version\":1}" | "{\"version\":1,}")))
    }

    /// The text, or no file when nothing but ours was in it.
    pub(super) fn without_ours(self) -> Option<String> {
        (!self.is_blank()).then_some(self.text)
    }

    fn change(&mut self, text: String) -> Result<(), Problem> {
        // What we can't read back is never written.
        self.root = read(&self.path, &text)?;
        self.text = text;
        Ok(())
    }

    fn unfit(&self, keys: &[&str], expected: &str) -> Problem {
        let found = self.value_at(keys).map_or_else(String::new, |value| value.to_string());
        let place = format!("{}: {}", self.path, keys.join("."));
        Problem::new(&place, expected, &found).with_fix(UNCHANGED)
    }
}

fn read(path: &str, text: &str) -> Result<Node, Problem> {
    let root = parse(text).and_then(|root| match root.kind {
        Kind::Object(_) => Ok(root),
        _ => Err("line 1: another value".to_owned()),
    });
    root.map_err(|found| Problem::new(path, "JSON with an object", &found).with_fix(UNCHANGED))
}
