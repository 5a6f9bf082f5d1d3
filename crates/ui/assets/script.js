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
  const say = (text, link, words) => {
    outcome.replaceChildren(document.createTextNode(text));
    if (link) {
      const anchor = document.createElement("a");
      anchor.href = link;
      anchor.textContent = words;
      outcome.append(" ", anchor);
    }
  };

  // Only a page that is looked at listens: a browser has few connections for one server.
  let news = null;
  const listen = () => {
    if (document.hidden) {
      if (news) { news.close(); news = null; }
    } else if (!news) {
      news = new EventSource("/news");
      news.addEventListener("changed", () => say("The store has changed.", location.href, "Reload"));
    }
  };
  document.addEventListener("visibilitychange", listen);
  listen();
  addEventListener("pagehide", () => { if (news) { news.close(); news = null; } });

  // Keys. They are off in fields, with modifiers, in dialogs, and for whoever switched them off.
  const KEYS_OFF = "oldhand-keys-off";
  const areOff = () => localStorage.getItem(KEYS_OFF) === "1";
  const isTyping = (target) => target.closest("input:not([type=checkbox]):not([type=radio]),textarea,select,[contenteditable]");
  const isSeen = (element) => element && element.offsetParent !== null;
  const help = one("#keys");
  let isGoing = false;

  const rows = () => all("[data-row]");
  const step = (by) => {
    const known = rows();
    if (!known.length) return false;
    const at = known.findIndex((row) => row.hasAttribute("aria-current"));
    const next = known[Math.min(Math.max(at + by, 0), known.length - 1)];
    if (next && next !== known[at]) location.assign(next.href);
    return true;
  };

  // A verb puts the focus into its reason; Ctrl+Enter decides.
  const bar = one("#decide");
  let verb = null;
  const choose = (button) => {
    if (button.disabled) { say(button.title || "not possible now"); return; }
    verb = button;
    for (const other of all("button[data-verb]", bar)) other.classList.toggle("chosen", other === button);
    for (const extra of all("[data-for]", bar)) {
      const fits = extra.dataset.for.split(" ").includes(button.value);
      extra.hidden = !fits;
    }
    const reasons = one("#reasons", bar);
    if (reasons) {
      const known = JSON.parse(reasons.dataset.known || "{}")[button.value] || [];
      reasons.replaceChildren(...known.slice(0, 9).map((reason, at) => {
        const offer = document.createElement("button");
        offer.type = "button";
        offer.className = "reason";
        const key = document.createElement("kbd");
        key.textContent = String(at + 1);
        offer.append(key, " ", reason);
        offer.addEventListener("click", () => { const field = one("#reason", bar); field.value = reason; field.focus(); });
        return offer;
      }));
    }
    const missing = all("[data-for]:not([hidden]) input,[data-for]:not([hidden]) textarea", bar).find((it) => !it.value);
    (missing || one("#reason", bar)).focus();
  };
  const marked = () => all("input[data-mark]:checked");

  // Each marked memory is a request of its own, and each is answered by itself.
  const decideMarked = async (button) => {
    const reason = one("#reason", bar).value;
    let done = 0;
    for (const box of marked()) {
      const row = box.closest("li");
      const reply = await fetch(bar.getAttribute("action"), {
        method: "POST",
        headers: { "content-type": "application/json", "x-form-token": one("meta[name=form-token]").content },
        body: JSON.stringify({ id: box.value, if_match: box.dataset.hash || "", decision: button.value, reason }),
      });
      const said = await reply.json();
      const note = document.createElement("span");
      note.className = reply.ok ? "outcome-row" : "outcome-row bad";
      note.textContent = reply.ok ? button.value : said.message;
      row.append(note);
      if (reply.ok) { done += 1; box.checked = false; row.classList.add("done"); }
    }
    say(`${done} decided.`, "/undo", "Undo the last");
    setTimeout(() => { if (!marked().length) location.reload(); }, 6000);
  };
  if (bar) {
    bar.addEventListener("submit", (event) => {
      const button = event.submitter;
      if (button && button.dataset.verb && marked().length) {
        event.preventDefault();
        decideMarked(button);
      }
    });
    // With script, a verb first asks why.
    for (const button of all("button[data-verb]", bar)) {
      button.addEventListener("click", (event) => {
        if (verb === button && one("#reason", bar).value.trim()) return;
        event.preventDefault();
        choose(button);
      });
    }
    for (const extra of all("[data-for]", bar)) extra.hidden = true;
  }

  document.addEventListener("keydown", (event) => {
    const typing = isTyping(event.target);
    if (bar && typing && event.key === "Enter" && (event.ctrlKey || event.metaKey) && verb) {
      event.preventDefault();
      bar.requestSubmit(verb);
      return;
    }
    if (event.key === "Escape") {
      if (help && help.open) return;
      if (typing) { event.target.blur(); verb = null; return; }
      const back = one("[data-back]");
      if (back) location.assign(back.href);
      return;
    }
    if (typing) return;
    if (event.ctrlKey || event.metaKey || event.altKey || areOff() || (help && help.open)) return;
    const key = event.key;
    if (isGoing) {
      isGoing = false;
      const page = all("nav.pages a").find((link) => link.dataset.key === key);
      if (page) { event.preventDefault(); location.assign(page.href); }
      return;
    }
    const did = () => {
      if (key === "Enter" && event.target.closest("a,button,summary,input")) return false;
      if (key === "g") { isGoing = true; return true; }
      if (key === "/") { one("#search").focus(); return true; }
      if (key === "?") { if (help) help.showModal(); return true; }
      if (key === "j" || key === "ArrowDown") return rows().length > 0 && step(1);
      if (key === "k" || key === "ArrowUp") return rows().length > 0 && step(-1);
      if (key === "x") {
        const box = one("li.here input[data-mark]");
        if (box) { box.checked = !box.checked; say(`${marked().length} marked.`); }
        return Boolean(box);
      }
      if (/^[1-9]$/.test(key)) {
        const offer = all(".reason")[Number(key) - 1];
        if (offer) offer.click();
        return Boolean(offer);
      }
      const target = all("[data-key]").find((it) => it.dataset.key === key && !it.closest("nav.pages") && isSeen(it));
      if (!target) return false;
      if (target.tagName === "DETAILS") {
        target.open = true;
        const field = one("textarea,input:not([type=hidden])", target);
        if (field) field.focus();
      } else if (target.dataset.verb) choose(target);
      else target.click();
      return true;
    };
    if (did()) event.preventDefault();
  });

  const off = one("#keys-off");
  if (off) {
    off.checked = areOff();
    off.addEventListener("change", () => localStorage.setItem(KEYS_OFF, off.checked ? "1" : "0"));
  }
})();
