//! The cues of `cues`, as data. A row begins with `= who meaning weight:`; its phrases are separated
//! by commas, in the language of `phrase`. The weights of `SPEECH` were set on the dev half of
//! `evals/capture`.

/// Words before the first one that counts.
pub(super) const OPENERS: &str = "ok okay yes yeah yep yup no nope so and but also please well hmm hm um ah oh alright right cool \
     great good nice thanks thank you then actually btw fyi now sure just : hey hi perfect sorry \
     guys first second finally important one more thing additionally bitte und aber ja nein s'il \
     vous plaît por favor per favore proszę пожалуйста";

/// What people and agents say in English, what makes it more likely, and what takes it back.
pub(super) const SPEECH: &str = "
= person memory 1: ^remember that|this|to|:|we|our|the|i|not|never|always|for|how|which|where|who,
  must|should|please|need|you remember that|to|this|:,
  don't|dont|never|not forget that|to|this|:|about|we|our, keep|bear in mind, keep .. in mind,
  ^take note, note for the|future|later|next|posterity, note to self|yourself, make a note,
  take a note, write|note|jot this|that|it down, for future|later reference, for next time,
  for your memory|memories|notes, memorize|memorise that|this|the|our|we|:|how,
  save|store|put|add|write|commit .. to|in|into your|our|project|long-term|oldhand memory|memories,
  save|store|put|add|write|commit .. to|in|into oldhand,
  add|put|write|document|record|save .. to|in|into claude.md|agents.md|gemini.md ... that|so|:|for,
  ^update|extend claude.md|agents.md|memory ... that|so, i want you to remember,
  you should know that, ^reminder :, ^lesson learned|learnt, ^lessons learned|learnt,
  ^important : _, ^for the record
= person memory 0.45: ^note that, ^please note
= person request 1:
  can|could|would|will you please? remember|memorize|memorise|note that|to|this|we|the|down|:,
  can|could|would|will you please? keep|bear in mind,
  can|could|would|will you please? always|never _, can|could|would you please? make a note,
  can|could|would you please? stop adding|using|writing|asking|creating|doing|making|putting|committing|saying|telling,
  can|could|would you .. from now on, can|could|would you .. going forward
= person preference 1: from now on|onwards|onward|forward, from here on|onwards,
  from this point on|onward|onwards|forward, going|moving forward, ^henceforth,
  ^in the? future you|we|please|use|always|never|i|do|don't|run|write|keep|when|make|avoid|prefer|ask|only|just,
  please .. in the? future, next time please|use|don't|do|run|just|ask|check, ^always _,
  please always _, you|we should|must|shall|have|need to? always _, i want you to always,
  i|we'd|i'd always want|like|prefer, i always want|prefer|use|like,
  we always use|run|write|put|prefer|keep|name|add|commit|squash|rebase|merge|deploy|release|format|want|do,
  my|our preference|style|convention|habit|standard is|are|:, the|our convention here|in is|:,
  the convention is, by convention we|all|every, i|we strongly? prefer _,
  i|we really|generally|usually|much prefer, whenever you|we _ ... always|please|ask|check|never,
  make it a habit, stick to|with .. everywhere|always|throughout, as a general? rule,
  as a rule of thumb, rule of thumb :|is, make sure to always|never,
  make sure you|we|it always|never, ^only ever _, i|we like my|our _ to,
  whenever|time you|we _ ... also add|update|run|check|make,
  next time you _ ... please|run|use|ask|check|make
= person preference 0.45:
  ^stop adding|using|writing|asking|creating|doing|making|putting|committing|running|saying|telling|summarizing|apologizing|guessing|generating,
  ^avoid using|adding|writing|creating|making|putting|running _, ^no more _ in|when|for,
  ^quit adding|using|asking|writing, i|we don't|dont|do|hate like it? when|to see|seeing,
  i hate it? when|seeing, i'd|i would always, default to _, ^prefer _, us english, i|we like to,
  i|we want you to use|write|run|ask|keep|avoid|prefer, i'd|we'd rather have|use|see,
  and|but always use|run|write|add|put|make|ask|keep|check, should always _,
  always use|prefer|run|ask
= person preference 0.25: i|we prefer, i'd|we'd prefer, for consistency,
  consistent|consistently with|across, our style, make sure to|you|we, i want you to, we want
= person constraint 1: ^never ever? _, please never _, don't|dont ever _, never ever _,
  never|don't|not under any circumstances, under no circumstances, must|should|shall never _,
  must|shall never|not ever _, the|one|our|my|a|first|hard|golden rule is|here|: _,
  it|this is|it's a hard|strict rule|requirement|constraint, hard requirement|constraint|rule :,
  ^requirement|constraint|rule :, we|you|nobody|one are|is|aren't|isn't not? allowed to,
  is|are strictly|absolutely? forbidden|prohibited|off-limits|verboten,
  it is|it's forbidden|prohibited to, is|are not|never allowed|permitted, off limits,
  is|are non-negotiable,
  we never use|commit|push|merge|deploy|write|edit|touch|store|log|put|call|run|import|ship|release|mock|do,
  never use|commit|push|merge|deploy|edit|touch|store|log|put|call|run|import|ship|mock|delete|modify|change|force-push|add|write|hardcode|hard-code|skip|ask|create|remove|rewrite|amend|expose|assume|guess|leave,
  we are|we're legally|contractually? required|obliged|bound to, do not ever _
