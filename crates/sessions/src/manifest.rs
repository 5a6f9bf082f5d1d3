//! What a manifest of a package says: its name, and the names of what it needs. One that can't be
//! parsed says nothing.

use toml_edit::{DocumentMut, Item, Table, TableLike};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    pub own: Option<String>,
    pub needs: Vec<Need>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub name: String,
    /// What runs needs it; else only what builds or tests it does.
    pub runs: bool,
    /// It is a folder of the same repository.
    pub is_inside: bool,
}

/// Which sort of packages a file lists, by its name; none that lists none.
pub fn sort_of(path: &str) -> Option<&'static str> {
    reader(path).map(|(sort, _)| sort)
}

pub fn read(path: &str, text: &str) -> Facts {
    reader(path).map(|(_, read)| read(text)).unwrap_or_default()
}

type Reader = fn(&str) -> Facts;

fn reader(path: &str) -> Option<(&'static str, Reader)> {
    match path.rsplit('/').next().unwrap_or(path) {
        "Cargo.toml" => Some(("cargo", cargo)),
        "package.json" => Some(("npm", npm)),
        "go.mod" => Some(("go", go)),
        "pyproject.toml" => Some(("python", python)),
        "requirements.txt" => Some(("python", |text| requirements(text, true))),
        name if name.starts_with("requirements") && name.ends_with(".txt") => {
            Some(("python", |text| requirements(text, false)))
        }
        _ => None,
    }
}

fn requirements(text: &str, runs: bool) -> Facts {
    Facts { own: None, needs: needs(text.lines(), runs) }
}

fn text_at<'t>(whole: &'t Table, path: &[&str]) -> Option<&'t str> {
    item_at(whole, path)?.as_str()
}

fn item_at<'t>(whole: &'t Table, path: &[&str]) -> Option<&'t Item> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(whole.get(first)?, |item, key| item.get(key))
}

/// The tables whose name ends with `dependencies`, at any depth, each with its path.
fn dependency_tables<'t>(
    table: &'t dyn TableLike,
    above: &str,
    found: &mut Vec<(String, &'t dyn TableLike)>,
) {
    for (name, item) in table.iter() {
        let (path, inner) = (format!("{above}{name}"), item.as_table_like());
        match inner {
            Some(inner) if name.ends_with("dependencies") => found.push((path, inner)),
            Some(inner) => dependency_tables(inner, &format!("{path}."), found),
            None => {}
        }
    }
}

/// What a TOML manifest says that its package is.
pub(crate) fn description(text: &str) -> Option<String> {
    let whole = text.parse::<DocumentMut>().ok()?;
    let mut tables = ["package", "project"].into_iter();
    tables.find_map(|table| text_at(&whole, &[table, "description"]).map(str::to_owned))
}

fn cargo(text: &str) -> Facts {
    let Ok(whole) = text.parse::<DocumentMut>() else { return Facts::default() };
    let own = text_at(&whole, &["package", "name"]).map(str::to_owned);
    let mut tables = Vec::new();
    dependency_tables(whole.as_table(), "", &mut tables);
    let needs = tables.iter().flat_map(|(path, table)| {
        let runs = path.rsplit('.').next() == Some("dependencies");
        table.iter().map(move |(name, value)| {
            let is_inside = value.get("path").is_some();
            Need { name: name.to_owned(), runs, is_inside }
        })
    });
    Facts { own, needs: needs.collect() }
}

fn npm(text: &str) -> Facts {
    let Ok(whole) = serde_json::from_str::<serde_json::Value>(text) else {
        return Facts::default();
    };
    let mut facts = Facts { own: whole["name"].as_str().map(str::to_owned), needs: Vec::new() };
    for list in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
        for (name, version) in whole[list].as_object().into_iter().flatten() {
            let version = version.as_str().unwrap_or_default();
            facts.needs.push(Need {
                name: name.clone(),
                runs: list == "dependencies",
                is_inside: version.starts_with("file:") || version.starts_with("link:"),
            });
        }
    }
    facts
}

fn go(text: &str) -> Facts {
    let mut facts = Facts::default();
    let mut is_list = false;
    for line in text.lines() {
        let name = match line.split_whitespace().collect::<Vec<&str>>().as_slice() {
            // Indirect dependencies were not chosen here.
            [.., "//", "indirect"] => continue,
            ["require", "(", ..] => {
                is_list = true;
                continue;
            }
            [")", ..] => {
                is_list = false;
                continue;
            }
            ["module", name, ..] => {
                facts.own = Some(name.trim_matches('"').to_owned());
                continue;
            }
            ["require", name, ..] => *name,
            [name, ..] if is_list && !name.starts_with("//") => *name,
            _ => continue,
        };
        facts.needs.push(Need { name: name.to_owned(), runs: true, is_inside: false });
    }
    facts
}

fn python(text: &str) -> Facts {
    let Ok(whole) = text.parse::<DocumentMut>() else { return Facts::default() };
    let own = text_at(&whole, &["project", "name"])
        .or_else(|| text_at(&whole, &["tool", "poetry", "name"]));
    let mut facts = Facts { own: own.and_then(requirement), needs: Vec::new() };
    let mut take = |list: Option<&Item>, runs| {
        let texts = list.and_then(Item::as_array).into_iter().flatten();
        facts.needs.extend(needs(texts.filter_map(|it| it.as_str()), runs));
    };
    take(item_at(&whole, &["project", "dependencies"]), true);
    for groups in [&["project", "optional-dependencies"][..], &["dependency-groups"]] {
        let groups = item_at(&whole, groups).and_then(Item::as_table_like);
        for (_, list) in groups.into_iter().flat_map(|it| it.iter()) {
            take(Some(list), false);
        }
    }
    let mut tables = Vec::new();
    dependency_tables(whole.as_table(), "", &mut tables);
    for (path, table) in tables.iter().filter(|(path, _)| path.starts_with("tool.poetry.")) {
        let names = table.iter().map(|(name, _)| name).filter(|name| *name != "python");
        facts.needs.extend(needs(names, path == "tool.poetry.dependencies"));
    }
    facts
}

fn needs<'t>(items: impl Iterator<Item = &'t str>, runs: bool) -> Vec<Need> {
    let names = items.filter_map(requirement);
    names.map(|name| Need { name, runs, is_inside: false }).collect()
}

/// The name that a line such as `requests[socks]>=2.0 ; python_version > "3"` begins with.
fn requirement(line: &str) -> Option<String> {
    let line = line.trim();
    let end = line
        .find(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.')))
        .unwrap_or(line.len());
    let name = &line[..end];
    let is_name = name.starts_with(|it: char| it.is_ascii_alphanumeric());
    is_name.then(|| name.to_ascii_lowercase().replace('_', "-"))
}
