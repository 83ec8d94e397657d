// The form on one page, where the browser runs scripts: the grid of goods and its keys, pasted lines, and checks while the user is
// typing. The server reads, checks and stores; all of it works without scripts.
//
// A value is put in from outside by an event: document.dispatchEvent(new CustomEvent("tidewaiter:put", { detail: { field, value } })),
// where field is the id of a control, such as items[3].netMassKg, also of a line that is not shown or does not exist yet.
"use strict";

{
  const sheet = document.querySelector("form[data-entry]");
  const table = document.getElementById("goods");
  const body = table.tBodies[0];
  const state = document.getElementById("goods-state");
  const columns = sheet.dataset.columns.split(" ");
  const shown = 20; // lines at a time, as on the server
  const most = 999; // lines of a declaration
  const pause = 400; // ms without a key before what is typed is checked
  const sample = body.rows[0].cloneNode(true);
  const cellOf = /^items\[(\d+)\]\.(.+)$/;

  document.documentElement.classList.add("scripted");

  // All lines. Each has the index of the stored item that it was, or -1, and a text for each column. The page shows those from
  // index from on.
  let from = Number(sheet.dataset.from);
  let lines = [];
  const computed = new Map(); // what empty cells mean, by id
  const mistakes = new Map(); // by id
  const doubts = new Map(); // what to check about pasted cells, by id
  const touched = new Set(); // ids of controls that the user has left or changed
  const whole = sheet.elements["goods.lines"];

  async function read() {
    if (whole) {
      lines = JSON.parse(whole.value);
    } else {
      const total = Number(sheet.dataset.total);
      const here = [...body.rows].map((row, i) => ({ was: from + i, cells: columns.map((name) => control(from + i, name).value) }));
      if (sheet.dataset.lines) {
        const response = await fetch(sheet.dataset.lines, { headers: { Accept: "application/json" }, redirect: "error" });
        if (!response.ok) return; // without all lines the form is sent as the server made it
        lines = await response.json();
        here.forEach((line, i) => { lines[from + i] = line; });
      } else if (here.length === total) {
        lines = here;
      }
    }
    for (const row of body.rows) {
      for (const input of row.querySelectorAll("input.computed")) computed.set(input.id, input.placeholder);
    }
  }

  const id = (line, column) => `items[${line}].${column}`;
  const control = (line, column) => document.getElementById(id(line, column));
  const blank = () => ({ was: -1, cells: columns.map((name) => (name === "itemPrice.currency" ? lines.at(-1)?.cells[columns.indexOf(name)] || "GBP" : "")) });
  const isBlank = (line) => line.cells.every((text, i) => !text || columns[i] === "itemPrice.currency");

  // draw shows the lines from an index on; the work does not depend on how many there are.
  function draw() {
    from = Math.max(0, Math.min(from, lines.length - 1));
    sheet.elements["goods.from"].value = from;
    const last = Math.min(from + shown, lines.length);
    while (body.rows.length > last - from) body.rows[body.rows.length - 1].remove();
    while (body.rows.length < last - from) body.append(sample.cloneNode(true));
    for (let n = from; n < last; n++) drawLine(body.rows[n - from], n);
    const before = sheet.querySelector("[data-act=before]");
    const after = sheet.querySelector("[data-act=after]");
    before.hidden = from === 0;
    after.hidden = last === lines.length;
    state.textContent = lines.length > shown ? `Lines ${from + 1} to ${last} of ${lines.length}` : lines.length === 1 ? "1 line" : `${lines.length} lines`;
  }

  function drawLine(row, n) {
    row.id = "line-" + (n + 1);
    row.dataset.line = n;
    row.cells[0].textContent = n + 1;
    row.querySelectorAll(".cell").forEach((cell, i) => {
      const name = id(n, columns[i]);
      const input = cell.querySelector("input");
      if (input.id !== name) {
        input.id = input.name = cell.dataset.field = name;
        input.setAttribute("aria-label", `Line ${n + 1}: ${input.getAttribute("aria-label").replace(/^Line \d+: /, "")}`);
      }
      if (input.value !== lines[n].cells[i]) input.value = lines[n].cells[i];
      drawState(cell, input);
    });
    row.querySelectorAll(".acts button").forEach((button) => {
      button.value = button.value.replace(/\d+$/, n);
      const name = button.querySelector(".hidden");
      name.textContent = name.textContent.replace(/\d+$/, n + 1);
    });
  }

  // drawState shows what an empty cell means, its mistake, and what to check about it.
  function drawState(cell, input) {
    const meaning = computed.get(input.id);
    input.placeholder = meaning || input.dataset.name;
    input.classList.toggle("computed", Boolean(meaning));
    const mistake = mistakes.get(input.id);
    const doubt = doubts.get(input.id);
    note(cell, "error", mistake, input.id + "-error");
    note(cell, "doubts", doubt, input.id + "-note");
    cell.classList.toggle("wrong", Boolean(mistake));
    cell.classList.toggle("doubt", Boolean(doubt));
    describe(input, [mistake && input.id + "-error", doubt && input.id + "-note"].filter(Boolean).join(" "), mistake);
  }

  function note(cell, kind, text, name) {
    const old = cell.querySelector("." + kind);
    if (!text) return old?.remove();
    if (old && old.textContent === text && old.id === name) return;
    old?.remove();
    const made = document.createElement("span");
    made.className = kind;
    made.id = name;
    made.textContent = text;
    cell.append(made);
  }

  function describe(input, ids, mistake) {
    if (ids) input.setAttribute("aria-describedby", ids);
    else input.removeAttribute("aria-describedby");
    if (mistake) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }

  // go moves to a cell, and shows other lines if it is not shown.
  function go(line, column) {
    if (line < 0 || line >= lines.length) return;
    if (line < from || line >= from + shown) {
      from = line - (line % shown);
      draw();
      check();
    }
    const input = control(line, column);
    input.focus();
    input.select();
  }

  function renew(line, column) {
    for (const all of [computed, mistakes, doubts]) all.clear(); // lines have moved; the next check says it again
    draw();
    go(Math.min(line, lines.length - 1), column);
    check();
  }

  function insert(line, made, column) {
    if (lines.length >= most) {
      state.textContent = `A declaration has at most ${most} lines.`;
      return;
    }
    lines.splice(line, 0, made);
    renew(line, column);
  }

  function remove(line, column) {
    lines.splice(line, 1);
    if (lines.length === 0) lines.push(blank());
    renew(line, column);
  }

  const copyOf = (line) => ({ was: lines[line].was, cells: [...lines[line].cells] });

  function put(line, column, value) {
    lines[line].cells[columns.indexOf(column)] = value;
    doubts.delete(id(line, column));
    const input = control(line, column);
    if (input) input.value = value;
  }

  // The estimate beside the form shows the line with the focus, if it does not show all of them.
  body.addEventListener("focusin", (event) => {
    const line = event.target.id?.match(cellOf)?.[1];
    if (!line || sheet.elements["goods.line"].value === line) return;
    sheet.elements["goods.line"].value = line;
    if (lines.length > 5) check();
  });

  // Typing in a cell changes the cell and its text in lines, and nothing else.
  body.addEventListener("input", (event) => {
    const at = event.target.id.match(cellOf);
    if (!at || !lines.length) return;
    lines[at[1]].cells[columns.indexOf(at[2])] = event.target.value;
    if (doubts.delete(event.target.id)) drawState(event.target.closest(".cell"), event.target);
  });

  body.addEventListener("keydown", (event) => {
    const at = event.target.id?.match(cellOf);
    if (!at || !lines.length) return;
    const [line, column] = [Number(at[1]), at[2]];
    const input = event.target;
    const command = event.ctrlKey || event.metaKey;
    const step = (by) => go(line, columns[columns.indexOf(column) + by] ?? column);
    let done = true;
    if (command && event.key.toLowerCase() === "d") {
      if (event.shiftKey) for (let n = line + 1; n < lines.length; n++) put(n, column, input.value);
      else if (line > 0) put(line, column, lines[line - 1].cells[columns.indexOf(column)]);
      check();
    } else if (event.altKey && event.key === "Insert") insert(line + 1, copyOf(line), column);
    else if (event.altKey && event.key === "Delete") remove(line, column);
    else if (command || event.altKey) done = false;
    else if (event.key === "Enter" && line === lines.length - 1 && !isBlank(lines[line])) insert(line + 1, blank(), columns[0]);
    else if (event.key === "Enter" || event.key === "ArrowDown" && !input.list) go(line + 1, column);
    else if (event.key === "ArrowUp" && !input.list) go(line - 1, column);
    else if (event.key === "ArrowLeft" && input.selectionEnd === 0) step(-1);
    else if (event.key === "ArrowRight" && input.selectionStart === input.value.length) step(1);
    else done = false;
    if (done) event.preventDefault();
  });

  body.addEventListener("paste", async (event) => {
    const at = event.target.id?.match(cellOf);
    const text = event.clipboardData.getData("text/plain");
    if (!at || !lines.length || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    state.textContent = "Reading the lines …";
    const form = new URLSearchParams({ "organisation-id": sheet.elements["organisation-id"].value, pasted: text, first: at[2] });
    const response = await fetch("/declarations/new/lines", { method: "POST", body: form, headers: { Accept: "application/json" }, redirect: "error" }).catch(() => null);
    if (!response?.ok) {
      state.textContent = "The lines could not be read. Paste them into the field below the grid.";
      return;
    }
    take(await response.json(), Number(at[1]), at[2]);
  });

  // take puts pasted lines into the grid, and marks the cells that the user should check.
  function take(pasted, line, column) {
    const room = Math.min(pasted.lines.length, most - line);
    for (let n = 0; n < room; n++) {
      if (line + n === lines.length) lines.push(blank());
      pasted.columns.forEach((name, i) => {
        const cell = pasted.lines[n].cells[i];
        if (!name || !cell) return;
        if (cell.text || name !== "itemPrice.currency") put(line + n, name, cell.text);
        if (cell.note) doubts.set(id(line + n, name), cell.note);
      });
    }
    const marked = doubts.size;
    draw();
    go(line, column);
    const words = [`${room} lines are pasted.`];
    if (marked) words.push(marked === 1 ? "Check the cell that is marked." : `Check the ${marked} cells that are marked.`);
    if (pasted.unknown.length) words.push("Columns that are not used: " + pasted.unknown.join(", ") + ".");
    if (room < pasted.lines.length) words.push(`A declaration has at most ${most} lines.`);
    state.textContent = words.join(" ");
    check();
  }

  const acts = {
    add: () => insert(lines.length, blank(), columns[0]),
    before: () => go(from - shown, columns[0]),
    after: () => go(from + shown, columns[0]),
    document: () => {
      const all = document.querySelectorAll("[data-document]");
      const next = all.length;
      const made = all[next - 1].cloneNode(true);
      made.dataset.document = next;
      made.innerHTML = made.innerHTML.replaceAll(`documents[${next - 1}]`, `documents[${next}]`).replaceAll(`document:${next - 1}`, `document:${next}`).replaceAll(`document ${next}<`, `document ${next + 1}<`);
      made.querySelector("legend").textContent = "Document " + (next + 1);
      for (const input of made.querySelectorAll("input")) input.value = "";
      for (const error of made.querySelectorAll(".error, .notes")) error.remove();
      all[next - 1].after(made);
      made.querySelector("input").focus();
    },
  };

  sheet.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=go]");
    if (!button) return;
    const [verb, n] = button.value.split(":");
    if (verb === "check") {
      event.preventDefault();
      for (const field of sheet.querySelectorAll("[data-field] input, [data-field] select, [data-field] textarea")) touched.add(field.id);
      run(true);
    } else if (verb === "find") {
      event.preventDefault();
      choose("find");
    } else if (lines.length && button.dataset.act in acts || button.dataset.act === "document") {
      event.preventDefault();
      acts[button.dataset.act]();
    } else if (lines.length && (verb === "copy-line" || verb === "remove-line")) {
      event.preventDefault();
      if (verb === "copy-line") insert(Number(n) + 1, copyOf(Number(n)), columns[0]);
      else remove(Number(n), columns[0]);
    }
  });

  // The form is sent with all lines instead of those that are shown.
  sheet.addEventListener("formdata", (event) => {
    if (!lines.length) return;
    for (const name of [...event.formData.keys()]) if (name.startsWith("items[")) event.formData.delete(name);
    event.formData.set("goods.lines", JSON.stringify(lines));
  });

  // request sends what is typed and returns the page that the server makes of it; it stores nothing.
  async function request(verb, signal) {
    const input = new URLSearchParams(new FormData(sheet));
    input.set("go", verb);
    const response = await fetch(sheet.action, { method: "POST", body: input, headers: { Accept: "text/html" }, redirect: "error", signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!page.getElementById("checks")) throw new Error("unexpected page");
    return page;
  }

  // check checks what is typed after a pause. A newer check ends an older one. checks counts those that were asked for, and says
  // which of them was answered last.
  let timer;
  let running;
  const checks = (sheet.checks = { asked: 0, answered: 0 });
  function check() {
    checks.asked++;
    clearTimeout(timer);
    timer = setTimeout(run, pause);
  }

  async function run(all) {
    clearTimeout(timer);
    running?.abort();
    const mine = (running = new AbortController());
    if (all === true) checks.asked++;
    const number = checks.asked;
    await ready;
    try {
      const page = await request("check", mine.signal);
      if (mine.signal.aborted) return;
      show(page);
      if (all === true) sheet.querySelector("[aria-invalid=true]")?.focus();
      checks.answered = number;
    } catch { /* the next check, or the server when the form is sent */ }
  }

  const swap = (page, name) => {
    const old = document.getElementById(name);
    const fresh = page.getElementById(name);
    if (!old || !fresh || old.contains(document.activeElement)) return;
    const open = [...old.querySelectorAll("details")].map((part) => part.open);
    old.replaceChildren(...document.importNode(fresh, true).childNodes);
    [...old.querySelectorAll("details")].forEach((part, i) => { part.open = open[i] ?? part.open; });
  };

  // show takes over what the server says about the fields: mistakes, what empty cells mean, ticks, findings and the estimate.
  function show(page) {
    for (const name of ["checks", "merges", "rates", "summary"]) swap(page, name);
    for (const tick of document.querySelectorAll("[data-tick]")) {
      const fresh = page.querySelector(`[data-tick="${tick.dataset.tick}"]`);
      if (fresh && fresh.innerHTML !== tick.innerHTML) tick.replaceChildren(...document.importNode(fresh, true).childNodes);
    }
    for (const row of page.querySelectorAll("#goods tbody tr")) {
      for (const cell of row.querySelectorAll(".cell")) {
        const input = cell.querySelector("input");
        const mine = document.getElementById(input.id);
        if (!mine) continue;
        if (input.classList.contains("computed")) computed.set(input.id, input.placeholder);
        else computed.delete(input.id);
        const error = cell.querySelector(".error");
        if (error && (mine.value || touched.has(mine.id))) mistakes.set(input.id, error.textContent.replace(/^Error: /, ""));
        else mistakes.delete(input.id);
        drawState(mine.closest(".cell"), mine);
      }
    }
    for (const field of sheet.querySelectorAll(".field[data-field]")) {
      const fresh = page.querySelector(`.field[data-field="${CSS.escape(field.dataset.field)}"]`);
      if (fresh) showMistake(field, fresh);
    }
  }

  function showMistake(field, fresh) {
    const input = field.querySelector("input:not([type=hidden], [type=radio]), select, textarea");
    if (!input) return;
    const error = fresh.querySelector(".error");
    const seen = error && (input.value && input.type !== "checkbox" || touched.has(input.id));
    field.querySelector(".error")?.remove();
    field.classList.toggle("wrong", Boolean(seen));
    if (seen) input.before(document.importNode(error, true));
    const ids = (input.getAttribute("aria-describedby") || "").split(" ").filter((one) => one && one !== input.id + "-error");
    if (seen) ids.push(input.id + "-error");
    describe(input, ids.join(" "), seen);
  }

  // choose shows the fields of another client or shipment.
  async function choose(verb) {
    running?.abort();
    const focused = document.activeElement?.id;
    const name = document.activeElement?.name;
    const value = document.activeElement?.value;
    try {
      await ready;
      const page = await request(verb, (running = new AbortController()).signal);
      document.activeElement?.blur();
      for (const part of ["part-client", "part-transport", "part-parties"]) swap(page, part);
      show(page);
      const back = (focused && document.getElementById(focused)) || sheet.querySelector(`[name="${name}"][value="${CSS.escape(value || "")}"]`);
      back?.focus();
    } catch { /* the choice is read when the form is sent */ }
  }

  sheet.addEventListener("input", (event) => {
    if (event.target.type === "radio" || event.target.id === "looked" || event.target.id === "pasted" || event.target.id === "shipment") return;
    check();
  });
  sheet.addEventListener("change", (event) => {
    const { name, value, id: own } = event.target;
    if (own) touched.add(own);
    if (name === "client" && value !== "new" || name === "shipment") choose("use");
    if (name === "declarationType") sheet.requestSubmit(sheet.querySelector("button[value=use]")); // other fields
  });
  sheet.addEventListener("focusout", (event) => { if (event.target.id && event.relatedTarget) touched.add(event.target.id); });

  // A link to a field of a line that is not shown shows the line.
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".entry a[href*='#']");
    const hash = link && decodeURIComponent(link.hash.slice(1));
    const at = hash?.match(cellOf);
    const target = hash && document.getElementById(hash);
    if (at && lines.length) {
      event.preventDefault();
      touched.add(hash);
      go(Number(at[1]), columns.includes(at[2]) ? at[2] : columns[0]);
    } else if (target && link.pathname === location.pathname) {
      target.closest("details")?.setAttribute("open", "");
      if (target.matches("input, select, textarea")) {
        event.preventDefault();
        target.focus();
      }
    }
  });

  document.addEventListener("tidewaiter:put", async (event) => {
    await ready;
    const { field, value } = event.detail;
    const at = field.match(cellOf);
    if (at && lines.length && columns.includes(at[2]) && at[1] < most) {
      while (lines.length <= at[1]) lines.push(blank());
      put(at[1], at[2], value);
      if (!control(at[1], at[2])) from = at[1] - (at[1] % shown);
      draw();
    } else {
      const input = document.getElementById(field);
      if (!input || input.form !== sheet) return;
      input.value = value;
    }
    check();
  });

  const ready = read();

  // The lines are changed by keys, so that their buttons need not be passed by the tabulator.
  for (const button of body.querySelectorAll(".acts button")) button.tabIndex = -1;
  for (const button of sample.querySelectorAll(".acts button")) button.tabIndex = -1;

  // The first mistake, or the first field that is still empty, gets the focus. Beside documents the page stays at its top, where it says what to check.
  const first = sheet.querySelector("[aria-invalid=true]") || (location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1)))?.querySelector("input") : null) ||
    (document.querySelector(".document-viewer") ? null : [...sheet.querySelectorAll(".part[open] .grid > .field input:not([type=checkbox]), .part[open] .goods input:not(.computed)")].find((input) => !input.value && input.checkVisibility() && input.getAttribute("aria-label") !== "Line 1: Product code"));
  if (!document.querySelector("[autofocus]")) first?.focus();
}
