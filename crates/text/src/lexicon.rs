//! The one lexicon of English and of the trade: which words say little, which are taken for each
//! other, which exclude each other, and which a sentence affirms or denies.

pub mod choices;
pub mod polarity;
pub mod same;
pub mod stop;
pub mod words;

#[cfg(test)]
mod tests;
