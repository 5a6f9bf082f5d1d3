//! A command line into words, the way a shell does it, without anything else a shell does.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    pub(super) words: Vec<String>,
    pub(super) stdin: Stdin,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stdin {
    Empty,
    /// `< path`
    File(String),
    /// `<<< 'text'`, with the newline that a shell adds.
    Text(String),
}

#[derive(Debug, PartialEq, Eq)]
struct Word {
    text: String,
    /// A quoted `<` is a word like any other.
    quoted: bool,
}

pub(super) fn command_line(line: &str) -> Result<CommandLine, String> {
    let mut words = Vec::new();
    let mut stdin = Stdin::Empty;
    let mut rest = split(line)?.into_iter();
    while let Some(word) = rest.next() {
        match word.text.as_str() {
            "<" if !word.quoted => stdin = Stdin::File(operand(rest.next(), "<")?),
            "<<<" if !word.quoted => {
                stdin = Stdin::Text(operand(rest.next(), "<<<")? + "\n");
            }
            ">" | ">>" | "|" | "||" | "&&" | ";" | "&" | "2>&1" if !word.quoted => {
                return Err(format!(
                    "this is not a shell; quote it or do without: `{}`",
                    word.text
                ));
            }
            _ => words.push(word.text),
        }
    }
    Ok(CommandLine { words, stdin })
}

fn operand(word: Option<Word>, before: &str) -> Result<String, String> {
    word.map(|word| word.text).ok_or_else(|| format!("nothing stands after `{before}`"))
}

fn split(line: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter.is_ascii_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert(Word { text: String::new(), quoted: false });
        word.quoted |= matches!(letter, '\'' | '"' | '\\');
        match letter {
            '\'' => single_quoted(&mut letters, &mut word.text)?,
            '"' => double_quoted(&mut letters, &mut word.text)?,
            '\\' => word.text.push(letters.next().ok_or("a backslash stands at the end")?),
            _ => word.text.push(letter),
        }
    }
    words.extend(word);
    Ok(words)
}

fn single_quoted(letters: &mut std::str::Chars, text: &mut String) -> Result<(), String> {
    for letter in letters {
        if letter == '\'' {
            return Ok(());
        }
        text.push(letter);
    }
    Err("a `'` has no end".to_owned())
}

fn double_quoted(letters: &mut std::str::Chars, text: &mut String) -> Result<(), String> {
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Ok(()),
            // A shell keeps the backslash before any other letter.
            '\\' => match letters.next() {
                Some(escaped @ ('"' | '\\' | '$' | '`')) => text.push(escaped),
                Some(other) => text.extend(['\\', other]),
                None => break,
            },
            _ => text.push(letter),
        }
    }
    Err("a `\"` has no end".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Stdin, command_line};

    #[track_caller]
    fn check(line: &str, words: &[&str], stdin: Stdin) {
        let found = command_line(line).unwrap();
        assert_eq!(found.words, words);
        assert_eq!(found.stdin, stdin);
    }

    #[test]
    fn words_are_split_as_in_a_shell() {
        check("a  b", &["a", "b"], Stdin::Empty);
        check("a 'b c' \"d e\" f\\ g", &["a", "b c", "d e", "f g"], Stdin::Empty);
        check("a '' x'y'\"z\"", &["a", "", "xyz"], Stdin::Empty);
        check(r#"a "b \" \n \\" 'c \'"#, &["a", r#"b " \n \"#, r"c \"], Stdin::Empty);
        check("a \"it's\"", &["a", "it's"], Stdin::Empty);
    }

    #[test]
    fn standard_input_comes_from_a_file_or_a_text() {
        check("a b < c/d", &["a", "b"], Stdin::File("c/d".to_owned()));
        check("a <<< 'x y'", &["a"], Stdin::Text("x y\n".to_owned()));
        check("a '<' <repo>/b", &["a", "<", "<repo>/b"], Stdin::Empty);
    }

    #[test]
    fn what_only_a_shell_can_do_is_refused() {
        for line in ["a 'b", "a \"b", "a \\", "a <", "a <<<", "a | b", "a > b", "a && b"] {
            command_line(line).unwrap_err();
        }
    }
}
