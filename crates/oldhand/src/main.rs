//! The `oldhand` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    oldhand::main()
}
