//! What can be typed. The words here are the help that people read.

use clap::{Args, Parser, Subcommand, ValueEnum};
use oldhand_desk::desk::GlobalFlags;
use oldhand_desk::looks::Looks;

mod architecture;
mod capture;
pub(crate) mod groups;
mod hosts;
mod import;
mod life;
mod looks;
mod reading;
mod session;
mod summary;
mod ui;
mod writing;

pub(crate) use architecture::*;
pub(crate) use capture::*;
pub(crate) use hosts::*;
pub(crate) use import::*;
pub(crate) use life::*;
pub(crate) use looks::*;
pub(crate) use reading::*;
pub(crate) use session::*;
pub(crate) use summary::*;
pub(crate) use ui::*;
pub(crate) use writing::*;

/// The memory of coding agents: decisions, constraints, runbooks and lessons as reviewed Markdown
/// in your repository
#[derive(Parser)]
#[command(name = "oldhand", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    /// None is `status`.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Above the flags that every command has.
const EVERYWHERE: &str = "Options of every command";

#[derive(Args, Clone)]
pub(crate) struct GlobalArgs {
    /// Run as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = EVERYWHERE)]
    pub directory: Option<std::path::PathBuf>,
    /// Print one JSON object
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub json: bool,
    /// Use your own store, which every project shares
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub global: bool,
    /// Who does this [default: git's `user.name`, or your login]
    #[arg(long, value_name = "NAME", global = true, help_heading = EVERYWHERE)]
    pub by: Option<String>,
    /// Override a setting for this command
    #[arg(long = "config", value_name = "KEY=VALUE", global = true, help_heading = EVERYWHERE)]
    pub overrides: Vec<String>,
    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", global = true, help_heading = EVERYWHERE)]
    pub color: ColourArg,
    /// Don't show long answers in a pager
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub no_pager: bool,
    /// Who reads the answer. Set by `--format`, which every command but `export` has.
    #[arg(skip)]
    pub form: FormArg,
}

