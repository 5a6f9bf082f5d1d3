//! Modules, maps and what lies between them, as tables; and what no map may lose.

use proptest::prelude::*;

use super::about::{about, places};
use super::drift::{Beside, Drift, drift};
use super::map::{line, merge, quoted};
use super::tree::Tree;
use super::{Manifest, dependencies};
use super::{drift_line, map};

fn tree(files: &[&str]) -> Tree {
    Tree::new(files.iter().map(|file| (*file).to_owned()).collect())
}

fn no_history(_: &str) -> Vec<String> {
    Vec::new()
}

fn plain(map: &str, tree: &Tree) -> Drift {
    drift(map, tree, &Beside { maps: &[], left: &no_history })
}

fn told(drift: &Drift) -> String {
    let moved: Vec<String> = drift.moved.iter().map(|(from, to)| format!("{from}>{to}")).collect();
    format!("+{} ~{} -{}", drift.new.join(","), moved.join(","), drift.removed.join(","))
}

fn merged(map: &str, tree: &Tree) -> String {
    let modules = tree.modules();
    let count = |path: &str| {
        modules.iter().find(|module| module.path == path).map_or(0, |module| module.names.len())
    };
    merge(map, &plain(map, tree), tree, &|path| line(path, None, count(path)))
}

#[track_caller]
fn check_modules(files: &[&str], want: &str) {
    let found: Vec<String> = tree(files)
        .modules()
        .iter()
        .map(|module| format!("{} {}", module.path, module.names.len()))
        .collect();
    assert_eq!(found.join(", "), want);
}

#[test]
fn modules_of_common_layouts() {
    // One package: the folders below `src`.
    check_modules(
        &["Cargo.toml", "src/main.rs", "src/pay/a.rs", "src/pay/b.rs", "src/tax/deep/er/c.rs"],
        "src 1, src/pay 2, src/tax 1",
    );
    // Packages: each is one, whatever is inside.
    check_modules(
        &[
            "Cargo.toml",
            "crates/a/Cargo.toml",
            "crates/a/src/lib.rs",
            "crates/a/src/x/y.rs",
            "crates/b/Cargo.toml",
            "crates/b/src/lib.rs",
            "tools/run.py",
        ],
        "crates/a 2, crates/b 1, tools 1",
    );
    check_modules(
        &[
            "go.mod",
            "cmd/server/main.go",
            "internal/pay/pay.go",
            "internal/pay/db/pg.go",
            "internal/tax/tax.go",
        ],
        "cmd/server 1, internal/pay 2, internal/tax 1",
    );
    // Folders that hold nothing but one folder are no modules.
    check_modules(
        &[
            "pom.xml",
            "src/main/java/com/acme/App.java",
            "src/main/java/com/acme/pay/Pay.java",
            "src/test/java/com/acme/AppTest.java",
            "tools/gen.py",
        ],
        "src/main/java/com/acme 1, src/main/java/com/acme/pay 1, tools 1",
    );
    check_modules(&["app.py", "util.py"], ". 2");
}

#[test]
fn what_is_no_module() {
    check_modules(&[], "");
    check_modules(&["README.md", "docs/a.py", ".github/x.js", "src/.hidden/x.js"], "");
    check_modules(&["node_modules/x/package.json", "node_modules/x/i.js", "vendor/y/z.go"], "");
    check_modules(&["src/pay/notes.md", "src/Tests/a.cs", "src/.eslintrc.js", "assets/x.png"], "");
    check_modules(&["src/ma p/é.rs", "src/a\nb/c.rs"], "src/a\nb 1, src/ma p 1");
}

#[track_caller]
fn check(files: &[&str], map: &str, want: &str) {
    assert_eq!(told(&plain(map, &tree(files))), want, "{map}");
}

const SHOP: &[&str] = &["src/pay/a.rs", "src/tax/b.rs"];

#[test]
fn what_a_map_has() {
    check(SHOP, "", "+src/pay,src/tax ~ -");
    check(SHOP, "- `src/pay`: prices\n- src/tax: rates", "+ ~ -");
    check(SHOP, "* `./src/pay/` - prices\nsrc/tax", "+ ~ -");
    // Prose that names one, and a finer grain, count as well; a coarser grain does not.
    check(SHOP, "Prices are in src/pay, rates in src/tax.", "+ ~ -");
    check(SHOP, "`src/pay/a.rs`: prices\n\n`src`: all", "+src/tax ~ -");
    check(SHOP, "src/payment and src/tax.d/x and my-src/tax", "+src/pay,src/tax ~ -");
    // What is said about one module maps no other.
    check(SHOP, "- `src/pay`: uses src/tax", "+src/tax ~ -");
    check(SHOP, "- `src/pay`, `src/tax`: money", "+ ~ -");
}

