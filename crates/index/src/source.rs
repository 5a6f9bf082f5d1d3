//! Where the bytes of a segment are. The caller opens files; here they are only read.

use std::io::{Error, ErrorKind, Result};

pub trait Source {
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills the buffer from an offset, or fails.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()>;

    /// All of it, where it is in memory and every page was found right: none is verified again.
    fn sound(&self) -> Option<&[u8]> {
        None
    }
}

impl Source for [u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let start = usize::try_from(offset).map_err(|_| Error::from(ErrorKind::UnexpectedEof))?;
        let bytes = self.get(start..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(Error::from(ErrorKind::UnexpectedEof))?);
        Ok(())
    }
}

impl Source for Vec<u8> {
    fn len(&self) -> u64 {
        Source::len(self.as_slice())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.as_slice().read_at(offset, buffer)
    }
}

impl<S: Source + ?Sized> Source for &S {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        (**self).read_at(offset, buffer)
    }

    fn sound(&self) -> Option<&[u8]> {
        (**self).sound()
    }
}

/// A file that can't be asked for its length is empty, which no segment is.
#[cfg(unix)]
impl Source for std::fs::File {
    fn len(&self) -> u64 {
        self.metadata().map_or(0, |it| it.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }
}