impl From<GlobalArgs> for GlobalFlags {
    fn from(args: GlobalArgs) -> Self {
        let GlobalArgs { directory, json, global, by, overrides, color, no_pager, form } = args;
        let looks = Looks { form: form.into(), colour: color.into(), no_pager };
        Self { directory, json, global, by, overrides, looks, ..Self::default() }
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Create a store in this repository
    #[command(after_help = "Example: oldhand init")]
    Init,
    /// Show what waits for you, what this week brought, and what to do next
    #[command(after_help = "Example: oldhand status\n`oldhand` alone does the same.")]
    Status,
    /// Save something in your own words; oldhand guesses the kind
    #[command(
        after_help = "Example: oldhand remember \"We decided to keep money in integer cents\""
    )]
    Remember(Box<RememberArgs>),
    /// Add a memory of a given kind, from flags or a whole record
    #[command(
        after_help = "Examples:\n  oldhand add decision --title \"Use cents\" --decision \"Integers\" --rationale exact\n  \
        oldhand add --from record.json"
    )]
    Add(Box<AddArgs>),
    /// Find the few memories that a task needs, in full, within a budget
    #[command(after_help = "Examples:\n  oldhand recall \"add a discount to the invoice\"\n  \
        oldhand recall --path src/pay.rs \"round the total\"")]
    Recall(Box<RecallArgs>),
    /// Search for words, in all memories or along the links between them
    #[command(after_help = "Examples:\n  oldhand search integer cents\n  \
        oldhand search --fields \"domain: storage\"\n  oldhand search --links use-cents")]
    Search(SearchArgs),
    /// List all memories in a few tokens each
    #[command(after_help = "Example: oldhand index --kind decision --domain storage")]
    Index(IndexArgs),
    /// Explain why a memory was or was not served, and how it reached its state
    #[command(after_help = "Examples:\n  oldhand why use-cents\n  \
        oldhand why use-cents \"which type for prices\"")]
    Why(WhyArgs),
    /// Show what recall served, and to whom
    #[command(after_help = "Example: oldhand receipts --limit 5")]
    Receipts(ReceiptsArgs),
    /// Answer a host's hook: the event as JSON on standard input, the answer on standard output
    #[command(
        after_help = "Example: echo '{\"hook_event_name\":\"SessionStart\"}' | oldhand hook claude-code\n\
        Always exits with 0; `oldhand log` shows what it did, or why it stayed silent."
    )]
    Hook {
        /// The host: claude-code, codex, gemini, cursor, copilot or opencode
        host: String,
        /// The event, if the payload doesn't name it
        #[arg(long, value_name = "NAME")]
        event: Option<String>,
    },
    /// Serve agents over MCP, on standard input and output or over HTTP
    #[command(after_help = "Examples:\n  oldhand mcp\n  oldhand mcp --http 127.0.0.1:8631\n\
        `oldhand install <host> --with-mcp` writes it into a host's configuration.")]
    Mcp(McpArgs),
    /// Open the dashboard in your browser: what waits, what is known, what was served
    #[command(after_help = "Examples:\n  oldhand ui\n  oldhand ui --no-open --port 8632\n\
        It listens on this machine only, and ends with Ctrl-C or after an hour without a request.")]
    Ui(UiArgs),
    /// Serve a team from one place; needs `oldhand-team` beside this program
    #[command(after_help = "Examples:\n  oldhand serve --dev\n  oldhand serve --help")]
    Serve(TeamArgs),
    /// Push this repository to a team server, or pull what was decided there; needs `oldhand-team`
    #[command(after_help = "Examples:\n  oldhand sync push\n  oldhand sync --help")]
    Sync(TeamArgs),
    /// Find what is worth keeping in a session, and save drafts
    #[command(subcommand, after_help = "Example: oldhand capture triage session.jsonl")]
    Capture(CaptureAction),
    /// Show what hooks did, how long they took, and why they stayed silent
    #[command(after_help = "Example: oldhand log --event prompt --limit 5")]
    Log(LogArgs),
    /// Rebuild the search index
    #[command(after_help = "Example: oldhand reindex")]
    Reindex,
    /// Show statistics about the store, its index and its hooks
    #[command(after_help = "Example: oldhand stats")]
    Stats,
    /// Check a proposal against earlier decisions; exits with 1 on a conflict, 2 if it can't judge
    #[command(after_help = "Examples:\n  oldhand check \"use MySQL for the orders\"\n  \
        oldhand check --from draft.md --domain storage")]
    Check(CheckArgs),
    /// List what waits for a person: conflicts and approvals
    #[command(after_help = "Example: oldhand pending")]
    Pending {
        /// Show this item in full
        name: Option<String>,
    },
    /// Resolve a conflict: follow the earlier decision, reverse it, or keep both
    #[command(after_help = "Examples:\n  oldhand resolve conflict-use-mysql --follow --by ada\n  \
        oldhand resolve conflict-use-mysql --supersede --by ada --reason \"one database less to run\"")]
    Resolve(ResolveArgs),
    /// Extract lessons from a retrospective, as candidates that have to earn trust
    #[command(after_help = "Examples:\n  oldhand learn retro.md --task PAY-12\n  \
        echo '{\"task_id\":\"PAY-12\",\"memory_candidates\":[\"retry uploads once\"]}' | oldhand learn")]
    Learn(LearnArgs),
    /// Review what waits for a decision, one memory at a time, or decide on one
    #[command(after_help = "Examples:\n  oldhand review\n  \
        oldhand review retry-uploads --decision reject --reason \"the server retries\" --by ada")]
    Review(ReviewArgs),
    /// Promote a memory by one state, with your approval
    #[command(after_help = "Example: oldhand promote retry-uploads --by ada --role quality")]
    Promote(PromoteArgs),
    /// Record that a memory was used, and its effect
    #[command(after_help = "Example: oldhand apply use-cents --effect positive --task PAY-12")]
    Apply(ApplyArgs),
    /// Start and end a task, so that oldhand counts which memories were used
    #[command(subcommand, after_help = "Example: oldhand task end PAY-12 --outcome passed")]
    Task(TaskAction),
    /// Resume work: what binds, where it stopped, what comes next
    #[command(after_help = "Examples:\n  oldhand resume\n  \
        oldhand resume --task \"round the invoice total\" --path src/pay.rs")]
    Resume(ResumeArgs),
    /// Add a one-line note: done, remaining, an error or a question
    #[command(after_help = "Examples:\n  oldhand note remaining \"wire it to the CLI\"\n  \
        oldhand note done 1\n  oldhand note error \"E0308 in pay.rs\" --fix \"cast to u64\"")]
    Note(NoteArgs),
    /// Show the working notes of a session
    #[command(after_help = "Examples:\n  oldhand notes\n  oldhand notes keep 3 --as lesson")]
    Notes(NotesArgs),
    /// Show or update the context anchor: objective, step, what is done, what remains, what binds
    #[command(
        after_help = "Examples:\n  oldhand anchor --objective \"CSV export\" --plan writer --plan docs\n  \
        oldhand anchor --next\n  oldhand anchor"
    )]
    Anchor(AnchorArgs),
    /// Print a conversation in tiers: relevant memories, a summary, the newest turns verbatim
    #[command(after_help = "Example: oldhand window session.jsonl --json")]
    Window(WindowArgs),
    /// Summarize a conversation, keeping exact paths, commands, values and errors
    #[command(after_help = "Examples:\n  oldhand compact session.jsonl > summary.md\n  \
        oldhand compact session.jsonl --check summary.md")]
    Compact(CompactArgs),
    /// Summarize a piece of work (goal, changes, open questions) and end its task
    #[command(after_help = "Examples:\n  oldhand summary --outcome success\n  \
        oldhand summary PAY-12 --outcome success --pattern \"Round once, at the end\" --test \"cargo test passed\"\n\n\
        What you leave out is taken from the notes, the session and git.")]
    Summary(Box<SummaryArgs>),
    /// Hand work over to another role with everything it needs to continue
    #[command(
        after_help = "Example: oldhand handoff --to reviewer --next \"look at the rounding\""
    )]
    Handoff(Box<HandoffArgs>),
    /// Check that a task followed the memory rules; exits with 1 if one of the six checks fails
    #[command(after_help = "Examples:\n  oldhand check-task\n  \
        oldhand check-task --since origin/main")]
    CheckTask(CheckTaskArgs),
    /// Run the maintenance that is due: decay, retention, reviews
    #[command(after_help = "Example: oldhand sweep")]
    Sweep(SweepArgs),
    /// Show how healthy the memory is, and the command that fixes each problem
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
    /// Edit a memory in your editor; oldhand checks it before saving
    #[command(after_help = "Example: oldhand edit use-cents")]
    Edit(NameArgs),
    /// Retire a memory; you can restore it
    #[command(after_help = "Example: oldhand retire use-cents --reason \"the API is gone\"")]
    Retire(RetireArgs),
    /// Show a memory, ask, and retire it
    #[command(after_help = "Example: oldhand forget use-cents")]
    Forget(ForgetArgs),
    /// Restore a retired memory, or a version of one whose content is lost
    #[command(after_help = "Examples:\n  oldhand restore use-cents\n  \
        oldhand restore use-cents --version 440b92f4bfc1")]
    Restore(RestoreArgs),
    /// Archive a memory that no longer binds
    #[command(
        after_help = "Example: oldhand archive use-cents --reason \"billing moved to its own service\""
    )]
    Archive(ReasonArgs),
    /// Restore an archived memory
    #[command(after_help = "Example: oldhand unarchive use-cents")]
    Unarchive(NameArgs),
    /// Replace a memory with another one, linked both ways
    #[command(after_help = "Examples:\n  oldhand supersede use-floats --by-memory use-cents\n  \
        oldhand supersede use-floats --title \"Use cents\" --decision \"Integers\"")]
    Supersede(Box<SupersedeArgs>),
    /// Show what happened to a memory
    #[command(after_help = "Example: oldhand history use-cents")]
    History(NameArgs),
    /// Clean up memories retired long ago and sessions past their retention
    #[command(after_help = "Example: oldhand gc --dry-run")]
    Gc(GcArgs),
    /// Rebuild the index page and the views, importing edits made in a view
    #[command(after_help = "Example: oldhand render --view decisions")]
    Render {
        /// decisions, archive, architecture, agents, claude, gemini or copilot [default: the
        /// enabled ones]
        #[arg(long, value_delimiter = ',')]
        view: Vec<String>,
    },
    /// Show the module map, and what has changed since
    #[command(after_help = "Examples:\n  oldhand architecture\n  \
        oldhand architecture draft\n  oldhand architecture update")]
    Architecture(ArchitectureArgs),
    /// Print memories as JSON lines, or write them as Markdown or as another tool keeps them
    #[command(after_help = "Examples:\n  oldhand export > memories.jsonl\n  \
        oldhand export --as agents-md\n  oldhand export --as madr --to docs/decisions")]
    Export(ExportArgs),
    /// Import what other tools wrote: decision records, instruction pages, memory folders, databases
    ///
    /// Without a source it shows what is found here, and writes nothing. Imports arrive as
    /// candidates; run it again whenever a source has changed.
    #[command(after_help = "Examples:\n  oldhand import\n  oldhand import --all\n  \
        oldhand import docs/adr --accept --by ada\n  oldhand import --from list")]
    Import(ImportArgs),
    /// Show and change settings
    #[command(subcommand, after_help = "Example: oldhand config set views.decisions true")]
    Config(ConfigAction),
    /// Check everything, repair derived files, report what you have to decide
    #[command(after_help = "Example: oldhand doctor")]
    Doctor,
    /// Set oldhand up in the agents that you work with: hooks and skills
    #[command(after_help = "Examples:\n  oldhand install claude-code\n  \
        oldhand install all --dry-run\n  oldhand install --list\n\n\
        oldhand adds only its own entries, and backs up each file before changing it.")]
    Install(InstallArgs),
    /// Remove oldhand from an agent's files, and nothing else
    #[command(after_help = "Example: oldhand uninstall claude-code")]
    Uninstall(UninstallArgs),
    /// Write oldhand as a plugin that you can distribute
    #[command(after_help = "Example: oldhand plugin claude-code --out oldhand-plugin")]
    Plugin(PluginArgs),
    /// Score recall on your own store with questions whose answers you know
    #[command(after_help = "Example: oldhand eval --questions questions.jsonl\n\n\
        A question is a line `{\"text\": \"…\", \"gold\": [\"use-cents\"]}`; an empty `gold` means that no\n\
        memory answers it.")]
    Eval(EvalArgs),
    /// Check whether memories still match the code they depend on
    #[command(after_help = "Examples:\n  oldhand fresh\n  oldhand fresh use-cents")]
    Fresh(FreshArgs),
    /// Confirm that a memory still holds; only later changes make it stale
    #[command(after_help = "Example: oldhand verify use-cents")]
    Verify(NameArgs),
    /// Undo the last write
    #[command(after_help = "Examples:\n  oldhand undo\n  oldhand undo --steps 3")]
    Undo(UndoArgs),
    /// Show what this repository's store contains, and whether you trust it
    #[command(after_help = "Examples:\n  oldhand trust\n  oldhand trust --accept")]
    Trust(TrustArgs),
    /// Walk through the first five minutes in a scratch repository
    #[command(after_help = "Example: oldhand tour")]
    Tour,
    /// Merge three versions of a memory by fields; git's merge driver calls it
    #[command(
        hide = true,
        after_help = "Example: oldhand merge-file --output merged.md base.md ours.md theirs.md\n\
        Exits with 0 if the result is clean, 1 if it has conflicts, 200 if nothing was written."
    )]
    MergeFile(MergeFileArgs),
    /// Show the everyday commands, all of them, or the help of one
    #[command(
        after_help = "Examples:\n  oldhand help\n  oldhand help --all\n  oldhand help review"
    )]
    Help {
        /// A command
        words: Vec<String>,
        /// All commands, by group
        #[arg(long)]
        all: bool,
    },
    /// Print completions for a shell
    #[command(
        after_help = "Example: oldhand completions bash > ~/.local/share/bash-completion/completions/oldhand"
    )]
    Completions { shell: clap_complete::Shell },
    /// Write the manual pages, one per command
    #[command(after_help = "Example: oldhand man --out ~/.local/share/man/man1")]
    Man {
        /// The folder to write to; must be empty or new
        #[arg(long, value_name = "DIR")]
        out: std::path::PathBuf,
    },
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
    /// The version to restore, by the beginning of its hash
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
pub(crate) struct RetireArgs {
    /// Ids or aliases
    pub names: Vec<String>,
    /// Everything that an import brought from here, such as `adr:docs/adr`
    #[arg(long, value_name = "FROM", conflicts_with = "names")]
    pub source: Option<String>,
    /// Why
    #[arg(long, default_value = "")]
    pub reason: String,
    /// Don't ask for confirmation
    #[arg(long)]
    pub yes: bool,
}

