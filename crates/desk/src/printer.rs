//! The only writer to the terminal: text for people, JSON for programs, notes on stderr.

use std::io::{self, BufRead, BufReader, Read, Write};

use oldhand_screen::Screen;
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::visible;
use serde::Serialize;

pub struct Io<'a> {
    pub stdin: Box<dyn Read + 'a>,
    pub stdout: Box<dyn Write + 'a>,
    pub stderr: Box<dyn Write + 'a>,
    /// The screen of whoever reads remarks; none if they are not for people.
    pub remarks: Option<Screen>,
    /// A model reads remarks.
    pub is_read_by_agent: bool,
}

impl<'a> Io<'a> {
    pub fn new(stdin: impl Read + 'a, stdout: impl Write + 'a, stderr: impl Write + 'a) -> Self {
        let (stdin, stdout, stderr) = (Box::new(stdin), Box::new(stdout), Box::new(stderr));
        Self { stdin, stdout, stderr, remarks: None, is_read_by_agent: false }
    }

    pub fn real() -> Self {
        Self::new(io::stdin(), io::BufWriter::new(io::stdout()), io::stderr())
    }

    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.stdout.write_all(text.as_bytes())
    }

    /// One object with its schema first.
    pub fn json(&mut self, name: &str, answer: impl Serialize) -> io::Result<()> {
        #[derive(Serialize)]
        struct Whole<T> {
            schema: String,
            #[serde(flatten)]
            answer: T,
        }
        let whole = Whole { schema: format!("oldhand.{name}/1"), answer };
        serde_json::to_writer(&mut self.stdout, &whole)?;
        self.stdout.write_all(b"\n")
    }

    /// What a person answers, in one line; `None` at the end of the input. Only where there is a
    /// person: see `interactive`.
    pub fn line(&mut self, question: &str) -> io::Result<Option<String>> {
        self.text(question)?;
        self.flush()?;
        let mut answer = String::new();
        // One byte at a time: what is typed ahead belongs to the next question.
        let read = BufReader::with_capacity(1, &mut self.stdin).read_line(&mut answer)?;
        Ok((read > 0).then(|| answer.trim().to_owned()))
    }

    pub fn confirm(&mut self, question: &str) -> io::Result<bool> {
        let answer = self.line(question)?.unwrap_or_default().to_lowercase();
        Ok(matches!(answer.as_str(), "y" | "yes"))
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }

    /// A remark beside the answer.
    pub fn note(&mut self, kind: &str, text: &str) {
        let is_agents = self.is_read_by_agent;
        self.remark(|screen| match screen {
            Some(screen) => screen.remark(kind, text),
            None if is_agents => format!("{kind}: {}\n", AgentText::body(text)),
            None => format!("{kind}: {}\n", visible(text)),
        });
    }

    /// What goes to standard error. If even this fails, there is nobody to tell.
    pub fn remark(&mut self, text: impl FnOnce(Option<&Screen>) -> String) {
        if self.remarks.is_some() {
            // On a terminal it stands behind what was said before it.
            let _ = self.flush();
        }
        let _ = self.stderr.write_all(text(self.remarks.as_ref()).as_bytes());
    }
}