= person constraint 0.45:
  must|mustn't not? be|have|stay|remain|work|support|keep|run|never|only|always|not|use|go|come|contain|pass,
  we|you must|mustn't|cannot _, we|you are|we're not allowed, has|have to stay|remain,
  we|you don't|dont|do|can't|cannot not? want|use|do|allow|have|support _, we|you can only _,
  only _ is|are allowed|supported|permitted, may only _, no more than _, at most _,
  has to be|work|run|support, is mandatory|compulsory, do not _,
  ^don't|dont _ ... again|anymore|unless|without
= person constraint 0.35:
  ^don't|dont touch|commit|push|edit|modify|use|add|delete|change|mock|rename|create _
= anyone constraint 0.3: rate limit|limits|limited, limited to, is|are not supported,
  isn't|aren't supported, not supported by|in|on, does not|doesn't|don't|doesnt support,
  known|hard|fundamental|upstream|platform|vendor|api limitation|limitations|limit,
  limitation of|in, only works|supports|handles|runs, can only be|run|handle|have,
  cannot|can't be _,
  cannot|can't import|use|run|handle|support|parallelize|parallelise|rely|write|read,
  incompatible with, requires at least, by design
= person decision 1:
  we|i|i've|we've|team have|had|both|all|finally|just|now? decided|agreed to|on|that|against|for|not,
  we|i|i've|we've have|both|all|finally? settled on|for,
  we|i|i've|we've have|finally? chose|choosed|chosen|picked|opted|adopted _,
  we|i explicitly|deliberately|intentionally|consciously chose|choosed|decided|picked|use|used|want|don't|avoid|do,
  let's|lets|let go|stick|stay|proceed|move with|for _,
  we|i|we're|i'm|we'll|i'll are|will|am|going? go|going|went|sticking|staying to? with,
  ^go with|for _, ^going with _,
  we|we're are? switching|moving|migrating|standardizing|standardising to|on|away|from,
  we|we've have? switched|moved|migrated|standardized to|from|on|away,
  we|we'll will use|adopt|keep|drop|support _, we|we're are? going to use|adopt|drop|keep|support,
  decision is|was|: _, the decision|plan|agreement is|was to|that,
  let's|lets use|adopt|switch|migrate|standardize _ ... instead|because|since|over|rather|everywhere|across,
  it|that was|has been decided|agreed|settled that|to|on, we|i had .. discussion that,
  made the decision|call|choice to
= person decision 0.4: thinking again|about ... let's|lets,
  let's|lets completely|just|always|not|only|never? remove|drop|abandon|rename|replace|keep|switch|use|have|make|revert|roll|ditch|standardize|call|store|move _ ... instead|because|since|so|everywhere|then|completely,
  let's|lets completely|fully remove|drop|abandon|replace, we|they explicitly|already use|using,
  we use _ ... because|since|instead, in this repo|project|codebase we, i think let's|lets
= person decision 0.2:
  let's|lets keep|use|drop|remove|rename|switch|have|make|store|not|abandon|set,
  should only|not|still, we want to|it|this|the, source of truth, we use _
= agent decision 0.25:
  we|i|i've|we've have|deliberately|intentionally|explicitly? chose|chosen|decided|picked|opted|settled|went to|on|for|with|against|that|not,
  we|i|i've|we've chose|chosen|picked _,
  i|we put|placed|kept|left|used _ ... rather|because|instead,
  design|architecture|architectural decision :|is|was, ^decision :,
  was|were chosen|picked|selected because|over|since|for,
  we|we're went|going with _ ... because|over|since|instead, per your decision|choice,
  as agreed|decided
= person tech_debt 1: todo later _,
  we'll|we|i'll|let's|lets will? leave|skip|ignore|defer|postpone|park|keep|live|accept ... for now|later|until,
  leave|skip|ignore|defer|postpone|park ... for now|later|until,
  we'll|we|i'll|let's will? fix|clean|refactor|address|revisit|tackle|handle|come|do|deal|pay ... later|afterwards|someday|eventually,
  come back to it|this|that later, technical|tech debt, ^temporary|quick hack|workaround|fix :,
  not now but later, out of scope for now, we|we'll|let's revisit .. later|when|once,
  good|fine enough for now
= person tech_debt 0.4: for now ... later|until|but|because|since,
  document|log|file|create|add|open ... known_limitations|known-limitations, known_limitations,
  log|file|create|open a|an .. issue|bug|ticket ... later|move|for, as a follow-up|followup,
  in a separate|follow-up|later|future pr|issue|ticket|commit|branch,
  temporary|ugly|dirty hack|workaround|fix|solution, quick and dirty, put off|on hold,
  not worth fixing|doing .. now
= person tech_debt 0.25: for now, deferred to|until|because|for,
  follow-up|followup work|pr|task|issue, workaround for|until,
  remaining|known gap|gaps|limitation|issue, not yet implemented|supported|handled|covered,
  left as is|for, technical|tech debt, still needs|need to be
