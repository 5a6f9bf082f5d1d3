//! Several segments into one: the bytes are those of a segment built from what is alive.

use std::collections::HashSet;
use std::ops::Range;

use crate::dictionary::{Entry, entries};
use crate::document::{FIELDS, Mark, STAMP_BYTES};
use crate::header::{ENDS_BYTES, Section, pages_of_rows};
use crate::postings::{self, Counts, Posting};
use crate::segment::{end_of, to_path};
use crate::vectors::read_chunk;
use crate::write::{Assembly, Row};
use crate::{Damage, Live, Segment, SegmentKey, Stamp, Vector};

/// Of documents with the same path that are alive in several segments, the last one stays.
pub fn merge(segments: &[Live<'_>], key: SegmentKey) -> Result<Vec<u8>, Damage> {
    let inputs = segments.iter().map(|live| Input::read(live.segment));
    let mut inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let mut sizes = inputs.iter().filter(|it| !it.marks.is_empty()).map(|it| it.row_bytes);
    if sizes.next().is_some_and(|first| sizes.any(|size| size != first)) {
        return Err(Damage::Contents("rows are of several sizes"));
    }
    let order = order(segments, &inputs)?;
    for (new, place) in (0..).zip(&order) {
        inputs[place.input].new_ordinals[place.ordinal] = Some(new);
    }
    let mut assembly = Assembly::default();
    let mut cursors: Vec<_> = segments.iter().map(|live| VectorCursor::new(live.segment)).collect();
    for (new, place) in (0..).zip(&order) {
        let row = inputs[place.input].row(place)?;
        assembly.push_document(&row);
        if row.mark.is_embedded() {
            let old = place.ordinal as u32;
            cursors[place.input].each_of(old, |vector| assembly.push_vector(new, vector))?;
        }
    }
    merge_terms(&inputs, &mut assembly)?;
    merge_filters(&inputs, &mut assembly)?;
    Ok(assembly.finish(key))
}

struct LiveDocument {
    path: String,
    input: usize,
    ordinal: usize,
}

fn order(segments: &[Live<'_>], inputs: &[Input]) -> Result<Vec<LiveDocument>, Damage> {
    let mut places = Vec::new();
    for (number, (live, input)) in segments.iter().zip(inputs).enumerate().rev() {
        let dead: HashSet<usize> = live.dead.iter().map(|ordinal| *ordinal as usize).collect();
        for ordinal in (0..input.marks.len()).filter(|it| !dead.contains(it)) {
            let path = to_path(input.slice(&input.paths, Section::Paths, ordinal)?)?;
            places.push(LiveDocument { path, input: number, ordinal });
        }
    }
    places.sort_by(|left, right| left.path.cmp(&right.path));
    places.dedup_by(|earlier, kept| earlier.path == kept.path);
    Ok(places)
}

/// All of a segment but its vectors.
struct Input {
    lengths: Vec<u8>,
    marks: Vec<u8>,
    rows: Vec<u8>,
    row_bytes: usize,
    stamps: Vec<[u8; STAMP_BYTES]>,
    instants: Vec<[u8; 8]>,
    ends: Vec<[u8; ENDS_BYTES]>,
    paths: Vec<u8>,
    cards: Vec<u8>,
    terms: Vec<Entry>,
    postings: Vec<u8>,
    filters: Vec<Entry>,
    filter_postings: Vec<u8>,
    /// By old ordinal; `None` is dead.
    new_ordinals: Vec<Option<u32>>,
}

impl Input {
    fn read(segment: &Segment) -> Result<Input, Damage> {
        let column = |section| segment.pages().read_owned(segment.header().section(section));
        Ok(Input {
            lengths: column(Section::Lengths)?,
            marks: column(Section::Marks)?,
            rows: column(Section::Rows)?,
            row_bytes: segment.row_bytes(),
            stamps: column(Section::Stamps)?.as_chunks().0.to_vec(),
            instants: column(Section::Instants)?.as_chunks().0.to_vec(),
            ends: column(Section::Ends)?.as_chunks().0.to_vec(),
            paths: column(Section::Paths)?,
            cards: column(Section::Cards)?,
            terms: entries(&column(Section::Terms)?).collect(),
            postings: column(Section::Postings)?,
            filters: entries(&column(Section::Filters)?).collect(),
            filter_postings: column(Section::FilterPostings)?,
            new_ordinals: vec![None; segment.len() as usize],
        })
    }

    fn slice<'a>(
        &self,
        blob: &'a [u8],
        section: Section,
        ordinal: usize,
    ) -> Result<&'a [u8], Damage> {
        let start = ordinal.checked_sub(1).map_or(0, |before| end_of(&self.ends[before], section));
        let end = end_of(&self.ends[ordinal], section);
        let range = start as usize..end as usize;
        blob.get(range).ok_or(Damage::Contents("a path or card is out of its section"))
    }

    fn row(&self, place: &LiveDocument) -> Result<Row, Damage> {
        let ordinal = place.ordinal;
        let documents = self.marks.len();
        let lengths: [u8; FIELDS] =
            std::array::from_fn(|field| self.lengths[field * documents + ordinal]);
        Ok(Row {
            path: place.path.clone(),
            card: self.slice(&self.cards, Section::Cards, ordinal)?.to_vec(),
            mark: Mark(self.marks[ordinal]),
            row: self.rows[ordinal * self.row_bytes..(ordinal + 1) * self.row_bytes].to_vec(),
            stamp: Stamp::of_bytes(self.stamps[ordinal]),
            instant: i64::from_le_bytes(self.instants[ordinal]),
            lengths,
        })
    }
}