#[derive(Args)]
pub(crate) struct ForgetArgs {
    /// The id or an alias
    pub name: String,
    #[arg(long, default_value = "")]
    pub reason: String,
    /// Don't ask for confirmation
    #[arg(long)]
    pub yes: bool,
}

#[derive(Args)]
pub(crate) struct GcArgs {
    /// Show what would be done without doing it
    #[arg(long)]
    pub dry_run: bool,
    /// Delete this retired or archived memory permanently; type the id in full
    #[arg(long, value_name = "ID")]
    pub purge: Option<String>,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// Only these memories [default: all]
    pub names: Vec<String>,
    #[arg(long, value_enum, default_value_t = ExportFormat::Json, conflicts_with = "as_format")]
    pub format: ExportFormat,
    /// Write them as another tool keeps them, or a block into a page that agents read; `--as list`
    /// names the formats
    #[arg(long = "as", value_name = "FORMAT")]
    pub as_format: Option<String>,
    /// The folder or file to write to; must be empty or new, or have our marks
    #[arg(long, value_name = "PATH")]
    pub to: Option<std::path::PathBuf>,
    /// Only what was imported from this source, such as `serena:.serena/memories`
    #[arg(long, value_name = "FROM", conflicts_with = "names")]
    pub source: Option<String>,
    /// Only these states, separated by commas or repeated; `all` takes every state [default with
    /// --as: what recall serves]
    #[arg(long, value_delimiter = ',')]
    pub state: Vec<String>,
    /// Leave out the companion file, from which an import brings everything back
    #[arg(long, requires = "as_format")]
    pub bare: bool,
    /// Replace a block that somebody edited
    #[arg(long, requires = "as_format")]
    pub force: bool,
    /// Also write what is about a folder into that folder's page, if it has one
    #[arg(long, requires = "as_format", conflicts_with = "to")]
    pub nested: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One JSON object per line
    Json,
    /// The files unchanged
    Markdown,
}

#[derive(Subcommand)]
pub(crate) enum ConfigAction {
    /// List every key with its value and source
    List,
    /// Print the value of one key
    Get { key: String },
    /// Set a key in the store's configuration, or with --user in your own
    Set {
        key: String,
        value: String,
        #[arg(long)]
        user: bool,
    },
    /// Remove a key
    Unset {
        key: String,
        #[arg(long)]
        user: bool,
    },
}
