//! A server on standard streams, asked one question after the other.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::talk;
use crate::failure::Failure;

pub(super) struct Served {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Served {
    pub(super) fn start(mut command: Command) -> Result<Self, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let missing = || Failure::new("the server has no standard streams");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Self { child, input, output })
    }

    /// Started, and the handshake is done.
    pub(super) fn ready(command: Command) -> Result<Self, Failure> {
        let mut served = Self::start(command)?;
        served.greet()?;
        Ok(served)
    }

    pub(super) fn greet(&mut self) -> Result<Value, Failure> {
        let (_, answer) = self.ask(&talk::initialize())?;
        self.tell(&talk::initialized())?;
        Ok(answer)
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    fn tell(&mut self, message: &Value) -> Result<(), Failure> {
        self.input.write_all(format!("{message}\n").as_bytes())?;
        Ok(())
    }

    /// The answer, and how long it took.
    pub(super) fn ask(&mut self, message: &Value) -> Result<(Duration, Value), Failure> {
        let start = Instant::now();
        self.tell(message)?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(Failure::new(format!("the server ended at `{}`", message["method"])));
            }
            let elapsed = start.elapsed();
            let answer: Value = serde_json::from_str(&line)
                .map_err(|error| Failure::new(format!("the answer is no JSON: {error}")))?;
            // What the server says on its own has no result.
            if answer["method"].is_null() {
                talk::result(&answer)?;
                return Ok((elapsed, answer));
            }
        }
    }
}

impl Drop for Served {
    /// At once: what a server does after its last answer is not measured.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
