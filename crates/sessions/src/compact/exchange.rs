//! Prompts with what came of each: work with its result, questions with their answers, and what is
//! still open in the end.

use std::collections::BTreeSet;

use super::talk::{Excerpt, PROMPT_CHARS_MAX, Talk};
use super::telling;
use super::withhold::clean_line;
use crate::conversation::deeds::{Deeds, Run};
use crate::conversation::{Outcome, asks};
use crate::summary::Summary;
use oldhand_judge::capture::sentence::Sentence;
use oldhand_text::table;
use oldhand_transcripts::{Turn, Voice};

const ASK_CHARS_MAX: usize = 160;
const ANSWER_CHARS_MAX: usize = 200;
/// A question that is followed by more than this was asked of nobody.
const SENTENCES_BEHIND_MAX: usize = 2;
/// A reply of no more words answers, whatever it says.
const REPLY_WORDS_MAX: usize = 5;
/// A prompt with at most this many telling words can be compared with the commands run for it.
const ORDER_WORDS_MAX: usize = 3;
/// Unanswered questions of the agent that are kept; older ones no longer matter.
const PASSED_OVER_MAX: usize = 3;

/// How what is open is marked, for the next summary to know who is to answer.
pub(super) const ASKED: &str = "asked: ";
pub(super) const AGENT_ASKED: &str = "agent asked: ";
/// Behind a question of the agent that the person did not answer.
const NOT_ANSWERED: &str = " (not answered)";
/// Before the newest prompt, where it stands.
pub(super) const NEWEST: &str = "newest prompt: ";
/// Behind a prompt among the next actions.
const ASKED_AT: &str = " (asked, line ";

const REPLIES: &str = "yes yeah yep no nope ok okay sure option both neither either none a b c 1 2 3 \
    1. 2. first second correct exactly ja nein right agreed absolutely";
/// How an agent offers what nobody asked for: a person who goes on with something else says no.
const OFFERS: &str = "want me|want to|would you like|do you want|shall i|should i|ready to|\
    anything else|is there anything|would you prefer|let me know";

#[derive(Debug, Clone, Copy)]
struct Prompt<'t> {
    text: &'t str,
    line: usize,
    question: Option<&'t str>,
    /// An earlier summary has it as over.
    is_again: bool,
}

/// A prompt, and what came of it so far.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Exchange<'t> {
    prompt: Option<Prompt<'t>>,
    /// The newest prompt of an earlier summary, if it seemed to be over: the agent may go on with it.
    closed: Option<Prompt<'t>>,
    /// What the agent said last since, and whether it used a tool after it.
    answer: Option<(usize, &'t Turn)>,
    is_at_work: bool,
    /// What the agent asked last, with nothing said since.
    asked_back: Option<(&'t str, usize)>,
}

impl<'t> Exchange<'t> {
    /// Where an earlier summary left off.
    pub(super) fn of(summary: &'t Summary) -> Self {
        let open = || summary.list("open_questions").iter();
        let next = summary.list("next_actions").iter().find_map(|it| unfinished(it));
        let question = open().rev().find_map(|it| it.strip_prefix(ASKED));
        let prompt = next.or(question.map(|it| (it, 0)));
        let prompt = prompt.map(|(text, line)| Prompt { text, line, question, is_again: false });
        let waiting = open().filter(|it| !it.ends_with(NOT_ANSWERED));
        let asked_back = waiting.rev().find_map(|it| it.strip_prefix(AGENT_ASKED));
        let closed = prompt.is_none().then(|| closed(summary)).flatten();
        Self { prompt, closed, asked_back: asked_back.map(|it| (it, 0)), ..Self::default() }
    }

    /// The newer turns write it again.
    pub(super) fn holds(&self, item: &str) -> bool {
        let asked_back = self.asked_back.map(|(question, _)| question);
        unfinished(item).is_some()
            || item.starts_with(ASKED)
            || item.strip_prefix(AGENT_ASKED).is_some_and(|it| asked_back == Some(it))
    }
}

/// The newest prompt, found among what is over by its line.
fn closed(summary: &Summary) -> Option<Prompt<'_>> {
    let newest_of = |section| {
        let items = summary.list(section).iter();
        items.filter_map(|item| Some((item.as_str(), line_of(item)?))).max_by_key(|it| it.1)
    };
    let (completed, resolved) = (newest_of("completed"), newest_of("resolved_questions"));
    let newest = summary.list("standing").iter().find_map(|it| it.strip_prefix(NEWEST));
    let (text, line) = match newest {
        Some(newest) => (without_place(newest), line_of(newest)?),
        // It is the goal, and nothing else was asked for.
        None => (summary.text("goal"), completed.max(resolved).map(|it| it.1)?),
    };
    let is_its = |it: &(&str, usize)| it.1 == line;
    let resolved = resolved.filter(is_its);
    let question = resolved.and_then(|(it, _)| Some(it.split_once(" → ")?.0));
    let is_over = completed.filter(is_its).or(resolved).is_some();
    is_over.then_some(Prompt { text, line, question, is_again: true })
}

