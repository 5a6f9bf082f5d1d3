"use strict";
(() => {
  const one = (query, from) => (from || document).querySelector(query);
  const all = (query, from) => [...(from || document).querySelectorAll(query)];

  // The ticket behind the `#` goes into the form, and out of the address.
  const enter = one("#enter");
  if (enter) {
    const ticket = location.hash.slice(1);
    if (ticket) {
      history.replaceState(null, "", location.pathname);
      one("#ticket").value = ticket;
      enter.submit();
    }
    return;
  }

  const outcome = one("#outcome");
  const make = (tag, text, more) => Object.assign(document.createElement(tag), { textContent: text, ...more });
  const say = (text, link) => outcome.replaceChildren(text, ...(link ? [" ", link] : []));

  const partsOf = (address) => fetch(address, { headers: { "x-parts": "1" } }).then((it) => it.json()).catch(() => null);
  const place = (part) => one(`[data-part="${CSS.escape(part)}"]`);

  // Only a page that is looked at listens: connections are few.
  let state = one("meta[name=state]").content;
  let news = null;
  const deafen = () => { if (news) { news.close(); news = null; } };
  const listen = () => {
    if (document.hidden) return deafen();
    if (news) return;
    news = new EventSource("/news");
    news.addEventListener("state", async (event) => {
      if (event.data === state) return;
      // Nothing moves under the reader: what came in is counted, and shown when they ask for it.
      const parts = (one(".inbox") && (await partsOf(location.href))?.parts) || {};
      const more = Object.keys(parts).filter((it) => it.startsWith("row-") && !place(it)).length;
      for (const name of ["inbox-link", "waiting"]) if (parts[name]) place(name)?.replaceWith(build(parts[name]));
      const text = more ? `${more} new ${more === 1 ? "item waits" : "items wait"}.` : "The store has changed.";
      say(text, make("a", more ? "Show" : "Reload", { href: location.href }));
    });
  };
  document.addEventListener("visibilitychange", listen);
  addEventListener("pagehide", deafen);
  listen();

  // Elements from a tree that the server made of the page. Nothing is parsed as HTML.
  const build = (tree, space) => {
    if (typeof tree === "string") return document.createTextNode(tree);
    const [name, attributes, ...children] = tree;
    // The first element of another language brings its name along: `svg address`.
    const [tag, inner = space] = name.split(" ");
    const element = inner ? document.createElementNS(inner, tag) : document.createElement(tag);
    for (const name of Object.keys(attributes)) element.setAttribute(name, attributes[name]);
    element.append(...children.map((child) => build(child, inner)));
    return element;
  };
  let latest = {};
  const exchange = ({ title, parts }) => {
    document.title = title;
    const before = latest;
    latest = parts;
    for (const old of all("[data-part]")) {
      const [tree, known] = [parts, before].map((it) => it[old.dataset.part]);
      if (!tree || old.matches(".done") || JSON.stringify(tree) === JSON.stringify(known)) continue;
      const made = build(tree);
      for (const box of all("li > input", made)) box.checked ||= one("input", old).checked;
      made.append(...all("li > .told", old));
      old.replaceWith(made);
    }
    arm();
  };

  // Another item in place. Whatever is in the way, the page of that item is loaded instead.
  const inbox = one(".inbox");
  const where = () => location.pathname + location.search;
  let shown = where();
  let turn = 0;
  let aim = null;
  const go = async (address, how, page) => {
    const mine = turn += 1;
    aim = new URL(address, location.href).href;
    const answer = await partsOf(address);
    if (mine !== turn) return false;
    aim = null;
    if (!answer?.parts?.item) { location.assign(page || address); return false; }
    exchange(answer);
    // Rows may have come in since: only a decision of one's own is no news.
    if (how === "replaceState") state = answer.state;
    if (how) history[how](null, "", address);
    shown = where();
    inbox.classList.add("opened");
    scrollTo(0, 0);
    one(".item h2")?.focus({ preventScroll: true });
    one("li.here")?.scrollIntoView({ block: "nearest" });
    return true;
  };
  addEventListener("popstate", () => { if (inbox && shown !== where()) go(where()); });

  const isSeen = (element) => element && element.offsetParent !== null;
  const rows = () => all("li:not(.done) > a[data-row]");
  const open = (row) => {
    if (isSeen(one(".item"))) go(row.href, "pushState");
    else location.assign(row.href);
  };
  const step = (by) => {
    const known = rows();
    const at = known.findIndex((row) => (aim ? row.href === aim : row.hasAttribute("aria-current")));
    const next = known[Math.min(Math.max(at + by, 0), known.length - 1)];
    if (next && next !== known[at]) open(next);
    return known.length > 0;
  };

  // A verb puts the focus into its reason; Ctrl+Enter decides.
  let verb = null;
  const arm = () => {
    verb = null;
    for (const old of all(".picked")) old.classList.remove("picked");
    for (const extra of all("[data-for]")) extra.hidden = true;
  };
  const reasonOf = (form) => one("[name=reason]", form);
  const choose = (button) => {
    if (button.disabled) { say(button.title); return; }
    arm();
    verb = button;
    const form = button.form;
    button.classList.add("picked");
    for (const extra of all("[data-for]", form)) extra.hidden = !extra.dataset.for.split(" ").includes(button.value);
    const known = JSON.parse(one("[data-known]")?.dataset.known || "{}")[button.value] || [];
    one(".reasons", form).replaceChildren(...known.slice(0, 9).map((reason, at) => {
      const onclick = () => { reasonOf(form).value = reason; reasonOf(form).focus(); };
      const offer = make("button", "", { type: "button", className: "reason", onclick });
      offer.append(make("kbd", at + 1), " ", reason);
      return offer;
    }));
    (one("[data-for]:not([hidden]) input", form) || reasonOf(form)).focus();
  };

  const send = async (action, fields) => {
    const reply = await fetch(action, { method: "POST", headers: { "x-parts": "1" }, body: new URLSearchParams(fields) });
    return { status: reply.status, ...await reply.json() };
  };
  const note = (place, text, name) => {
    for (const old of all(".told", place)) old.remove();
    const told = make("p", text, { className: `told ${name}`, role: name === "bad" ? "alert" : null });
    place.append(told);
    return told;
  };

  // A decided row stays a while, with what came of it. Undo takes back the last write alone.
  const STAY = 6000;
  const leave = (row) => {
    if (row.matches(":hover,:focus-within")) { setTimeout(leave, STAY, row); return; }
    const tree = latest[row.dataset.part];
    if (tree) row.replaceWith(build(tree)); else row.remove();
    for (const group of all(".group")) if (!one("li", group)) group.remove();
  };
  const undo = (back, of) => {
    const link = make("a", "Undo", { href: `/undo?back=${encodeURIComponent(back)}${of ? `&of=${of}` : ""}` });
    link.dataset.key = "u";
    link.append(" ", make("kbd", "u"));
    return link;
  };
  const strike = (row, said, of) => {
    for (const old of all(".queue .told a")) old.remove();
    row.className = "done";
    const link = one("a", row);
    link.removeAttribute("aria-current");
    note(row, said, "good").append(...(of ? [] : [" ", undo(link.getAttribute("href"))]));
    setTimeout(leave, STAY, row);
  };
  const told = (text, link) => {
    say(text, link);
    setTimeout(() => { if (link?.isConnected) say(""); }, STAY);
  };

  const decide = async (form, button) => {
    const fields = new FormData(form, button);
    const [row, link] = [one("li.here"), undo(where())];
    const answer = await send(button.getAttribute("formaction") || form.getAttribute("action"), fields);
    if (answer.next) {
      if (row) strike(row, answer.said);
      if (await go(answer.next, "replaceState", answer.page)) told(answer.said, link);
    } else if (answer.status === 412 || answer.status === 404) {
      await go(where());
      const again = one("#decide");
      if (!again) { say(answer.message); return; }
      for (const field of all("textarea,input:not([type=hidden])", again)) field.value = fields.get(field.name) || "";
      const same = all("button[data-verb]", again).find((it) => it.value === button.value);
      if (same) choose(same);
      note(again, "It has changed: this is it now. What you typed is kept.", "bad");
    } else {
      note(form, answer.message, "bad");
      reasonOf(form).focus();
    }
  };

  // Each marked memory is answered by itself; undo takes all of them back.
  const marked = () => all("input[form=several]:checked");
  const decideMarked = async (form, button) => {
    const answer = await send(form.getAttribute("action"), new FormData(form, button));
    if (!answer.done) return note(form, answer.message, "bad");
    for (const box of marked()) {
      const [row, id] = [box.closest("li"), box.name.replace("mark-", "")];
      const said = answer.done[id];
      box.checked = !said;
      if (said) strike(row, said, answer.of); else note(row, answer.refused[id], "bad");
    }
    if (!marked().length) form.reset();
    const next = one("a[data-row][aria-current]") || rows()[0];
    const done = Object.keys(answer.done).length;
    const refused = marked().length ? `, ${marked().length} refused` : "";
    if (await go(next ? next.href : "/review", "replaceState")) told(`${done} decided${refused}.`, done && undo(where(), answer.of));
  };

  let isBusy = false;
  document.addEventListener("submit", async (event) => {
    const [form, button] = [event.target, event.submitter];
    if (!form.matches(".decide")) return;
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    await (form.id === "several" ? decideMarked : decide)(form, button).catch(() => {
      say("No answer: is `oldhand ui` running? What you typed is kept.");
    });
    isBusy = false;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-verb]");
    const row = event.target.closest("a[data-row]");
    if (button) {
      // With script, a verb first asks why.
      if (verb === button && reasonOf(button.form).value.trim()) return;
      event.preventDefault();
      choose(button);
    } else if (row && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      open(row);
    }
  });
  arm();

  // Keys. They are off in fields, with modifiers, in dialogs, and for whoever switched them off.
  const KEYS_OFF = "oldhand-keys-off";
  const FIELDS = "input:not([type=checkbox]):not([type=radio]),textarea,select";
  const off = one("#keys-off");
  const help = one("#keys");
  off.checked = localStorage.getItem(KEYS_OFF) === "1";
  off.addEventListener("change", () => localStorage.setItem(KEYS_OFF, off.checked ? "1" : "0"));

  let isGoing = false;
  const press = (key, target) => {
    const link = (from) => all("[data-key]").find((it) => it.dataset.key === key && from(it));
    if (isGoing) {
      isGoing = false;
      link((it) => it.closest("nav.pages"))?.click();
      return true;
    }
    if (key === "Enter" && target.closest("a,button,summary,input")) return false;
    if (key === "g") return isGoing = true;
    if (key === "/") { one("#search").focus(); return true; }
    if (key === "?") { help.showModal(); return true; }
    if (key === "j" || key === "ArrowDown") return step(1);
    if (key === "k" || key === "ArrowUp") return step(-1);
    if (key === "x") {
      one("li.here > input")?.click();
      say(`${marked().length} marked.`);
      return true;
    }
    const found = link((it) => !it.closest("nav.pages") && isSeen(it));
    if (!found && key === "u") location.assign(undo(where()).href);
    else if (!found) return false;
    else if (found.matches("details")) {
      found.open = true;
      one(`:is(${FIELDS}):not([type=hidden])`, found)?.focus();
    } else if (found.matches("[data-verb]")) choose(found);
    else found.click();
    return true;
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const typing = target.closest(FIELDS);
    const isHeld = event.ctrlKey || event.metaKey || event.altKey;
    if (help.open) return;
    if (verb && typing && key === "Enter" && isHeld) {
      event.preventDefault();
      verb.form.requestSubmit(verb);
    } else if (key === "Escape" && typing) {
      typing.blur();
      arm();
    } else if (key === "Escape") {
      one("[data-back]")?.click();
    } else if (typing && /^[1-9]$/.test(key) && typing.name === "reason" && !typing.value) {
      const offer = all(".reason", typing.form)[key - 1];
      if (offer) { event.preventDefault(); offer.click(); }
    } else if (!typing && !isHeld && !off.checked && press(key, target)) event.preventDefault();
  });
})();
