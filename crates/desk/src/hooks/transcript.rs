//! The news of a transcript: what was written to it since it was last read. Only a plain file in a
//! place that belongs to the user or the project is read, in pieces, from where reading ended.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::prelude::*;
use oldhand_hosts::dialect::Dialect;
use oldhand_store::port::session_state::{Said, TranscriptPosition};
use oldhand_transcripts::{self as transcript, Format, Turn, Voice};

/// The most that is read at once; the rest follows at the next look.
pub(super) const WHOLE: u64 = 256 * 1024 * 1024;
const PIECE_BYTES: usize = 4 * 1024 * 1024;
/// A line that is longer holds a picture or a dump: it is left out.
const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;
const DOCUMENT_BYTES_MAX: u64 = 64 * 1024 * 1024;
const HEAD_BYTES: usize = 16 * 1024;
/// So many bytes before the place where reading ended tell whether it is still the same file.
const MARK_BYTES: u64 = 256;

pub(super) struct News {
    pub turns: Vec<Turn>,
    pub at: TranscriptPosition,
    /// Nothing is left to be read by now.
    pub is_whole: bool,
    /// Why it is less than the whole, where it is.
    pub doubt: String,
}

/// What was said since the last time, within so many bytes; whoever uses it updates the state. Where
/// the host keeps no transcript that can be read, what its hooks have told.
pub(super) fn news(call: &Call<'_>, state: &SessionState, bytes_max: u64) -> Result<News, String> {
    let seen = &state.conversation;
    let mut news = read_from(call, &seen.transcript, bytes_max).unwrap_or_else(|doubt| News {
        turns: Vec::new(),
        at: seen.transcript.clone(),
        is_whole: true,
        doubt,
    });
    // What is still to be read may hold it.
    if !news.is_whole {
        return Ok(news);
    }
    // A transcript lags behind what was typed, and may never be written.
    let said = seen.said.iter().map(Said::text).filter(|it| !is_heard(it, &news.turns));
    let unheard: Vec<Turn> = said
        .zip(news.at.lines + 1..)
        .map(|(text, line)| spoken(line, Voice::Person, text))
        .collect();
    news.turns.splice(0..0, unheard);
    let last = last_message(call.payload.last_message.as_deref(), &news.turns, news.at.lines);
    news.turns.extend(last);
    let is_nothing = news.turns.is_empty() && !news.doubt.is_empty();
    if is_nothing { Err(news.doubt) } else { Ok(news) }
}

pub(super) fn read_from(
    call: &Call<'_>,
    seen: &TranscriptPosition,
    bytes_max: u64,
) -> Result<News, String> {
    let Some(path) = call.payload.transcript.as_deref() else {
        return Err("the host names no transcript".to_owned());
    };
    let real = trusted(call, Path::new(path))?;
    let mut news = read_file(open(&real)?, path, (call.payload.dialect, seen), bytes_max)
        .map_err(|error| unreadable(&error))?;
    let uses = news.turns.iter_mut().flat_map(|turn| &mut turn.uses);
    for path in uses.flat_map(|used| &mut used.paths) {
        // As memories name them: nobody else has this folder.
        if let Some(below) = call.relative(path) {
            *path = below;
        }
    }
    Ok(news)
}

fn read_file(
    mut file: File,
    path: &str,
    (dialect, seen): (Dialect, &TranscriptPosition),
    bytes_max: u64,
) -> io::Result<News> {
    let size = file.metadata()?.len();
    let mut at = TranscriptPosition { tries: 0, ..seen.clone() };
    // Another file, or one that was started again: what was captured before is known by its marks.
    if at.path != path || at.offset > size || mark(&mut file, at.offset)? != at.mark {
        at = TranscriptPosition { path: path.to_owned(), ..Default::default() };
    }
    file.seek(SeekFrom::Start(0))?;
    let mut head = Vec::with_capacity(HEAD_BYTES);
    (&mut file).take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    let format = transcript::detect(&head).unwrap_or_else(|| format_of(dialect));
    let (turns, is_whole) = if is_document(&head, format) && size <= DOCUMENT_BYTES_MAX {
        read_document(&mut file, format, &mut at, bytes_max)?
    } else {
        read_lines(&mut file, format, &mut at, bytes_max)?
    };
    at.mark = mark(&mut file, at.offset)?;
    Ok(News { turns, at, is_whole, doubt: String::new() })
}

/// Bytes of the transcript behind the place where reading ended.
pub(super) fn unread(call: &Call<'_>, state: &SessionState) -> u64 {
    let size = call.payload.transcript.as_ref().and_then(|path| std::fs::metadata(path).ok());
    size.map_or(0, |meta| meta.len().saturating_sub(state.conversation.transcript.offset))
}

/// A transcript may lag behind what the host has just shown.
fn last_message(last: Option<&str>, turns: &[Turn], lines: usize) -> Option<Turn> {
    let text = transcript::without_injected(last?);
    let text = text.trim();
    let is_there = turns.iter().rev().take(5).any(|turn| turn.text.trim() == text);
    (!text.is_empty() && !is_there).then(|| spoken(lines + 1, Voice::Agent, text))
}

