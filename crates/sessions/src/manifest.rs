//! What a manifest of a package says: its name, and the names of what it needs. Lines and not a
//! parser: a manifest that is half written still tells most of them.

/// What one manifest tells.
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
    match path.rsplit('/').next().unwrap_or(path) {
        "Cargo.toml" => Some("cargo"),
        "package.json" => Some("npm"),
        "go.mod" => Some("go"),
        "pyproject.toml" => Some("python"),
        name if name.starts_with("requirements") && name.ends_with(".txt") => Some("python"),
        _ => None,
    }
}

pub fn read(path: &str, text: &str) -> Facts {
    match path.rsplit('/').next().unwrap_or(path) {
        "Cargo.toml" => cargo(text),
        "package.json" => npm(text),
        "go.mod" => go(text),
        "pyproject.toml" => python(text),
        "requirements.txt" => Facts { own: None, needs: needs(text.lines(), true) },
        _ => Facts { own: None, needs: needs(text.lines(), false) },
    }
}

/// The lines of a TOML file, each with its table; the line that opens a table is empty.
fn lines(text: &str) -> impl Iterator<Item = (String, &str)> {
    let mut table = String::new();
    text.lines().map(str::trim).filter(|line| !line.starts_with('#')).map(move |line| {
        match line.strip_prefix('[').and_then(|it| it.split_once(']')) {
            Some((name, _)) => {
                name.trim_start_matches('[').trim().clone_into(&mut table);
                (table.clone(), "")
            }
            None => (table.clone(), line),
        }
    })
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

fn value_of(line: &str, wanted: &str) -> Option<String> {
    let (name, value) = line.split_once('=')?;
    let is_wanted = name.trim() == wanted && !unquoted(value).is_empty();
    is_wanted.then(|| unquoted(value).to_owned())
}

fn cargo(text: &str) -> Facts {
    let mut facts = Facts::default();
    let sort = |table: &str| table.rsplit('.').next().map(str::to_owned).unwrap_or_default();
    for (table, line) in lines(text) {
        let above =
            table.rsplit_once('.').filter(|(above, _)| sort(above).ends_with("dependencies"));
        let found = match (line, above) {
            // `[dependencies.serde]` is a dependency by itself.
            ("", Some((above, own))) => Some((unquoted(own).to_owned(), sort(above))),
            (line, None) if sort(&table).ends_with("dependencies") => {
                key(line).map(|name| (name, sort(&table)))
            }
            _ => None,
        };
        if table == "package" && facts.own.is_none() {
            facts.own = value_of(line, "name");
        }
        facts.needs.extend(found.map(|(name, list)| Need {
            name,
            runs: list == "dependencies",
            is_inside: is_inside(line),
        }));
    }
    facts
}

fn is_inside(line: &str) -> bool {
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    value.starts_with('{') && value.split(['{', ',']).any(|it| it.trim().starts_with("path"))
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
        // What others need came with them: nobody has chosen it.
        if !words.starts_with("//") && !words.ends_with("// indirect") {
            let name = words.split_whitespace().next().map(str::to_owned);
            facts.needs.extend(name.map(|name| Need { name, runs: true, is_inside: false }));
        }
    }
    facts
}

fn python(text: &str) -> Facts {
    let mut facts = Facts::default();
    // The list that a line continues, and whether what runs needs it.
    let mut list: Option<bool> = None;
    let mut table = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if list.is_none() && line.starts_with('[') {
            let name = line.trim_start_matches('[').split(']').next().unwrap_or_default();
            name.trim().clone_into(&mut table);
            continue;
        }
        if matches!(table.as_str(), "project" | "tool.poetry") && facts.own.is_none() {
            facts.own = value_of(line, "name").and_then(|name| requirement(&name));
        }
        if table.starts_with("tool.poetry.") && table.ends_with("dependencies") {
            let name = key(line).and_then(|name| requirement(&name)).filter(|it| it != "python");
            let runs = table == "tool.poetry.dependencies";
            facts.needs.extend(name.map(|name| Need { name, runs, is_inside: false }));
            continue;
        }
        let mut items = line;
        if list.is_none()
            && let Some((name, value)) = line.split_once('=')
        {
            let runs = table == "project" && name.trim() == "dependencies";
            let is_group =
                matches!(table.as_str(), "project.optional-dependencies" | "dependency-groups");
            let Some(value) = value.trim().strip_prefix('[').filter(|_| runs || is_group) else {
                continue;
            };
            (list, items) = (Some(runs), value);
        }
        if let Some(runs) = list {
            facts.needs.extend(needs(items.split(['"', '\'']).skip(1).step_by(2), runs));
            // An extra such as `uvicorn[standard]` stands in quotes.
            let outside: String = items.split(['"', '\'']).step_by(2).collect();
            list = list.filter(|_| !outside.contains(']'));
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
