//! What can be typed. The words here are the help that people read.

use clap::{Args, Parser, Subcommand, ValueEnum};
use oldhand_desk::desk::GlobalFlags;

mod architecture;
mod capture;
mod hosts;
mod life;
mod reading;
mod session;
mod summary;
mod writing;

pub(crate) use architecture::*;
pub(crate) use capture::*;
pub(crate) use hosts::*;
pub(crate) use life::*;
pub(crate) use reading::*;
pub(crate) use session::*;
pub(crate) use summary::*;
pub(crate) use writing::*;

/// The memory of coding agents: decisions, constraints, runbooks and lessons as reviewed Markdown
/// in your repository
#[derive(Parser)]
#[command(name = "oldhand", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "Start with `oldhand init`, then `oldhand remember \"we decided …\"`.\n\
    `oldhand tour` plays the first five minutes in a scratch repository.")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Args, Clone)]
pub(crate) struct GlobalArgs {
    /// Run as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub directory: Option<std::path::PathBuf>,
    /// Answer with one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    /// Use your own store, which every project shares
    #[arg(long, global = true)]
    pub global: bool,
    /// Who does this; default: your user name
    #[arg(long, value_name = "NAME", global = true)]
    pub by: Option<String>,
    /// Override a setting for this command
    #[arg(long = "config", value_name = "KEY=VALUE", global = true)]
    pub overrides: Vec<String>,
}