/// With links followed, it lies where hosts keep their transcripts: below the user's home or a
/// temporary folder, in the project, or where a host was told to keep its files.
fn trusted(call: &Call<'_>, path: &Path) -> Result<PathBuf, String> {
    if !path.is_absolute() {
        return Err("the transcript's path is not absolute".to_owned());
    }
    let real = std::fs::canonicalize(path).map_err(|error| unreadable(&error))?;
    let named =
        ["HOME", "TMPDIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
    let env = call.desk.env;
    let mut roots: Vec<PathBuf> =
        named.iter().filter_map(|name| env.var(name)).map(PathBuf::from).collect();
    roots.push(PathBuf::from("/tmp"));
    roots.push(call.layout.repository.clone());
    let is_below = |root: &PathBuf| {
        let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.clone());
        root.parent().is_some() && real.starts_with(root)
    };
    if roots.iter().any(is_below) {
        return Ok(real);
    }
    Err("the transcript is outside of the user's folders".to_owned())
}

fn is_heard(said: &str, turns: &[Turn]) -> bool {
    let said = said.trim();
    turns.iter().any(|turn| turn.voice == Voice::Person && turn.text.contains(said))
}

fn spoken(line: usize, voice: Voice, text: &str) -> Turn {
    Turn { line, voice, text: text.to_owned(), ..Turn::default() }
}

fn unreadable(error: &std::io::Error) -> String {
    format!("the transcript can't be read: {error}")
}

/// Never waits: a pipe or a device is refused before a byte is read.
fn open(path: &Path) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(NONBLOCK);
    let file = options.open(path).map_err(|error| unreadable(&error))?;
    match file.metadata() {
        Ok(meta) if meta.is_file() => Ok(file),
        Ok(_) => Err("the transcript is no plain file".to_owned()),
        Err(error) => Err(unreadable(&error)),
    }
}

#[cfg(target_os = "linux")]
const NONBLOCK: i32 = 0o4000;
#[cfg(not(target_os = "linux"))]
const NONBLOCK: i32 = 0x4;

fn format_of(dialect: Dialect) -> Format {
    match dialect {
        Dialect::ClaudeCode => Format::ClaudeCode,
        Dialect::Codex => Format::Codex,
        Dialect::Gemini => Format::Gemini,
        Dialect::Cursor => Format::Cursor,
        Dialect::Copilot => Format::Copilot,
        Dialect::OpenCode => Format::Plain,
    }
}

/// Empty at the start of a file.
fn mark(file: &mut File, offset: u64) -> io::Result<String> {
    let start = offset.saturating_sub(MARK_BYTES);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(offset - start).read_to_end(&mut bytes)?;
    let hash = || ContentHash::of(&bytes).to_string()[..16].to_owned();
    Ok(if bytes.is_empty() { String::new() } else { hash() })
}

/// Gemini's older sessions are one JSON object over many lines.
fn is_document(head: &[u8], format: Format) -> bool {
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    format == Format::Gemini
        && (first == b"{" || (first.starts_with(b"{") && !first.ends_with(b"}")))
}

/// The turns, and whether these are all that there are.
type Turns = io::Result<(Vec<Turn>, bool)>;

fn read_document(
    file: &mut File,
    format: Format,
    at: &mut TranscriptPosition,
    bytes_max: u64,
) -> Turns {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(DOCUMENT_BYTES_MAX).read_to_end(&mut bytes)?;
    // Half written: the next look finds it whole.
    let Some(mut reading) = transcript::read_document(&bytes, format, at.lines) else {
        return Ok((Vec::new(), true));
    };
    let mut length = 0;
    let is_over = |turn: &Turn| {
        length += turn.text.len() as u64;
        length > bytes_max
    };
    // At least one: reading goes on.
    let over = reading.turns.iter().position(is_over).map(|over| over.max(1));
    let cut = over.and_then(|over| reading.turns.get(over)).map(|turn| turn.line - 1);
    at.lines = cut.unwrap_or(reading.lines);
    reading.turns.retain(|turn| turn.line <= at.lines);
    Ok((reading.turns, cut.is_none()))
}

/// At least one line, however long it is: reading goes on.
fn read_lines(
    file: &mut File,
    format: Format,
    at: &mut TranscriptPosition,
    bytes_max: u64,
) -> Turns {
    file.seek(SeekFrom::Start(at.offset))?;
    let piece = usize::try_from(bytes_max).map_or(PIECE_BYTES, |max| max.min(PIECE_BYTES));
    let start = at.offset;
    let mut turns = Vec::new();
    let mut rest: Vec<u8> = Vec::new();
    let mut read = 0_u64;
    loop {
        let begun = rest.len();
        // What has no end yet is not looked through again and again in small pieces.
        let next = piece.max(begun.min(PIECE_BYTES));
        rest.reserve(next);
        let count = file.by_ref().take(next as u64).read_to_end(&mut rest)?;
        read += count as u64;
        if count == 0 {
            return Ok((turns, true));
        }
        let reading = transcript::read(&rest, format, at.lines + 1);
        turns.extend(reading.turns);
        at.offset += reading.consumed as u64;
        at.lines += reading.lines;
        rest.drain(..reading.consumed);
        if rest.len() > LINE_BYTES_MAX {
            // Nobody waits for the end of this line.
            at.offset += rest.len() as u64;
            rest.clear();
        }
        if read >= bytes_max && at.offset > start {
            return Ok((turns, false));
        }
    }
}

/// Where a person who stops an agent leaves a mark.
const TAIL_BYTES: u64 = 32 * 1024;

/// A person stopped the agent, or a tool, since the last prompt.
pub(super) fn ends_interrupted(call: &Call<'_>) -> bool {
    let tail = || -> Option<Vec<u8>> {
        let path = trusted(call, Path::new(call.payload.transcript.as_deref()?)).ok()?;
        let mut file = open(&path).ok()?;
        let size = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(TAIL_BYTES))).ok()?;
        let mut bytes = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    tail().is_some_and(|bytes| transcript::ends_interrupted(&bytes))
}