= agent tech_debt 0.2: deferred to|until|because|for, known limitation|gap|issue,
  technical|tech debt,
  we|i|i've left|leave|skipped|deferred|kept _ ... for now|because|until|since,
  follow-up work|pr|task|issue, workaround until|for, for now
= person runbook 1: the fix|solution|trick|workaround is|was to|: _, the fix|solution|cure :,
  root cause is|was|: _,
  to fix it|this|that|the ... run|restart|delete|clear|set|use|rebuild|reinstall|you,
  fixed it|this|that|the .. by _, got|get it working .. by,
  to deploy|release|publish|roll ... run|use|push|tag|first|you,
  how|steps to deploy|release|reproduce|recover|restore :, so the issue|problem|bug|cause was
= person runbook 0.55:
  if|when|whenever _ ... fails|breaks|crashes|hangs|errors|dies|fail|break|crash|hang ... run|restart|delete|clear|rerun|rebuild|kill|reinstall|reboot,
  it turned|turns out the|that|it|to ... because|was|were|had|needs|is
= person runbook 0.4: the issue|problem|bug|cause|culprit was, caused by _, was because|due,
  solved|resolved|fixed by|it|with,
  you|we have|need to run|restart|set|export|install|build|start ... first|before|after|otherwise,
  before you|we|running|pushing|committing ... run|make|start|install,
  works|helps if|when|after you|we|i
= agent runbook 0.35: root cause :|is|was|of,
  the actual|real|underlying|core issue|problem|bug|cause :|is|was,
  ^problem|cause|ci|bug failure? :|was,
  was|were failing|broken|panicking|crashing|being ... because, was|were caused by,
  the issue|problem|bug|failure was that|because|in
= agent runbook 0.25: fixed by, the key insight was|is, the fix was|is, turns out
= anyone reason 0: because, due to, since, otherwise, so that, the reason|rationale, reason :|is,
  in order to, given that, that|this way, would've|would have been, to avoid|prevent|not|keep,
  which means|would|is, too slow|expensive|complex|risky|much|many, that's|thats why
= anyone contrast 0: instead, instead of, rather than, over, not _ but, in favor|favour of,
  as opposed to, versus|vs
= anyone lasting 0: everywhere, in this|our|the repo|project|codebase|repository|team, by default,
  every time, each time, whenever, consistently, across the, for all|every|any|each, from now,
  in general, throughout, going forward, without exception, at all times, in the future,
  anymore|again, convention|rule|policy|standard|practice, unless
= anyone fixed 0: fixed, fix :|is|was|by|applied, fixed by, resolved, solution, workaround, solved,
  now works|passes|pass, works now, the fix, fixes it|this, mended
= anyone given 0: by design, upstream, platform, provider, turns out, discovered, legitimately,
  go-git, package|library|api|sdk|runtime|framework|vendor|protocol|spec,
  panics|panic|circular|cycle, incompatible, deprecated, not configurable, permanently,
  fundamental|fundamentally
= anyone unfinished 0: for now, temporary|temporarily, later, acknowledged, deferring|deferred,
  risk|cost, until, follow-up, proper|properly, eventually, revisit, known
= anyone asked 0: ^can|could|should|would|will|shall|may you|we|i|it|this|that|the|there|they,
  ^do|does|did|have|has|had|is|are|was|were|am you|we|i|it|this|that|the|there|they|these|those|any|he|she,
  ^what|why|how|which|who|whose|where, ^when should|do|does|did|will|is|are|can|would,
  ^isn't|aren't|don't|doesn't|didn't|won't|can't|couldn't|shouldn't|wouldn't we|you|it|they|i|this|that|there,
  ^any _ why|how|idea|ideas|reason|chance|other, should we|i, do you think, do we need|want|have,
  could|can we|you, would|does it|that|this make, wondering, i wonder, ^want me, ^shall|may i,
  would you like, let me know, ^tell me
= anyone open 0:
  not|never|haven't|hasn't|didn't|havent|yet|still|cannot|can't|couldn't|hard|to yet|fully|really|quite? decide|decided|chosen|chose|settled|agreed|picked|determine,
  whether, not sure|certain|clear, unsure|undecided, maybe|perhaps,
  might|could be|have|use|also|just|still|try|want|go|even, what if,
  if we|you|i|they chose|choose|decide|decided|go|went|picked|pick|use|used|switch|switched|want|need|did|do,
  would be|need|make|use|go|then|also|still|allow|require|mean, either, i|we guess, in theory,
  let's say, lets say, suppose, consider|considering, try|trying|see if|whether|to, if possible,
  we decide|choose, to be decided, tbd
= agent open 0: option|options|alternative|alternatives|approach|approaches _,
  suggest|suggests|suggestion|recommend|recommended|recommendation|propose|proposed|proposal,
  should|shouldn't, you|your could|can|may|want|prefer|need, i think,
  seems|appears|looks|likely|probably|possibly, pr|reviewer|review|comment|comments _,
  if you|the|a|an|this|there|it|we, when|once|before|after the|a|you|we|it,
  test|tests|assertion|lint|linter _, will|would|need|needs|want|wants
