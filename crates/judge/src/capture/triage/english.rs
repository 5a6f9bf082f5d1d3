//! The English cues, by what they say and how sure they make it. Data only; the weights were set
//! on the dev half of `evals/capture`.

use super::cues::Sign::{
    Booster, Constraint, Decision, Memory, Preference, Request, Runbook, TechDebt,
};
use super::cues::Who::{Agent, Anyone, Person};
use super::cues::{Boost, Cues, Sign, Who};

const fn cues(sign: Sign, who: Who, weight: f64, phrases: &'static str) -> Cues {
    Cues { sign, who, weight, phrases }
}

pub(super) const CUES: &[Cues] = &[
    cues(Memory, Person, 1.0, MEMORY),
    cues(Memory, Person, 0.45, MEMORY_HINTED),
    cues(Request, Person, 1.0, REQUESTS),
    cues(Preference, Person, 1.0, PREFERENCES_SAID),
    cues(Preference, Person, 0.45, PREFERENCES),
    cues(Preference, Person, 0.25, PREFERENCES_HINTED),
    cues(Constraint, Person, 1.0, CONSTRAINTS_SAID),
    cues(Constraint, Person, 0.45, CONSTRAINTS),
    cues(Constraint, Person, 0.35, CONSTRAINTS_HINTED),
    cues(Constraint, Anyone, 0.3, LIMITS),
    cues(Decision, Person, 1.0, DECISIONS_SAID),
    cues(Decision, Person, 0.4, DECISIONS),
    cues(Decision, Person, 0.2, DECISIONS_HINTED),
    cues(Decision, Agent, 0.25, DECISIONS_REPORTED),
    cues(TechDebt, Person, 1.0, DEBTS_SAID),
    cues(TechDebt, Person, 0.4, DEBTS),
    cues(TechDebt, Person, 0.25, DEBTS_HINTED),
    cues(TechDebt, Agent, 0.2, DEBTS_REPORTED),
    cues(Runbook, Person, 1.0, FIXES_SAID),
    cues(Runbook, Person, 0.55, FIXES_CONDITIONAL),
    cues(Runbook, Person, 0.4, FIXES),
    cues(Runbook, Agent, 0.35, CAUSES_REPORTED),
    cues(Runbook, Agent, 0.25, FIXES_REPORTED),
    cues(Booster(Boost::Reason), Anyone, 0.0, REASONS),
    cues(Booster(Boost::Contrast), Anyone, 0.0, CONTRASTS),
    cues(Booster(Boost::Lasting), Anyone, 0.0, LASTING),
    cues(Booster(Boost::Mended), Anyone, 0.0, MENDED),
    cues(Booster(Boost::Given), Anyone, 0.0, GIVEN),
    cues(Booster(Boost::Unfinished), Anyone, 0.0, UNFINISHED),
];

const MEMORY: &str = "^remember that|this|to|:|we|our|the|i|not|never|always|for|how|which|where|who, \
     must|should|please|need|you remember that|to|this|:, \
     don't|dont|never|not forget that|to|this|:|about|we|our, keep|bear in mind, \
     keep .. in mind, ^take note, note for the|future|later|next|posterity, \
     note to self|yourself, make a note, take a note, write|note|jot this|that|it down, \
     for future|later reference, for next time, for your memory|memories|notes, \
     memorize|memorise that|this|the|our|we|:|how, \
     save|store|put|add|write|commit .. to|in|into your|our|project|long-term|oldhand memory|memories, \
     save|store|put|add|write|commit .. to|in|into oldhand, \
     add|put|write|document|record|save .. to|in|into claude.md|agents.md|gemini.md ... that|so|:|for, \
     ^update|extend claude.md|agents.md|memory ... that|so, i want you to remember, \
     you should know that, ^reminder :, ^lesson learned|learnt, ^lessons learned|learnt, \
     ^important : _, ^for the record";