pub(super) fn line_of(item: &str) -> Option<usize> {
    item.strip_suffix(')')?.rsplit_once(" (line ")?.1.parse().ok()
}

/// A prompt among the next actions, and its line.
fn unfinished(item: &str) -> Option<(&str, usize)> {
    let (text, line) = item.strip_suffix(')')?.rsplit_once(ASKED_AT)?;
    Some((text, line.parse().ok()?))
}

/// The words of an item without the line it refers to.
pub(super) fn without_place(item: &str) -> &str {
    let item = unfinished(item).map_or(item, |(text, _)| text);
    item.rsplit_once(" (line ").map_or(item, |(text, _)| text)
}

pub(super) struct Exchanges<'t, 's> {
    pub turns: &'t [Turn],
    pub sentences: &'s [Sentence<'t>],
    pub deeds: &'s Deeds<'t>,
    pub talk: &'s mut Talk<'t>,
}

impl<'t> Exchanges<'t, '_> {
    pub(super) fn walk(&mut self, mut ask: Exchange<'t>) {
        let mut passed_over: Vec<(String, usize)> = Vec::new();
        let turns = self.turns;
        for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| !turn.is_sidechain) {
            if turn.voice == Voice::Agent && ask.prompt.is_none() {
                ask.prompt = ask.closed.take();
            }
            match turn.voice {
                Voice::Person if !turn.text.is_empty() => {
                    match ask.asked_back.take() {
                        Some((question, line)) if replies(question, &turn.text) => {
                            self.resolve(question, clean_line(&turn.text, ANSWER_CHARS_MAX), line);
                        }
                        Some((question, line))
                            if !table::holds(OFFERS, &question.to_lowercase()) =>
                        {
                            passed_over.push((agent_asked(question, NOT_ANSWERED), line));
                        }
                        _ => {}
                    }
                    if !asks(&turn.text) {
                        continue;
                    }
                    self.close(&std::mem::take(&mut ask));
                    let question = self.question(at, usize::MAX);
                    let (text, line, is_again) = (turn.text.as_str(), turn.line, false);
                    ask.prompt = Some(Prompt { text, line, question, is_again });
                }
                Voice::Agent if !turn.text.is_empty() => {
                    ask.answer = Some((at, turn));
                    ask.asked_back =
                        self.question(at, SENTENCES_BEHIND_MAX).map(|it| (it, turn.line));
                    ask.is_at_work = !turn.uses.is_empty();
                }
                _ => ask.is_at_work |= !turn.uses.is_empty() || !turn.results.is_empty(),
            }
        }
        let spare = passed_over.len().saturating_sub(PASSED_OVER_MAX);
        for (text, line) in passed_over.into_iter().skip(spare) {
            self.talk.tell("open_questions", text, line);
        }
        self.end(&ask);
    }

    /// The last question of a turn, unless more than this many sentences stand behind it.
    fn question(&self, turn: usize, behind_max: usize) -> Option<&'t str> {
        let own = self.of_turn(turn);
        let found = own.iter().rev().enumerate().find(|(_, it)| it.is_question && !it.is_pasted)?;
        (found.0 <= behind_max).then_some(found.1.text)
    }

    fn of_turn(&self, turn: usize) -> &[Sentence<'t>] {
        let from = self.sentences.partition_point(|it| it.turn < turn);
        let to = self.sentences.partition_point(|it| it.turn <= turn);
        &self.sentences[from..to]
    }

    /// The prompt is over: a question with its answer, or work with its result. What was never
    /// answered was asked again or given up.
    fn close(&mut self, ask: &Exchange<'t>) {
        let (Some(prompt), Some((at, answer))) = (ask.prompt, ask.answer) else { return };
        let own = self.of_turn(at);
        let best = telling::best(&answer.text, own, prompt.question);
        let first = telling::first(own);
        // An answer that only asks back is none.
        if best.is_none() && self.question(at, usize::MAX).is_some() {
            return;
        }
        self.talk.reopened = prompt.is_again.then_some(prompt.line).or(self.talk.reopened);
        if let Some(question) = prompt.question {
            let answer = best.or(first).unwrap_or(&answer.text);
            self.resolve(question, answer_text(answer), prompt.line);
            return;
        }
        let came = best.map(|it| format!(" → {}", answer_text(it))).unwrap_or_default();
        let asked = clean_line(prompt.text, ASK_CHARS_MAX);
        let text = format!("{asked}{came}{}", place(prompt.line));
        self.talk.tell("completed", text, prompt.line);
    }

    fn end(&mut self, ask: &Exchange<'t>) {
        if let Some((at, turn)) = ask.answer {
            let best = telling::best(&turn.text, self.of_turn(at), None);
            let text = best.map_or_else(|| clean_line(&turn.text, PROMPT_CHARS_MAX), answer_text);
            self.talk.last_said = Some(Excerpt { text, line: turn.line });
        }
        if let Some((question, line)) = ask.asked_back {
            self.talk.tell("open_questions", agent_asked(question, ""), line);
        }
        match ask.prompt {
            Some(prompt) if ask.answer.is_none() || ask.is_at_work => {
                if !self.has_run(prompt) {
                    self.leave_open(prompt);
                }
            }
            _ => self.close(ask),
        }
    }

    /// `commit and push` is done once both were run.
    fn has_run(&self, prompt: Prompt<'t>) -> bool {
        let since = |run: &&Run<'_>| run.last_line >= prompt.line && run.outcome == Outcome::Fine;
        let ran: Vec<String> =
            self.deeds.runs.iter().filter(since).map(|run| run.text.to_lowercase()).collect();
        let words: BTreeSet<String> =
            telling::words(prompt.text).take(ORDER_WORDS_MAX + 1).collect();
        (1..=ORDER_WORDS_MAX).contains(&words.len())
            && words.iter().all(|word| ran.iter().any(|it| it.contains(word)))
    }

    fn leave_open(&mut self, prompt: Prompt<'t>) {
        self.talk.reopened = prompt.is_again.then_some(prompt.line).or(self.talk.reopened);
        let text =
            format!("{}{ASKED_AT}{})", clean_line(prompt.text, PROMPT_CHARS_MAX), prompt.line);
        self.talk.unfinished = Some(Excerpt { text, line: prompt.line });
        if let Some(question) = prompt.question {
            let text = format!("{ASKED}{}", clean_line(question, PROMPT_CHARS_MAX));
            self.talk.tell("open_questions", text, prompt.line);
        }
    }

    fn resolve(&mut self, question: &'t str, answer: String, line: usize) {
        let text = format!("{} → {answer}{}", clean_line(question, ASK_CHARS_MAX), place(line));
        self.talk.tell("resolved_questions", text, line);
    }
}

