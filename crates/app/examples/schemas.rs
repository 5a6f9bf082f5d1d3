//! Writes the JSON schema of every answer: `cargo run -p oldhand-engine --features schema --example
//! schemas -- docs/formats/schema`.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs/formats/schema".to_owned());
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder)?;
    for (name, schema) in oldhand_app::wire::schemas() {
        let text = format!("{}\n", serde_json::to_string_pretty(&schema)?);
        std::fs::write(folder.join(format!("{name}.json")), text)?;
    }
    Ok(())
}
