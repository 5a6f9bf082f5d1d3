//! What is asked for, and which Node is new enough.

use super::install::version;
use super::parse;

fn names(arguments: &[&str]) -> Result<Vec<&'static str>, String> {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let wish = parse(&arguments).map_err(|failure| failure.to_string())?;
    Ok(wish.clients.iter().map(|client| client.name).collect())
}

#[test]
fn all_run_unless_some_are_named() {
    assert_eq!(names(&[]).unwrap(), ["rust", "python", "typescript", "inspector", "conformance"]);
    assert_eq!(names(&["--only", "inspector,python"]).unwrap(), ["inspector", "python"]);
    assert_eq!(names(&["--binary", "x", "--only", "python"]).unwrap(), ["python"]);
}

#[test]
fn an_unknown_client_is_answered_with_the_known() {
    let failure = names(&["--only", "perl"]).unwrap_err();
    assert!(failure.contains("`perl`") && failure.contains("there are rust, python"), "{failure}");
}

#[test]
fn words_that_mean_nothing_are_refused() {
    assert!(names(&["--only"]).unwrap_err().contains("needs a value"));
    assert!(names(&["python"]).unwrap_err().contains("unexpected argument"));
}

#[test]
fn versions_of_node_compare_by_number() {
    assert_eq!(version("v22.19.0\n"), Some((22, 19)));
    assert!(version("v9.1.0") < version("v22.0.0"));
    assert_eq!(version("22.19.0"), None);
}