const REQUESTS: &str = "can|could|would|will you please? remember|memorize|memorise|note that|to|this|we|the|down|:, \
     can|could|would|will you please? keep|bear in mind, \
     can|could|would|will you please? always|never _, can|could|would you please? make a note, \
     can|could|would you please? stop adding|using|writing|asking|creating|doing|making|putting|committing|saying|telling, \
     can|could|would you .. from now on, can|could|would you .. going forward";

const PREFERENCES_SAID: &str = "from now on|onwards|onward|forward, from here on|onwards, \
     from this point on|onward|onwards|forward, going|moving forward, ^henceforth, \
     ^in the? future you|we|please|use|always|never|i|do|don't|run|write|keep|when|make|avoid|prefer|ask|only|just, \
     please .. in the? future, next time please|use|don't|do|run|just|ask|check, ^always _, \
     please always _, you|we should|must|shall|have|need to? always _, i want you to always, \
     i|we'd|i'd always want|like|prefer, i always want|prefer|use|like, \
     we always use|run|write|put|prefer|keep|name|add|commit|squash|rebase|merge|deploy|release|format|want|do, \
     my|our preference|style|convention|habit|standard is|are|:, \
     the|our convention here|in is|:, the convention is, by convention we|all|every, \
     i|we strongly? prefer _, i|we really|generally|usually|much prefer, \
     whenever you|we _ ... always|please|ask|check|never, make it a habit, \
     stick to|with .. everywhere|always|throughout, as a general? rule, as a rule of thumb, \
     rule of thumb :|is, make sure to always|never, make sure you|we|it always|never, \
     ^only ever _, i|we like my|our _ to, \
     whenever|time you|we _ ... also add|update|run|check|make, \
     next time you _ ... please|run|use|ask|check|make";

const PREFERENCES: &str = "^stop adding|using|writing|asking|creating|doing|making|putting|committing|running|saying|telling|summarizing|apologizing|guessing|generating, \
     ^avoid using|adding|writing|creating|making|putting|running _, ^no more _ in|when|for, \
     ^quit adding|using|asking|writing, i|we don't|dont|do|hate like it? when|to see|seeing, \
     i hate it? when|seeing, i'd|i would always, default to _, ^prefer _, us english, \
     i|we like to, i|we want you to use|write|run|ask|keep|avoid|prefer, \
     i'd|we'd rather have|use|see, and|but always use|run|write|add|put|make|ask|keep|check, \
     should always _, always use|prefer|run|ask";

const PREFERENCES_HINTED: &str = "i|we prefer, i'd|we'd prefer, for consistency, consistent|consistently with|across, \
     our style, make sure to|you|we, i want you to, we want";

const CONSTRAINTS_SAID: &str = "^never ever? _, please never _, don't|dont ever _, never ever _, \
     never|don't|not under any circumstances, under no circumstances, must|should|shall never _, \
     must|shall never|not ever _, the|one|our|my|a|first|hard|golden rule is|here|: _, \
     it|this is|it's a hard|strict rule|requirement|constraint, \
     hard requirement|constraint|rule :, ^requirement|constraint|rule :, \
     we|you|nobody|one are|is|aren't|isn't not? allowed to, \
     is|are strictly|absolutely? forbidden|prohibited|off-limits|verboten, \
     it is|it's forbidden|prohibited to, is|are not|never allowed|permitted, off limits, \
     is|are non-negotiable, \
     we never use|commit|push|merge|deploy|write|edit|touch|store|log|put|call|run|import|ship|release|mock|do, \
     never use|commit|push|merge|deploy|edit|touch|store|log|put|call|run|import|ship|mock|delete|modify|change|force-push|add|write|hardcode|hard-code|skip|ask|create|remove|rewrite|amend|expose|assume|guess|leave, \
     we are|we're legally|contractually? required|obliged|bound to, do not ever _";

const CONSTRAINTS: &str = "must|mustn't not? be|have|stay|remain|work|support|keep|run|never|only|always|not|use|go|come|contain|pass, \
     we|you must|mustn't|cannot _, we|you are|we're not allowed, has|have to stay|remain, \
     we|you don't|dont|do|can't|cannot not? want|use|do|allow|have|support _, we|you can only _, \
     only _ is|are allowed|supported|permitted, may only _, no more than _, at most _, \
     has to be|work|run|support, is mandatory|compulsory, do not _, \
     ^don't|dont _ ... again|anymore|unless|without";

