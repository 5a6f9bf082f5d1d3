//! What takes a statement back: questions, doubts, plans, narration. Data only.

use super::cues::Sign::Veto as Vetoed;
use super::cues::Who::{Agent, Anyone, Person};
use super::cues::{Cues, Veto};

/// Words before the first one that counts.
pub(super) const OPENERS: &str = "ok okay yes yeah yep yup no nope so and but also please well hmm \
     hm um ah oh alright right cool great good nice thanks thank you then actually btw fyi now sure \
     just : hey hi perfect sorry guys first second finally important one more thing additionally \
     bitte und aber also ja nein ok s'il vous plaît por favor per favore proszę пожалуйста";

pub(super) const CUES: &[Cues] = &[
    Cues { sign: Vetoed(Veto::Asked), who: Anyone, weight: 0.0, phrases: ASKED },
    Cues { sign: Vetoed(Veto::Open), who: Anyone, weight: 0.0, phrases: OPEN },
    Cues { sign: Vetoed(Veto::Open), who: Agent, weight: 0.0, phrases: OPEN_BY_AGENT },
    Cues { sign: Vetoed(Veto::Narrated), who: Agent, weight: 0.0, phrases: NARRATED },
    Cues { sign: Vetoed(Veto::Denied), who: Anyone, weight: 0.0, phrases: DENIED },
    Cues { sign: Vetoed(Veto::Denied), who: Person, weight: 0.0, phrases: ONE_OFF },
];

const ASKED: &str = "^can|could|should|would|will|shall|may you|we|i|it|this|that|the|there|they, \
     ^do|does|did|have|has|had|is|are|was|were|am you|we|i|it|this|that|the|there|they|these|those|any|he|she, \
     ^what|why|how|which|who|whose|where, ^when should|do|does|did|will|is|are|can|would, \
     ^isn't|aren't|don't|doesn't|didn't|won't|can't|couldn't|shouldn't|wouldn't we|you|it|they|i|this|that|there, \
     ^any _ why|how|idea|ideas|reason|chance|other, should we|i, do you think, \
     do we need|want|have, could|can we|you, would|does it|that|this make, wondering, i wonder, \
     ^want me, ^shall|may i, would you like, let me know, ^tell me";

const OPEN: &str = "not|never|haven't|hasn't|didn't|havent|yet|still|cannot|can't|couldn't|hard|to yet|fully|really|quite? decide|decided|chosen|chose|settled|agreed|picked|determine, \
     whether, not sure|certain|clear, unsure|undecided, maybe|perhaps, \
     might|could be|have|use|also|just|still|try|want|go|even, what if, \
     if we|you|i|they chose|choose|decide|decided|go|went|picked|pick|use|used|switch|switched|want|need|did|do, \
     would be|need|make|use|go|then|also|still|allow|require|mean, either, i|we guess, in theory, \
     let's say, lets say, suppose, consider|considering, try|trying|see if|whether|to, \
     if possible, we decide|choose, to be decided, tbd";

const OPEN_BY_AGENT: &str = "option|options|alternative|alternatives|approach|approaches _, \
     suggest|suggests|suggestion|recommend|recommended|recommendation|propose|proposed|proposal, \
     should|shouldn't, you|your could|can|may|want|prefer|need, i think, \
     seems|appears|looks|likely|probably|possibly, pr|reviewer|review|comment|comments _, \
     if you|the|a|an|this|there|it|we, when|once|before|after the|a|you|we|it, \
     test|tests|assertion|lint|linter _, will|would|need|needs|want|wants";

const NARRATED: &str = "^i'll|let|let's|now|next|first|then|i'm|we'll, \
     ^i|we will|need|should|see|can|want|also|now|found|notice|noticed|understand|have|could|might|am|was|just, \
     ^good|great|perfect|excellent|done|got|understood|you're|sure|all _, i'll, let me, let's, \
     i'm going, \
     ^looking|checking|running|reading|updating|fixing|implementing|adding|creating|verify|verifying|check|run|fix|add|update|remove|test|tests";

const DENIED: &str = "^never seen|saw|had|heard|happened|tried|been|worked|got|knew|thought, don't|dont|can't|cannot|didn't|not|do remember|recall if|whether|why|how|what|which|when|adding|seeing|doing|exactly|it|that, \
     remember when|me, do|did you remember|forget, as far as i remember, if i remember, \
     always seems|seemed|been|was|shows|lists|fails|happens|returns|the, \
     we|it|they|that|this|which|and|but|i never|always seems|set|sets|see|saw|got|get|had|worked|works|happened|reached|gets|shown|called|displayed|mind, \
     ^never mind|shown|displayed|used|asserted|read|called|set, \
     is|are|was|were|be never|always|not been? read|used|called|set|shown|displayed|asserted|executed|run|empty|true|false|nil|null";

/// An order for this moment is no rule.
const ONE_OFF: &str = "^don't|dont|do not? fix|change|set|do|worry|commit|push|implement|write|edit ... yet|now|just|anything|first, \
     for this|the one|pr|branch|commit|session|time|moment|change only|now, ^go ahead|on|for it, \
     ^use the first|second|third|last|other|same _";
