//! Packs the pair model as its difference to the sentence model, and checks that it comes back whole.

use std::fs;
use std::path::Path;

#[path = "src/packed.rs"]
mod packed;

use packed::{MIDDLE, RUN, both, each_run, guess, others};

const MODEL: &str = "../../assets/minilm/model.bin";
const PAIR: &str = "../../assets/judge/pair.bin";

fn main() -> std::io::Result<()> {
    for file in [MODEL, PAIR, "src/packed.rs"] {
        println!("cargo:rerun-if-changed={file}");
    }
    let (model, pair) = (fs::read(MODEL)?, fs::read(PAIR)?);
    let packed = pack(&model, &pair);
    let mut buffer = Vec::new();
    assert!(packed::unpack(&model, &packed, &mut buffer) == pair, "`{PAIR}` does not come back");
    let out = std::env::var_os("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("pair.packed"), packed)
}

/// Where a patch gives the value.
const PATCHED: u8 = 0;

/// What `unpack` reads.
fn pack(model: &[u8], pair: &[u8]) -> Vec<u8> {
    let rest: Vec<u8> = others(pair).into_iter().flat_map(|range| &pair[range]).copied().collect();
    let (mut nibbles, mut patches, mut count) = (Vec::new(), Vec::new(), 0_u32);
    each_run(model, &both(model, pair), |place, run, lanes| {
        let wanted = &pair[place..place + RUN];
        let mut codes = [PATCHED; RUN];
        for (lane, code) in codes.iter_mut().enumerate() {
            let step = i16::from(wanted[lane] as i8) - guess(run[lane], lanes[lane]) + MIDDLE;
            if (1..16).contains(&step) {
                *code = step as u8;
            } else {
                patches.extend(((place + lane) as u32).to_le_bytes());
                patches.push(wanted[lane]);
                count += 1;
            }
        }
        let (low, high) = codes.split_at(RUN / 2);
        nibbles.extend(low.iter().zip(high).map(|(low, high)| low | high << 4));
    });
    let mut packed = Vec::new();
    for number in [pair.len() as u32, rest.len() as u32, count] {
        packed.extend(number.to_le_bytes());
    }
    [packed, rest, patches, nibbles].concat()
}
