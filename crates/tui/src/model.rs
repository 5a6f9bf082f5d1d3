//! What is on the screen and what a key means. A key changes the state, and may wish for something
//! that only a store can do; the answer comes back by `take_…`.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::item::{Outcome, Row, Sheet, Verb};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Show this one in detail.
    Show(String),
    Decide(Decision),
    /// What would be taken back?
    AskUndo,
    Undo,
    /// In an editor of the person's choice.
    Edit(String),
    /// Read everything again.
    Reload,
    Quit,
}

/// One decision over one or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub ids: Vec<String>,
    pub key: char,
    pub reason: String,
    pub more: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Mode {
    Browse,
    /// The sheet has the whole screen.
    Read,
    Filter,
    Decide(Form),
    /// What would be taken back.
    Undo(Vec<String>),
    Help,
}

/// The line in which a person says why.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    pub verb: Verb,
    pub reason: String,
    /// The answer to the verb's question, once it is asked.
    pub more: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Who decides.
    pub by: String,
    pub rows: Vec<Row>,
    /// Which of the shown rows is chosen.
    pub at: usize,
    pub marked: BTreeSet<String>,
    /// What came of those that were decided a moment ago.
    pub outcomes: BTreeMap<String, Outcome>,
    pub sheet: Option<Sheet>,
    pub scroll: u16,
    pub mode: Mode,
    pub filter: String,
    pub message: Option<String>,
    pub has_colour: bool,
}

impl Model {
    pub fn new(by: String, rows: Vec<Row>, has_colour: bool) -> Self {
        Self {
            by,
            rows,
            at: 0,
            marked: BTreeSet::new(),
            outcomes: BTreeMap::new(),
            sheet: None,
            scroll: 0,
            mode: Mode::Browse,
            filter: String::new(),
            message: None,
            has_colour,
        }
    }

    /// The rows that the filter leaves.
    pub fn shown(&self) -> Vec<&Row> {
        let wanted = self.filter.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        let fits = |row: &&Row| [&row.title, &row.id, &row.kind].into_iter().any(|it| has(it));
        self.rows.iter().filter(fits).collect()
    }

    pub fn chosen(&self) -> Option<&Row> {
        self.shown().get(self.at).copied()
    }

    /// How many wait and were not decided here.
    pub fn waiting(&self) -> usize {
        self.rows.iter().filter(|row| !self.is_done(&row.id)).count()
    }

    pub fn is_done(&self, id: &str) -> bool {
        matches!(self.outcomes.get(id), Some(Outcome::Done(_)))
    }

