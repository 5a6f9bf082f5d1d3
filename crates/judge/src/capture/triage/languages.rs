//! The explicit forms of other languages. Hints are left to English: what is worth a guess there
//! was measured, here nothing was. Data, and the search for scripts without spaces.

use super::cues::Sign::{self, Constraint, Decision, Memory, Preference, TechDebt, Veto as Vetoed};
use super::cues::{Cues, Veto, Who};
use super::judge::Verdict;
use crate::capture::sentence::Sentence;
use oldhand_core::kind::Kind;
use oldhand_transcripts::Voice;

const fn said(sign: Sign, phrases: &'static str) -> Cues {
    Cues { sign, who: Who::Person, weight: 1.0, phrases }
}

pub(super) const CUES: &[Cues] = &[
    said(Memory, MEMORY),
    said(Preference, PREFERENCES),
    said(Constraint, CONSTRAINTS),
    said(Decision, DECISIONS),
    said(TechDebt, DEBTS),
    Cues { sign: Vetoed(Veto::Open), who: Who::Anyone, weight: 0.0, phrases: OPEN },
];

// German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian: in this order everywhere.
const MEMORY: &str = "^merk|merke dir, ^denk|denke|denkt daran|dran, vergiss|vergesst nicht, \
     im kopf|hinterkopf behalten, behalte ... kopf|hinterkopf, zur erinnerung, \
     ^notiere|notier dir?, für die zukunft, \
     ^souviens-toi|rappelle-toi|retiens|souvenez-vous|rappelez-vous, n'oublie|n'oubliez pas, \
     garde|gardez en tête, garde|gardez à l'esprit, pour référence future, ^note|notez que, \
     ^recuerda|recuerde|recordad|recuerden que|:, ^recuerda _ _, no olvides|olvide|olvidéis, \
     ten|tenga|tengan en cuenta|mente, para el futuro, para referencia futura, \
     ^lembre-se|lembra-te|lembre|lembra, não te|se? esqueça|esqueças|esquece, \
     tenha|tem em mente|conta, ^ricorda|ricordati|ricordatevi|ricordate, \
     non dimenticare|dimenticarti|scordare, tieni|tenete a mente, tieni|tenete presente, \
     ^onthoud|onthoudt, vergeet niet, denk eraan|erom, houd|hou er? rekening mee, \
     hou|houd in gedachten, ^pamiętaj|zapamiętaj|pamiętajcie|zapamiętajcie, \
     nie zapomnij|zapominaj, miej na uwadze|względzie, ^запомни|запомните|помни|помните, \
     не забудь|забудьте|забывай|забывайте, имей|имейте в виду, ^учти|учтите что, на будущее";

const PREFERENCES: &str = "ab jetzt|sofort|heute, von nun|jetzt an, ^künftig|zukünftig|fortan, in zukunft, ^immer _ _, \
     bitte immer _, benutze|verwende|nutze|schreib|schreibe|mach|mache|nimm bitte? immer, \
     ich bevorzuge, wir bevorzugen, ich mag lieber, ich möchte dass du immer, désormais, \
     dorénavant, à partir de maintenant, à l'avenir, ^toujours _ _, \
     utilise|utilisez|écris|mets|fais|lance toujours, je préfère, nous préférons, on préfère, \
     a partir de ahora, de ahora en adelante, en adelante, ^siempre _ _, \
     usa|usad|use|escribe|pon|haz|utiliza siempre, prefiero _, preferimos _, a partir de agora, \
     de agora em diante, daqui em|para diante|frente, ^sempre _ _, \
     use|usa|escreva|faça|utilize|usate|utilizza|scrivi sempre, prefiro _, d'ora in poi|avanti, \
     da ora|adesso in poi|avanti, in futuro, preferisco _, preferiamo _, vanaf nu, ^voortaan, \
     ^altijd _ _, gebruik|schrijf|zet|doe altijd, ik geef de voorkeur, wij|we geven de voorkeur, \
     in het vervolg, od teraz, od tej pory, ^zawsze _ _, używaj|pisz|uruchamiaj|rób zawsze, \
     wolę _, preferuję _, na przyszłość, отныне, впредь, с этого момента, ^всегда _ _, \
     используй|пиши|делай|запускай всегда, я предпочитаю, мы предпочитаем";

