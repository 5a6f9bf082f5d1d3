//! What can be typed to `oldhand architecture`.

use clap::{Args, Subcommand};

#[derive(Args)]
pub(crate) struct ArchitectureArgs {
    #[command(subcommand)]
    pub action: Option<ArchitectureAction>,
}

#[derive(Subcommand)]
pub(crate) enum ArchitectureAction {
    /// Print a map drafted from the repository's files; writes nothing
    #[command(after_help = "Example: oldhand architecture draft")]
    Draft,
    /// Update the module map, or set the sections that you give
    #[command(after_help = "Examples:\n  oldhand architecture update --dry-run\n  \
        oldhand architecture update --data-flow \"CLI to engine to disk\"\n\n\
        Lines about modules that still exist, and the prose between them, stay unchanged.")]
    Update(Box<MapUpdateArgs>),
    /// List modules that were added, moved or removed since; exits with 1 if there are any
    #[command(after_help = "Example: oldhand architecture check")]
    Check,
}

#[derive(Args)]
pub(crate) struct MapUpdateArgs {
    /// The whole module map, one line per module: `path`: what it is for
    #[arg(long, value_name = "TEXT")]
    pub module_map: Option<String>,
    /// How the modules interact
    #[arg(long, value_name = "TEXT")]
    pub interfaces: Option<String>,
    /// How data flows
    #[arg(long, value_name = "TEXT")]
    pub data_flow: Option<String>,
    /// External dependencies
    #[arg(long, value_name = "TEXT")]
    pub external_dependencies: Option<String>,
    /// Known debt
    #[arg(long, value_name = "TEXT")]
    pub known_debt: Option<String>,
    /// Show what would change without writing anything
    #[arg(long)]
    pub dry_run: bool,
}
