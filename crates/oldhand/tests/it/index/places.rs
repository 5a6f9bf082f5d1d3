//! Where an index can't be kept, it is made for each answer.

use std::process::Command;

use super::{by_words, files_below, questions};

#[track_caller]
fn check(change: impl Fn(&mut Command) -> &mut Command) {
    let library = by_words(40);
    let answers = library.answers();
    for (asked, answer) in questions().iter().zip(&answers) {
        assert_eq!(library.ask_outside(asked, &change), *answer, "{asked:?}");
    }
    let store = files_below(&library.scratch.store());
    library.ask_outside(&["stats".to_owned()], &change);
    library.ask_outside(&["reindex".to_owned()], &change);
    assert_eq!(files_below(&library.scratch.store()), store);
}

#[test]
fn no_home_at_all() {
    check(|command| command.env_clear().env("OLDHAND_TRUST", "1"));
}

#[test]
fn a_cache_that_cannot_be() {
    check(|command| command.env("XDG_CACHE_HOME", "/proc/nope"));
    check(|command| command.env("XDG_CACHE_HOME", "/dev/null/cache"));
    check(|command| command.env("HOME", "/proc/nope"));
}

#[test]
fn a_cache_that_is_relative_is_not_meant() {
    check(|command| command.env("XDG_CACHE_HOME", "cache"));
}

/// Something else in the place of each file and folder of the index.
#[test]
fn files_for_folders_and_folders_for_files() {
    let library = by_words(40);
    let answers = library.answers();
    let kept = files_below(&library.cache());
    let head = kept.keys().find(|path| path.ends_with("head")).unwrap().clone();
    let mut places: Vec<_> = kept.keys().cloned().collect();
    places.extend([head.with_file_name("journal"), head.with_file_name("lock")]);
    for place in places {
        super::put_back(&library.cache(), &kept);
        // The lock can't be taken away from under its name.
        let _ = std::fs::remove_file(&place);
        std::fs::create_dir_all(place.join("inside")).unwrap();
        assert_eq!(library.answers(), answers, "a folder in place of {}", place.display());
    }
    for place in head.ancestors().skip(1).take_while(|place| *place != library.home()) {
        super::put_back(&library.cache(), &kept);
        std::fs::remove_dir_all(place).unwrap();
        std::fs::write(place, "not a folder").unwrap();
        assert_eq!(library.answers(), answers, "a file in place of {}", place.display());
        let stats = library.stats();
        assert_eq!((&stats["memories"], &stats["index"]["is_kept"]), (&40.into(), &false.into()));
        std::fs::remove_file(place).unwrap();
        std::fs::create_dir_all(library.cache()).unwrap();
    }
}

/// No file may grow: to the program this is a disk that is full.
#[test]
fn a_full_disk() {
    let library = by_words(40);
    let answers = library.answers();
    let limited = |asked: &[String], blocks: u32| {
        // The signal that comes first is ignored, so that the write itself fails.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_oldhand")]).args(library.args(asked));
        command.current_dir(library.scratch.repository()).env_clear().envs(library.scratch.vars());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for blocks in [0, 1, 8, 40] {
        library.forget_the_index();
        for (asked, answer) in questions().iter().zip(&answers) {
            assert_eq!(limited(asked, blocks), *answer, "{asked:?} within {blocks} blocks");
        }
        limited(&["reindex".to_owned()], blocks);
        let left = files_below(&library.cache());
        let parts: Vec<_> = left
            .keys()
            .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with('.'))
            .collect();
        assert!(parts.is_empty(), "{parts:?}");
    }
    assert_eq!(library.answers(), answers, "with room again");
    assert_eq!(library.stats()["index"]["is_kept"], true);
}