= agent narrated 0: ^i'll|let|let's|now|next|first|then|i'm|we'll,
  ^i|we will|need|should|see|can|want|also|now|found|notice|noticed|understand|have|could|might|am|was|just,
  ^good|great|perfect|excellent|done|got|understood|you're|sure|all _, i'll, let me, let's,
  i'm going,
  ^looking|checking|running|reading|updating|fixing|implementing|adding|creating|verify|verifying|check|run|fix|add|update|remove|test|tests
= anyone denied 0: ^never seen|saw|had|heard|happened|tried|been|worked|got|knew|thought,
  don't|dont|can't|cannot|didn't|not|do remember|recall if|whether|why|how|what|which|when|adding|seeing|doing|exactly|it|that,
  remember when|me, do|did you remember|forget, as far as i remember, if i remember,
  always seems|seemed|been|was|shows|lists|fails|happens|returns|the,
  we|it|they|that|this|which|and|but|i never|always seems|set|sets|see|saw|got|get|had|worked|works|happened|reached|gets|shown|called|displayed|mind,
  ^never mind|shown|displayed|used|asserted|read|called|set,
  is|are|was|were|be never|always|not been? read|used|called|set|shown|displayed|asserted|executed|run|empty|true|false|nil|null
= person denied 0:
  ^don't|dont|do not? fix|change|set|do|worry|commit|push|implement|write|edit ... yet|now|just|anything|first,
  for this|the one|pr|branch|commit|session|time|moment|change only|now, ^go ahead|on|for it,
  ^use the first|second|third|last|other|same _
";

/// The explicit forms of other languages: German, French, Spanish, Portuguese, Italian, Dutch,
/// Polish and Russian, in this order everywhere. Hints are left to English, where they were
/// measured. Chinese, Japanese and Korean are found as they stand; what is open stands first.
pub(super) const LANGUAGES: &str = "
= person memory 1: ^merk|merke dir, ^denk|denke|denkt daran|dran, vergiss|vergesst nicht,
  im kopf|hinterkopf behalten, behalte ... kopf|hinterkopf, zur erinnerung, ^notiere|notier dir?,
  für die zukunft, ^souviens-toi|rappelle-toi|retiens|souvenez-vous|rappelez-vous,
  n'oublie|n'oubliez pas, garde|gardez en tête, garde|gardez à l'esprit, pour référence future,
  ^note|notez que, ^recuerda|recuerde|recordad|recuerden que|:, ^recuerda _ _,
  no olvides|olvide|olvidéis, ten|tenga|tengan en cuenta|mente, para el futuro,
  para referencia futura, ^lembre-se|lembra-te|lembre|lembra, não te|se? esqueça|esqueças|esquece,
  tenha|tem em mente|conta, ^ricorda|ricordati|ricordatevi|ricordate,
  non dimenticare|dimenticarti|scordare, tieni|tenete a mente, tieni|tenete presente,
  ^onthoud|onthoudt, vergeet niet, denk eraan|erom, houd|hou er? rekening mee,
  hou|houd in gedachten, ^pamiętaj|zapamiętaj|pamiętajcie|zapamiętajcie, nie zapomnij|zapominaj,
  miej na uwadze|względzie, ^запомни|запомните|помни|помните, не забудь|забудьте|забывай|забывайте,
  имей|имейте в виду, ^учти|учтите что, на будущее
= person preference 1: ab jetzt|sofort|heute, von nun|jetzt an, ^künftig|zukünftig|fortan,
  in zukunft, ^immer _ _, bitte immer _,
  benutze|verwende|nutze|schreib|schreibe|mach|mache|nimm bitte? immer, ich bevorzuge,
  wir bevorzugen, ich mag lieber, ich möchte dass du immer, désormais, dorénavant,
  à partir de maintenant, à l'avenir, ^toujours _ _,
  utilise|utilisez|écris|mets|fais|lance toujours, je préfère, nous préférons, on préfère,
  a partir de ahora, de ahora en adelante, en adelante, ^siempre _ _,
  usa|usad|use|escribe|pon|haz|utiliza siempre, prefiero _, preferimos _, a partir de agora,
  de agora em diante, daqui em|para diante|frente, ^sempre _ _,
  use|usa|escreva|faça|utilize|usate|utilizza|scrivi sempre, prefiro _, d'ora in poi|avanti,
  da ora|adesso in poi|avanti, in futuro, preferisco _, preferiamo _, vanaf nu, ^voortaan,
  ^altijd _ _, gebruik|schrijf|zet|doe altijd, ik geef de voorkeur, wij|we geven de voorkeur,
  in het vervolg, od teraz, od tej pory, ^zawsze _ _, używaj|pisz|uruchamiaj|rób zawsze, wolę _,
  preferuję _, na przyszłość, отныне, впредь, с этого момента, ^всегда _ _,
  используй|пиши|делай|запускай всегда, я предпочитаю, мы предпочитаем
