//! Several segments into one: the bytes are those of a segment built from what is alive.

use std::collections::HashSet;
use std::iter::Peekable;

use crate::dictionary::{Entry, entries};
use crate::document::{FIELDS, Mark, STAMP_BYTES};
use crate::header::{ENDS_BYTES, SECTIONS, Section, pages_of_rows};
use crate::postings::{self, Counts, ONCE, Posting};
use crate::segment::end_of;
use crate::vectors::{Head, read_page};
use crate::write::{Assembly, Row};
use crate::{Damage, Live, Segment, SegmentKey, Stamp, Vector};

/// Of documents with the same path that are alive in several segments, the last one stays.
pub fn merge(segments: &[Live<'_>], key: SegmentKey) -> Result<Vec<u8>, Damage> {
    let inputs = segments.iter().map(|live| Input::read(live.segment));
    let mut inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let mut sizes = inputs.iter().filter(|it| !it.new_ordinals.is_empty()).map(|it| it.row_bytes);
    if sizes.next().is_some_and(|first| sizes.any(|size| size != first)) {
        return Err(Damage::Contents("rows are of several sizes"));
    }
    let order = order(segments)?;
    for (new, place) in (0..).zip(&order) {
        inputs[place.input].new_ordinals[place.ordinal as usize] = Some(new);
    }
    let mut assembly = Assembly::default();
    let mut vectors: Vec<_> = segments.iter().map(|live| each_vector(live.segment)).collect();
    for (new, place) in (0..).zip(&order) {
        let row = inputs[place.input].row(place)?;
        assembly.push_document(&row);
        if row.mark.is_embedded() {
            push_vectors(&mut vectors[place.input], place.ordinal, new, &mut assembly)?;
        }
    }
    let terms = (Section::Terms, Section::Postings);
    let read = |bytes: &[u8], count, mut take: Take<'_>| postings::visit(bytes, count, &mut take);
    merge_lists(&inputs, terms, read, |key, found| assembly.push_term(key, found))?;
    let filters = (Section::Filters, Section::FilterPostings);
    let read = |bytes: &[u8], count, take: Take<'_>| {
        postings::each_ordinal(bytes, count, |ordinal| take(ordinal, ONCE))
    };
    merge_lists(&inputs, filters, read, |key, found| {
        let ordinals: Vec<u32> = found.iter().map(|posting| posting.ordinal).collect();
        assembly.push_filter(key, &ordinals);
    })?;
    Ok(assembly.finish(key))
}

struct LiveDocument {
    path: String,
    input: usize,
    ordinal: u32,
}

