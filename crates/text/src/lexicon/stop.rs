//! Words that say little of a subject, and how little: one table for search, likeness and the gate.

use std::sync::LazyLock;

use foldhash::HashMap;

/// An English function word, a contraction as the tokenizer spells it, or the filler of a chat.
/// Stems are listed beside their words, unless the stem means something (`actual`).
pub const COMMON: u8 = 1;
/// A word that every piece of work with an agent is full of.
pub const EVERYDAY: u8 = 1 << 1;
/// The stem of a word that adds nothing to what a decision is about.
pub const EMPTY: u8 = 1 << 2;
/// A stem that names a subject only together with others.
pub const GENERIC: u8 = 1 << 3;
/// The stem of a verb that every decision uses.
pub const LIGHT: u8 = 1 << 4;

/// Whether a word or stem, in lower case, is of one of these classes.
pub fn is(word: &str, classes: u8) -> bool {
    WORDS.get(word).is_some_and(|listed| listed & classes != 0)
}

static WORDS: LazyLock<HashMap<&str, u8>> = LazyLock::new(|| {
    let of_class = |&(classes, words): &(u8, &'static str)| {
        words.split_whitespace().map(move |word| (word, classes))
    };
    TABLE.iter().flat_map(of_class).collect()
});

#[rustfmt::skip]
const TABLE: &[(u8, &str)] = &[
    (COMMON, "a about abov after against all am an and ani any anyon anyone anyth are aren arent as
        at be becaus because been befor before being both but by can cannot cant could couldn
        couldnt d did didn didnt do doe does doesn doesnt doing don dont down dure during each else
        even ever everi everyon everyone everyth everything few for from further get gets getting
        going gonna got had hadn hadnt has hasn hasnt haven havent having he hello help her hers
        herself hey hi him himself his how however i if im in is isn isnt it its itself ive know
        lets ll looking m may mayb me might mine much must my myself needs nor not of off on onc
        onto or ought our ours ourselv ourselves out over pleas pls plz re realli really s she
        should shouldn shouldnt simpli simply since so some somehow someon someone someth such t
        than that thats the their theirs them themselv themselves then there theres these they
        things think this those though through thus to too tri trying u under until up upon us ve
        veri very wanna wants was wasn wasnt we well were weren werent what whats when where whi
        which while who whom whose why will with without won wont would wouldn wouldnt yeah you your
        yours yourself yourselv yourselves"),
    (COMMON | EVERYDAY, "above actually again anything below between every here into just like look
        maybe more no ok okay once one only other please same something sure tell thank thanks try
        whether yes yet"),
    (COMMON | EVERYDAY | EMPTY, "now still thing"),
    (COMMON | EVERYDAY | LIGHT, "give go show"),
    (COMMON | EMPTY, "also els howev most need onli own rather shall sinc via within"),
    (COMMON | LIGHT, "have let want"),
    (EVERYDAY, "added additional ahead already another answer approximately ascending away back big
        bigger bit bits block blocks body bottom branch break broke broken bug button called cases
        chain change check class clean cleaner clear clearer close color colour command comment
        commit compile contents context continue convert copy correct cover coverage create
        currently date debug decrease delete descending description details dictionary diff
        difference directory doc docs document documentation done double draft edit empty english
        entire error exactly example examples explain extra extract fail failed failing far finish
        fix folder forgot format formatter friendlier friendly generate great grep heading helper
        hint hmm idea import improve increase indent indentation info information inline inside
        iterator kindly kinds language large last later leave left line lint local log long looks
        loop machine match math meant merge message method mind missing mobile module nested
        next nice note notes nothing old ones open option options order others outside page
        paragraph pass paste perfect places plan pretty previous print progress proper properly pull
        push question quickly random reading readme redo refactor remaining remember remind remove
        rename repeated replace report request rest revert review sample saved saving screen
        sections semicolon sentence sentences separate settings shell short shorten shorter
        signature simple simpler size slow slowly small smaller sort space spaces split stack stage
        start status stop suggestion summarise summarize summary symbol tab tabs temp temporary
        terminal test text three time title today todo together tomorrow top touched trace translate
        turn two type typo undo unused update user using value variable version wait warning window
        word words working wrong"),
    (EVERYDAY | EMPTY, "approach better current find fine good instead keep longer made make new
        part pick reason select take use whole"),
    (EVERYDAY | GENERIC, "case code content detail file first function input item kind list name
        output point second section step task"),
    (EVERYDAY | GENERIC | LIGHT, "call place work"),
    (EVERYDAY | LIGHT, "add ask build move read run save swap write"),
    (EMPTY, "abl accord achiev actual addit adopt allow alreadi alway anoth appear appli appropri
        avail becom best capabl certain choos chosen come consid consist decid decis direct easi
        easili eith either enabl enough ensur entir etc exact exampl exist favor favour feel final
        follow forbidden form front general given happen henceforth includ introduc involv lead
        least mainli mandatori mean mere non occur overal particular per permit possibl prefer
        present prohibit propos provid purpos regard remain requir respect sever singl specif stay
        straight suit support thu togeth toward usual various way"),
    (GENERIC, "applic area aspect compon core data default element entri inform instanc logic modul
        number object piece process project servic setup side stuff system target team tool valu"),
    (GENERIC | LIGHT, "chang implement set"),
    (LIGHT, "accept carri contain creat deliv execut expos handl hold host kept live load manag
        perform produc publish put reach receiv remov repres return send serv ship store switch
        written"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_listed_once() {
        let listed: usize = TABLE.iter().map(|(_, words)| words.split_whitespace().count()).sum();
        assert_eq!(WORDS.len(), listed);
    }
}
