//! What a manifest of a package says: its name, and the names of what it needs. One that can't be
//! parsed says nothing.

use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item};

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

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// A TOML file as the same value that a JSON file is.
fn toml(text: &str) -> Value {
    text.parse::<DocumentMut>().map_or(Value::Null, |whole| value(whole.as_item()))
}

fn value(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        return table.iter().map(|(key, item)| (key.to_owned(), value(item))).collect();
    }
    match item.as_array() {
        Some(list) => list.iter().map(|it| Value::from(it.as_str())).collect(),
        None => Value::from(item.as_str()),
    }
}

/// The tables whose name ends with `dependencies`, at any depth, each with its path.
fn dependency_tables(whole: &Value, above: &str) -> Vec<(String, Map<String, Value>)> {
    let below = |(name, value): (&String, &Value)| match value {
        Value::Object(table) if name.ends_with("dependencies") => {
            vec![(format!("{above}{name}"), table.clone())]
        }
        _ => dependency_tables(value, &format!("{above}{name}.")),
    };
    whole.as_object().into_iter().flatten().flat_map(below).collect()
}

/// What a manifest says that its package is.
pub(crate) fn description(file: &str, text: &str) -> Option<String> {
    let whole = if file.ends_with(".json") { json(text) } else { toml(text) };
    let tables = [&whole, &whole["package"], &whole["project"]];
    tables.into_iter().find_map(|table| table["description"].as_str()).map(str::to_owned)
}

fn cargo(text: &str) -> Facts {
    let whole = toml(text);
    let mut facts = Facts { own: own(&whole["package"]), needs: Vec::new() };
    for (path, table) in dependency_tables(&whole, "") {
        let runs = path.rsplit('.').next() == Some("dependencies");
        facts.needs.extend(table.into_iter().map(|(name, value)| {
            let is_inside = value.get("path").is_some();
            Need { name, runs, is_inside }
        }));
    }
    facts
}

fn own(package: &Value) -> Option<String> {
    package["name"].as_str().map(str::to_owned)
}

fn npm(text: &str) -> Facts {
    let whole = json(text);
    let mut facts = Facts { own: own(&whole), needs: Vec::new() };
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
    let need = |name: &str| Need { name: name.to_owned(), runs: true, is_inside: false };
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<&str>>().as_slice() {
            // Indirect dependencies were not chosen here.
            [.., "//", "indirect"] => {}
            ["require", "(", ..] => is_list = true,
            [")", ..] => is_list = false,
            ["module", name, ..] => facts.own = Some(name.trim_matches('"').to_owned()),
            ["require", name, ..] => facts.needs.push(need(name)),
            [name, ..] if is_list && !name.starts_with("//") => facts.needs.push(need(name)),
            _ => {}
        }
    }
    facts
}

fn python(text: &str) -> Facts {
    let whole = toml(text);
    let (project, poetry) = (&whole["project"], &whole["tool"]["poetry"]);
    let name = own(project).or_else(|| own(poetry));
    let mut facts = Facts { own: name.and_then(|name| requirement(&name)), needs: Vec::new() };
    let groups = [&project["optional-dependencies"], &whole["dependency-groups"]];
    let groups = groups.into_iter().filter_map(Value::as_object).flat_map(Map::values);
    let lists = groups.map(|list| (list, false)).chain([(&project["dependencies"], true)]);
    for (list, runs) in lists {
        let texts = list.as_array().into_iter().flatten().filter_map(Value::as_str);
        facts.needs.extend(needs(texts, runs));
    }
    for (path, table) in dependency_tables(poetry, "") {
        let names = table.keys().map(String::as_str).filter(|name| *name != "python");
        facts.needs.extend(needs(names, path == "dependencies"));
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
