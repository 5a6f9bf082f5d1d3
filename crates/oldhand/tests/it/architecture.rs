//! The files of a repository as the architecture map sees them: trees of every shape, with git and
//! without, and what must not be read.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use oldhand_store::code::Repository;
use oldhand_store::history::GitHistory;
use oldhand_store::port::{CodeHistory, CodeTree};
use serde_json::json;

use crate::scratch::Scratch;

struct Folder {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Folder {
    fn new(files: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("shop");
        let folder = Self { _folder: folder, root };
        std::fs::create_dir(&folder.root).unwrap();
        files.iter().for_each(|file| folder.write(file));
        folder
    }

    fn with_git(files: &[&str]) -> Self {
        let folder = Self::new(files);
        folder.git(&["init", "-q", "--template="]);
        folder.git(&["add", "-A"]);
        folder.git(&["commit", "-q", "-m", "first"]);
        folder
    }

    fn write(&self, file: &str) {
        let path = self.root.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("text of {file}")).unwrap();
    }

    fn git(&self, args: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"])
            .args(args)
            .current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status()
            .unwrap();
        assert!(status.success(), "git {args:?}");
    }

    fn code(&self, below: &str) -> Repository {
        let root = self.root.join(below);
        let search_path = std::env::var_os("PATH");
        let history = GitHistory { root: root.clone(), search_path, cache: None };
        Repository { root, history }
    }

    #[track_caller]
    fn check(&self, below: &str, want: &[&str]) {
        assert_eq!(self.code(below).files(), want);
    }
}

#[test]
fn git_tells_what_there_is() {
    let folder = Folder::with_git(&["src/a.rs", "src/gone.rs", "app/src/b c.rs", "app/ü\nx/d.rs"]);
    folder.write("new/e.rs");
    folder.write("made/f.rs");
    folder.write(".oldhand/decisions/x.md");
    std::fs::write(folder.root.join(".gitignore"), "made/\n").unwrap();
    std::fs::remove_file(folder.root.join("src/gone.rs")).unwrap();
    folder.check("", &[".gitignore", "app/src/b c.rs", "app/ü\nx/d.rs", "new/e.rs", "src/a.rs"]);
    // A store below the top of the repository sees what is beside it, and no more.
    folder.check("app", &["src/b c.rs", "ü\nx/d.rs"]);
}

#[test]
fn an_empty_repository_and_none() {
    let empty = Folder::new(&[]);
    empty.check("", &[]);
    empty.git(&["init", "-q", "--template="]);
    empty.check("", &[]);
    let plain = Folder::new(&["src/a.rs", "target/b.rs", ".hidden/c.rs", "src/d\ne.rs"]);
    plain.check("", &["src/a.rs", "src/d\ne.rs"]);
}

#[test]
fn no_link_leads_out() {
    let folder = Folder::new(&["src/a.rs"]);
    let outside = folder.root.parent().unwrap().join("secret.rs");
    std::fs::write(&outside, "secret").unwrap();
    std::os::unix::fs::symlink(&outside, folder.root.join("src/link.rs")).unwrap();
    std::os::unix::fs::symlink(outside.parent().unwrap(), folder.root.join("up")).unwrap();
    std::os::unix::fs::symlink("a.rs", folder.root.join("src/inside.rs")).unwrap();
    let code = folder.code("");
    for path in ["src/link.rs", "up/secret.rs", "../secret.rs", "/etc/hostname", "", "src", "no"] {
        assert_eq!(code.read(path), None, "{path}");
    }
    assert_eq!(code.read("src/inside.rs").as_deref(), Some("text of src/a.rs"));
    // A link is listed and not walked into.
    folder.check("", &["src/a.rs", "src/inside.rs", "src/link.rs", "up"]);
}

#[test]
fn a_folder_that_is_gone_is_remembered() {
    let folder = Folder::with_git(&["src/pay/a.rs", "src/pay/deep/b.rs", "src/web/c.rs"]);
    let left = |path: &str| folder.code("").history.last_files(path, Duration::from_secs(30));
    folder.git(&["mv", "src/pay", "lib"]);
    assert_eq!(left("src/pay"), ["a.rs", "deep/b.rs"]);
    folder.git(&["commit", "-q", "-m", "moved"]);
    assert_eq!(left("src/pay"), ["a.rs", "deep/b.rs"]);
    assert!(left("src/never").is_empty());
    assert!(left("../x").is_empty());
    assert!(
        Folder::new(&[]).code("").history.last_files("src", Duration::from_secs(30)).is_empty()
    );
}

/// Names that would break a line of the map are written so that they are known again.
#[test]
fn a_line_break_in_a_name_is_one_module() {
    let scratch = Scratch::new();
    for file in ["src/a\nb/c.rs", "src/x`y/d.rs", "src/z/e.rs"] {
        let path = scratch.repository().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    scratch.ok(&["architecture", "update"]);
    let checked = scratch.json(&["architecture", "check"]);
    assert_eq!((&checked["verdict"], &checked["modules"]), (&json!("current"), &json!(3)));
    std::fs::remove_dir_all(scratch.repository().join("src/a\nb")).unwrap();
    let checked = scratch.json(&["architecture", "check"]);
    assert_eq!(checked["drift"], json!({"new": [], "moved": [], "removed": ["src/a\nb"]}));
    scratch.ok(&["architecture", "update"]);
    assert_eq!(scratch.json(&["architecture", "check"])["verdict"], "current");
    scratch.assert_healthy("after odd names");
}

/// What a person wrote about a module stays when others come.
#[test]
fn a_line_of_a_person_stays() {
    let scratch = Scratch::new();
    let write = |file: &str| {
        let path = scratch.repository().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    };
    write("src/a/x.rs");
    scratch.ok(&["architecture", "update"]);
    let mine = "Mine.\n\n- `src/a`: what only I know";
    scratch.ok(&["architecture", "update", "--module-map", mine]);
    write("src/b/y.rs");
    scratch.ok(&["architecture", "update"]);
    let shown = scratch.json(&["architecture"]);
    let map = shown["sections"]["module_map"].as_str().unwrap();
    assert_eq!(map, format!("{mine}\n- `src/b`: 1 file"));
}