fn order(segments: &[Live<'_>]) -> Result<Vec<LiveDocument>, Damage> {
    let mut places = Vec::new();
    for (input, live) in segments.iter().enumerate().rev() {
        let dead: HashSet<u32> = live.dead.iter().copied().collect();
        live.segment.each_path(0..live.segment.len(), |ordinal, path| {
            if !dead.contains(&ordinal) {
                places.push(LiveDocument { path: path.to_owned(), input, ordinal });
            }
            Ok(())
        })?;
    }
    places.sort_by(|left, right| left.path.cmp(&right.path));
    places.dedup_by(|earlier, kept| earlier.path == kept.path);
    Ok(places)
}

/// All of a segment but its vectors.
struct Input {
    /// By section.
    columns: [Vec<u8>; SECTIONS],
    row_bytes: usize,
    /// By old ordinal; `None` is dead.
    new_ordinals: Vec<Option<u32>>,
}

impl Input {
    fn read(segment: &Segment) -> Result<Input, Damage> {
        let mut columns: [Vec<u8>; SECTIONS] = Default::default();
        let places = segment.header().sections.iter().take(Section::Vectors as usize);
        for (column, (start, length)) in columns.iter_mut().zip(places) {
            *column = segment.pages().read_owned(*start..start + length)?;
        }
        let new_ordinals = vec![None; segment.len() as usize];
        Ok(Input { columns, row_bytes: segment.row_bytes(), new_ordinals })
    }

    fn column(&self, section: Section) -> &[u8] {
        &self.columns[section as usize]
    }

    /// Of a section with as many bytes for each document.
    fn fixed<const N: usize>(&self, section: Section, ordinal: usize) -> [u8; N] {
        self.column(section).as_chunks().0[ordinal]
    }

    fn card(&self, ordinal: usize) -> Result<&[u8], Damage> {
        let end = |ordinal| {
            let ends: [u8; ENDS_BYTES] = self.fixed(Section::Ends, ordinal);
            end_of(&ends, Section::Cards) as usize
        };
        let start = ordinal.checked_sub(1).map_or(0, end);
        let card = self.column(Section::Cards).get(start..end(ordinal));
        card.ok_or(Damage::Contents("a card is out of its section"))
    }

    fn row(&self, place: &LiveDocument) -> Result<Row, Damage> {
        let ordinal = place.ordinal as usize;
        let documents = self.new_ordinals.len();
        let length = |field: usize| self.column(Section::Lengths)[field * documents + ordinal];
        let row = ordinal * self.row_bytes..(ordinal + 1) * self.row_bytes;
        Ok(Row {
            path: place.path.clone(),
            card: self.card(ordinal)?.to_vec(),
            mark: Mark(self.column(Section::Marks)[ordinal]),
            row: self.column(Section::Rows)[row].to_vec(),
            stamp: Stamp::of_bytes(self.fixed::<STAMP_BYTES>(Section::Stamps, ordinal)),
            instant: i64::from_le_bytes(self.fixed(Section::Instants, ordinal)),
            lengths: std::array::from_fn::<u8, FIELDS, _>(length),
        })
    }
}

/// What is done with a posting; `None` is an ordinal that can't be.
type Take<'t> = &'t mut dyn FnMut(u32, Counts) -> Option<()>;

/// Gives every key of a dictionary, in order, with its postings in the new numbers.
fn merge_lists(
    inputs: &[Input],
    (dictionary, lists): (Section, Section),
    read: fn(&[u8], u32, Take<'_>) -> Result<(), Damage>,
    mut push: impl FnMut(u64, &[Posting]),
) -> Result<(), Damage> {
    let mut all: Vec<(&Input, Entry)> = Vec::new();
    for input in inputs {
        let start = all.len();
        all.extend(entries(input.column(dictionary)).map(|entry| (input, entry)));
        if !all[start..].is_sorted_by(|left, right| left.1.key < right.1.key) {
            return Err(Damage::Contents("a dictionary is out of order"));
        }
    }
    // Stable, and so a merge of what is sorted already.
    all.sort_by_key(|it| it.1.key);
    let mut postings = Vec::new();
    for of_key in all.chunk_by(|left, right| left.1.key == right.1.key) {
        postings.clear();
        for (input, entry) in of_key {
            let bytes = input.column(lists);
            let range = entry.range(&(0..bytes.len() as u64))?;
            let bytes = &bytes[range.start as usize..range.end as usize];
            read(bytes, entry.documents, &mut |old, counts| {
                let new = *input.new_ordinals.get(old as usize)?;
                postings.extend(new.map(|ordinal| Posting { ordinal, counts }));
                Some(())
            })?;
        }
        postings.sort_unstable_by_key(|posting| posting.ordinal);
        if !postings.is_empty() {
            push(of_key[0].1.key, &postings);
        }
    }
    Ok(())
}

type OwnedVector = Result<(Head, Vector), Damage>;

/// The vectors of a segment in order, read a page at a time.
fn each_vector(segment: &Segment) -> Peekable<impl Iterator<Item = OwnedVector>> {
    let (pages, header) = (segment.pages(), segment.header());
    let mut scratch = Vec::new();
    let vectors = move |page| match read_page(pages, header, page, &mut scratch) {
        Ok(rows) => rows.vectors().map(Ok).collect(),
        Err(damage) => vec![Err(damage)],
    };
    (0..pages_of_rows(header.rows)).flat_map(vectors).peekable()
}

/// Those of one document; documents are asked for in their order.
fn push_vectors(
    vectors: &mut Peekable<impl Iterator<Item = OwnedVector>>,
    old: u32,
    new: u32,
    assembly: &mut Assembly,
) -> Result<(), Damage> {
    let is_due = |it: &OwnedVector| it.as_ref().map_or(true, |(head, _)| head.ordinal <= old);
    while let Some(due) = vectors.next_if(is_due) {
        let (head, vector) = due?;
        if head.ordinal == old {
            assembly.push_vector(new, &vector);
        }
    }
    Ok(())
}
