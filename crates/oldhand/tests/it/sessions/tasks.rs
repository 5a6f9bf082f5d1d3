//! The end of a task while others are at work: no note and no word of somebody is lost.

use std::process::{Child, Stdio};

use crate::scratch::Scratch;

fn start(scratch: &Scratch, args: &[&str]) -> Child {
    let mut command = scratch.program(args);
    command.env("OLDHAND_SESSION", "s1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[track_caller]
fn end(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Who tells last may have looked first: what the other has said is read in the lock.
#[test]
fn a_summary_without_an_outcome_never_takes_one_back_r172() {
    let scratch = Scratch::new();
    for round in 0..4 {
        let task = format!("T-{round}");
        let told: Vec<Child> = (0..6)
            .map(|turn| match turn {
                2 => start(&scratch, &["summary", &task, "--outcome", "abandoned"]),
                _ => start(&scratch, &["summary", &task, "--completed", &turn.to_string()]),
            })
            .collect();
        told.into_iter().for_each(|child| drop(end(child)));
        let shown = end(start(&scratch, &["show", &format!("task-t-{round}"), "--raw"]));
        assert!(shown.contains("outcome: abandoned"), "{shown}");
    }
}

/// What is noted while the task ends is in its summary, or still open.
#[test]
fn a_note_that_comes_while_the_task_ends_is_not_lost_r149() {
    let scratch = Scratch::new();
    end(start(&scratch, &["task", "start", "T-1"]));
    end(start(&scratch, &["note", "done", "the first"]));
    let ending = start(&scratch, &["summary", "--outcome", "success"]);
    let names: Vec<String> = (0..24).map(|number| format!("item-{number}-end")).collect();
    let noted: Vec<Child> =
        names.iter().map(|name| start(&scratch, &["note", "done", name])).collect();
    end(ending);
    noted.into_iter().for_each(|child| drop(end(child)));
    let summary = end(start(&scratch, &["show", "task-t-1", "--raw"]));
    let open = end(start(&scratch, &["notes"]));
    assert!(summary.contains("the first") && !open.contains("the first"), "{summary}{open}");
    for name in names {
        assert!(summary.contains(&name) || open.contains(&name), "{name}: {summary}{open}");
    }
}