= person constraint 1: niemals _, ^nie _ _, bitte nie _, auf keinen fall, unter keinen umständen,
  darf|dürfen|darfst .. niemals|nie|nicht|nur, die regel ist|lautet|:,
  ist|sind strikt|streng? verboten, wir dürfen ... nicht, ne .. jamais,
  n'utilise|n'utilisez|n'écris|n'ajoute|n'oublie jamais, ^jamais de, il est interdit,
  est interdit de, en aucun cas, la règle est|:, ^nunca _, no .. nunca|jamás, ^jamás _,
  está prohibido, queda prohibido, bajo ningún concepto, la regla es|:, en ningún caso, é proibido,
  em hipótese alguma, a regra é|:, de forma alguma, nunca use|faça|altere|apague|commit,
  non .. mai _, ^mai _ _, è vietato, in nessun caso, la regola è|:, ^nooit _ _,
  gebruik|doe|schrijf|push|commit nooit, onder geen beding, in geen geval, het is verboden,
  is niet toegestaan, de regel is|:, ^nigdy _ _, nie wolno _, pod żadnym pozorem, zabronione jest,
  jest zabronione, zasada jest|brzmi|:, ^никогда не? _, ни в коем случае, нельзя _, запрещено _,
  правило :|такое|простое
= person decision 1: wir haben uns? ... entschieden|beschlossen,
  ich habe mich? ... entschieden|beschlossen,
  wir nehmen|verwenden|nutzen ab? _ ... statt|weil|anstatt|da,
  lass uns ... nehmen|verwenden|nutzen|bleiben, wir bleiben bei,
  nous avons|avons décidé|choisi|opté, on a décidé|choisi|opté, on part sur, j'ai décidé|choisi,
  restons sur, hemos decidido|elegido|optado|acordado, decidimos _, he decidido|elegido,
  vamos con|a usar|a utilizar, nos quedamos con, elegimos _, nós decidimos|escolhemos|optamos,
  decidimos|escolhemos|optamos _, vamos com|usar|ficar, foi decidido, abbiamo deciso|scelto|optato,
  ho deciso|scelto, andiamo con, usiamo ... invece|perché,
  we hebben ... besloten|gekozen|afgesproken, we|wij kiezen voor, ik heb ... besloten|gekozen,
  we gaan voor|met, laten we ... gebruiken|nemen|kiezen,
  zdecydowaliśmy|postanowiliśmy|wybraliśmy|ustaliliśmy,
  zdecydowałem|zdecydowałam|postanowiłem|wybrałem, idziemy w|z,
  мы решили|выбрали|договорились|остановились, решено _, я решил|решила|выбрал,
  давай|давайте использовать|возьмем|возьмём|остановимся
= person tech_debt 1: lassen|lass wir|uns|das|es ... erstmal|vorerst|später,
  machen|beheben|räumen|fixen wir ... später, fürs erste ... so, technische schulden|schuld,
  on laisse|laissons ... pour l'instant, on laisse|laissons ... plus tard,
  on verra|fera|corrigera ... plus tard, dette technique,
  lo|la dejamos|dejemos ... por ahora|después|luego, dejamos|dejemos|deja ... por ahora,
  deuda técnica, lo arreglamos|haremos ... después|luego|tarde,
  deixamos|deixemos|deixa|vamos ... por enquanto|agora, dívida técnica,
  por enquanto deixamos|fica|deixa, lasciamo ... per ora|adesso, per ora lasciamo, debito tecnico,
  lo sistemiamo ... dopo|poi|tardi, we laten ... voorlopig|nu, laten we ... voorlopig|later,
  technische schuld, dat doen we later, zostawmy|zostawiamy ... razie|później,
  na razie zostawiamy|zostawmy, dług techniczny, zrobimy to później,
  оставим|оставляем ... пока|потом|позже, пока оставим|оставляем, технический долг,
  сделаем|исправим ... позже|потом
= anyone open 0: noch nicht entschieden|beschlossen, vielleicht, pas encore décidé|choisi,
  peut-être, no hemos decidido|elegido, aún|todavía no, quizás|quizá, ainda não, talvez,
  non abbiamo ancora? deciso|scelto, forse, nog niet besloten|gekozen, misschien, jeszcze nie,
  może, ещё|еще не, возможно|может, не решили|выбрали
= unspaced open 0: 还没有决定, 还没决定, 尚未决定, 還沒決定, 不确定, 报错, 失败, 出错, エラー, 失敗, まだ決め, かもしれ, 아직 결정, 오류, 실패,
  모르겠
= unspaced decision 1: 我们决定, 我決定, 我决定, 我們決定, 决定使用, 决定采用, 我们选择, 我們選擇, 就用, 改用, に決めました, に決めた, 決定しました,
  ことにしました, ことにした, 採用しました, で行きましょう, でいきましょう, 결정했, 기로 했, 선택했, 쓰기로, 가기로
= unspaced tech_debt 1: 技术债, 技術債, 以后再, 以後再, 暂时先, 先这样, 之后再改, 技術的負債, 後で対応, 後で直, とりあえずこのまま, 기술 부채,
  기술부채, 나중에 고치, 나중에 하, 나중에 처리, 일단 그대로, 지금은 그대로
