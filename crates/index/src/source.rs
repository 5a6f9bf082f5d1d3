//! Where the bytes of a segment are. The caller opens files; here they are only read.

use std::fs::File;
use std::io::{ErrorKind, Result};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

pub enum Source {
    /// With its length.
    File(File, u64),
    Memory(Arc<Vec<u8>>),
    /// In memory, and every page was found right: none is verified again.
    Sound(Arc<Vec<u8>>),
}

impl Source {
    pub(crate) fn length(&self) -> u64 {
        match self {
            Source::File(_, length) => *length,
            Source::Memory(bytes) | Source::Sound(bytes) => bytes.len() as u64,
        }
    }

    /// Fills the buffer from an offset, or fails.
    pub(crate) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let bytes = match self {
            Source::File(file, _) => return file.read_exact_at(buffer, offset),
            Source::Memory(bytes) | Source::Sound(bytes) => bytes,
        };
        let rest = usize::try_from(offset).ok().and_then(|start| bytes.get(start..));
        let wanted = rest.and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(wanted.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    /// All of it, where it was found right.
    pub(crate) fn sound(&self) -> Option<&[u8]> {
        if let Source::Sound(bytes) = self { Some(bytes) } else { None }
    }
}

impl From<&[u8]> for Source {
    fn from(bytes: &[u8]) -> Source {
        Source::Memory(Arc::new(bytes.to_vec()))
    }
}
