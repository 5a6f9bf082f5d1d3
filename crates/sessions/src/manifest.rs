//! What a manifest of a package says: its name, and the names of what it needs. Lines and not a
//! parser: a manifest that is half written still gives most of them.

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

/// One `key = value` of a TOML file with its table; of a table that is opened, neither.
struct Entry<'t> {
    table: String,
    key: Option<String>,
    /// A list that goes over lines is one value.
    value: String,
    line: &'t str,
}

fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut table = String::new();
    let mut found: Vec<Entry<'_>> = Vec::new();
    let mut is_list = false;
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if is_list && let Some(list) = found.last_mut() {
            list.value.push_str(line);
        } else if let Some((name, _)) = line.strip_prefix('[').and_then(|it| it.split_once(']')) {
            name.trim_start_matches('[').trim().clone_into(&mut table);
            found.push(Entry { table: table.clone(), key: None, value: String::new(), line: "" });
        } else {
            let value = line.split_once('=').map_or("", |(_, value)| value.trim()).to_owned();
            found.push(Entry { table: table.clone(), key: key(line), value, line });
        }
        // An extra such as `uvicorn[standard]` stands in quotes.
        is_list = found.last().is_some_and(|it| {
            let outside: String = it.value.split(['"', '\'']).step_by(2).collect();
            outside.starts_with('[') && !outside.contains(']')
        });
    }
    found
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

/// `serde.workspace = true` names `serde`.
fn key(line: &str) -> Option<String> {
    let name = unquoted(line.split_once('=')?.0).split('.').next().map(unquoted)?;
    let is_name = !name.is_empty() && !name.contains([' ', '#', '{', '[']);
    is_name.then(|| name.to_owned())
}

fn own_name(entries: &[Entry<'_>], tables: &[&str]) -> Option<String> {
    let named = |it: &&Entry<'_>| {
        tables.contains(&it.table.as_str())
            && it.line.split_once('=').is_some_and(|(key, _)| key.trim() == "name")
    };
    let names = entries.iter().filter(named).map(|it| unquoted(&it.value));
    names.filter(|name| !name.is_empty()).map(str::to_owned).next()
}

fn cargo(text: &str) -> Facts {
    let entries = entries(text);
    let mut facts = Facts { own: own_name(&entries, &["package"]), needs: Vec::new() };
    let sort = |table: &str| table.rsplit('.').next().unwrap_or_default().to_owned();
    for it in entries {
        let above = it.table.rsplit_once('.');
        let above = above.filter(|(above, _)| sort(above).ends_with("dependencies"));
        let (name, list) = match (it.key, above) {
            // `[dependencies.serde]` is a dependency by itself.
            (None, Some((above, own))) if it.line.is_empty() => {
                (unquoted(own).to_owned(), sort(above))
            }
            (Some(name), None) if sort(&it.table).ends_with("dependencies") => {
                (name, sort(&it.table))
            }
            _ => continue,
        };
        let is_inside = it.value.starts_with('{')
            && it.value.split(['{', ',']).any(|it| it.trim().starts_with("path"));
        facts.needs.push(Need { name, runs: list == "dependencies", is_inside });
    }
    facts
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
    for line in text.lines().map(str::trim) {
        if let Some(module) = line.strip_prefix("module ") {
            facts.own = Some(unquoted(module).to_owned());
        }
        let words = match line.strip_prefix("require") {
            Some(rest) if rest.trim_start().starts_with('(') => {
                is_list = true;
                continue;
            }
            Some(rest) if rest.starts_with(' ') => rest.trim(),
            _ if line.starts_with(')') => {
                is_list = false;
                continue;
            }
            _ if is_list => line,
            _ => continue,
        };
        // Indirect dependencies were not chosen here.
        if !words.starts_with("//") && !words.ends_with("// indirect") {
            let name = words.split_whitespace().next().map(str::to_owned);
            facts.needs.extend(name.map(|name| Need { name, runs: true, is_inside: false }));
        }
    }
    facts
}

fn python(text: &str) -> Facts {
    let entries = entries(text);
    let own = own_name(&entries, &["project", "tool.poetry"]);
    let mut facts = Facts { own: own.and_then(|name| requirement(&name)), needs: Vec::new() };
    for it in &entries {
        let table = it.table.as_str();
        let is_list = it.value.starts_with('[');
        let runs = table == "project" && it.key.as_deref() == Some("dependencies");
        if table.starts_with("tool.poetry.") && table.ends_with("dependencies") {
            let names = it.key.as_deref().into_iter().filter(|name| *name != "python");
            facts.needs.extend(needs(names, table == "tool.poetry.dependencies"));
        } else if is_list
            && (runs || matches!(table, "project.optional-dependencies" | "dependency-groups"))
        {
            let names = it.value.split(['"', '\'']).skip(1).step_by(2);
            facts.needs.extend(needs(names, runs));
        }
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
