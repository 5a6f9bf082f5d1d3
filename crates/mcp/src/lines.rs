//! One message a line. The line's length is bounded, and what can't be understood is answered with
//! the error that the protocol has for it. A client that does not read is not read from: answers
//! that nobody takes don't pile up.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::MESSAGE_BYTES_MAX;
use crate::mistake::{ENDS_BYTES, Read, read_message, to_bytes, too_long};
use crate::opening::Opening;

/// Answers that wait to be written; with more than these, nothing is read.
const WAITING_MAX: usize = 64;
/// A client that takes none of them for so long has gone.
const STUCK: Duration = Duration::from_secs(60);
/// What is left to write when the client has closed its end.
const LAST_WORDS: Duration = Duration::from_secs(2);

pub(crate) struct Lines<R> {
    input: BufReader<R>,
    /// What is there of the line so far. The future of a read may be dropped: this stays.
    line: Vec<u8>,
    /// The rest of a line that was too long is on its way; this is how it began and how it ends so
    /// far.
    skipped: Option<Ends>,
    /// Answers to what could not be read, until there is room for them.
    unsaid: VecDeque<Vec<u8>>,
    output: Option<Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    opening: Opening,
    /// Says that nothing more comes in.
    ended: CancellationToken,
}

#[derive(Default)]
struct Ends {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Ends {
    fn of(line: &[u8]) -> Self {
        let head = line[..line.len().min(ENDS_BYTES)].to_vec();
        let mut ends = Self { head, tail: Vec::new() };
        ends.add(line);
        ends
    }

    fn add(&mut self, more: &[u8]) {
        self.tail.extend_from_slice(&more[more.len().saturating_sub(ENDS_BYTES)..]);
        let surplus = self.tail.len().saturating_sub(ENDS_BYTES);
        self.tail.drain(..surplus);
    }
}

enum Step {
    Whole,
    More,
    TooLong(Ends),
    End,
}

impl<R: AsyncRead + Unpin + Send> Lines<R> {
    /// Inside of a runtime: lines are written by a task of their own, whole and in order.
    pub(crate) fn new<W>(input: R, output: W, ended: CancellationToken) -> Self
    where
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (sender, waiting) = channel(WAITING_MAX);
        Self {
            input: BufReader::with_capacity(64 * 1024, input),
            line: Vec::new(),
            skipped: None,
            unsaid: VecDeque::new(),
            output: Some(sender),
            writer: Some(tokio::spawn(write_all(waiting, output))),
            opening: Opening::default(),
            ended,
        }
    }

    /// A piece of what is there. Nothing waits between taking it and keeping it.
    async fn step(&mut self) -> io::Result<Step> {
        let available = self.input.fill_buf().await?;
        if available.is_empty() {
            return Ok(Step::End);
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(available.len(), |end| end + 1);
        let piece = &available[..taken];
        if self.skipped.is_none() && self.line.len() + taken <= MESSAGE_BYTES_MAX {
            self.line.extend_from_slice(piece);
            self.input.consume(taken);
            return Ok(if end.is_some() { Step::Whole } else { Step::More });
        }
        let line = std::mem::take(&mut self.line);
        let mut ends = self.skipped.take().unwrap_or_else(|| Ends::of(&line));
        ends.add(piece);
        self.input.consume(taken);
        // It is answered when all of it has come: the peer may still be writing.
        if end.is_some() {
            return Ok(Step::TooLong(ends));
        }
        self.skipped = Some(ends);
        Ok(Step::More)
    }

    /// Room for one more answer, and everything unsaid said. `None` when the client has gone.
    async fn make_room(&mut self) -> Option<()> {
        let output = self.output.clone()?;
        loop {
            // Whoever gives up in this wait has taken nothing out.
            let place = tokio::time::timeout(STUCK, output.reserve()).await.ok()?.ok()?;
            match self.unsaid.pop_front() {
                Some(line) => place.send(line),
                None => return Some(()),
            }
        }
    }

    async fn next(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.make_room().await?;
            match self.step().await {
                Ok(Step::More) => {}
                // A last line without its end is a message that was cut off.
                Ok(Step::End) | Err(_) => return None,
                Ok(Step::TooLong(ends)) => self.answer(&too_long(&ends.head, &ends.tail)),
                Ok(Step::Whole) => {
                    if let Some(message) = self.read() {
                        return Some(message);
                    }
                }
            }
        }
    }

    fn answer(&mut self, message: &ServerJsonRpcMessage) {
        if let Ok(line) = to_line(message) {
            self.unsaid.push_back(line);
        }
    }

    fn read(&mut self) -> Option<ClientJsonRpcMessage> {
        let read = read_message(&self.line);
        // A large message does not stay.
        if self.line.capacity() > 256 * 1024 {
            self.line = Vec::new();
        } else {
            self.line.clear();
        }
        match read {
            Read::Message(message) if self.opening.lets_in(&message) => return Some(*message),
            Read::Message(_) | Read::Nothing => {}
            Read::Wrong(error) | Read::TooMuch(error) => self.answer(&error),
        }
        None
    }
}

fn to_line(message: &ServerJsonRpcMessage) -> io::Result<Vec<u8>> {
    let mut line = to_bytes(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Until nobody has anything to say, or the client is gone: then the channel closes.
async fn write_all<W: AsyncWrite + Unpin>(mut waiting: Receiver<Vec<u8>>, mut output: W) {
    while let Some(line) = waiting.recv().await {
        if output.write_all(&line).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

impl<R: AsyncRead + Unpin + Send> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
            let line = to_line(&message)?;
            output.ok_or_else(gone)?.send(line).await.map_err(|_| gone())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let message = self.next().await;
        if message.is_none() {
            self.ended.cancel();
        }
        message
    }

    async fn close(&mut self) -> io::Result<()> {
        let _ = tokio::time::timeout(LAST_WORDS, self.make_room()).await;
        drop(self.output.take());
        if let Some(writer) = self.writer.take() {
            // One that does not read keeps nobody.
            let _ = tokio::time::timeout(LAST_WORDS, writer).await;
        }
        Ok(())
    }
}