fn agent_asked(question: &str, mark: &str) -> String {
    format!("{AGENT_ASKED}{}{mark}", clean_line(question, PROMPT_CHARS_MAX))
}

/// A list item behind a colon loses its mark.
fn answer_text(text: &str) -> String {
    let text = clean_line(text, ANSWER_CHARS_MAX);
    let marks = [": - ", ": * ", ":** - ", ": 1. "];
    marks.iter().fold(text, |text, mark| text.replacen(mark, ": ", 1))
}

/// What an earlier summary asked has no line any more.
fn place(line: usize) -> String {
    if line == 0 { String::new() } else { format!(" (line {line})") }
}

/// Whether a person answers what the agent asked, rather than going on with something else.
fn replies(question: &str, reply: &str) -> bool {
    let mut words = reply.split_whitespace();
    let first = words.clone().next().unwrap_or_default().to_lowercase();
    let begins = table::has(REPLIES, first.trim_end_matches([',', '.', '!', ':', ';', ')']));
    let is_short = words.nth(REPLY_WORDS_MAX).is_none();
    let asks_back = reply.trim_end().ends_with('?');
    let shared_min = if telling::weight(question) < 4 { 1 } else { 2 };
    begins || !asks_back && (is_short || telling::shared(question, reply) >= shared_min)
}
