//! MemPalace: words of conversations, by wing and room. Verbatim talk is taken only where somebody asks.

use oldhand_core::kind::Kind;
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::counted;
use serde_json::json;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::page;
use crate::record::{Foreign, Source};
use crate::text;

pub(super) const FORMAT: Format = Format { name: "mempalace", find, read };

const INDEX: &str = "index.md";

fn find(files: &Files) -> Vec<Root> {
    let is_index = |file: &&SourceFile| {
        file.name() == INDEX && file.bytes().trim_ascii_start().starts_with(b"# Palace Export")
    };
    let root = |file: &SourceFile| {
        Root::of_folder(file.folder(), files, |path| {
            path == INDEX || path.ends_with(".md") && path.split('/').count() == 2
        })
    };
    files.iter().filter(is_index).map(root).collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("mempalace", root);
    for file in root.files(files) {
        let path = root.relative(&file.path);
        if path == INDEX {
            source.skip(path, "derived");
            continue;
        }
        let text = file.text();
        let drawers = page::outline(&text).sections;
        if !world.with.drawers {
            let count = counted(drawers.len(), "drawer", "drawers");
            source.skip(path, format!("{count} of verbatim talk; `--with drawers`"));
            continue;
        }
        for drawer in drawers {
            source.take(record(path, file, &drawer, world));
        }
    }
    source
}

/// A quote, and a table that says where it came from.
fn record(path: &str, file: &SourceFile, drawer: &page::Section, world: &World<'_>) -> Foreign {
    let (wing, room) = path.trim_end_matches(".md").split_once('/').unwrap_or(("", path));
    let place = format!("{}:{}", file.path, drawer.line);
    let mut record = Foreign::new(&drawer.heading, place, Kind::Reference, &drawer.text);
    let mut said = Vec::new();
    let mut filed = None;
    for line in drawer.text.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        match cells.as_slice() {
            [name, value] if line.trim_start().starts_with('|') => {
                let name = name.trim_matches('*').to_lowercase();
                match name.as_str() {
                    "source" => record.add_source(value.trim_matches('`')),
                    "filed" => filed = text::date(value),
                    "added by" => record.set_rest("added_by", json!(value)),
                    _ => {}
                }
            }
            _ => said.push(line.strip_prefix("> ").or(line.strip_prefix('>')).unwrap_or(line)),
        }
    }
    let said = said.join("\n");
    record.set_title(&text::guessed_title(&said));
    record.set_main(&said, world.kinds);
    record.set_dates(filed, None, world.now);
    record.draft.set("domain", Yaml::text(room));
    record.add_tags([wing]);
    record
}