#[test]
fn what_is_gone() {
    let map = "- `src/pay`: prices\n- src/tax: rates\n";
    check(SHOP, &format!("{map}- `src/old`: gone"), "+ ~ -src/old");
    check(SHOP, &format!("{map}src/old: gone"), "+ ~ -src/old");
    // Not ours to take out: words, patterns, addresses, commands, code.
    for prose in [
        "Note: see the wiki",
        "`Vault`: the trait",
        "`GET /health`: alive",
        "`crates/*`: all",
        "https://example.com/a: the wiki",
        "/etc/passwd: no",
        "read this / that: no",
        "```\nsrc/old: drawn\n```",
        "- `src/old`, `src/pay`: two",
    ] {
        check(SHOP, &format!("{map}{prose}"), "+ ~ -");
    }
    // A line as we write it is ours, one word or not.
    check(SHOP, &format!("{map}`tools`: 3 files\n`my tools`: x; 1 file"), "+ ~ -my tools,tools");
    // Nothing is known about an empty list, and below what is listed as one.
    check(&[], "- `src/old`: gone", "+ ~ -");
    check(&["src/sub", "src/pay/a.rs"], "- `src/pay`: x\n- `src/sub/deep`: y", "+ ~ -");
}

#[test]
fn what_moved() {
    let files = &["src/billing/a.rs", "src/billing/tax/r.rs", "src/web/a.rs", "src/web/pay.rs"];
    let tree = tree(files);
    let left = |path: &str| match path {
        "src/pay" => vec!["a.rs".to_owned(), "tax/r.rs".to_owned(), "mod.rs".to_owned()],
        _ => Vec::new(),
    };
    let map = "- `src/pay`: prices\n  - `src/pay/tax`: rates\n- `src/web`: pages";
    let found = drift(map, &tree, &Beside { maps: &[], left: &left });
    assert_eq!(told(&found), "+ ~src/pay>src/billing,src/pay/tax>src/billing/tax -");
    let new = merge(map, &found, &tree, &|_| unreachable!());
    assert_eq!(new, "- `src/billing`: prices\n  - `src/billing/tax`: rates\n- `src/web`: pages");
    // Without a history the name tells, if it is the only one.
    check(&["lib/pay/x.rs"], "src/pay: prices", "+ ~src/pay>lib/pay -");
    check(&["lib/pay/x.rs", "web/pay/x.rs"], "src/pay: prices", "+lib/pay,web/pay ~ -src/pay");
    // Too little of it is there.
    let left = |_: &str| ["a.rs", "b.rs", "c.rs"].map(str::to_owned).to_vec();
    let found =
        drift("src/pay: x", &self::tree(&["src/new/a.rs"]), &Beside { maps: &[], left: &left });
    assert_eq!(told(&found), "+src/new ~ -src/pay");
}

#[test]
fn other_maps_count() {
    let maps = ["`src/tax`: rates".to_owned()];
    let found = drift("src/pay: x", &tree(SHOP), &Beside { maps: &maps, left: &no_history });
    assert!(found.is_empty());
}

#[track_caller]
fn check_merge(files: &[&str], map: &str, want: &str) {
    assert_eq!(merged(map, &tree(files)), want);
}

#[test]
fn a_merge_keeps_what_people_wrote() {
    check_merge(SHOP, "", "- `src/pay`: 1 file\n- `src/tax`: 1 file");
    check_merge(
        SHOP,
        "Money first.\n\n* src/pay: prices\n  and more of it\n\nThe end.",
        "Money first.\n\n* src/pay: prices\n  and more of it\n* `src/tax`: 1 file\n\nThe end.",
    );
    check_merge(SHOP, "* `src/tax`: x", "* `src/pay`: 1 file\n* `src/tax`: x");
    check_merge(SHOP, "All is one.", "All is one.\n\n- `src/pay`: 1 file\n- `src/tax`: 1 file");
    check_merge(SHOP, "src/pay: a\n`src/old`: b\nsrc/tax: c", "src/pay: a\nsrc/tax: c");
    check_merge(&["a\nb/c.rs", "x`y/d.rs"], "", "- `\"a\\nb\"`: 1 file\n- `\"x\\u{60}y\"`: 1 file");
}

proptest! {
    /// Nothing that is not about one path is lost, a second merge changes nothing, and after the
    /// first there is nothing left to say.
    #[test]
    fn a_merge_settles(
        files in proptest::collection::vec("(src|lib|@a|x y)/(pay|tax|p`q|a\nb|~c)(/(deep|z)){0,2}/[ab]\\.(rs|md)", 0..12),
        lines in proptest::collection::vec(prop_oneof![
            "[-*] `?(src|lib|gone|@a)/(pay|tax|old)`?(:|,| -) (prose|src/tax|`src/pay`)( src/pay; 3 files)?",
            "[-*] `(tools|src|x y)`: 3 files",
            "(```| {2}indented|Note: lib/tax|#? ?words and words|)",
            "\\PC{0,30}",
        ], 0..8),
    ) {
        let tree = Tree::new(files);
        let map = lines.join("\n");
        let once = merged(&map, &tree);
        let after = plain(&once, &tree);
        prop_assert!(after.is_empty(), "{:?} in {:?}", after, once);
        prop_assert_eq!(&merged(&once, &tree), &once);
        let mut rest = once.split('\n');
        for kept in map::lines(&map, &tree).iter().filter(|line| line.entry.is_none()) {
            prop_assert!(rest.any(|line| line == kept.text), "{:?} of {:?}", kept.text, once);
        }
    }

    #[test]
    fn any_path_can_be_written(path in "[^/]{1,12}/[^/]{1,12}") {
        let path = path.trim_end_matches('/').to_owned();
        let tree = Tree::new(vec![format!("{path}/a.rs")]);
        for module in tree.modules() {
            let map = format!("- {}", line(&module.path, Some("it: `does` x"), 1));
            prop_assert!(plain(&map, &tree).is_empty(), "{:?} {}", map, quoted(&path));
        }
    }
}