const LIMITS: &str = "rate limit|limits|limited, limited to, is|are not supported, isn't|aren't supported, \
     not supported by|in|on, does not|doesn't|don't|doesnt support, \
     known|hard|fundamental|upstream|platform|vendor|api limitation|limitations|limit, \
     limitation of|in, only works|supports|handles|runs, can only be|run|handle|have, \
     cannot|can't be _, \
     cannot|can't import|use|run|handle|support|parallelize|parallelise|rely|write|read, \
     incompatible with, requires at least, by design";

const DECISIONS_SAID: &str = "we|i|i've|we've|team have|had|both|all|finally|just|now? decided|agreed to|on|that|against|for|not, \
     we|i|i've|we've have|both|all|finally? settled on|for, \
     we|i|i've|we've have|finally? chose|choosed|chosen|picked|opted|adopted _, \
     we|i explicitly|deliberately|intentionally|consciously chose|choosed|decided|picked|use|used|want|don't|avoid|do, \
     let's|lets|let go|stick|stay|proceed|move with|for _, \
     we|i|we're|i'm|we'll|i'll are|will|am|going? go|going|went|sticking|staying to? with, \
     ^go with|for _, ^going with _, \
     we|we're are? switching|moving|migrating|standardizing|standardising to|on|away|from, \
     we|we've have? switched|moved|migrated|standardized to|from|on|away, \
     we|we'll will use|adopt|keep|drop|support _, \
     we|we're are? going to use|adopt|drop|keep|support, decision is|was|: _, \
     the decision|plan|agreement is|was to|that, \
     let's|lets use|adopt|switch|migrate|standardize _ ... instead|because|since|over|rather|everywhere|across, \
     it|that was|has been decided|agreed|settled that|to|on, we|i had .. discussion that, \
     made the decision|call|choice to";

const DECISIONS: &str = "thinking again|about ... let's|lets, \
     let's|lets completely|just|always|not|only|never? remove|drop|abandon|rename|replace|keep|switch|use|have|make|revert|roll|ditch|standardize|call|store|move _ ... instead|because|since|so|everywhere|then|completely, \
     let's|lets completely|fully remove|drop|abandon|replace, \
     we|they explicitly|already use|using, we use _ ... because|since|instead, \
     in this repo|project|codebase we, i think let's|lets";

const DECISIONS_HINTED: &str = "let's|lets keep|use|drop|remove|rename|switch|have|make|store|not|abandon|set, \
     should only|not|still, we want to|it|this|the, source of truth, we use _";

const DECISIONS_REPORTED: &str = "we|i|i've|we've have|deliberately|intentionally|explicitly? chose|chosen|decided|picked|opted|settled|went to|on|for|with|against|that|not, \
     we|i|i've|we've chose|chosen|picked _, \
     i|we put|placed|kept|left|used _ ... rather|because|instead, \
     design|architecture|architectural decision :|is|was, ^decision :, \
     was|were chosen|picked|selected because|over|since|for, \
     we|we're went|going with _ ... because|over|since|instead, per your decision|choice, \
     as agreed|decided";

const DEBTS_SAID: &str = "todo later _, \
     we'll|we|i'll|let's|lets will? leave|skip|ignore|defer|postpone|park|keep|live|accept ... for now|later|until, \
     leave|skip|ignore|defer|postpone|park ... for now|later|until, \
     we'll|we|i'll|let's will? fix|clean|refactor|address|revisit|tackle|handle|come|do|deal|pay ... later|afterwards|someday|eventually, \
     come back to it|this|that later, technical|tech debt, \
     ^temporary|quick hack|workaround|fix :, not now but later, out of scope for now, \
     we|we'll|let's revisit .. later|when|once, good|fine enough for now";

