//! The table as a whole: each row reaches a place of its own.

use oldhand_core::kind::{KindSpec, Kinds};

use super::{Effective, Key, Setting, Type, keys};

fn kinds() -> Kinds {
    let mut kinds = Kinds::default();
    kinds.declare(KindSpec::custom("contact", "contacts"));
    kinds
}

/// Another value that the key takes.
fn another(key: &Key) -> Setting {
    match (&key.kind, &key.default) {
        (Type::Flag, Setting::Flag(flag)) => Setting::Flag(!flag),
        (Type::Number { min, max }, Setting::Number(number)) => {
            Setting::Number(if number == max { *min } else { number + 1 })
        }
        (Type::Fraction, Setting::Fraction(number)) => Setting::Fraction(number / 2.0),
        (Type::Choice(words), Setting::Text(text)) => {
            let word = words.iter().find(|word| *word != text);
            Setting::Text((*word.expect("a choice has two words")).to_owned())
        }
        (Type::Text { .. } | Type::Folder, Setting::Text(_)) => Setting::Text("another".into()),
        (Type::List, Setting::List(_)) => Setting::List(vec!["Another".into()]),
        (kind, default) => panic!("{}: {default:?} is no {kind:?}", key.name),
    }
}

#[test]
fn every_key_has_a_place_of_its_own_and_takes_what_it_says() {
    let kinds = kinds();
    let (keys, untouched) = (keys(&kinds), Effective::new(kinds));
    let mut seen: Vec<(String, Effective)> = Vec::new();
    // There is one layout so far: no other number can be set.
    for key in keys.iter().filter(|key| key.name != "format") {
        let default = key.check(key.default.clone()).expect("a default is a value like any other");
        let mut effective = untouched.clone();
        key.put(default, &mut effective);
        assert_eq!(effective, untouched, "the default of {} is what is there", key.name);
        let new = key.check(another(key)).expect("it is within the range");
        key.put(new.clone(), &mut effective);
        let there = (key.slot_of)(&mut effective).map(|slot| slot.get());
        assert_eq!(there, Some(new), "{} takes what was put", key.name);
        let twin = seen.iter().find(|(_, other)| *other == effective);
        assert_eq!(twin.map(|(name, _)| name), None, "{} has the place of another", key.name);
        seen.push((key.name.clone(), effective));
    }
}

#[test]
fn no_row_is_lost() {
    let of = |name: &str| keys(&kinds()).iter().filter(|key| key.name.starts_with(name)).count();
    assert_eq!(of("reviewers."), 21);
    assert_eq!(of("capture.threshold."), 7);
    assert_eq!(of("capture.model."), 7);
    assert_eq!(of("kinds."), 9 * 5 + 8);
}
