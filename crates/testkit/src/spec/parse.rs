//! From the text of a specification to scenarios and their blocks. Prose is passed over; a block
//! that would be passed over by a slip of the pen is a problem.

use jiff::Timestamp;

use super::Problem;

pub(super) struct ScenarioText {
    pub(super) heading: String,
    pub(super) blocks: Vec<Block>,
}

pub(super) enum Block {
    File {
        line: usize,
        path: String,
        text: String,
    },
    /// A memory's file that the log carries, as if it had been written by the program.
    Memory {
        line: usize,
        path: String,
        text: String,
    },
    Append {
        line: usize,
        path: String,
        text: String,
    },
    Git {
        line: usize,
        at: Timestamp,
        commits: Vec<Commit>,
    },
    Console {
        line: usize,
        fence: String,
        steps: Vec<Step>,
    },
}

pub(super) struct Commit {
    pub(super) path: String,
    pub(super) subject: String,
}

pub(super) struct Step {
    /// Of the command, 1-based; the expected lines follow it.
    pub(super) line: usize,
    pub(super) command: String,
    pub(super) expected: Vec<String>,
}

/// Blocks that only illustrate.
const PROSE: [&str; 7] = ["", "text", "json", "toml", "yaml", "markdown", "diff"];

impl Block {
    pub(super) fn line(&self) -> usize {
        match self {
            Self::File { line, .. }
            | Self::Memory { line, .. }
            | Self::Append { line, .. }
            | Self::Git { line, .. }
            | Self::Console { line, .. } => *line,
        }
    }
}

pub(super) fn scenarios(text: &str) -> Result<Vec<ScenarioText>, Problem> {
    let mut scenarios: Vec<ScenarioText> = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((line, content)) = lines.next() {
        if let Some(heading) = content.strip_prefix("## ") {
            scenarios.push(ScenarioText { heading: heading.to_owned(), blocks: Vec::new() });
        }
        let Some(fence) = fence(content) else { continue };
        let mut body = Vec::new();
        loop {
            match lines.next() {
                Some((_, inner)) if closes(inner, fence) => break,
                Some((_, inner)) => body.push(inner),
                None => return Err(problem(line, "this block has no end".to_owned())),
            }
        }
        let Some(block) = block(line, fence, &content[fence.len()..], &body)? else { continue };
        let Some(scenario) = scenarios.last_mut() else {
            return Err(problem(
                line,
                "this block stands before the first `##` heading".to_owned(),
            ));
        };
        scenario.blocks.push(block);
    }
    Ok(scenarios)
}

/// The backticks that open a block.
fn fence(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('`');
    let length = line.len() - rest.len();
    (length >= 3 && !rest.contains('`')).then(|| &line[..length])
}

/// Whether this line ends the block that the fence opened.
pub(super) fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim_end();
    line.len() >= fence.len() && line.bytes().all(|byte| byte == b'`')
}

fn block(line: usize, fence: &str, info: &str, body: &[&str]) -> Result<Option<Block>, Problem> {
    let info = info.trim();
    let (kind, argument) = info.split_once(' ').unwrap_or((info, ""));
    let argument = argument.trim();
    let needs = |what: &str| {
        if argument.is_empty() {
            return Err(problem(line, format!("`{kind}` needs {what} after it")));
        }
        Ok(argument.to_owned())
    };
    Ok(Some(match kind {
        "file" => Block::File { line, path: needs("a path")?, text: text_of(body) },
        "memory" => Block::Memory { line, path: needs("a path")?, text: text_of(body) },
        "append" => Block::Append { line, path: needs("a path")?, text: text_of(body) },
        "git" => {
            let at = needs("a timestamp")?.parse();
            let at = at.map_err(|error| problem(line, format!("not a timestamp: {error}")))?;
            Block::Git { line, at, commits: commits(line, body)? }
        }
        "console" => Block::Console { line, fence: fence.to_owned(), steps: steps(line, body)? },
        _ if PROSE.contains(&kind) => return Ok(None),
        _ => return Err(problem(line, format!("unknown kind of block: `{kind}`"))),
    }))
}

fn text_of(body: &[&str]) -> String {
    body.iter().flat_map(|line| [*line, "\n"]).collect()
}

fn commits(fence_line: usize, body: &[&str]) -> Result<Vec<Commit>, Problem> {
    let commit = |(line, content): (usize, &&str)| match content.split_once(": ") {
        Some((path, subject)) => {
            Ok(Commit { path: path.to_owned(), subject: subject.trim().to_owned() })
        }
        None => Err(problem(line, format!("not `path: subject`: `{content}`"))),
    };
    (fence_line + 1..).zip(body).map(commit).collect()
}

fn steps(fence_line: usize, body: &[&str]) -> Result<Vec<Step>, Problem> {
    let mut steps: Vec<Step> = Vec::new();
    for (line, content) in (fence_line + 1..).zip(body) {
        if let Some(command) = content.strip_prefix("$ ") {
            steps.push(Step { line, command: command.to_owned(), expected: Vec::new() });
        } else if let Some(step) = steps.last_mut() {
            step.expected.push((*content).to_owned());
        } else {
            return Err(problem(line, "output without a command: start with `$ `".to_owned()));
        }
    }
    Ok(steps)
}

fn problem(line: usize, text: String) -> Problem {
    Problem { line, text }
}
