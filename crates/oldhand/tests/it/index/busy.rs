//! Many write while others read.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Library, by_words};

const WRITERS: usize = 16;
const EACH: usize = 10;
const READERS: usize = 4;

/// A word that no other memory has: letters alone, as numbers are read in their own way.
fn word(writer: usize, number: usize) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    format!("zq{}{}fruit", letter(writer), letter(number))
}

fn write(library: &Library, writer: usize) {
    for number in 0..EACH {
        let text = format!("The {} ripens in week {number}", word(writer, number));
        let args = ["remember", "--kind", "reference", &text];
        let output = library.scratch.program(&args).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn read(library: &Library, reader: usize, running: &AtomicUsize) -> usize {
    let mut asked = 0;
    while running.load(Ordering::Relaxed) > 0 || asked < 5 {
        let words = word((asked + reader) % WRITERS, asked % EACH);
        let args = ["--config", library.model, "--json", "recall", &words, "quicksilver"];
        let output = library.scratch.program(&args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {stderr}", output.status);
        assert_eq!(stderr, "");
        let answer = String::from_utf8(output.stdout).unwrap();
        assert!(answer.contains("\"rule-17\""), "{answer}");
        asked += 1;
    }
    asked
}

#[test]
fn sixteen_write_and_four_read() {
    let library = by_words(40);
    let running = AtomicUsize::new(WRITERS);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (library, running) = (&library, &running);
            scope.spawn(move || {
                // Counted down even when a write fails, so that the readers end.
                let _done = Countdown(running);
                write(library, writer);
            });
        }
        let (library, running) = (&library, &running);
        let readers: Vec<_> = (0..READERS)
            .map(|reader| scope.spawn(move || read(library, reader, running)))
            .collect();
        let asked: usize = readers.into_iter().map(|reader| reader.join().unwrap()).sum();
        println!("{asked} answers while {WRITERS} wrote");
    });
    for writer in 0..WRITERS {
        let answer = library.ask(&super::asked(&word(writer, EACH - 1)));
        assert!(answer.contains(&format!("{} ripens", word(writer, EACH - 1))), "{answer}");
    }
    let stats = library.stats();
    assert_eq!(stats["memories"], 40 + WRITERS * EACH);
    assert_eq!(stats["index"]["memories"], 40 + WRITERS * EACH);
    assert_eq!(stats["index"]["is_kept"], true);
    library.assert_as_new("after many writers");
}

struct Countdown<'a>(&'a AtomicUsize);

impl Drop for Countdown<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
