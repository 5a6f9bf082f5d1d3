//! The numbers beside the texts are what o200k makes of them, from `tools/tokens count`.

use proptest::prelude::*;

use super::count;

/// English, Markdown, code and what stands in it: the estimate holds.
#[rustfmt::skip]
const PLAIN: &[(usize, &str)] = &[
    (29, "We keep amounts in cents, as whole numbers. Floats lost a cent on every tenth invoice, and the auditors found it before we did."),
    (42, "## Decision\n\n- Use **PostgreSQL** for the ledger, not SQLite.\n- Run migrations with `cargo xtask migrate`, never by hand.\n- The nightly job owns the `archive` table.\n"),
    (47, "| setting | default | meaning |\n|---|---|---|\n| `grace_days` | 30 | days before a memory is archived |\n| `budget_tokens` | 2000 | what one recall may cost |\n"),
    (47, "---\nid: keep-cents\nkind: decision\nstate: stable\ntags: [money, storage]\nupdated_at: 2026-06-01T08:30:00Z\n---\n\nMoney is stored in cents.\n"),
    (48, "```rust\npub fn parse_header(line: &str) -> Option<(&str, &str)> {\n    let (name, value) = line.split_once(':')?;\n    Some((name.trim(), value.trim()))\n}\n```\n"),
    (41, r#"{"schema": "oldhand.recall/1", "hits": [{"id": "keep-cents", "score": 0.73, "stale": false}], "next": null}"#),
    (39, "$ git log --since=2026-01-01 --name-only -- src/pay.rs | sort -u > /tmp/paths.txt && wc -l < /tmp/paths.txt"),
    (52, "thread 'main' panicked at src/store.rs:118:27:\nindex out of bounds: the len is 3 but the index is 7\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"),
    (25, "HttpRequestHandler.getOrCreateSession(user_session_id, maxRetryCount, XMLParserFactory, is_valid_utf8_boundary)"),
    (27, "MAX_UPLOAD_BYTES, HTTP_PROXY_URL, E_CONNECTION_RESET, SIGKILL, TODO, FIXME, README, NASA, UTF-8"),
    (26, "See https://example.org/docs/v2/guides/offline-mode.html#token-refresh and mailto:ops@example.org."),
    (46, "fixed in 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
    (55, "key: c2hhcmVkIHNlY3JldCBvZiB0aGUgdGVzdCBzdWl0ZSwgbm90IGEgcmVhbCBvbmUgYXQgYWxsLCBwcm9taXNlZA=="),
    (43, "session 3f2b8c1e-7a4d-4e9b-b0c6-51d7e2f8a934 took 00:14:07.251"),
    (45, "3.14159265358979, 1000000, 0x7fff, 192.168.178.31, 2026-11-15, 1e-9, 42 %"),
    (20, "outer:\n        inner:\n                leaf: 1\n\t\ttabbed: 2\n\n\n\nend\n"),
    (8, "==========\n\n----------------------------------------\n\n**********\n\n##########\n"),
    (21, "It's what we've said: they're late, I'll wait, don't ask, she'd know, that isn't ours."),
    (28, "Deploy done ✅ rollback failed ❌ please look 👀 and celebrate 🎉🎉 with the family 👨‍👩‍👧"),
    (33, "src/\n├── main.rs\n├── store/\n│   ├── read.rs\n│   └── write.rs\n└── lib.rs\n"),
    (43, "“Quoted” – and ‘so on’ … a → b, x ≤ y, 5 × 3 ≠ 16, § 4, 20 °C, £10, naïve café"),
];

/// The same sentence in many languages. A sentence is short and its words weigh much: near is enough.
#[rustfmt::skip]
const LANGUAGES: &[(usize, &str)] = &[
    (31, "Beträge werden in Cent gespeichert. Die Rundungsfehler der Gleitkommazahlen hatten bei der Jahresabschlussprüfung für Ärger gesorgt."),
    (32, "Les montants sont conservés en centimes, car les arrondis avaient causé des écarts à chaque clôture mensuelle de l'exercice."),
    (31, "Los importes se guardan en céntimos: los números de coma flotante perdían dinero en cada décima factura, según la auditoría."),
    (36, "Kwoty przechowujemy w groszach, ponieważ liczby zmiennoprzecinkowe gubiły grosz na co dziesiątej fakturze."),
    (31, "Tutarlar kuruş olarak saklanır, çünkü kayan noktalı sayılar her onuncu faturada bir kuruş kaybediyordu."),
    (28, "Số tiền được lưu bằng đơn vị nhỏ nhất vì số thực dấu phẩy động làm mất tiền ở mỗi hóa đơn thứ mười."),
    (39, "Суммы хранятся в копейках: числа с плавающей точкой теряли копейку в каждом десятом счёте, и это заметил аудитор."),
    (34, "Суми зберігаються в копійках, бо числа з рухомою комою губили копійку в кожному десятому рахунку."),
    (40, "Τα ποσά αποθηκεύονται σε λεπτά, επειδή οι αριθμοί κινητής υποδιαστολής έχαναν χρήματα σε κάθε δέκατο τιμολόγιο."),
    (29, "הסכומים נשמרים באגורות, כי מספרים עשרוניים איבדו אגורה בכל חשבונית עשירית."),
    (28, "تُحفظ المبالغ بالسنتات لأن الأعداد العشرية كانت تفقد سنتًا في كل عاشر فاتورة."),
    (32, "राशियाँ पैसों में रखी जाती हैं, क्योंकि दशमलव संख्याएँ हर दसवें बिल में एक पैसा खो देती थीं।"),
    (30, "เราเก็บจำนวนเงินเป็นสตางค์ เพราะเลขทศนิยมทำให้เงินหายไปทุกใบแจ้งหนี้ใบที่สิบ"),
    (31, "금액은 센트 단위로 저장합니다. 부동 소수점은 열 번째 청구서마다 1센트를 잃었습니다."),
    (38, "金額はセント単位で保存します。浮動小数点では請求書十枚ごとに一セントの誤差が出たためです。"),
    (31, "金额以分为单位保存,因为浮点数在每十张发票中会丢失一分钱,审计时被发现。"),
    (41, "金額以分為單位儲存,因為浮點數在每十張發票中會遺失一分錢,稽核時才被發現。"),
];

#[track_caller]
fn check(text: &str, least: usize, most: usize) {
    let tokens = count(text);
    assert!((least..=most).contains(&tokens), "{tokens} tokens, not {least} to {most}: {text}");
}

#[track_caller]
fn check_run(text: &str, times: usize, least: usize, most: usize) {
    let tokens = count(&text.repeat(times));
    assert!(
        (least..=most).contains(&tokens),
        "{tokens} tokens, not {least} to {most}: {times} times {text}"
    );
}

#[test]
fn plain_texts_are_not_undercounted() {
    for (tokens, text) in PLAIN {
        check(text, *tokens, tokens * 3 / 2);
    }
}

#[test]
fn languages_come_near() {
    for (tokens, text) in LANGUAGES {
        check(text, tokens * 9 / 10, tokens * 3 / 2);
    }
}

#[test]
fn a_memory_is_at_most_a_quarter_over() {
    let memory: String = PLAIN.iter().map(|(_, text)| *text).collect::<Vec<_>>().join("\n\n");
    let tokens: usize = PLAIN.iter().map(|(tokens, _)| tokens).sum();
    check(&memory, tokens, tokens * 5 / 4);
}

#[test]
fn nothing_costs_nothing_and_anything_costs_something() {
    check("", 0, 0);
    for text in [" ", "\n", "a", "'", "\u{200d}", "\u{301}", "\u{e0041}"] {
        check(text, 1, 4);
    }
}

#[test]
fn runs_without_end_still_cost() {
    check_run("e", 3000, 750, 1500);
    check_run("9", 3000, 1000, 1100);
    check_run("Q", 3000, 1500, 1700);
    check_run("9f", 1500, 3000, 3300);
    check_run("Ab", 1500, 1400, 1700);
    check_run("漢", 1000, 900, 1200);
    check_run("\u{1f980}", 100, 200, 300);
    check_run(" ", 3000, 20, 50);
    check_run("-", 3000, 47, 200);
}

proptest! {
    #[test]
    fn appending_never_lowers_the_count(text in any::<String>(), more in any::<String>()) {
        let both = format!("{text}{more}");
        prop_assert!(count(&both) >= count(&text));
    }

    #[test]
    fn appending_words_never_lowers_the_count(text in "[a-cA-C0-2 \n.'`é漢_-]{0,60}") {
        let counts: Vec<usize> = text.char_indices().map(|(at, _)| count(&text[..at])).collect();
        prop_assert!(counts.is_sorted());
    }

    #[test]
    fn the_count_is_bounded_by_the_bytes(text in any::<String>()) {
        prop_assert!(count(&text) <= text.len() * 5 / 2 + 1);
    }
}