const DEBTS: &str = "for now ... later|until|but|because|since, \
     document|log|file|create|add|open ... known_limitations|known-limitations, known_limitations, \
     log|file|create|open a|an .. issue|bug|ticket ... later|move|for, as a follow-up|followup, \
     in a separate|follow-up|later|future pr|issue|ticket|commit|branch, \
     temporary|ugly|dirty hack|workaround|fix|solution, quick and dirty, put off|on hold, \
     not worth fixing|doing .. now";

const DEBTS_HINTED: &str = "for now, deferred to|until|because|for, follow-up|followup work|pr|task|issue, \
     workaround for|until, remaining|known gap|gaps|limitation|issue, \
     not yet implemented|supported|handled|covered, left as is|for, technical|tech debt, \
     still needs|need to be";

const DEBTS_REPORTED: &str = "deferred to|until|because|for, known limitation|gap|issue, technical|tech debt, \
     we|i|i've left|leave|skipped|deferred|kept _ ... for now|because|until|since, \
     follow-up work|pr|task|issue, workaround until|for, for now";

const FIXES_SAID: &str = "the fix|solution|trick|workaround is|was to|: _, the fix|solution|cure :, \
     root cause is|was|: _, \
     to fix it|this|that|the ... run|restart|delete|clear|set|use|rebuild|reinstall|you, \
     fixed it|this|that|the .. by _, got|get it working .. by, \
     to deploy|release|publish|roll ... run|use|push|tag|first|you, \
     how|steps to deploy|release|reproduce|recover|restore :, so the issue|problem|bug|cause was";

const FIXES: &str = "the issue|problem|bug|cause|culprit was, caused by _, was because|due, \
     solved|resolved|fixed by|it|with, \
     you|we have|need to run|restart|set|export|install|build|start ... first|before|after|otherwise, \
     before you|we|running|pushing|committing ... run|make|start|install, \
     works|helps if|when|after you|we|i";

const CAUSES_REPORTED: &str = "root cause :|is|was|of, the actual|real|underlying|core issue|problem|bug|cause :|is|was, \
     ^problem|cause|ci|bug failure? :|was, \
     was|were failing|broken|panicking|crashing|being ... because, was|were caused by, \
     the issue|problem|bug|failure was that|because|in";

const FIXES_REPORTED: &str = "fixed by, the key insight was|is, the fix was|is, turns out";

const REASONS: &str = "because, due to, since, otherwise, so that, the reason|rationale, reason :|is, in order to, \
     given that, that|this way, would've|would have been, to avoid|prevent|not|keep, \
     which means|would|is, too slow|expensive|complex|risky|much|many, that's|thats why";
const CONTRASTS: &str = "instead, instead of, rather than, over, not _ but, in favor|favour of, as opposed to, \
     versus|vs";
const LASTING: &str = "everywhere, in this|our|the repo|project|codebase|repository|team, by default, every time, \
     each time, whenever, consistently, across the, for all|every|any|each, from now, in general, \
     throughout, going forward, without exception, at all times, in the future, anymore|again, \
     convention|rule|policy|standard|practice, unless";
const MENDED: &str = "fixed, fix :|is|was|by|applied, fixed by, resolved, solution, workaround, solved, \
     now works|passes|pass, works now, the fix, fixes it|this, mended";
const GIVEN: &str = "by design, upstream, platform, provider, turns out, discovered, legitimately, go-git, \
     package|library|api|sdk|runtime|framework|vendor|protocol|spec, panics|panic|circular|cycle, \
     incompatible, deprecated, not configurable, permanently, fundamental|fundamentally";
const UNFINISHED: &str = "for now, temporary|temporarily, later, acknowledged, deferring|deferred, risk|cost, until, \
     follow-up, proper|properly, eventually, revisit, known";

const MEMORY_HINTED: &str = "^note that, ^please note";

const CONSTRAINTS_HINTED: &str =
    "^don't|dont touch|commit|push|edit|modify|use|add|delete|change|mock|rename|create _";

const FIXES_CONDITIONAL: &str = "if|when|whenever _ ... fails|breaks|crashes|hangs|errors|dies|fail|break|crash|hang ... run|restart|delete|clear|rerun|rebuild|kill|reinstall|reboot, \
     it turned|turns out the|that|it|to ... because|was|were|had|needs|is";
