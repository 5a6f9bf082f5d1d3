//! Texts per second for each kernel at several lengths, in one warm process, in CPU time.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use oldhand_minilm::{DIMENSIONS, Level, MiniLm};

fn main() -> Result<(), oldhand_minilm::Damage> {
    let model = MiniLm::open()?;
    let text = "the quick brown fox jumps over a lazy dog while it rains ".repeat(25);
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for level in Level::available().into_iter().filter(|level| level.name.contains(&wanted)) {
        for tokens in [18, 60, 128, 256] {
            let milliseconds = mean_of_many(|| {
                model.floats_by(level, &text, tokens);
            });
            println!("{:8} {tokens:3} tokens: {milliseconds:.2} ms", level.name);
        }
        let rows = vec![3_i8; 100_000 * DIMENSIONS];
        let mut out = vec![0; 100_000];
        let milliseconds = mean_of_many(|| level.dot_rows(&[5; DIMENSIONS], &rows, &mut out));
        println!("{:8} dot of 100,000 rows: {milliseconds:.2} ms", level.name);
    }
    Ok(())
}

/// The machine may be shared, so CPU time counts; it advances in steps of 4 ms, so many runs do.
fn mean_of_many(mut run: impl FnMut()) -> f64 {
    run();
    let start = cpu_milliseconds();
    let mut runs = 0.0;
    while cpu_milliseconds() - start < 400.0 {
        run();
        runs += 1.0;
    }
    (cpu_milliseconds() - start) / runs
}

/// Linux gives the thread's nanoseconds on a processor as the first number.
fn cpu_milliseconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}