#[track_caller]
fn check_about(file: &str, text: &str, want: Option<&str>) {
    assert_eq!(about(file, text).as_deref(), want, "{file}");
}

#[test]
fn what_a_module_says_about_itself() {
    check_about("src/lib.rs", "//! Keeps money.\n//! More.\n\nuse x;", Some("Keeps money"));
    check_about("a/mod.rs", "use x;\n/// Not this.\n", None);
    check_about(
        "a/__init__.py",
        "# x\n\"\"\"Takes e.g. cards. And\"\"\"",
        Some("Takes e.g. cards"),
    );
    check_about(
        "a/pay.go",
        "// Copyright\n\n// Package pay counts\n// cents.\npackage pay",
        Some("counts cents"),
    );
    check_about("package.json", "{\"description\": \"The shop\"}", Some("The shop"));
    check_about("package.json", "{broken", None);
    check_about("Cargo.toml", "[package]\ndescription = \"A tool\"\n", Some("A tool"));
    check_about("a/index.ts", "/**\n * Draws pages.\n * @module\n */", Some("Draws pages"));
    check_about("a/index.ts", "import x\n/** Draws */", None);
    check_about(
        "README.md",
        "# Shop\n\n[![x](y)](z)\n\nSells things: cheap.\nMore",
        Some("Sells things: cheap"),
    );
    check_about("README.md", "token = ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5", None);
    check_about("README.md", "---\n\n***", None);
    check_about("README.md", "[A](b) of [c](d)\ne (f). G", Some("A of c e (f)"));
    check_about("README.md", "A [b] and [c](", Some("A [b] and [c]("));
    let shop =
        tree(&["src/pay.rs", "src/pay/README.md", "src/pay/pay.go", "src/pay/x.go", "a/b.rs"]);
    let found: Vec<Vec<String>> = shop.modules().iter().map(|it| places(it, &shop)).collect();
    let want: [&[&str]; 3] =
        [&["a/b.rs"], &["src/pay.rs"], &["src/pay.rs", "src/pay/pay.go", "src/pay/README.md"]];
    assert_eq!(found, want);
}

#[test]
fn what_comes_from_outside() {
    let manifest = |path: &str, text: &str| Manifest { path: path.into(), text: text.into() };
    let found = dependencies(&[
        manifest("Cargo.toml", "[workspace.dependencies]\nserde = \"1\"\nown = { path = \"x\" }\n"),
        manifest(
            "x/Cargo.toml",
            "[package]\nname = \"own\"\n[dependencies]\nserde.workspace = true\n[dependencies.jiff]\nversion = \"1\"\n[dev-dependencies]\nproptest = \"1\"\n",
        ),
        manifest(
            "web/package.json",
            "{\"name\": \"web\", \"dependencies\": {\"@a/b\": \"1\", \"c\": \"file:../c\"}}",
        ),
        manifest(
            "go.mod",
            "module acme.io/shop\nrequire github.com/x/y v1\nrequire (\n\tz.io/q v2\n\tw.io/e v1 // indirect\n)\n",
        ),
        manifest(
            "pyproject.toml",
            "[project]\nname = \"p\"\ndependencies = [\n  \"requests[socks]>=2\",\n  'rich',\n]\n[tool.poetry.dependencies]\npython = \"3\"\nflask = \"1\"\n",
        ),
        manifest("broken/package.json", "{"),
    ]);
    let want = "- cargo: jiff, serde\n- go: github.com/x/y, z.io/q\n- npm: @a/b\n- python: flask, requests, rich";
    assert_eq!(found, want);
    assert_eq!(dependencies(&[]), "");
}

#[test]
fn one_line_for_a_session() {
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
    assert_eq!(drift_line(&Drift::default()), None);
    let drift = Drift {
        new: paths(&["src/export", "src/tax"]),
        moved: vec![("src/a".to_owned(), "lib/a".to_owned())],
        removed: paths(&["o/1", "o/2", "o/3", "o/4"]),
    };
    assert_eq!(
        drift_line(&drift).unwrap(),
        "the architecture map is out of date: 2 new modules (src/export, src/tax), 1 moved (src/a to lib/a), \
         4 removed (o/1, o/2, o/3 and 1 more) (`oldhand architecture update`)"
    );
    assert_eq!(drift.counts(), "2 new, 1 moved, 4 removed");
}