= unspaced constraint 1: 永远不要, 永遠不要, 绝不, 絕不, 绝对不要, 絕對不要, 千万不要, 千萬不要, 禁止, 不允许, 不允許, 严禁, 嚴禁, 规则是,
  規則是, 絶対に, 決して, ルールは, してはいけ, てはならない, 절대, 결코, 금지, 규칙은, 안 됩니다, 하면 안
= unspaced preference 1: 从现在开始, 從現在開始, 从今以后, 從今以後, 以后都, 以後都, 以后请, 今后, 今後, 始终, 始終, 总是使用, 请总是, 總是使用,
  一律, 我更喜欢, 我喜欢, 我偏好, 我比較喜歡, これからは, 常に, 必ず, の方が好き, が好みです, 앞으로, 이제부터, 항상, 언제나, 선호
= unspaced memory 1: 记住, 記住, 请记得, 請記得, 别忘了, 別忘了, 不要忘记, 不要忘記, 牢记, 備忘, 备忘, 覚えておいて, 覚えといて, 忘れないで, 念頭に,
  メモしておいて, 기억해, 기억하, 잊지 마, 잊지마, 명심, 메모해
";

/// Which kind a note is. One phrase of each row counts.
pub(super) const NOTES: &str = "
= note tech_debt 4: todo, fixme, hack, tech|technical debt, clean up later,
  fix|refactor|revisit later
= note tech_debt 3: for now, workaround, temporary|temporarily, deferred|postponed,
  until we have time, stopgap, quick fix, should be refactored|rewritten|replaced|removed|split,
  needs refactoring|cleanup, needs a refactor, needs to be refactored|rewritten|replaced,
  clean|cleaned it? up, we still need to, still have to, not yet, eventually, vorläufig, später,
  provisoire, plus tard, más adelante
= note tech_debt 2: later, duplicated, duplicate code, legacy, hardcoded|hard-coded, brittle,
  someday, untested, is|are missing, no tests, is a mess, should really, one day
= note runbook 4: ^runbook, ^how to, ^steps, the fix is|was, fix it by, fixed it? by,
  run the following, root cause,
  ^to fix|deploy|release|restart|rollback|recover|reset|rotate|regenerate|rebuild|reproduce|debug,
  ^to roll back
= note runbook 4: ^if|when ... fails|hangs|breaks|crashes|stuck|error|errors|red|full|slow|stops,
  ^if|when ... is down, ^if|when ... times|runs out, ^wenn ... fehlschlägt
= note runbook 3: if|when it fails, if that fails, fail|fails with, to fix, the issue|problem was,
  is solved when, solved by, steps, how to
= note runbook 2: restart, then|first run, re-run|rerun, to deploy|release, clear the cache,
  delete the, wipe, roll back, rollback
= note lesson 4: ^lesson|lessons, lesson learned, we learned|learnt, i learned, learned that,
  learned the hard way, turned|turns out, next time, in hindsight, retrospective
= note lesson 3: learned|learnt, lesson, mistake, should have, gotcha, beware, watch out, careful,
  surprisingly, bit|burned|cost|took us, wasted, never again
= note decision 4: we have? decided|chosen, decided to|that|on|against, decision, ^adr,
  we agreed|picked, we|i chose, settled on, going|went|go with, opted for, entschieden,
  nous avons décidé, hemos decidido
= note decision 3: instead of, rather than, over ... because, we|we'll will? use,
  we|we're are? using, chose,
  we choose|adopt|adopted|introduce|introduced|keep|store|build|deploy|support,
  adopting|introducing, we switch|switched|moved|migrate to, switching|migrating to,
  we're switching, we ship with, we rely|standardize|standardise on, let's, lets go,
  the architecture is, architectural, new dependency|technology, schema|contract|breaking change,
  tradeoff|trade-off, in exchange for, at the cost of
= note decision 2: ^use|adopt|keep|store|replace|drop|remove|make|support|pin|target|move|put,
  ^switch to, by default, the default, is|are used for, is built with,
  is|are written|stored|kept in, use|uses ... for, i|we want, we should
= note decision 1: because, over, use|uses, we will, we'll, should
= note constraint 4: ^constraint|requirement, ^rule :, must not|never, mustn't, should never,
  ^never, we|you never, never ever, not allowed, forbidden, prohibited, under no circumstances,
  ^do not, ^don't|dont, don't ever, do not ever, off limits, off-limits, mandatory,
  is|are required, the rule is, no ... may, niemals, darf|dürfen nicht, jamais, nunca
= note constraint 3: must, never, do not, can|may only, may not, shall, has|have to, at most|least,
  no more than, limit, limited to, rate limit, quota, required|requires, ^no|only|avoid,
  without approval, not supported, isn't supported, compliance, gdpr, sla
= note constraint 2: cannot, can't, don't, only, need|needs to, every ... needs, all ... need,
  minimum, maximum, avoid
= note preference 4: ^preference, i|we prefer, i'd prefer, i would prefer, ^prefer, i|i'd like,
  i don't like, from now on, going forward, ^always, we|should always, always use|run|ask,
  convention|conventions, ich bevorzuge, je préfère, prefiero
