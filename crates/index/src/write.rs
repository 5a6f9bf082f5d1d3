//! The bytes of a segment from what is in it, in the only order there is: building and merging both
//! end here, and so make the same bytes.

use xxhash_rust::xxh3::xxh3_64;

use crate::dictionary::Entry;
use crate::document::{FIELDS, Mark};
use crate::header::{DOCUMENTS_MAX, HEADER_BYTES, Header, SECTIONS, Section};
use crate::pages::PageWriter;
use crate::postings::{self, Posting};
use crate::vectors::VectorColumn;
use crate::{SegmentKey, Stamp, Vector, lengths};

/// One document's place in the columns.
pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) card: Vec<u8>,
    pub(crate) mark: Mark,
    pub(crate) row: Vec<u8>,
    pub(crate) stamp: Stamp,
    pub(crate) instant: i64,
    pub(crate) lengths: [u8; FIELDS],
}

#[derive(Default)]
pub(crate) struct Assembly {
    documents: u32,
    embedded: u32,
    length_sums: [u64; FIELDS],
    lengths: [Vec<u8>; FIELDS],
    sections: [Vec<u8>; SECTIONS],
    vectors: VectorColumn,
}

impl Assembly {
    /// Documents come in the order of their paths.
    pub(crate) fn push_document(&mut self, row: &Row) {
        assert!(self.documents < DOCUMENTS_MAX, "a segment holds at most {DOCUMENTS_MAX}");
        self.documents += 1;
        self.embedded += u32::from(row.mark.is_embedded());
        for (field, &length) in row.lengths.iter().enumerate() {
            self.length_sums[field] += u64::from(lengths::decode(length));
            self.lengths[field].push(length);
        }
        self.section(Section::Marks).push(row.mark.0);
        let rows = self.section(Section::Rows);
        rows.extend_from_slice(&row.row);
        let is_even = rows.len() == row.row.len() * self.documents as usize;
        assert!(is_even, "all rows of a segment are of one size");
        self.section(Section::Stamps).extend(row.stamp.to_bytes());
        self.section(Section::Instants).extend(row.instant.to_le_bytes());
        self.section(Section::Paths).extend_from_slice(row.path.as_bytes());
        self.section(Section::Cards).extend_from_slice(&row.card);
        for blob in [Section::Paths, Section::Cards] {
            let end = self.section(blob).len() as u64;
            self.section(Section::Ends).extend(end.to_le_bytes());
        }
    }

    /// Vectors come in the order of their documents.
    pub(crate) fn push_vector(&mut self, ordinal: u32, vector: &Vector) {
        self.vectors.push(ordinal, vector);
    }

    /// Terms come in the order of their keys, each in at least one document.
    pub(crate) fn push_term(&mut self, key: u64, postings: &[Posting]) {
        let encode = |bytes: &mut Vec<u8>| postings::encode(postings, bytes);
        self.push_entry((Section::Terms, Section::Postings), key, postings.len(), encode);
    }

    pub(crate) fn push_filter(&mut self, key: u64, ordinals: &[u32]) {
        let encode = |bytes: &mut Vec<u8>| postings::encode_ordinals(ordinals, bytes);
        self.push_entry((Section::Filters, Section::FilterPostings), key, ordinals.len(), encode);
    }

    fn push_entry(
        &mut self,
        (dictionary, postings): (Section, Section),
        key: u64,
        documents: usize,
        encode: impl FnOnce(&mut Vec<u8>),
    ) {
        let bytes = self.section(postings);
        let offset = bytes.len();
        encode(bytes);
        let length = (bytes.len() - offset) as u32;
        let entry = Entry { key, offset: offset as u64, length, documents: documents as u32 };
        self.section(dictionary).extend(entry.to_bytes());
    }

    fn section(&mut self, section: Section) -> &mut Vec<u8> {
        &mut self.sections[section as usize]
    }

    /// All of it as a segment.
    pub(crate) fn finish(mut self, key: SegmentKey) -> Vec<u8> {
        self.sections[Section::Lengths as usize] = self.lengths.concat();
        let hashes: Vec<[u8; 16]> = self.sections.iter().map(|bytes| fingerprint(bytes)).collect();
        let mut content = hashes.concat();
        content.extend(self.vectors.hash().to_le_bytes());
        let mut header = Header {
            key,
            content: xxh3_64(&content),
            stream: 0,
            documents: self.documents,
            embedded: self.embedded,
            rows: self.vectors.len() as u64,
            length_sums: self.length_sums,
            sections: [(0, 0); SECTIONS],
        };
        let size = self.sections.iter().map(Vec::len).sum::<usize>() + self.vectors.len() * 400;
        let mut writer = PageWriter::with_capacity(HEADER_BYTES + size);
        writer.push(&[0; HEADER_BYTES]);
        for (place, bytes) in header.sections.iter_mut().zip(&mut self.sections) {
            *place = (writer.position(), bytes.len() as u64);
            writer.push(bytes);
            // What is written is not needed twice.
            *bytes = Vec::new();
        }
        header.sections[Section::Vectors as usize] = write_vectors(&self.vectors, &mut writer);
        header.stream = writer.position();
        writer.set_start(&header.to_bytes());
        writer.seal(header.identity())
    }
}

fn write_vectors(vectors: &VectorColumn, writer: &mut PageWriter) -> (u64, u64) {
    // Even without vectors: the section begins with a page, and a header says so.
    if vectors.len() == 0 {
        return (writer.position(), 0);
    }
    writer.align();
    let start = writer.position();
    vectors.write(writer);
    (start, writer.position() - start)
}

fn fingerprint(bytes: &[u8]) -> [u8; 16] {
    let hash = u128::from(xxh3_64(bytes)) << 64;
    (hash | bytes.len() as u128).to_le_bytes()
}