impl From<GlobalArgs> for GlobalFlags {
    fn from(args: GlobalArgs) -> Self {
        let GlobalArgs { directory, json, global, by, overrides } = args;
        Self { directory, json, global, by, overrides }
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a store in this repository
    #[command(after_help = "Example: oldhand init")]
    Init(InitArgs),
    /// Write something down in your own words; the kind is guessed
    #[command(
        after_help = "Example: oldhand remember \"We decided to keep money in integer cents\""
    )]
    Remember(Box<RememberArgs>),
    /// Write a memory of a kind, by flags or as a whole record
    #[command(
        after_help = "Examples:\n  oldhand add decision --title \"Use cents\" --decision \"Integers\" --rationale exact\n  \
        oldhand add --from record.json"
    )]
    Add(Box<AddArgs>),
    /// Find the few memories that a task needs, in full, within a budget
    #[command(after_help = "Examples:\n  oldhand recall \"add a discount to the invoice\"\n  \
        oldhand recall --path src/pay.rs \"round the total\"")]
    Recall(Box<RecallArgs>),
    /// Search by field, by text, or along the links between memories
    #[command(after_help = "Examples:\n  oldhand search frontmatter \"domain: storage\"\n  \
        oldhand search content \"integer cents\"\n  oldhand search links use-cents")]
    Search(SearchArgs),
    /// The registry: which memories there are, in a few tokens each
    #[command(after_help = "Example: oldhand index --kind decision --domain storage")]
    Index(IndexArgs),
    /// Why a memory was served, or was not, and how it came to its state
    #[command(after_help = "Examples:\n  oldhand why use-cents\n  \
        oldhand why use-cents \"which type for prices\"")]
    Why(WhyArgs),
    /// What was given to whom: one line for each answer of recall
    #[command(after_help = "Example: oldhand receipts --limit 5")]
    Receipts(ReceiptsArgs),
    /// Answer a host's hook: the event as JSON on standard input, the answer on standard output
    #[command(
        after_help = "Example: echo '{\"hook_event_name\":\"SessionStart\"}' | oldhand hook claude-code\n\
        Always exits with 0; `oldhand log` tells what was done and why nothing was said."
    )]
    Hook(HookArgs),
    /// Serve agents over MCP, on standard input and output or over HTTP
    #[command(after_help = "Examples:\n  oldhand mcp\n  oldhand mcp --http 127.0.0.1:8631\n\
        `oldhand install <host> --with-mcp` writes it into a host's configuration.")]
    Mcp(McpArgs),
    /// Find what a session said that is worth keeping, and take in drafts
    #[command(after_help = "Example: oldhand capture triage session.jsonl")]
    Capture(CaptureArgs),
    /// What hooks did, how long it took, and why they said nothing
    #[command(after_help = "Example: oldhand log --event prompt --limit 5")]
    Log(LogArgs),
    /// Rebuild the search index
    #[command(after_help = "Example: oldhand reindex")]
    Reindex,
    /// Numbers about the store and its index
    #[command(after_help = "Example: oldhand stats")]
    Stats,
    /// Does a proposal clash with what was decided? 0 is clear, 1 a conflict, 2 could not be judged
    #[command(after_help = "Examples:\n  oldhand check \"use MySQL for the orders\"\n  \
        oldhand check --from draft.md --domain storage")]
    Check(CheckArgs),
    /// What waits for a person: conflicts and approvals
    #[command(after_help = "Example: oldhand pending")]
    Pending(PendingArgs),
    /// Settle a conflict: follow what was decided, reverse it, or say that both hold
    #[command(after_help = "Examples:\n  oldhand resolve conflict-use-mysql --follow --by ada\n  \
        oldhand resolve conflict-use-mysql --supersede --by ada --reason \"one database less to run\"")]
    Resolve(ResolveArgs),
    /// Take lessons from a retrospective, as candidates that have to earn their trust
    #[command(after_help = "Examples:\n  oldhand learn retro.md --task PAY-12\n  \
        echo '{\"task_id\":\"PAY-12\",\"memory_candidates\":[\"retry uploads once\"]}' | oldhand learn")]
    Learn(LearnArgs),
    /// Look at what waits for a judgement, one memory at a time, or decide over one
    #[command(after_help = "Examples:\n  oldhand review\n  \
        oldhand review retry-uploads --decision reject --reason \"the server retries\" --by ada")]
    Review(ReviewArgs),
    /// Raise a memory by one state, with your approval
    #[command(after_help = "Example: oldhand promote retry-uploads --by ada --role quality")]
    Promote(PromoteArgs),
    /// Record a use of a memory and what came of it
    #[command(after_help = "Example: oldhand apply use-cents --effect positive --task PAY-12")]
    Apply(ApplyArgs),
    /// Begin and end a task, so that uses are counted without extra work
    #[command(after_help = "Example: oldhand task end PAY-12 --outcome passed")]
    Task(TaskArgs),
    /// Come back: what binds, where work stopped, what comes next
    #[command(after_help = "Examples:\n  oldhand resume\n  \
        oldhand resume --task \"round the invoice total\" --path src/pay.rs")]
    Resume(ResumeArgs),
    /// Note in one line what is done, what remains, what broke, what is open
    #[command(after_help = "Examples:\n  oldhand note remaining \"wire it to the CLI\"\n  \
        oldhand note done 1\n  oldhand note error \"E0308 in pay.rs\" --fix \"cast to u64\"")]
    Note(NoteArgs),
    /// The working notes of a session
    #[command(after_help = "Examples:\n  oldhand notes\n  oldhand notes keep 3 --as lesson")]
    Notes(NotesArgs),
    /// The context anchor: objective, step, completed, remaining, what binds
    #[command(
        after_help = "Examples:\n  oldhand anchor --objective \"CSV export\" --plan writer --plan docs\n  \
        oldhand anchor --next\n  oldhand anchor"
    )]
    Anchor(AnchorArgs),
    /// A conversation in tiers: what memory knows, a summary, the newest turns as they are
    #[command(after_help = "Example: oldhand window session.jsonl --json")]
    Window(WindowArgs),
    /// A conversation as a summary that keeps exact paths, commands, values and errors
    #[command(after_help = "Examples:\n  oldhand compact session.jsonl > summary.md\n  \
        oldhand compact session.jsonl --check summary.md")]
    Compact(CompactArgs),
    /// Sum up a piece of work: what it was for, what changed, what is open; and end its task
    #[command(after_help = "Examples:\n  oldhand summary --outcome success\n  \
        oldhand summary PAY-12 --outcome success --pattern \"Round once, at the end\" --test \"cargo test passed\"\n\n\
        What is not said is taken from the notes, the session and git.")]
    Summary(Box<SummaryArgs>),
    /// Hand work over to another role: everything that it needs to go on, and nothing missing
    #[command(
        after_help = "Example: oldhand handoff --to reviewer --next \"look at the rounding\""
    )]
    Handoff(Box<HandoffArgs>),
    /// Was the memory kept while the work was done? Six points; 0 is yes, 1 that one failed
    #[command(after_help = "Examples:\n  oldhand check-task\n  \
        oldhand check-task --since origin/main")]
    CheckTask(CheckTaskArgs),
    /// Do what is due: decay, retention, reviews
    #[command(after_help = "Example: oldhand sweep")]
    Sweep(SweepArgs),
    /// How the memory is doing, and the one command that helps
    #[command(after_help = "Example: oldhand health")]
    Health,
    /// Show one memory
    #[command(after_help = "Example: oldhand show use-cents")]
    Show(ShowArgs),
    /// List memories, newest first
    #[command(after_help = "Example: oldhand list --kind decision --domain storage")]
    List(ListArgs),
    /// Change fields of a memory
    #[command(
        after_help = "Example: oldhand update use-cents --tags money --consequences \"No floats in the API\""
    )]
    Update(Box<UpdateArgs>),
    /// Change a memory in your editor; it is checked before it replaces the old text
    #[command(after_help = "Example: oldhand edit use-cents")]
    Edit(NameArgs),
    /// Take a memory out of use; it can be restored
    #[command(after_help = "Example: oldhand retire use-cents --reason \"the API is gone\"")]
    Retire(ReasonArgs),
    /// Show a memory, ask, and retire it
    #[command(after_help = "Example: oldhand forget use-cents")]
    Forget(ForgetArgs),
    /// Bring a retired memory back, or a version of one whose content is gone
    #[command(after_help = "Examples:\n  oldhand restore use-cents\n  \
        oldhand restore use-cents --version 440b92f4bfc1")]
    Restore(RestoreArgs),
    /// Put away what no longer binds, for good reason
    #[command(
        after_help = "Example: oldhand archive use-cents --reason \"billing moved to its own service\""
    )]
    Archive(ReasonArgs),
    /// Bring an archived memory back
    #[command(after_help = "Example: oldhand unarchive use-cents")]
    Unarchive(NameArgs),
    /// Replace a memory by another one, linked both ways
    #[command(after_help = "Examples:\n  oldhand supersede use-floats --by-memory use-cents\n  \
        oldhand supersede use-floats --title \"Use cents\" --decision \"Integers\"")]
    Supersede(Box<SupersedeArgs>),
    /// Show what happened to a memory
    #[command(after_help = "Example: oldhand history use-cents")]
    History(NameArgs),
    /// Collect what was retired long ago and sessions past their retention
    #[command(after_help = "Example: oldhand gc --dry-run")]
    Gc(GcArgs),
    /// Rebuild the index page and the views, taking in edits made in a view
    #[command(after_help = "Example: oldhand render --view decisions")]
    Render(RenderArgs),
    /// The map of modules, and what has changed since it was drawn
    #[command(after_help = "Examples:\n  oldhand architecture\n  \
        oldhand architecture draft\n  oldhand architecture update")]
    Architecture(ArchitectureArgs),
    /// Print memories as JSON lines or write them as Markdown files
    #[command(after_help = "Example: oldhand export > memories.jsonl")]
    Export(ExportArgs),
    /// Take in exported JSON lines, or Markdown files and folders
    #[command(after_help = "Example: oldhand import docs/adr")]
    Import(ImportArgs),
    /// Show and change settings
    #[command(after_help = "Example: oldhand config set views.decisions true")]
    Config(ConfigArgs),
    /// Check everything, repair what is derived, name what a person must decide
    #[command(after_help = "Example: oldhand doctor")]
    Doctor,
    /// Set oldhand up in the agents that you work with: hooks and skills
    #[command(after_help = "Examples:\n  oldhand install claude-code\n  \
        oldhand install all --dry-run\n  oldhand install --list\n\n\
        Only what is ours is added; each file that is changed is kept beside it first.")]
    Install(InstallArgs),
    /// Take oldhand out of an agent's files again, and nothing else
    #[command(after_help = "Example: oldhand uninstall claude-code")]
    Uninstall(UninstallArgs),
    /// Write oldhand as a plugin, to be handed on
    #[command(after_help = "Example: oldhand plugin claude-code --out oldhand-plugin")]
    Plugin(PluginArgs),
    /// Score recall on your own store with questions whose answers you know
    #[command(after_help = "Example: oldhand eval --questions questions.jsonl\n\n\
        A question is a line `{\"text\": \"…\", \"gold\": [\"use-cents\"]}`; an empty `gold` means that no\n\
        memory answers it.")]
    Eval(EvalArgs),
    /// Tell whether memories still fit the code they rest on
    #[command(after_help = "Examples:\n  oldhand fresh\n  oldhand fresh use-cents")]
    Fresh(FreshArgs),
    /// Say that you looked and a memory still holds; changes count from now on
    #[command(after_help = "Example: oldhand verify use-cents")]
    Verify(NameArgs),
    /// Take back the last write
    #[command(after_help = "Example: oldhand undo")]
    Undo,
    /// Show what this repository's store contains, and whether you trust it
    #[command(after_help = "Examples:\n  oldhand trust\n  oldhand trust --accept")]
    Trust(TrustArgs),
    /// Play the first five minutes in a scratch repository
    #[command(after_help = "Example: oldhand tour")]
    Tour,
    /// Print completions for a shell
    #[command(
        after_help = "Example: oldhand completions bash > ~/.local/share/bash-completion/completions/oldhand"
    )]
    Completions { shell: clap_complete::Shell },
    #[command(hide = true)]
    Docs { page: DocsPage },
}

