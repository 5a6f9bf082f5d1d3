//! `oldhand compact`: a conversation as a summary, by what a machine can do without a model; the
//! prompt for an agent to complete it; and whether a summary has lost anything.

use oldhand_core::policy::{COMPACT_TOKENS_MIN, IMPORT_BYTES_MAX};
use oldhand_sessions::compact::{self, Checked, Compaction, Fact, Group, Request, Sort};
use wire::session::{CheckedSummary, CompactedConversation};

use super::prelude::*;
use oldhand_desk::compacting::{self, Source};
use oldhand_desk::conversation::Conversation;

/// What the prompt may take beside the summary that it holds.
const PROMPT_TOKENS: usize = 12_000;
const MISSING_SHOWN: usize = 10;

pub(super) fn run(args: &CompactArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.budget < COMPACT_TOKENS_MIN {
        let expected = format!("at least {COMPACT_TOKENS_MIN} tokens");
        let problem = Problem::new("--budget", &expected, &args.budget.to_string());
        return Err(problem.with_fix("leave it out for the usual budget").into());
    }
    let source = Source::find(args.conversation.as_deref(), args.session.as_deref(), desk)?;
    let conversation = Conversation::read(&source.path, desk, io)?;
    if let Some(summary) = &args.check {
        let text = read_text(summary, &desk.current_dir(), IMPORT_BYTES_MAX, io)?;
        let checked = compact::check(&text, &conversation.turns, &source.root);
        let code = answer_check(&checked, desk, io)?;
        return Ok(conversation.verdict(code, io));
    }
    let (seen, earlier) =
        source.earlier(args.earlier.as_deref(), conversation.whole_lines(), desk, io)?;
    let request = Request {
        budget_tokens: args.budget,
        focus: args.focus.as_deref(),
        earlier: earlier.as_ref(),
        root: &source.root,
    };
    // What the earlier summary holds is not compacted again (R169).
    let news = conversation.turns.partition_point(|turn| turn.line <= seen);
    let compaction = compact::compact(&conversation.turns[news..], &request);
    if let Some(session) = source.session.as_ref().filter(|_| !args.dry_run) {
        let at = (source.path.as_str(), conversation.whole_lines());
        let _work = session.hold_work()?;
        compacting::keep(session, &compaction.summary, at)?;
    }
    answer(args, &compaction, &request, desk, io)?;
    Ok(conversation.verdict(DONE, io))
}

fn answer(
    args: &CompactArgs,
    compaction: &Compaction,
    request: &Request<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<(), Fail> {
    let Compaction { groups, before_tokens, after_tokens, left_out, .. } = compaction;
    let prompt = args.prompt.then(|| {
        compact::prompt(compaction, request, args.budget.saturating_add(PROMPT_TOKENS))
            .into_string()
    });
    let answer = CompactedConversation {
        prompt: prompt.clone(),
        groups: args.groups.then_some(groups.as_slice()),
        ..CompactedConversation::of(compaction, args.budget)
    };
    desk.verbatim(io, "compact", answer, || match prompt {
        Some(prompt) => prompt,
        None if args.groups => {
            let groups: String = groups.iter().map(group_text).collect();
            AgentText::body(&groups).into_string()
        }
        None => AgentText::body(&compaction.summary.render()).into_string(),
    })?;
    let mut note =
        format!("{before_tokens} tokens before, {after_tokens} after, within {}", args.budget);
    if !left_out.is_empty() {
        let count = counted(left_out.len(), "fact is", "facts are");
        note.push_str(&format!("; {count} not in it (section `Left out`)"));
    }
    desk.remark(io, "note", [note]);
    Ok(())
}

fn group_text(group: &Group) -> String {
    let lines = group.lines.iter().map(|line| format!("  {}\n", visible_line(line)));
    let head = format!("lines {} to {}\n", group.first_line, group.last_line);
    std::iter::once(head).chain(lines).collect()
}

fn answer_check(checked: &Checked, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.print(io, "compact-check", CheckedSummary::of(checked), || check_text(checked))?;
    if checked.missing.is_empty() {
        return Ok(DONE);
    }
    let hint = "put each into its section word for word, or name it under `## Left out`";
    desk.remark(io, "hint", [hint]);
    Ok(FINDING)
}

fn check_text(checked: &Checked) -> String {
    let (kept, dropped, missing) = (checked.kept, checked.dropped, checked.missing.len());
    let mut out = format!("{kept} kept, {dropped} named as left out, {missing} missing\n");
    for &sort in Sort::ALL {
        let missing: Vec<&Fact> = checked.missing.iter().filter(|it| it.sort == sort).collect();
        for fact in missing.iter().take(MISSING_SHOWN) {
            let text = visible_line(&fact.text);
            out.push_str(&format!("  {:8} {text} (line {})\n", sort.as_str(), fact.line));
        }
        if let Some(more) = missing.len().checked_sub(MISSING_SHOWN).filter(|more| *more > 0) {
            out.push_str(&format!("  {:8} and {more} more\n", sort.as_str()));
        }
    }
    out
}
