//! Which model gives texts their meaning here: the sentence model inside the program, the static
//! one where the processor is too slow for it, or none.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use oldhand_index::{DIMENSIONS, DotRows, Vector};
use oldhand_minilm::{MiniLm, StaticModel, dot_rows};
use oldhand_store::index::Embedder;
use oldhand_text::hash::ContentHash;

pub(crate) enum Meaning {
    Sentences(MiniLm),
    Static(StaticModel),
}

/// The model that the setting wants, or why there is none.
pub(crate) fn open(setting: &str) -> Result<Meaning, String> {
    let wants_static = setting == "static" || (setting == "minilm" && !MiniLm::is_fast());
    if setting == "keywords" {
        return Err("words alone by `recall.model`".to_owned());
    }
    if wants_static {
        return StaticModel::open().map(Meaning::Static).map_err(|error| error.to_string());
    }
    MiniLm::open().map(Meaning::Sentences).map_err(|error| error.to_string())
}

/// How near two vectors are: 1 for the same direction.
pub(crate) fn cosine(one: &Vector, other: &Vector) -> f64 {
    let products = one.bytes.iter().zip(&other.bytes).map(|(a, b)| i32::from(*a) * i32::from(*b));
    f64::from(products.sum::<i32>()) * f64::from(one.scale) * f64::from(other.scale)
}

impl Embedder for Meaning {
    fn tag(&self) -> &str {
        match self {
            Self::Sentences(_) => MiniLm::tag(),
            Self::Static(_) => StaticModel::tag(),
        }
    }

    fn embed(&self, text: &str) -> Vector {
        let vector = match self {
            Self::Sentences(model) => model.embed(text),
            Self::Static(model) => model.embed(text),
        };
        Vector { scale: vector.scale, bytes: vector.bytes }
    }

    fn dot_rows(&self) -> DotRows {
        dot_rows
    }
}

/// A model with a file of what it has embedded before: an evaluation asks for the same texts in
/// every run.
pub(crate) struct Kept {
    meaning: Result<Meaning, String>,
    path: Option<PathBuf>,
    known: Mutex<BTreeMap<[u8; 16], Vector>>,
}

/// A hash of the text, the scale, the bytes.
const RECORD_BYTES: usize = 16 + 4 + DIMENSIONS;

impl Kept {
    pub(crate) fn open(meaning: Result<Meaning, String>, path: Option<&Path>) -> io::Result<Self> {
        let bytes = match path {
            Some(path) if path.exists() => std::fs::read(path)?,
            _ => Vec::new(),
        };
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
        Ok(Self { meaning, path: path.map(Path::to_owned), known: Mutex::new(known) })
    }

    pub(crate) fn as_embedder(&self) -> Result<&dyn Embedder, &String> {
        match (&self.meaning, &self.path) {
            (Err(why), _) => Err(why),
            (Ok(_), Some(_)) => Ok(self),
            (Ok(meaning), None) => Ok(meaning),
        }
    }

    pub(crate) fn save(&self) -> io::Result<()> {
        let (Some(path), Ok(known)) = (&self.path, self.known.lock()) else { return Ok(()) };
        let mut bytes = Vec::with_capacity(known.len() * RECORD_BYTES);
        for (key, vector) in known.iter() {
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(&vector.scale.to_le_bytes());
            bytes.extend(vector.bytes.iter().map(|byte| byte.cast_unsigned()));
        }
        std::fs::write(path, bytes)
    }
}

impl Embedder for Kept {
    fn tag(&self) -> &str {
        self.meaning.as_ref().map_or("none", Embedder::tag)
    }

    fn embed(&self, text: &str) -> Vector {
        let zero = Vector { scale: 0.0, bytes: [0; DIMENSIONS] };
        let Ok(meaning) = &self.meaning else { return zero };
        let hash = ContentHash::of(format!("{}\n{text}", self.tag()).as_bytes()).to_string();
        let mut key = [0; 16];
        key.copy_from_slice(&hash.as_bytes()[..16]);
        if let Some(vector) = self.known.lock().ok().and_then(|known| known.get(&key).cloned()) {
            return vector;
        }
        let vector = meaning.embed(text);
        if let Ok(mut known) = self.known.lock() {
            known.insert(key, vector);
        }
        vector
    }

    fn dot_rows(&self) -> DotRows {
        dot_rows
    }
}
