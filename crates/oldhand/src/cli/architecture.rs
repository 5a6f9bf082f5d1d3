//! What can be typed to `oldhand architecture`.

use clap::{Args, Subcommand};

#[derive(Args)]
pub(crate) struct ArchitectureArgs {
    #[command(subcommand)]
    pub action: Option<ArchitectureAction>,
}

#[derive(Subcommand)]
pub(crate) enum ArchitectureAction {
    /// Print a map drafted from the files of the repository; writes nothing
    #[command(after_help = "Example: oldhand architecture draft")]
    Draft,
    /// Bring the module map up to date, or set the sections that you give
    #[command(after_help = "Examples:\n  oldhand architecture update --dry-run\n  \
        oldhand architecture update --data-flow \"CLI to engine to disk\"\n\n\
        Lines about modules that are still there, and the prose between them, stay as they are.")]
    Update(Box<MapUpdateArgs>),
    /// List modules that are new, moved or removed since; exits with 1 if there are any
    #[command(after_help = "Example: oldhand architecture check")]
    Check,
}

#[derive(Args)]
pub(crate) struct MapUpdateArgs {
    /// The whole module map, one line per module: `path`: what it is for
    #[arg(long, value_name = "TEXT")]
    pub module_map: Option<String>,
    /// How the modules talk to each other
    #[arg(long, value_name = "TEXT")]
    pub interfaces: Option<String>,
    /// How data flows
    #[arg(long, value_name = "TEXT")]
    pub data_flow: Option<String>,
    /// What comes from outside
    #[arg(long, value_name = "TEXT")]
    pub external_dependencies: Option<String>,
    /// What is known to be wrong
    #[arg(long, value_name = "TEXT")]
    pub known_debt: Option<String>,
    /// Show what would change without writing anything
    #[arg(long)]
    pub dry_run: bool,
}
