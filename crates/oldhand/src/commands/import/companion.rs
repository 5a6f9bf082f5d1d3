//! Exports of ours among the files that were named: with their companion they come back whole.

use oldhand_exchange::companion::{self, Line, NAME, Returned, SUFFIX};
use oldhand_exchange::files::{Files, SourceFile};
use oldhand_exchange::record::Source;

use super::super::prelude::*;
use super::{ImportArgs, Read, World, text_of};

/// An export with its companion.
pub(super) struct Homecoming {
    /// The folder, or the file.
    label: String,
    lines: Vec<Line>,
    files: Vec<SourceFile>,
}

/// Takes the exports out of the files.
pub(super) fn take_out(files: &mut Vec<SourceFile>) -> Vec<Homecoming> {
    let labels: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let of_folder = file.path.strip_suffix(NAME).map(|it| it.trim_end_matches('/'));
            of_folder.or_else(|| file.path.strip_suffix(SUFFIX)).map(str::to_owned)
        })
        .collect();
    let homecoming = |label: String| {
        let below = |path: &str| match (label.as_str(), path.strip_prefix(label.as_str())) {
            ("", _) => Some(path.to_owned()),
            (_, Some("")) => Some(String::new()),
            (_, Some(rest)) if rest == SUFFIX => Some(NAME.to_owned()),
            (_, Some(rest)) => rest.strip_prefix('/').map(str::to_owned),
            (_, None) => None,
        };
        let (mut lines, mut taken) = (Vec::new(), Vec::new());
        files.retain(|file| match below(&file.path) {
            Some(path) if path == NAME => {
                lines = companion::read(text_of(file).unwrap_or_default());
                false
            }
            Some(_) => {
                taken.push(file.clone());
                false
            }
            None => true,
        });
        // A line that can't be read makes all of it doubtful.
        let lines = lines.into_iter().collect::<Result<Vec<Line>, String>>().unwrap_or_default();
        Homecoming { label, lines, files: taken }
    };
    labels.into_iter().map(homecoming).collect()
}

/// What a believed export brings. What is not believed is read as what any tool wrote.
pub(super) enum Home {
    Believed { from: String, returned: Box<Returned>, new: Box<Read> },
    Doubted { files: Vec<SourceFile>, note: String },
}

impl Homecoming {
    pub(super) fn welcome(
        self,
        args: &ImportArgs,
        engine: &Engine<'_>,
        world: &World<'_>,
    ) -> Result<Home, Fail> {
        let Self { label, lines, files } = self;
        let is_vouched_for = args.accept && engine.is_person;
        let is_known = || engine.exchange().went_out_from_here(&lines);
        if lines.is_empty() || !(is_vouched_for || is_known()?) {
            let note = format!(
                "the companion of `{label}` holds memories that did not go out from here: its records are \
                 read without it; `--accept --by NAME` takes them whole"
            );
            return Ok(Home::Doubted { files, note });
        }
        let below = |mut file: SourceFile| {
            let rest = file.path.strip_prefix(label.as_str()).unwrap_or(&file.path);
            file.path = rest.trim_start_matches('/').to_owned();
            file
        };
        let mut returned =
            companion::compare(&lines, &Files::new(files.into_iter().map(below).collect()), world);
        let format = lines.first().map_or("own", |line| line.format.as_str());
        let records = std::mem::take(&mut returned.new);
        let from = format!("{format}:{label}");
        let source = Source { from: from.clone(), records, ..Source::default() };
        let new = Box::new(Read { source, is_whole: false });
        Ok(Home::Believed { from, returned: Box::new(returned), new })
    }
}