const CONSTRAINTS: &str = "niemals _, ^nie _ _, bitte nie _, auf keinen fall, unter keinen umständen, \
     darf|dürfen|darfst .. niemals|nie|nicht|nur, die regel ist|lautet|:, \
     ist|sind strikt|streng? verboten, wir dürfen ... nicht, ne .. jamais, \
     n'utilise|n'utilisez|n'écris|n'ajoute|n'oublie jamais, ^jamais de, il est interdit, \
     est interdit de, en aucun cas, la règle est|:, ^nunca _, no .. nunca|jamás, ^jamás _, \
     está prohibido, queda prohibido, bajo ningún concepto, la regla es|:, en ningún caso, \
     é proibido, em hipótese alguma, a regra é|:, de forma alguma, \
     nunca use|faça|altere|apague|commit, non .. mai _, ^mai _ _, è vietato, in nessun caso, \
     la regola è|:, ^nooit _ _, gebruik|doe|schrijf|push|commit nooit, onder geen beding, \
     in geen geval, het is verboden, is niet toegestaan, de regel is|:, ^nigdy _ _, nie wolno _, \
     pod żadnym pozorem, zabronione jest, jest zabronione, zasada jest|brzmi|:, ^никогда не? _, \
     ни в коем случае, нельзя _, запрещено _, правило :|такое|простое";

const DECISIONS: &str = "wir haben uns? ... entschieden|beschlossen, ich habe mich? ... entschieden|beschlossen, \
     wir nehmen|verwenden|nutzen ab? _ ... statt|weil|anstatt|da, \
     lass uns ... nehmen|verwenden|nutzen|bleiben, wir bleiben bei, \
     nous avons|avons décidé|choisi|opté, on a décidé|choisi|opté, on part sur, \
     j'ai décidé|choisi, restons sur, hemos decidido|elegido|optado|acordado, decidimos _, \
     he decidido|elegido, vamos con|a usar|a utilizar, nos quedamos con, elegimos _, \
     nós decidimos|escolhemos|optamos, decidimos|escolhemos|optamos _, vamos com|usar|ficar, \
     foi decidido, abbiamo deciso|scelto|optato, ho deciso|scelto, andiamo con, \
     usiamo ... invece|perché, we hebben ... besloten|gekozen|afgesproken, we|wij kiezen voor, \
     ik heb ... besloten|gekozen, we gaan voor|met, laten we ... gebruiken|nemen|kiezen, \
     zdecydowaliśmy|postanowiliśmy|wybraliśmy|ustaliliśmy, \
     zdecydowałem|zdecydowałam|postanowiłem|wybrałem, idziemy w|z, \
     мы решили|выбрали|договорились|остановились, решено _, я решил|решила|выбрал, \
     давай|давайте использовать|возьмем|возьмём|остановимся";

const DEBTS: &str = "lassen|lass wir|uns|das|es ... erstmal|vorerst|später, \
     machen|beheben|räumen|fixen wir ... später, fürs erste ... so, technische schulden|schuld, \
     on laisse|laissons ... pour l'instant, on laisse|laissons ... plus tard, \
     on verra|fera|corrigera ... plus tard, dette technique, \
     lo|la dejamos|dejemos ... por ahora|después|luego, dejamos|dejemos|deja ... por ahora, \
     deuda técnica, lo arreglamos|haremos ... después|luego|tarde, \
     deixamos|deixemos|deixa|vamos ... por enquanto|agora, dívida técnica, \
     por enquanto deixamos|fica|deixa, lasciamo ... per ora|adesso, per ora lasciamo, \
     debito tecnico, lo sistemiamo ... dopo|poi|tardi, we laten ... voorlopig|nu, \
     laten we ... voorlopig|later, technische schuld, dat doen we later, \
     zostawmy|zostawiamy ... razie|później, na razie zostawiamy|zostawmy, dług techniczny, \
     zrobimy to później, оставим|оставляем ... пока|потом|позже, пока оставим|оставляем, \
     технический долг, сделаем|исправим ... позже|потом";

