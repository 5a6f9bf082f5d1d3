//! The scanners on small sources.

use super::{declares_module, functions, split, test_regions, tokens};

#[track_caller]
fn check_code(source: &str, want: &[&str]) {
    let code = split(source).code;
    let found: Vec<_> = tokens(&code).iter().map(|token| token.text.to_owned()).collect();
    assert_eq!(found, want, "{source}");
}

#[track_caller]
fn check_comments(source: &str, want: &str) {
    let comments = split(source).comments;
    assert_eq!(comments.split_whitespace().collect::<Vec<_>>().join(" "), want, "{source}");
}

#[track_caller]
fn check_functions(source: &str, want: &[(&str, usize, usize)]) {
    let code = split(source).code;
    let tokens = tokens(&code);
    let found: Vec<_> = functions(&tokens)
        .into_iter()
        .map(|it| (it.name, *it.lines.start(), *it.lines.end()))
        .collect();
    assert_eq!(found, want, "{source}");
}

#[track_caller]
fn check_regions(source: &str, want: &[(usize, usize)]) {
    let code = split(source).code;
    let found: Vec<_> = test_regions(&tokens(&code))
        .into_iter()
        .map(|lines| (*lines.start(), *lines.end()))
        .collect();
    assert_eq!(found, want, "{source}");
}

#[test]
fn strings_and_characters_are_no_code() {
    check_code(r#"a("fn { \" }", b)"#, &["a", "(", ",", "b", ")"]);
    check_code(r"a('{', '\'', '\u{7d}')", &["a", "(", ",", ",", ")"]);
    check_code(r###"r"{" r#"}"{"#"###, &[]);
    check_code("\"// no comment\" x", &["x"]);
}

#[test]
fn lifetimes_and_raw_identifiers_are_code() {
    check_code("&'a str", &["&", "'", "a", "str"]);
    check_code("r#fn x", &["r", "#", "fn", "x"]);
}

#[test]
fn comments_are_no_code() {
    check_code("a // b {\nc", &["a", "c"]);
    check_code("a /* b /* c */ d */ e", &["a", "e"]);
}

#[test]
fn comments_stand_alone() {
    check_comments("a // b\nlet c = \"// d\"; /* e */", "// b /* e */");
}

#[test]
fn functions_span_from_keyword_to_closing_brace() {
    check_functions("fn a() {}", &[("a", 1, 1)]);
    check_functions(
        "pub fn a(\n    x: [u8; 4],\n) -> u8 {\n    if x { 1 } else { 2 }\n}\n",
        &[("a", 1, 5)],
    );
    check_functions("fn a() {\n    fn b() {\n    }\n}", &[("a", 1, 4), ("b", 2, 3)]);
    check_functions("fn a() {\n    \"}\"; // }\n}", &[("a", 1, 3)]);
}

#[test]
fn declarations_and_pointer_types_are_no_functions() {
    check_functions("trait T { fn a(&self) -> [u8; 4]; }", &[]);
    check_functions("struct S { run: fn(u8) -> u8 }", &[]);
}

#[test]
fn test_regions_end_with_their_item() {
    check_regions("fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}", &[(2, 5)]);
    check_regions("#[cfg(test)]\n#[expect(x)]\nfn a() {\n}\n", &[(1, 4)]);
}

#[test]
fn a_declared_test_module_is_its_declaration() {
    check_regions("#[cfg(test)]\nmod tests;\nfn a() {}\n", &[(1, 2)]);
}

#[test]
fn only_real_declarations_declare() {
    let declares = |source: &str| declares_module(&tokens(&split(source).code), "tests");
    assert!(declares("#[cfg(test)]\nmod tests;"));
    assert!(declares("pub(crate) mod tests;"));
    assert!(!declares("// mod tests;"));
    assert!(!declares("mod tests { }"));
    assert!(!declares("mod tests_of_more;"));
}