#[derive(Args)]
pub(crate) struct InitArgs {}

#[derive(Args)]
pub(crate) struct ShowArgs {
    /// The id or an alias
    pub name: String,
    /// The file's exact bytes
    #[arg(long)]
    pub raw: bool,
}

#[derive(Args)]
pub(crate) struct NameArgs {
    /// The id or an alias
    pub name: String,
}

#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// The id or an alias
    pub name: String,
    /// The version that a lost text comes back from, by the beginning of its hash
    #[arg(long, value_name = "HASH")]
    pub version: Option<String>,
}

#[derive(Args)]
pub(crate) struct ReasonArgs {
    /// The id or an alias
    pub name: String,
    /// Why
    #[arg(long, default_value = "")]
    pub reason: String,
}

#[derive(Args)]
pub(crate) struct ForgetArgs {
    /// The id or an alias
    pub name: String,
    #[arg(long, default_value = "")]
    pub reason: String,
    /// You have looked at it: don't ask
    #[arg(long)]
    pub yes: bool,
}

#[derive(Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub filter: FilterFlags,
    /// active, retired or archived
    #[arg(long)]
    pub status: Option<String>,
    /// Only this level
    #[arg(long)]
    pub level: Option<String>,
    /// Only what is about this path
    #[arg(long)]
    pub path: Option<String>,
    /// How many at the most; 0 is all
    #[arg(long, default_value_t = 50)]
    pub limit: usize,
}

