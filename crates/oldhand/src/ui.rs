//! The dashboard: the pages of `oldhand_ui`, answered from the same store by the same journeys as the
//! commands. One file per page is below `ui/`.

mod act;
mod ask;
mod code;
mod conflicts;
mod find;
mod house;
mod inbox;
mod learning;
mod memories;
mod memory;
mod sessions;
mod shelf;
mod store;
mod today;
mod values;

use std::io::BufRead;
use std::process::{Command as Program, Stdio};
use std::sync::Arc;

use oldhand_store::ulid::{Entropy, SystemEntropy};
use oldhand_ui::{Address, Opened, UiOptions, serve_ui};

use crate::cli::UiArgs;
use crate::demo::Demo;
pub use house::Household;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::desks::FileDesks;
use oldhand_desk::failure::{DONE, Outcome};
use oldhand_desk::printer::Io;

pub(crate) fn run(args: &UiArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if !args.demo {
        return serve(args, desk, io);
    }
    let mut progress = desk.progress("making a project to look at");
    let demo = Demo::make(desk.env, desk.now, &mut |percent| progress.at(percent, 100))?;
    drop(progress);
    let env = demo.env(desk.env);
    let flags = GlobalFlags::default();
    // Its folder goes when the server ends.
    serve(args, &Desk { env: &env, flags, host: None, ..*desk }, io)
}

fn serve(args: &UiArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let layout = desk.ready_layout()?;
    // R96: whoever decides is named on every page, and can say another name with `--by`.
    let by = desk.by(&desk.resolve(Some(&layout))?);
    let flags = GlobalFlags { by: Some(by), ..desk.flags.clone() };
    let household = Household::over(Box::new(FileDesks::of(desk.env)), flags);
    // Said first: in a large store that has no index yet, the address takes some seconds to come.
    io.note("store", &layout.root.display().to_string());
    household.prepare();
    let options = UiOptions {
        port: args.port,
        address: if args.plain_host { Address::PlainHost } else { Address::OwnName },
        random: || SystemEntropy.next(),
    };
    let (opens, interactive) = (!args.no_open, desk.env.interactive);
    let mut told = Ok(());
    let served = serve_ui(Arc::new(household), options, |opened| {
        let address = opened.new_address();
        if args.plain_host {
            io.note("note", "servers on other ports of 127.0.0.1 are sent the dashboard's cookie");
        }
        told = io.text(&format!("{address}\n")).and_then(|()| io.flush());
        if opens {
            open_browser(&address);
        }
        if interactive {
            io.note("hint", "Enter prints a new address for another browser, Ctrl-C ends");
            std::thread::spawn(move || print_more(&opened));
        }
    });
    told?;
    served?;
    Ok(DONE)
}

/// A ticket counts once: each line that is typed prints another.
fn print_more(opened: &Opened) {
    let mut io = Io::real();
    for line in std::io::stdin().lock().lines() {
        // If nobody reads it, nobody can be told.
        let printed = line.and_then(|_| io.text(&format!("{}\n", opened.new_address())));
        if printed.and_then(|()| io.flush()).is_err() {
            return;
        }
    }
}

/// Best effort: the address is printed anyway.
fn open_browser(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = Stdio::null;
    let started =
        Program::new(program).arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    if let Ok(mut child) = started {
        std::thread::spawn(move || child.wait());
    }
}
