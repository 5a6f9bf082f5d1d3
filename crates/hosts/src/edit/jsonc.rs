//! JSON as people keep it, with comments and trailing commas, read with the place of everything in
//! the text. Nothing is ever written from this tree: changes are cut into the text itself.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    /// A word, a number or a text: the file holds it as JSON already.
    Scalar,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub key: String,
    pub start: usize,
    pub value: Node,
}

impl Node {
    pub(super) fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Array(items) => items,
            _ => &[],
        }
    }

    /// The last one counts when a key stands twice, as every reader of JSON has it.
    pub(super) fn get(&self, key: &str) -> Option<&Member> {
        self.members().iter().rev().find(|member| member.key == key)
    }

    pub(super) fn at<'n>(&'n self, keys: &[&str]) -> Option<&'n Node> {
        keys.iter().try_fold(self, |node, key| node.get(key).map(|member| &member.value))
    }

    pub(super) fn value(&self, text: &str) -> serde_json::Value {
        match &self.kind {
            Kind::Object(members) => serde_json::Value::Object(
                members
                    .iter()
                    .map(|member| (member.key.clone(), member.value.value(text)))
                    .collect(),
            ),
            Kind::Array(items) => items.iter().map(|item| item.value(text)).collect(),
            // The reader has let it through, so only a number too large for a float fails here.
            Kind::Scalar => serde_json::from_str(&text[self.start..self.end]).unwrap_or_default(),
        }
    }
}

/// The root of a document, which must hold one value; otherwise the line and what is wrong there.
pub(super) fn parse(text: &str) -> Result<Node, String> {
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
    let mark = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    let parsed = parse_to_ast(&text[mark..], &CollectOptions::default(), &options);
    let parsed = parsed.map_err(|error| {
        let what = error.kind().to_string();
        format!("line {}: {}", error.line_display(), what.trim_end_matches('.').to_lowercase())
    })?;
    parsed.value.map(|value| node(&value, mark)).ok_or_else(|| "line 1: no value".to_owned())
}

const BYTE_ORDER_MARK: char = '\u{feff}';

fn node(value: &ast::Value<'_>, offset: usize) -> Node {
    let kind = match value {
        ast::Value::Object(object) => Kind::Object(
            object
                .properties
                .iter()
                .map(|property| Member {
                    key: property.name.as_str().to_owned(),
                    start: offset + property.range.start,
                    value: node(&property.value, offset),
                })
                .collect(),
        ),
        ast::Value::Array(array) => {
            Kind::Array(array.elements.iter().map(|item| node(item, offset)).collect())
        }
        _ => Kind::Scalar,
    };
    let range = value.range();
    Node { start: offset + range.start, end: offset + range.end, kind }
}

/// Where blanks and comments that begin here end.
pub(super) fn after_trivia(text: &str, at: usize) -> usize {
    let mut rest = &text[at..];
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        let comment = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find('\n'),
            [b'/', b'*', ..] => rest.find("*/").map(|end| end + 2),
            _ => return text.len() - rest.len(),
        };
        rest = &rest[comment.unwrap_or(rest.len())..];
    }
}