#[derive(Args)]
pub(crate) struct FreshArgs {
    /// Ids or aliases; default: what has `refresh_tier` 2
    pub names: Vec<String>,
    /// Every memory in use, also those with nothing to check
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
}

#[derive(Args)]
pub(crate) struct GcArgs {
    /// Tell what would be done
    #[arg(long)]
    pub dry_run: bool,
    /// Delete this one retired or archived memory for good; the id must be typed in full
    #[arg(long, value_name = "ID")]
    pub purge: Option<String>,
}

#[derive(Args)]
pub(crate) struct RenderArgs {
    /// decisions, archive or architecture; default: those that are switched on
    #[arg(long, value_delimiter = ',')]
    pub view: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// Only these; default: everything
    pub names: Vec<String>,
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    pub format: ExportFormat,
    /// The folder for Markdown files, which must be empty or new
    #[arg(long, value_name = "DIR")]
    pub to: Option<std::path::PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One JSON object per line
    Json,
    /// The files as they are
    Markdown,
}

#[derive(Args)]
pub(crate) struct ImportArgs {
    /// JSON, JSON lines, Markdown files or folders of them; `-` is standard input
    #[arg(required = true)]
    pub sources: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub action: ConfigAction,
}

#[derive(Subcommand)]
pub(crate) enum ConfigAction {
    /// Every key, its value, and where that comes from
    List,
    /// The value of one key
    Get { key: String },
    /// Set a key in the store's configuration, or with --user in your own
    Set {
        key: String,
        value: String,
        #[arg(long)]
        user: bool,
    },
    /// Take a key out again
    Unset {
        key: String,
        #[arg(long)]
        user: bool,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum DocsPage {
    Cli,
    Config,
}
