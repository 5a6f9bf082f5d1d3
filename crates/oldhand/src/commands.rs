//! The commands, one module per topic; here they are chosen.

use crate::cli::Command;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{Fail, Outcome};
use oldhand_desk::hooks;
use oldhand_desk::printer::Io;

mod add;
mod anchor;
mod architecture;
mod bulk;
mod capture;
mod change;
mod check_task;
mod compact;
mod completions;
mod config;
mod doctor;
mod eval;
mod export;
mod export_as;
mod import;
mod init;
pub(crate) mod install;
mod learn;
mod list;
pub(crate) mod merge_file;
mod moves;
mod naming;
mod notes;
mod pending;
mod prelude;
mod recall;
mod resume;
pub(crate) mod review;
mod said;
mod show;
mod stats;
mod status;
mod summary;
mod task;
mod team;
mod tour;
mod trust;
mod upkeep;
mod window;
mod work_text;
pub(crate) mod written;

pub(crate) fn dispatch(mut command: Command, mut desk: Desk<'_>, io: &mut Io<'_>) -> Outcome {
    trust::note_new_store(&command, &desk, io);
    if desk.flags.by.is_none() && !naming::is_reading(&command) {
        desk.flags.author = desk.git_author();
    }
    naming::settle_names(&mut command, &desk, io)?;
    run(command, &desk, io)
}

/// One command at a desk that is there already.
pub(crate) fn run(command: Command, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    match command {
        Command::Init => init::run(desk, io),
        Command::Status => status::run(desk, io),
        Command::Remember(args) => add::remember(&args, desk, io),
        Command::Add(args) => add::add(&args, desk, io),
        Command::Recall(args) => recall::recall(&args, desk, io),
        Command::Search(args) => list::search(&args, desk, io),
        Command::Index(args) => list::index(&args, desk, io),
        Command::Why(args) => recall::why(&args, desk, io),
        Command::Receipts(args) => recall::receipts(&args, desk, io),
        Command::Hook { host, event } => answer_hook(host, event, desk, io),
        Command::Mcp(args) => crate::mcp::run(&args, desk, io),
        Command::Ui(_) | Command::MergeFile(_) => Err(shell_only()),
        it @ (Command::Serve(_) | Command::Sync(_)) => team::run(&it, desk),
        Command::Capture(action) => capture::run(&action, desk, io),
        Command::Log(args) => stats::log(&args, desk, io),
        Command::Reindex => stats::reindex(desk, io),
        Command::Stats => stats::stats(desk, io),
        Command::Check(args) => pending::check(&args, desk, io),
        Command::Pending { name } => pending::pending(name.as_deref(), desk, io),
        Command::Resolve(args) => pending::resolve(&args, desk, io),
        Command::Learn(args) => learn::learn(&args, desk, io),
        Command::Review(args) => review::run(&args, desk, io),
        Command::Promote(args) => learn::promote(&args, desk, io),
        Command::Apply(args) => learn::apply(&args, desk, io),
        Command::Task(action) => task::run(&action, desk, io),
        Command::Resume(args) => resume::run(&args, desk, io),
        Command::Note(args) => notes::note(&args, desk, io),
        Command::Notes(args) => notes::notes(&args, desk, io),
        Command::Anchor(args) => anchor::run(&args, desk, io),
        Command::Window(args) => window::run(&args, desk, io),
        Command::Compact(args) => compact::run(&args, desk, io),
        Command::Summary(args) => summary::summary(&args, desk, io),
        Command::Handoff(args) => summary::handoff(&args, desk, io),
        Command::CheckTask(args) => check_task::run(&args, desk, io),
        Command::Sweep(args) => upkeep::sweep(&args, desk, io),
        Command::Health => upkeep::health(desk, io),
        Command::Show(args) => show::show(&args, desk, io),
        Command::List(args) => list::list(&args, desk, io),
        Command::Update(args) => change::update(&args, desk, io),
        Command::Edit(args) => change::edit(&args, desk, io),
        Command::Retire(args) => moves::retire(&args, desk, io),
        Command::Forget(args) => moves::forget(&args, desk, io),
        Command::Restore(args) => moves::restore(&args, desk, io),
        Command::Archive(args) => moves::archive(&args, desk, io),
        Command::Unarchive(args) => moves::unarchive(&args, desk, io),
        Command::Supersede(args) => change::supersede(&args, desk, io),
        Command::History(args) => show::history(&args, desk, io),
        Command::Gc(args) => upkeep::gc(&args, desk, io),
        Command::Render { view } => export::render(&view, desk, io),
        Command::Architecture(args) => architecture::run(&args, desk, io),
        Command::Export(args) => export::export(&args, desk, io),
        Command::Import(args) => import::run(&args, desk, io),
        Command::Config(action) => config::run(&action, desk, io),
        Command::Doctor => doctor::run(desk, io),
        Command::Install(args) => install::run(&args, desk, io),
        Command::Uninstall(args) => install::take_out(&args, desk, io),
        Command::Plugin(args) => export::plugin(&args, desk, io),
        Command::Eval(args) => eval::run(&args, desk, io),
        Command::Fresh(args) => list::fresh(&args, desk, io),
        Command::Verify(args) => moves::verify(&args, desk, io),
        Command::Undo(args) => moves::undo(&args, desk, io),
        Command::Trust(args) => trust::run(&args, desk, io),
        Command::Tour => tour::run(desk, io),
        Command::Help { words, all } => status::help(&words, all, desk, io),
        Command::Completions { shell } => completions::run(shell, desk, io),
        Command::Man { out } => completions::write_manual(&out, desk, io),
    }
}

/// Whoever runs a command for somebody else starts neither.
fn shell_only() -> Fail {
    Fail::usage("nothing here starts that", "run it in a shell")
}

fn answer_hook(host: String, event: Option<String>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    Ok(hooks::run(&hooks::HookArgs { host, event }, desk.env, desk.now, io))
}