= note preference 3: prefer, style, always, whenever, habit, naming, in the future, ask before,
  rule of thumb, make sure, stop adding, keep ... short, be concise, i hate
= note preference 2:
  ^write|run|format|ask|commit|squash|rebase|test|check|add|update|name|indent|answer|explain|review|show,
  commit messages, please
= note preference 1: consistent|consistently, before you|every|each, every time
= note reference 4: ^reference, is located|hosted|called, lives in|at|on, can be found,
  is|are documented, is owned by, the owner of, on call, on-call, contact, stands for,
  credentials are in, password is in
= note reference 3: url, dashboard, is|are at, runs on port, listens on, is reachable,
  reachable at, the docs are, documentation is, account, wiki, slack channel, is responsible for,
  belongs to, is in charge
";

/// Which type a lesson is, from the most particular type to the most general: on a tie the
/// particular one wins. The text is folded: no apostrophes, no hyphens.
pub(super) const LESSONS: &str = "
= note security_pattern 4: security, xss, csrf, ssrf, vulnerab*, cve, cves, path traversal, rce,
  owasp
= note security_pattern 3: escape html, owns the record, scripts run, signing key*, brute force,
  uploaded file*, rotate*, secret*, credential*, password*, api key*, private key*, access token*,
  injection, sanitiz*, sanitis*, encrypt*, privilege*, attacker*, exploit*, untrusted,
  access control, user input, allow list, allowlist*, deny list, cookie*, httponly, samesite, jwt*,
  oauth*, cors, plaintext, plain text password*, redact*, hash passwords, pii, malicious, spoof*,
  shell command*, sandbox*, csp, bcrypt, argon2, open redirect*
= note security_pattern 2: authenticat*, authoriz*, authoris*, permission*, tls, certificate*,
  redirect url*, login*
= note security_pattern 1: signature*, escaping, leak*, token*, validat*, root user, admin*
= note performance_tip 4: performance
= note performance_tip 3: of the loop, bulk, run time, precompute*, dominated, halved, reuse the,
  warm up, time budget, slow*, latency, faster, quicker, throughput, memory leak*, memory usage,
  n 1 quer*, benchmark*, hot path, hot loop, p95, p99, quadratic, into memory, in memory at once,
  cloning, speedup, speed up, bottleneck*, round trips, lazy load*, prefetch*, debounce*,
  connection pool*, o n
= note performance_tip 2: handshake, doubled, most of the time, took minutes, takes minutes,
  speed*, cach*, out of memory, oom, profil*, batch*, millisecond*, ms, allocat*, cpu, optimi*,
  stream*, expensive, pagina*, preload*, memoiz*, concurren*, parallel*, ram, vectoriz*, gzip,
  bundle size
= note performance_tip 1: index*, full scan, table scan, each iteration, in a loop, twice as long,
  large file*
= note ux_pattern 4: ux, usability, accessib*, screen reader*, a11y
= note ux_pattern 3: confirm deletion, typing the name, form errors, sticky, small screens,
  primary action, field level, at a glance, ui, button*, dialog*, modal*, popup*, tooltip*,
  error message*, keyboard, contrast, layout*, click*, spinner*, font*, form field*, empty state*,
  menu*, undo, progress bar*, show progress, dropdown*, checkbox*, people expect, users expect,
  hover*, touch target*, dark mode, tab order, breadcrumb*
= note ux_pattern 2: onboarding, wording, label*, placeholder*, confus*, mobile, colour*, color*,
  scroll*, toast*, icon*, notification*, discoverab*, intuitive, animation*, viewport, responsive
= note ux_pattern 1: user*, people, screen*, page*, visible, hide, hidden, customers
= note test_strategy 4: test strategy, testing strategy
= note test_strategy 3: test that fails, verify against, tests for, test first,
  output with a golden, copy of production, flak*, fixture*, mock*, assert*, coverage,
  regression test*, unit test*, integration test*, property test*, e2e, fuzz*, testcontainers,
  test suite*, random seed, edge case*, test double*, snapshot test*, test data, smoke test*,
  load test*, failing test, manual test*, reproduc*, mutation test*, pytest, jest, playwright,
  cypress
= note test_strategy 2: test*, end to end, snapshot*, golden, stub*, suite, cover the, qa,
  empty list, fake clock
= note integration_pattern 3: crm, erp, protobuf, both services, their api, their side,
  other team*, integrat*, webhook*, third party, contract*, merge conflict*, idempoten*, sdk,
  external service*, wire format, collid*, out of order, stripe, slack, github api, kafka,
  rabbitmq, s3, grpc, openapi, backward compatib*, backwards compatib*, both sides,
  frontend expects, backend sends, same file
= note integration_pattern 2: api, apis, endpoint*, upstream, downstream, payload*, rate limit*,
  serializ*, serialis*, deserializ*, protocol*, compatib*, vendor*, other service*, partner*,
  frontend, backend, message queue, consumer*, producer*, http, rest api, soap, ftp, proxy,
  interop*, provider*
= note integration_pattern 1: header*, local time, time zone*, timezone*, schema*, conflict*,
  client*, retry*, retries, mismatch*, sends, sync, timeout*, event*
