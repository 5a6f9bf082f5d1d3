//! Words with an opposite: the two ends of an axis, separated by a comma, with the words of one end
//! separated by bars. And words that merely name different things of one sort, such as days.

/// Looked up by their stems.
#[rustfmt::skip]
pub(super) const OPPOSITES: &[&str] = &[
    "absolute, relative", "accept|allow|grant|permit, deny|disallow|refuse|reject|revoke",
    "activate|enable|switch on|turn on, deactivate|disable|switch off|turn off", "always, never",
    "ascending|oldest, descending|newest", "at most once, at least once",
    "batch|in batches, on the fly|real time|stream",
    "blocking|synchronous, asynchronous|non blocking|nonblocking",
    "build time|compile time|static, dynamic|run time|runtime",
    "by hand|manual, automate|automatic",
    "centralised|centralized, decentralized|distributed|federated",
    "change in place|mutable, append only|immutable", "client side|browser side, server side",
    "composition, inheritance", "common|shared, dedicated|isolated|per tenant|separate",
    "compulsory|mandatory|must have|obligatory|required, optional|voluntary",
    "durable|persistent, ephemeral|in memory|transient|volatile",
    "eager|eagerly|fail fast, continue past|lazy|lazily",
    "encrypted, cleartext|plain text|plaintext|unencrypted", "explicit, implicit",
    "forward, backward", "inbound|incoming, outbound|outgoing", "include|with, exclude|omit",
    "inline, external file|separate file", "internal, external",
    "keep|maintain|preserve|retain, delete|discard|drop|purge|remove",
    "local, central|cloud|remote", "monolith|modular monolith, microservice|micro service",
    "normalized, denormalized", "null|nullable, non null|not null", "open, closed",
    "opt in, opt out", "optimistic, pessimistic", "positive, negative", "public, private",
    "push, poll|pull", "sequential|serial|one at a time, concurrent|parallel", "singular, plural",
    "stateful|state, stateless", "statically typed, dynamically typed|untyped",
    "strict, lenient|loose|relaxed|tolerant", "symmetric, asymmetric", "tabs, spaces",
    "thin, fat|thick", "tight, loose", "trusted, untrusted",
    "uppercase|upper case, lowercase|lower case", "verbose, quiet|silent|terse",
    "vertical, horizontal",
];

/// These mean something else as often as not: the sentences around them must be nearly the same.
#[rustfmt::skip]
pub(super) const WEAK_OPPOSITES: &[&str] = &[
    "accelerate|amplify|augment|boost|elevate|enhance|enlarge|exacerbate|expand|facilitate|greater
        |grew|grow|higher|increase|induce|more|promote|raise|rise|rose|stimulate|strengthen
        |upregulate|worsen, abolish|alleviate|antagonize|attenuate|block|decline|decrease|diminish
        |downregulate|fewer|impair|inhibit|less|lower|mitigate|prevent|reduce|reduction|shrank
        |shrink|slow|suppress|weaken",
    "active, inactive|knockdown|repress|silence",
    "agree|confirm|support, contradict|disagree|oppose|refute|reject",
    "at most|maximum|up to, at least|minimum", "before|precede|prior, after|afterwards|follow",
    "begin|start, end|stop",
    "beneficial|benefit|effective|improve|protect|safe, adverse|dangerous|detrimental|harmful
        |ineffective|toxic|unsafe|worsen",
    "common|frequent, infrequent|rare|uncommon", "fast|faster|quick, slow|slower", "first, last",
    "gain|surplus, deficit|deplete|loss", "heat|hotter|warm|warmer, colder|cool|cooler",
    "heavy|heavier, light|lighter", "likely|probable, improbable|unlikely",
    "on by default, off by default", "presence|present, absence|absent|lack",
    "sensitive, insensitive|resistant", "success, failure",
];

/// Two texts that name different ones of these don't say the same, but may both hold.
#[rustfmt::skip]
pub(super) const DISTINCT: &[&str] = &[
    "staging, production, development, preview, local", "sandbox, live",
    "monday, tuesday, wednesday, thursday, friday, saturday, sunday",
    "january, february, march, april, june, july, august, september, october, november, december",
    "hour, day, week, month, year", "public, private, internal", "add, remove",
    "single, double, triple", "light, dark", "allow, forbid", "client, server",
    "stable, nightly, beta", "online, offline", "import, export", "upload, download", "read, write",
    "request, response", "primary, replica, secondary", "british, american",
    "windows, linux, macos", "ios, android",
    "german, french, dutch, spanish, italian, japanese, chinese, english, portuguese",
    "cookie, header", "iptables, nftables, ipvs", "grep, ripgrep", "unit, integration",
    "canary, rolling", "cpu, memory, disk", "left, right", "hot, cold", "inside, outside",
    "up, down", "encrypted, plain", "jest, vitest, mocha, pytest, unittest, cypress, playwright",
    "prettier, eslint, biome, black, ruff", "bazel, nx, turborepo",
];
