//! Why a segment can't answer. The caller's remedy is always the same: rebuild it.

#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// Not a segment, or one of another store, model or version.
    #[error("segment belongs to something else")]
    Foreign,
    /// The length is not the one that was written.
    #[error("segment is cut short or has grown: {found} bytes, written were {written}")]
    Length { found: u64, written: u64 },
    /// A page does not hold what was written.
    #[error("page of the segment is damaged: {0}")]
    Page(u64),
    /// The checksums are right and the contents are not: a bug, or a forgery.
    #[error("segment contradicts itself: {0}")]
    Contents(&'static str),
    #[error("segment could not be read")]
    Unreadable(#[from] std::io::Error),
}