= note agent_rule 4: subagent*, hallucinat*, coding agent*, ai agent*, agents md, claude md
= note agent_rule 3: tell the model, the agents, instructions file, agent*, claude, codex, copilot,
  gemini, gpt*, llm*, prompt*, context window, tool call*, assistant, system prompt, you are done,
  before you report, compaction
= note agent_rule 2: the model, mcp, yourself, report that you
= note architecture_precedent 4: architectur*, separation of concerns, hexagonal
= note architecture_precedent 3: owns its, business rules, controllers, typed result, only through,
  talks to, rebuilt from, written to the log first, depends only on, god class, layer*, boundar*,
  coupl*, decoupl*, dependency direction, circular*, microservice*, monolith*, event sourc*,
  domain model*, source of truth, abstraction*, data flow, data model*, event bus, cqrs,
  domain object*, may depend on, must not depend on, depends on nothing, call each other,
  bounded context*, read model*, plugin system, inversion, stateless, aggregate*, separate paths,
  dependency injection, side effects
= note architecture_precedent 2: module*, adapter*, pure, state machine*, repositories, orm,
  queries go, service layer, facade
= note architecture_precedent 1: component*, crate, crates, interface*, services, encapsulat*,
  domain
= note decision_precedent 4: decision*
= note decision_precedent 3: postponed, deferred, enough for now, after a long discussion,
  kept using, decid*, chose*, opted, trade off*, tradeoff*, settled on, went with, going with,
  ruled out, picked, adr, in favour of, in favor of, agreed on, agreed to, after the spike, we use,
  we we keep, we dropped, considered, evaluated, we prefer, standardised on, standardized on,
  switched to, switched from, moved from, we stay with
= note decision_precedent 2: choose*, alternative*, rejected, spike, kept, dropped, pros and cons,
  preferred
= note decision_precedent 1: instead of, rather than
= note risk_pattern 4: risk*, single point, bus factor, blast radius
= note risk_pattern 3: backups, locks it, locks the table, may shut, shut down any, any day,
  expect surprises, too low, can lock, danger*, fragile, brittle, data loss, irreversib*,
  underestimat*, worst case, destructive, watch out, beware, no way back, no backup*, dry run,
  may delete, could delete, can delete, live data, no monitoring, nobody will notice, hard to undo,
  cannot be undone, cant be undone, production data, unmaintained, end of life, no owner,
  race condition*
= note risk_pattern 2: could break, might break, may break, likely to, unsafe, careful*,
  could lose, can lose, may lose, no rollback, unsure, one person, affects every, affects all,
  legacy, could cause, might cause, may cause, prone to, deprecat*, unpredictab*, downtime
= note risk_pattern 1: already sent, silently, unknown*
= note failure_lesson 4: root cause*, went wrong, postmortem
= note failure_lesson 3: assumed, kept restarting, deleted valid, too much and, lost data,
  silently dropped, regression in, crash*, mistake*, forgot*, died, overwrote, overwritten, abort*,
  broke, disk was full, hung, stuck, blew up, typo*, off by one, segfault*, stack overflow, wasted,
  misread, misunderstood, wrongly, accidentally
= note failure_lesson 2: restart*, did nothing, was not, wasnt, surprised us, fail*, broken, bug,
  bugs, incident*, regress*, panic*, missed, caused, exception*, deadlock*, outage*, corrupt*,
  did not work, didnt work, without rebasing, timed out, null pointer, stale, ignored,
  did not notice, nobody noticed, rolled back, halfway, unexpected*, vanished, duplicate*
= note failure_lesson 1: error*, missing, wrong*, turned out, should have, shouldve, lost, null,
  because it was
= note process_improvement 4: retrospective process, definition of done
= note process_improvement 3: before the sprint, sprint*, open questions, demo it, demo early,
  part first, first draft, work in small, workflow*, pull request*, handover*, handoff*, estimat*,
  checklist*, small steps, communicat*, kickoff, stakeholder*, scope creep, sign off,
  acceptance criteria, rebase, product owner, clarify, standup*, pair programming, pairing,
  time box*, timebox*, ask early, before coding, diff small, small commits, code freeze,
  definition of ready
= note process_improvement 2: early, changelog, process, review*, pr, prs, deadline*, ci,
  pipeline*, branch*, earlier, plan, plans, planning, planned, requirement*, before starting,
  ticket*, rollout, daily, unclear, ask, upfront, up front, automate*, meeting*, prioriti*,
  one at a time, break down, split
= note process_improvement 1: deploy*, release*, smaller, team*, merge*, documentation
= note project_rule 4: convention*
= note project_rule 3: tests live, named after, lower case, upper case, are named, one per file,
  naming, lint*, guideline*, in this project, in this repo*, camelcase, snake case,
  commit message*, spelling, code style, live in, lives in, are stored in, is stored in,
  house style, file name*, copyright
= note project_rule 2: style, rule*, standard*, prefix*, suffix*, utc, indent*, doc comment*,
  all public
= note project_rule 1: format*, always, never, must, every, all, folder*, directory, named, put
";