const OPEN: &str = "noch nicht entschieden|beschlossen, vielleicht, pas encore décidé|choisi, peut-être, \
     no hemos decidido|elegido, aún|todavía no, quizás|quizá, ainda não, talvez, \
     non abbiamo ancora? deciso|scelto, forse, nog niet besloten|gekozen, misschien, jeszcze nie, \
     może, ещё|еще не, возможно|может, не решили|выбрали";

/// Chinese, Japanese and Korean, found as they stand.
const UNSPACED: &[(Sign, &str)] = &[
    (
        Decision,
        "我们决定, 我決定, 我决定, 我們決定, 决定使用, 决定采用, 我们选择, 我們選擇, 就用, 改用, \
         に決めました, に決めた, 決定しました, ことにしました, ことにした, 採用しました, で行きましょう, \
         でいきましょう, 결정했, 기로 했, 선택했, 쓰기로, 가기로",
    ),
    (
        TechDebt,
        "技术债, 技術債, 以后再, 以後再, 暂时先, 先这样, 之后再改, 技術的負債, 後で対応, 後で直, \
         とりあえずこのまま, 기술 부채, 기술부채, 나중에 고치, 나중에 하, 나중에 처리, 일단 그대로, \
         지금은 그대로",
    ),
    (
        Constraint,
        "永远不要, 永遠不要, 绝不, 絕不, 绝对不要, 絕對不要, 千万不要, 千萬不要, 禁止, 不允许, 不允許, \
         严禁, 嚴禁, 规则是, 規則是, 絶対に, 決して, ルールは, してはいけ, てはならない, 절대, 결코, \
         금지, 규칙은, 안 됩니다, 하면 안",
    ),
    (
        Preference,
        "从现在开始, 從現在開始, 从今以后, 從今以後, 以后都, 以後都, 以后请, 今后, 今後, 始终, 始終, \
         总是使用, 请总是, 總是使用, 一律, 我更喜欢, 我喜欢, 我偏好, 我比較喜歡, これからは, 常に, 必ず, \
         の方が好き, が好みです, 앞으로, 이제부터, 항상, 언제나, 선호",
    ),
    (
        Memory,
        "记住, 記住, 请记得, 請記得, 别忘了, 別忘了, 不要忘记, 不要忘記, 牢记, 備忘, 备忘, 覚えておいて, \
         覚えといて, 忘れないで, 念頭に, メモしておいて, 기억해, 기억하, 잊지 마, 잊지마, 명심, 메모해",
    ),
];

/// A complaint, or something that is still open.
const UNSPACED_OPEN: &str = "还没有决定, 还没决定, 尚未决定, 還沒決定, 不确定, 报错, 失败, 出错, エラー, 失敗, まだ決め, かもしれ, 아직 결정, 오류, 실패, 모르겠";

/// A verdict for a person's sentence in a script without spaces.
pub(super) fn unspaced<'t>(sentence: &Sentence<'t>) -> Option<Verdict<'t>> {
    if sentence.text.is_ascii() || sentence.voice == Voice::Agent || sentence.is_question {
        return None;
    }
    if !sentence.text.chars().any(is_wide) {
        return None;
    }
    let find = |words: &str| {
        words.split(", ").find_map(|word| sentence.text.find(word).map(|at| at..at + word.len()))
    };
    if find(UNSPACED_OPEN).is_some() {
        return None;
    }
    let (sign, span) = UNSPACED.iter().find_map(|(sign, words)| Some((*sign, find(words)?)))?;
    let kind = match sign {
        Decision => Kind::Decision,
        TechDebt => Kind::TechDebt,
        Constraint => Kind::Constraint,
        Preference => Kind::Preference,
        _ => Kind::Reference,
    };
    Some(Verdict {
        kind,
        score: 1.0,
        is_explicit: true,
        reason: None,
        because: &sentence.text[span],
    })
}

/// Han, kana or Hangul.
fn is_wide(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}')
}
