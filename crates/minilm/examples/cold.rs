//! Embeds its argument once, for measuring a cold process: `MINILM_KERNEL=avx2 cold "some text"`.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use oldhand_minilm::{Level, MiniLm};

fn main() -> Result<(), oldhand_minilm::Damage> {
    let text = std::env::args().nth(1).unwrap_or_default();
    let wanted = std::env::var("MINILM_KERNEL").unwrap_or_default();
    let model = MiniLm::open()?;
    let level = Level::available().into_iter().find(|level| level.name == wanted);
    let vector = match level {
        Some(level) => model.embed_by(level, &text),
        None => model.embed(&text),
    };
    println!("{:?} x {}", &vector.bytes[..4], vector.scale);
    Ok(())
}
