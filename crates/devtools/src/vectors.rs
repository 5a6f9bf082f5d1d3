//! A model with a file of what it has embedded before: an evaluation embeds the same texts in every
//! run.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use oldhand_desk::meaning::{self, Meaning};
use oldhand_desk::printer::Io;
use oldhand_index::{DIMENSIONS, DotRows, Vector};
use oldhand_store::index::Embedder;
use oldhand_text::hash::ContentHash;
use serde_json::json;

use crate::failure::Fail;
use crate::lines::required;
use crate::set::each_object;

/// A hash of the text, the scale, the bytes.
const RECORD_BYTES: usize = 16 + 4 + DIMENSIONS;

/// Writes the vector of each text of a file: its scale and its bytes.
pub(crate) fn print(file: &Path, model: &str, io: &mut Io<'_>) -> Result<(), Fail> {
    let meaning = meaning::open(model).map_err(|why| Fail::new(why, "set `recall.model`"))?;
    each_object(file, |object, _| {
        let vector = meaning.embed(&required(object, "text")?);
        let line = json!({"scale": vector.scale, "bytes": vector.bytes.as_slice()});
        io.text(&format!("{line}\n")).map_err(|error| format!("{error:?}"))
    })
}

pub(crate) struct KeptVectors<'a> {
    meaning: &'a Meaning,
    path: PathBuf,
    known: Mutex<BTreeMap<[u8; 16], Vector>>,
}

impl<'a> KeptVectors<'a> {
    pub(crate) fn open(meaning: &'a Meaning, path: &Path) -> io::Result<Self> {
        let bytes = if path.exists() { std::fs::read(path)? } else { Vec::new() };
        let mut known = BTreeMap::new();
        for record in bytes.chunks_exact(RECORD_BYTES) {
            let (mut key, mut scale) = ([0; 16], [0; 4]);
            key.copy_from_slice(&record[..16]);
            scale.copy_from_slice(&record[16..20]);
            let mut vector = Vector { scale: f32::from_le_bytes(scale), bytes: [0; DIMENSIONS] };
            for (to, from) in vector.bytes.iter_mut().zip(&record[20..]) {
                *to = from.cast_signed();
            }
            known.insert(key, vector);
        }
        Ok(Self { meaning, path: path.to_owned(), known: Mutex::new(known) })
    }

    pub(crate) fn save(&self) -> io::Result<()> {
        let Ok(known) = self.known.lock() else { return Ok(()) };
        let mut bytes = Vec::with_capacity(known.len() * RECORD_BYTES);
        for (key, vector) in known.iter() {
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(&vector.scale.to_le_bytes());
            bytes.extend(vector.bytes.iter().map(|byte| byte.cast_unsigned()));
        }
        std::fs::write(&self.path, bytes)
    }
}

impl Embedder for KeptVectors<'_> {
    fn tag(&self) -> &str {
        self.meaning.tag()
    }

    fn embed(&self, text: &str) -> Vector {
        let hash = ContentHash::of(format!("{}\n{text}", self.tag()).as_bytes()).to_string();
        let mut key = [0; 16];
        key.copy_from_slice(&hash.as_bytes()[..16]);
        if let Some(vector) = self.known.lock().ok().and_then(|known| known.get(&key).cloned()) {
            return vector;
        }
        let vector = self.meaning.embed(text);
        if let Ok(mut known) = self.known.lock() {
            known.insert(key, vector);
        }
        vector
    }

    fn cost(&self, text: &str) -> Duration {
        self.meaning.cost(text)
    }

    fn dot_rows(&self) -> DotRows {
        self.meaning.dot_rows()
    }
}
