//! A conversation that somebody names: an agent's transcript, or one message per line.

use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_text::problem::Problem;
use oldhand_text::strings::counted;
use oldhand_transcripts::{self as transcript, Format, Turn};

use crate::desk::Desk;
use crate::failure::{FINDING, Fail};
use crate::input::read_bytes;
use crate::printer::Io;

#[derive(Debug, Default)]
pub struct Conversation {
    pub turns: Vec<Turn>,
    pub lines: usize,
    pub skipped: usize,
    /// The last line is no whole record: somebody is still writing, or was cut off.
    pub torn_line: Option<usize>,
}

impl Conversation {
    pub fn read(source: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Result<Self, Fail> {
        let mut bytes = read_bytes(source, &desk.current_dir(), IMPORT_BYTES_MAX, io)?;
        let format = transcript::detect(&bytes).unwrap_or(Format::Plain);
        if let Some(reading) = transcript::read_document(&bytes, format, 0) {
            let (turns, lines) = (reading.turns, reading.lines);
            return Self { turns, lines, ..Self::default() }.with_turns(source);
        }
        // The last line may lack its line end and still be complete.
        if !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        let reading = transcript::read(&bytes, format, 1);
        let lines = bytes.split(|byte| *byte == b'\n').enumerate();
        let last = lines.filter(|(_, line)| !line.trim_ascii().is_empty()).last();
        let is_torn =
            |line: &[u8]| transcript::read(&[line, b"\n"].concat(), format, 1).skipped > 0;
        let torn_line = last.filter(|(_, line)| is_torn(line)).map(|(at, _)| at + 1);
        let skipped = reading.skipped - usize::from(torn_line.is_some());
        Self { turns: reading.turns, lines: reading.lines, skipped, torn_line }.with_turns(source)
    }

    fn with_turns(self, source: &str) -> Result<Self, Fail> {
        if !self.turns.is_empty() {
            return Ok(self);
        }
        let is_unread = self.skipped > 0 || self.torn_line.is_some();
        let expected = "a transcript with at least one message: one JSON object per line";
        let problem =
            Problem::new("conversation", expected, if is_unread { source } else { "no turn" });
        Err(problem.with_fix("name the file that the agent keeps of its session").into())
    }

    /// Without a last line that is cut off: it will be complete the next time.
    pub fn whole_lines(&self) -> usize {
        self.torn_line.map_or(self.lines, |line| line - 1)
    }

    /// Reports lines that could not be read, with the exit code of a finding if the end is cut off.
    pub fn verdict(&self, fine: u8, io: &mut Io<'_>) -> u8 {
        if self.skipped > 0 {
            let lines = counted(self.skipped, "line", "lines");
            io.note("note", &format!("{lines} could not be understood"));
        }
        let Some(line) = self.torn_line else { return fine };
        io.note("error[READ_ERROR]", &format!("the conversation is cut off in line {line}"));
        io.note("hint", "everything before it was used; run it again when the line is whole");
        FINDING
    }
}