fn bytes_of(postings: &[u8], entry: &Entry) -> Result<Range<usize>, Damage> {
    let range = entry.range(&(0..postings.len() as u64))?;
    Ok(range.start as usize..range.end as usize)
}

fn merge_terms(inputs: &[Input], assembly: &mut Assembly) -> Result<(), Damage> {
    let lists: Vec<&[Entry]> = inputs.iter().map(|input| input.terms.as_slice()).collect();
    let mut postings = Vec::new();
    each_key(&lists, |key, found| {
        postings.clear();
        for &(number, entry) in found {
            let input = &inputs[number];
            let bytes = &input.postings[bytes_of(&input.postings, &entry)?];
            let mut renumber = |old: u32, counts: Counts| {
                let new = *input.new_ordinals.get(old as usize)?;
                postings.extend(new.map(|ordinal| Posting { ordinal, counts }));
                Some(())
            };
            postings::visit(bytes, entry.documents, &mut renumber)?;
        }
        postings.sort_unstable_by_key(|posting| posting.ordinal);
        if !postings.is_empty() {
            assembly.push_term(key, &postings);
        }
        Ok(())
    })
}

fn merge_filters(inputs: &[Input], assembly: &mut Assembly) -> Result<(), Damage> {
    let lists: Vec<&[Entry]> = inputs.iter().map(|input| input.filters.as_slice()).collect();
    let mut ordinals = Vec::new();
    each_key(&lists, |key, found| {
        ordinals.clear();
        for &(number, entry) in found {
            let input = &inputs[number];
            let bytes = &input.filter_postings[bytes_of(&input.filter_postings, &entry)?];
            postings::each_ordinal(bytes, entry.documents, |old| {
                ordinals.extend(*input.new_ordinals.get(old as usize)?);
                Some(())
            })?;
        }
        ordinals.sort_unstable();
        if !ordinals.is_empty() {
            assembly.push_filter(key, &ordinals);
        }
        Ok(())
    })
}

/// Gives every key of several sorted lists once, with the entries that have it.
fn each_key(
    lists: &[&[Entry]],
    mut take: impl FnMut(u64, &[(usize, Entry)]) -> Result<(), Damage>,
) -> Result<(), Damage> {
    let mut lists = lists.to_vec();
    let mut found = Vec::new();
    let mut before = None;
    while let Some(key) = lists.iter().filter_map(|list| list.first()).map(|it| it.key).min() {
        if before.replace(key).is_some_and(|before| before >= key) {
            return Err(Damage::Contents("a dictionary is out of order"));
        }
        found.clear();
        for (number, list) in lists.iter_mut().enumerate() {
            if let Some((entry, rest)) = list.split_first().filter(|it| it.0.key == key) {
                found.push((number, *entry));
                *list = rest;
            }
        }
        take(key, &found)?;
    }
    Ok(())
}

/// Reads the vectors of a segment in order, a page at a time.
struct VectorCursor<'a> {
    segment: &'a Segment,
    scratch: Vec<u8>,
    page: u64,
    /// Of the page before `page`, the next first.
    waiting: Vec<(u32, Vector)>,
}

impl<'a> VectorCursor<'a> {
    fn new(segment: &'a Segment) -> VectorCursor<'a> {
        VectorCursor { segment, scratch: Vec::new(), page: 0, waiting: Vec::new() }
    }

    /// Ordinals that are asked for go up.
    fn each_of(&mut self, ordinal: u32, mut take: impl FnMut(&Vector)) -> Result<(), Damage> {
        loop {
            while let Some((of, vector)) = self.waiting.last() {
                if *of > ordinal {
                    return Ok(());
                }
                if *of == ordinal {
                    take(vector);
                }
                self.waiting.pop();
            }
            if self.page >= pages_of_rows(self.segment.header().rows) {
                return Ok(());
            }
            self.read_page()?;
        }
    }

    fn read_page(&mut self) -> Result<(), Damage> {
        let (pages, header) = (self.segment.pages(), self.segment.header());
        let chunk = self.page..self.page + 1;
        for rows in read_chunk(pages, header, chunk, &mut self.scratch)? {
            self.waiting = rows?.vectors().map(|(head, vector)| (head.ordinal, vector)).collect();
            self.waiting.reverse();
        }
        self.page += 1;
        Ok(())
    }
}
