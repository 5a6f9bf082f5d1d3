//! Words with an opposite: the two ends of an axis. And words that merely name different things of
//! one sort, such as days and places.

use super::{Exclusion, Group};

/// Both ends, parted by a comma; the words of one end by bars. They are looked up by their stems.
const fn opposite(members: &'static str) -> Group {
    Group { exclusion: Exclusion::Opposite, roles: "", members }
}

/// Words that mean something else as often as not: the sentences around them must be nearly the same.
const fn weak(members: &'static str) -> Group {
    Group { exclusion: Exclusion::WeakOpposite, roles: "", members }
}

/// Different things: two texts that name different ones don't say the same, but may both hold.
const fn distinct(members: &'static str) -> Group {
    Group { exclusion: Exclusion::Distinct, roles: "", members }
}

#[rustfmt::skip]
pub(super) const OPPOSITES: &[Group] = &[
    opposite("absolute, relative"),
    opposite("accept|allow|grant|permit, deny|disallow|refuse|reject|revoke"),
    opposite("activate|enable|switch on|turn on, deactivate|disable|switch off|turn off"),
    opposite("always, never"), opposite("ascending|oldest, descending|newest"),
    opposite("at most once, at least once"),
    opposite("batch|in batches, on the fly|real time|stream"),
    opposite("blocking|synchronous, asynchronous|non blocking|nonblocking"),
    opposite("build time|compile time|static, dynamic|run time|runtime"),
    opposite("by hand|manual, automate|automatic"),
    opposite("centralised|centralized, decentralized|distributed|federated"),
    opposite("change in place|mutable, append only|immutable"),
    opposite("client side|browser side, server side"), opposite("composition, inheritance"),
    opposite("common|shared, dedicated|isolated|per tenant|separate"),
    opposite("compulsory|mandatory|must have|obligatory|required, optional|voluntary"),
    opposite("durable|persistent, ephemeral|in memory|transient|volatile"),
    opposite("eager|eagerly|fail fast, continue past|lazy|lazily"),
    opposite("encrypted, cleartext|plain text|plaintext|unencrypted"),
    opposite("explicit, implicit"), opposite("forward, backward"),
    opposite("inbound|incoming, outbound|outgoing"), opposite("include|with, exclude|omit"),
    opposite("inline, external file|separate file"), opposite("internal, external"),
    opposite("keep|maintain|preserve|retain, delete|discard|drop|purge|remove"),
    opposite("local, central|cloud|remote"),
    opposite("monolith|modular monolith, microservice|micro service"),
    opposite("normalized, denormalized"), opposite("null|nullable, non null|not null"),
    opposite("open, closed"), opposite("opt in, opt out"), opposite("optimistic, pessimistic"),
    opposite("positive, negative"), opposite("public, private"), opposite("push, poll|pull"),
    opposite("sequential|serial|one at a time, concurrent|parallel"), opposite("singular, plural"),
    opposite("stateful|state, stateless"), opposite("statically typed, dynamically typed|untyped"),
    opposite("strict, lenient|loose|relaxed|tolerant"), opposite("symmetric, asymmetric"),
    opposite("tabs, spaces"), opposite("thin, fat|thick"), opposite("tight, loose"),
    opposite("trusted, untrusted"), opposite("uppercase|upper case, lowercase|lower case"),
    opposite("verbose, quiet|silent|terse"), opposite("vertical, horizontal"),
    weak("accelerate|amplify|augment|boost|elevate|enhance|enlarge|exacerbate|expand|facilitate|greater
        |grew|grow|higher|increase|induce|more|promote|raise|rise|rose|stimulate|strengthen|upregulate
        |worsen, abolish|alleviate|antagonize|attenuate|block|decline|decrease|diminish|downregulate|fewer
        |impair|inhibit|less|lower|mitigate|prevent|reduce|reduction|shrank|shrink|slow|suppress|weaken"),
    weak("active, inactive|knockdown|repress|silence"),
    weak("agree|confirm|support, contradict|disagree|oppose|refute|reject"),
    weak("at most|maximum|up to, at least|minimum"),
    weak("before|precede|prior, after|afterwards|follow"), weak("begin|start, end|stop"),
    weak("beneficial|benefit|effective|improve|protect|safe, adverse|dangerous|detrimental|harmful
        |ineffective|toxic|unsafe|worsen"),
    weak("common|frequent, infrequent|rare|uncommon"),
    weak("fast|faster|quick, slow|slower"), weak("first, last"),
    weak("gain|surplus, deficit|deplete|loss"), weak("heat|hotter|warm|warmer, colder|cool|cooler"),
    weak("heavy|heavier, light|lighter"), weak("likely|probable, improbable|unlikely"),
    weak("on by default, off by default"), weak("presence|present, absence|absent|lack"),
    weak("sensitive, insensitive|resistant"), weak("success, failure"),
];

#[rustfmt::skip]
pub(super) const DISTINCT: &[Group] = &[
    distinct("staging, production, development, preview, local"), distinct("sandbox, live"),
    distinct("monday, tuesday, wednesday, thursday, friday, saturday, sunday"),
    distinct("january, february, march, april, june, july, august, september, october, november, december"),
    distinct("hour, day, week, month, year"), distinct("public, private, internal"),
    distinct("add, remove"), distinct("single, double, triple"), distinct("light, dark"),
    distinct("allow, forbid"), distinct("client, server"), distinct("stable, nightly, beta"),
    distinct("online, offline"), distinct("import, export"), distinct("upload, download"),
    distinct("read, write"), distinct("request, response"), distinct("primary, replica, secondary"),
    distinct("british, american"), distinct("windows, linux, macos"), distinct("ios, android"),
    distinct("german, french, dutch, spanish, italian, japanese, chinese, english, portuguese"),
    distinct("cookie, header"), distinct("iptables, nftables, ipvs"), distinct("grep, ripgrep"),
    distinct("unit, integration"), distinct("canary, rolling"), distinct("cpu, memory, disk"),
    distinct("left, right"), distinct("hot, cold"), distinct("inside, outside"), distinct("up, down"),
    distinct("encrypted, plain"),
    distinct("jest, vitest, mocha, pytest, unittest, cypress, playwright"),
    distinct("prettier, eslint, biome, black, ruff"), distinct("bazel, nx, turborepo"),
];