    pub fn key(&mut self, key: KeyEvent) -> Option<Wish> {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Some(Wish::Quit);
        }
        self.message = None;
        match &self.mode {
            Mode::Browse | Mode::Read => self.browse(key),
            Mode::Filter => self.narrow(key),
            Mode::Decide(_) => self.answer(key),
            Mode::Undo(_) => {
                self.mode = Mode::Browse;
                let wants = matches!(key.code, KeyCode::Enter | KeyCode::Char('u' | 'y'));
                wants.then_some(Wish::Undo)
            }
            Mode::Help => {
                self.mode = Mode::Browse;
                None
            }
        }
    }

    fn browse(&mut self, key: KeyEvent) -> Option<Wish> {
        if !(key.modifiers - KeyModifiers::SHIFT).is_empty() {
            return None;
        }
        match key.code {
            KeyCode::Char('j') | KeyCode::Down => self.step(1),
            KeyCode::Char('k') | KeyCode::Up => self.step(-1),
            KeyCode::Home => self.step(isize::MIN),
            KeyCode::End => self.step(isize::MAX),
            KeyCode::PageDown | KeyCode::Char(' ') => {
                self.scroll = self.scroll.saturating_add(10);
                None
            }
            KeyCode::PageUp => {
                self.scroll = self.scroll.saturating_sub(10);
                None
            }
            KeyCode::Enter => {
                let is_reading = self.mode == Mode::Read;
                self.mode = if is_reading { Mode::Browse } else { Mode::Read };
                None
            }
            KeyCode::Esc => self.back(),
            KeyCode::Char('q') => Some(Wish::Quit),
            KeyCode::Char('?') => {
                self.mode = Mode::Help;
                None
            }
            KeyCode::Char('/') => {
                self.mode = Mode::Filter;
                None
            }
            KeyCode::Char('x') => self.mark(),
            KeyCode::Char('u') => Some(Wish::AskUndo),
            KeyCode::Char('e') => self.chosen().map(|row| Wish::Edit(row.id.clone())),
            KeyCode::Char('g') => Some(Wish::Reload),
            KeyCode::Char(letter) => self.choose(letter),
            _ => None,
        }
    }

    /// One step back; from the list there is nowhere else to go.
    fn back(&mut self) -> Option<Wish> {
        if self.mode == Mode::Read {
            self.mode = Mode::Browse;
        } else if !self.filter.is_empty() {
            self.filter.clear();
            return self.step(isize::MIN);
        } else if !self.marked.is_empty() {
            self.marked.clear();
        } else {
            return Some(Wish::Quit);
        }
        None
    }

    fn step(&mut self, by: isize) -> Option<Wish> {
        let last = self.shown().len().checked_sub(1)?;
        self.at = self.at.saturating_add_signed(by).min(last);
        self.scroll = 0;
        self.show()
    }

    fn show(&self) -> Option<Wish> {
        self.chosen().map(|row| Wish::Show(row.id.clone()))
    }

    fn mark(&mut self) -> Option<Wish> {
        let id = self.chosen()?.id.clone();
        if !self.marked.remove(&id) {
            self.marked.insert(id);
        }
        self.step(1)
    }

    fn choose(&mut self, letter: char) -> Option<Wish> {
        let id = &self.chosen()?.id;
        let sheet = self.sheet.as_ref().filter(|sheet| sheet.id == *id)?;
        let verb = sheet.verbs.iter().find(|verb| verb.key == letter)?.clone();
        match &verb.would {
            _ if self.is_done(id) => {
                self.message = Some("this was decided; u takes it back".into())
            }
            Err(why) if self.marked.is_empty() => {
                self.message = Some(format!("{}: {why}", verb.name));
            }
            _ => self.mode = Mode::Decide(Form { verb, reason: String::new(), more: None }),
        }
        None
    }

    fn narrow(&mut self, key: KeyEvent) -> Option<Wish> {
        match key.code {
            KeyCode::Enter | KeyCode::Down => self.mode = Mode::Browse,
            KeyCode::Esc => {
                self.mode = Mode::Browse;
                self.filter.clear();
            }
            code => type_into(&mut self.filter, code),
        }
        self.step(isize::MIN)
    }

    fn answer(&mut self, key: KeyEvent) -> Option<Wish> {
        let Mode::Decide(form) = &mut self.mode else { return None };
        match key.code {
            KeyCode::Esc if form.more.is_some() => form.more = None,
            KeyCode::Esc => self.mode = Mode::Browse,
            KeyCode::Enter => return self.decide(),
            KeyCode::Char(digit @ '1'..='9') if form.reason.is_empty() => {
                let at = usize::from(digit as u8 - b'1');
                match form.verb.reasons.get(at) {
                    Some(reason) => form.reason.clone_from(reason),
                    None => form.reason.push(digit),
                }
            }
            code => type_into(form.more.as_mut().unwrap_or(&mut form.reason), code),
        }
        None
    }

    fn decide(&mut self) -> Option<Wish> {
        let Mode::Decide(form) = &mut self.mode else { return None };
        if form.reason.trim().is_empty() {
            self.message = Some("there is no decision without a reason".to_owned());
            return None;
        }
        match (&form.more, form.verb.question) {
            (None, Some(_)) => {
                form.more = Some(String::new());
                return None;
            }
            (Some(more), Some(question)) if more.trim().is_empty() => {
                self.message = Some(question.to_owned());
                return None;
            }
            _ => {}
        }
        let said = |text: &String| text.trim().to_owned();
        let (key, reason, more) = (form.verb.key, said(&form.reason), form.more.as_ref().map(said));
        let chosen = self.chosen()?.id.clone();
        let is_marked = |row: &&Row| self.marked.contains(&row.id) && !self.is_done(&row.id);
        let mut ids: Vec<String> =
            self.rows.iter().filter(is_marked).map(|row| row.id.clone()).collect();
        if ids.is_empty() {
            ids.push(chosen);
        }
        self.forget_done();
        Some(Wish::Decide(Decision { ids, key, reason, more }))
    }

    /// Those that were decided before stay until the next decision, and then they are gone.
    fn forget_done(&mut self) {
        let chosen = self.chosen().map(|row| row.id.clone());
        let done: Vec<String> =
            self.rows.iter().map(|row| row.id.clone()).filter(|id| self.is_done(id)).collect();
        self.rows.retain(|row| !done.contains(&row.id));
        self.outcomes.retain(|id, _| !done.contains(id));
        let at = self.shown().iter().position(|row| Some(&row.id) == chosen.as_ref());
        self.at = at.unwrap_or(self.at.min(self.shown().len().saturating_sub(1)));
    }

    pub fn take_sheet(&mut self, sheet: Option<Sheet>) {
        self.sheet = sheet;
    }

    /// The queue as it is now; the place stays where it was, as near as there is one.
    pub fn take_rows(&mut self, rows: Vec<Row>) -> Option<Wish> {
        let chosen = self.chosen().map(|row| row.id.clone());
        self.rows = rows;
        self.outcomes.clear();
        let rows = &self.rows;
        self.marked.retain(|id| rows.iter().any(|row| row.id == *id));
        let at = self.shown().iter().position(|row| Some(&row.id) == chosen.as_ref());
        self.at = at.unwrap_or(self.at.min(self.shown().len().saturating_sub(1)));
        self.show()
    }

    /// What came of a decision, one answer for each. What is stale keeps the typed reason.
    pub fn take_outcomes(&mut self, outcomes: Vec<(String, Outcome)>) -> Option<Wish> {
        let is_stale = outcomes.iter().find_map(|(_, outcome)| match outcome {
            Outcome::Stale(why) => Some(why.clone()),
            _ => None,
        });
        let refused = outcomes.iter().find_map(|(_, outcome)| match outcome {
            Outcome::Refused(why) => Some(why.clone()),
            _ => None,
        });
        let chosen = self.chosen().map(|row| row.id.clone());
        let went = outcomes
            .iter()
            .any(|(id, it)| Some(id) == chosen.as_ref() && matches!(it, Outcome::Done(_)));
        for (id, outcome) in outcomes {
            if matches!(outcome, Outcome::Done(_)) {
                self.marked.remove(&id);
            }
            self.outcomes.insert(id, outcome);
        }
        if is_stale.is_some() {
            self.message = Some(
                "it has changed meanwhile and was read again; look before you decide".to_owned(),
            );
            return self.show();
        }
        self.message = refused;
        self.mode = Mode::Browse;
        if went { self.step(1) } else { self.show() }
    }

    pub fn take_undo(&mut self, lines: Result<Vec<String>, String>) {
        match lines {
            Ok(lines) => self.mode = Mode::Undo(lines),
            Err(why) => self.message = Some(why),
        }
    }
}

fn type_into(text: &mut String, code: KeyCode) {
    match code {
        KeyCode::Char(letter) => text.push(letter),
        KeyCode::Backspace => {
            text.pop();
        }
        _ => {}
    }
}
