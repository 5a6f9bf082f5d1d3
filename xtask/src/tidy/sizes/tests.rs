//! Lines that count, and names that are used twice.

use super::{LINES_MAX, NAMES_MAX, check, test_lines};
use crate::tidy::shown;
use crate::tidy::tree::Tree;

#[test]
fn items_of_tests_do_not_count() {
    assert_eq!(test_lines("fn a() {}\n\n#[cfg(test)]\nmod tests;\n"), 2);
    assert_eq!(test_lines("#[cfg(test)]\nmod tests {\n    fn a() {}\n}\nfn b() {}\n"), 4);
    assert_eq!(test_lines("fn a() {}\n"), 0);
}

#[test]
fn only_product_code_is_counted() {
    let (_, most) = LINES_MAX[0];
    let long = "fn a();\n".repeat(most + 1);
    let tests = [
        ("crates/x/src/tests.rs", &*long),
        ("crates/x/tests/it/a.rs", &long),
        ("crates/testkit/src/lib.rs", &long),
        ("xtask/src/main.rs", &long),
    ];
    assert_eq!(shown(&check(&Tree::of(&tests))), [""; 0]);
    let product = Tree::of(&[("crates/x/src/lib.rs", &*long)]);
    let want = format!("crates:1: {} lines of product code, at most {most}: simplify", most + 1);
    assert_eq!(shown(&check(&product)), [&*want]);
    let table = Tree::of(&[("crates/x/src/words.txt", &*long)]);
    assert_eq!(shown(&check(&table)), [want]);
}

#[test]
fn a_name_for_too_many_types_is_shown_where_each_is() {
    let (name, most) = NAMES_MAX[0];
    let code = format!("struct {name};\n").repeat(most + 1);
    let in_test = format!("// struct {name}\n#[cfg(test)]\nmod tests {{ struct {name}; }}\n");
    let tree = Tree::of(&[("crates/x/src/a.rs", &*code), ("crates/x/src/b.rs", &*in_test)]);
    let found = shown(&check(&tree));
    assert_eq!(found.len(), most + 1);
    let want = format!(
        "crates/x/src/a.rs:1: {} types are called `{name}`, at most {most}: give them telling names",
        most + 1
    );
    assert_eq!(found[0], want);
}
