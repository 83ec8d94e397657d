// What the keyboard does more where the browser runs scripts: single keys on lists, the palette, and a list of the keys.
// Everything can be done without them.
"use strict";

{
  const keys = [
    ["/", "Search the list"], ["n", "New record"], ["j and k", "Next and previous row"], ["x", "Mark the row"], ["p", "Preview the row's record; so does a press on the row"], ["e", "Edit the row's record"],
    ["Enter", "Open the row's record"], ["Ctrl+Enter", "Send the form"], ["Ctrl+K", "Go to a page, an action or a record"], ["?", "Show these keys"],
  ];
  const off = "tidewaiter-single-keys-off"; // of localStorage: the user does not want single keys

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  function dialog(label, ...children) {
    const made = element("dialog", { className: "palette" }, ...children);
    made.setAttribute("aria-label", label);
    made.addEventListener("close", () => made.remove());
    made.addEventListener("click", (event) => { if (event.target === made) made.close(); });
    document.body.append(made);
    made.showModal();
    return made;
  }

  // The rows of a list: j and k go over them, and past the last to the next page.
  const links = () => [...document.querySelectorAll("table.list tbody th[scope=row] a")];
  const row = () => document.activeElement?.closest("table.list tbody tr");

  function step(by) {
    const all = links();
    const at = all.findIndex((link) => link.closest("tr") === row());
    const next = all[at < 0 ? 0 : at + by];
    if (next) {
      next.focus();
      if (document.querySelector("aside.preview")) preview();
    } else if (by > 0) document.querySelector(".pages a[rel=next]")?.click();
  }

  // The preview shows the page of the row's record beside the list, without what can be pressed there.
  async function preview() {
    const link = row()?.querySelector("th a");
    if (!link) return;
    const response = await fetch(link.href, { headers: { Accept: "text/html" }, redirect: "error" });
    if (!response.ok || link !== row()?.querySelector("th a")) return;
    const main = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("main");
    for (const part of main.querySelectorAll("form, .buttons, button, input, select, textarea, nav, .back, script, [aria-live] .later")) part.remove();
    for (const part of main.querySelectorAll("[id]")) part.removeAttribute("id");
    for (const part of main.querySelectorAll("[aria-labelledby]")) part.removeAttribute("aria-labelledby");
    closePreview();
    const shown = element("aside", { className: "preview" }, ...main.childNodes);
    shown.setAttribute("aria-label", "Preview");
    shown.tabIndex = 0;
    const close = element("button", { type: "button", className: "button plain slim", textContent: "Close" });
    close.addEventListener("click", () => { closePreview(); link.focus(); });
    shown.prepend(element("p", { className: "buttons" }, element("a", { className: "button slim", href: link.href, textContent: "Open" }), close));
    document.body.append(shown);
  }

  // A press on a row, and not on something in it, shows its preview; with text marked it is left alone.
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("table.rows tbody tr");
    if (!pressed || event.target.closest("a, button, input, label, select, summary") || getSelection().toString()) return;
    pressed.querySelector("th a")?.focus();
    preview();
  });

  const closePreview = () => document.querySelector("aside.preview")?.remove();

  function edit() {
    const link = row()?.querySelector("th a");
    if (link?.closest("[data-no-edit]")) return;
    if (link) location.assign(new URL(link.getAttribute("href") + "/edit", location.href));
    else document.querySelector("main a[data-key=e]")?.click();
  }

  function help() {
    const list = element("dl", { className: "facts" });
    for (const [key, what] of keys) list.append(element("dt", {}, element("kbd", { textContent: key })), element("dd", { textContent: what }));
    const box = element("input", { type: "checkbox", id: "single-keys", checked: !localStorage.getItem(off) });
    box.addEventListener("change", () => (box.checked ? localStorage.removeItem(off) : localStorage.setItem(off, "yes")));
    const choice = element("div", { className: "check" }, box, element("label", { htmlFor: "single-keys", textContent: "Use single keys" }));
    const close = element("button", { type: "button", className: "button plain slim", textContent: "Close" });
    const shown = dialog("Keys", element("h2", { textContent: "Keys" }), list, choice, close);
    close.addEventListener("click", () => shown.close());
  }

  // The palette: a field, and below it what can be opened.
  function palette() {
    const field = element("input", { type: "search", autocomplete: "off", placeholder: "Page, action, reference, client, goods, container …" });
    const list = element("ul", { id: "palette-list" });
    const status = element("p", { className: "hidden" });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Results");
    status.setAttribute("role", "status");
    for (const [name, value] of Object.entries({ role: "combobox", "aria-label": "Go to", "aria-expanded": "true", "aria-controls": "palette-list" })) field.setAttribute(name, value);
    const shown = dialog("Go to", field, list, status);
    let asked = 0;
    let chosen = 0;

    function choose(at) {
      const all = [...list.querySelectorAll("li")];
      if (all.length === 0) return;
      chosen = (at + all.length) % all.length;
      all.forEach((li, i) => li.setAttribute("aria-selected", i === chosen));
      field.setAttribute("aria-activedescendant", all[chosen].id);
      all[chosen].scrollIntoView({ block: "nearest" });
    }

    async function ask() {
      const mine = ++asked;
      const response = await fetch("/palette?q=" + encodeURIComponent(field.value), { headers: { Accept: "application/json" }, redirect: "error" });
      if (!response.ok || mine !== asked) return;
      const { entries, incomplete } = await response.json();
      if (mine !== asked) return;
      list.replaceChildren(...entries.map((entry, i) => {
        const li = element("li", { id: "palette-" + i }, element("span", { textContent: entry.name }), element("span", { className: "soft small", textContent: entry.detail || entry.group }));
        li.setAttribute("role", "option");
        li.addEventListener("click", () => location.assign(entry.path));
        return li;
      }));
      status.textContent = (entries.length === 0 ? "Nothing found" : entries.length + " results") + (incomplete ? ". " + incomplete : "");
      field.removeAttribute("aria-activedescendant");
      choose(0);
    }

    let timer;
    field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 80); });
    field.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
      } else if (event.key === "Enter") {
        event.preventDefault();
        list.querySelectorAll("li")[chosen]?.click();
      } else if (event.key === "Escape") {
        event.preventDefault(); // would only empty the field
        shown.close();
      }
    });
    field.focus();
    ask();
    return shown;
  }

  const single = { "/": () => document.querySelector("main input[type=search]")?.focus(), n: () => document.querySelector("main a[data-key=n]")?.click(), e: edit, j: () => step(1), k: () => step(-1), x: () => row()?.querySelector("input[type=checkbox]")?.click(), p: () => (document.querySelector("aside.preview") ? closePreview() : preview()), "?": help };
  const typing = (target) => target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
    const command = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") closePreview();
    if (command && event.key.toLowerCase() === "k" && document.querySelector("nav.areas")) {
      event.preventDefault();
      palette();
    } else if (command && event.key === "Enter") {
      const form = event.target.closest("form");
      form?.requestSubmit(form.querySelector("button.button:not(.plain)"));
    } else if (!command && single[event.key] && !typing(event.target) && (event.key === "?" || !localStorage.getItem(off))) {
      event.preventDefault();
      single[event.key]();
    }
  });

  // The buttons under a list wait until rows are marked, and the text before them says how many are.
  const buttons = document.querySelectorAll("button[data-marked]");
  if (buttons.length > 0) {
    const text = document.querySelector("[data-marked-count]");
    const everything = document.getElementById("all-matching");
    const count = () => {
      const n = document.querySelectorAll(".rows tbody .mark input:checked").length;
      text.textContent = everything?.checked ? "With all that match:" : n === 0 ? "Mark rows first:" : n + " marked:";
      for (const button of buttons) button.disabled = n === 0 && !everything?.checked;
    };
    document.addEventListener("change", count);
    window.addEventListener("pageshow", count);
    count();
    const head = document.querySelector(".rows thead .mark");
    const all = element("input", { type: "checkbox" });
    all.setAttribute("aria-label", "Mark all rows of this page");
    all.addEventListener("change", () => { for (const box of document.querySelectorAll(".rows tbody .mark input")) box.checked = all.checked; });
    head?.append(all);
  }
}
