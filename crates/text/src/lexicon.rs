//! The one lexicon of English and of the trade: which words say little, which are taken for each
//! other, which exclude each other, and which a sentence affirms or denies. The gate, likeness and
//! search read it. It knows no memory and compares nothing.

pub mod choices;
pub mod polarity;
pub mod same;
pub mod stop;
pub mod words;

#[cfg(test)]
mod tests;
