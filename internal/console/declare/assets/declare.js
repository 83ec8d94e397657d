// Enhances the form: errors of a field are shown immediately, and suggested codes without
// a new page. The server checks and suggests. The form works without it.
"use strict";

const sheet = document.getElementById("sheet");

// request sends the form as if a button had been pressed, and returns the page.
async function request(go) {
  const input = new URLSearchParams(new FormData(sheet));
  input.set("go", go);
  const response = await fetch(sheet.action, { method: "POST", body: input, headers: { Accept: "text/html" }, redirect: "error" });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!page.getElementById("sheet")) throw new Error("unexpected page");
  return page;
}

// showError replaces the error of a field by that of the new page.
function showError(field, checked) {
  const error = checked && checked.querySelector(".error");
  const old = field.querySelector(".error");
  if (old) old.remove();
  field.classList.toggle("wrong", Boolean(error));
  for (const control of field.querySelectorAll("input:not([type=hidden]):not([type=radio]), select, textarea")) {
    const fresh = checked && checked.querySelector("#" + CSS.escape(control.id));
    control.toggleAttribute("aria-invalid", false);
    if (error) control.setAttribute("aria-invalid", "true");
    const described = fresh && fresh.getAttribute("aria-describedby");
    if (described) control.setAttribute("aria-describedby", described);
    else control.removeAttribute("aria-describedby");
    if (error) control.before(document.importNode(error, true));
  }
}

if (sheet && "check" in sheet.dataset) {
  sheet.addEventListener("change", async (event) => {
    const field = event.target.closest("[data-field]");
    if (!field || event.target.type === "radio") return;
    try {
      const page = await request("check");
      showError(field, page.querySelector(`[data-field="${CSS.escape(field.dataset.field)}"]`));
    } catch { /* the server shows the error when the form is sent */ }
  });
}

function useCode(code) {
  const control = sheet.querySelector('[data-field$=".commodityCode"] input');
  control.value = code;
  control.dispatchEvent(new Event("change", { bubbles: true }));
  control.focus();
}

if (sheet) {
  sheet.addEventListener("click", async (event) => {
    const pick = event.target.closest("[data-pick]");
    if (pick) {
      event.preventDefault();
      useCode(pick.dataset.pick);
      return;
    }
    const button = event.target.closest("[data-suggest]");
    if (!button) return;
    event.preventDefault();
    const place = document.getElementById("suggestions");
    const label = button.textContent;
    button.textContent = button.dataset.busy;
    button.disabled = true;
    try {
      const page = await request("suggest");
      place.replaceChildren(...document.importNode(page.getElementById("suggestions"), true).childNodes);
      for (const field of sheet.querySelectorAll('[data-field$=".description"]')) {
        showError(field, page.querySelector(`[data-field="${CSS.escape(field.dataset.field)}"]`));
      }
      const summary = page.querySelector(".error-summary p");
      if (summary) place.replaceChildren(document.importNode(summary, true));
    } catch {
      button.disabled = false;
      sheet.requestSubmit(button.form.querySelector('[value="suggest"]'));
    }
    button.textContent = label;
    button.disabled = false;
  });
}

// Prevents sending a form twice, and changes the button's text while the server is working.
for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    const button = event.submitter;
    if (button && button.dataset.busy) button.textContent = button.dataset.busy;
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// Shows the documents beside the form.
const sources = document.querySelector(".sources[data-viewer]");
if (sources && sheet && sources.querySelector(".source")) import(sources.dataset.viewer);

// filesOf returns the files of what was dropped, also those in folders.
async function filesOf(dropped) {
  const files = [];
  const walk = async (entry) => {
    if (entry.isFile) {
      files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const one of some) await walk(one);
    }
  };
  for (const entry of [...dropped.items].map((item) => item.webkitGetAsEntry()).filter(Boolean)) await walk(entry);
  return files;
}

// Takes files and folders that are dropped on a form with documents.
for (const form of document.querySelectorAll("form.drop")) {
  const input = form.querySelector("input[type=file]");
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", async (event) => {
    event.preventDefault();
    form.classList.remove("over");
    const all = new DataTransfer();
    for (const file of await filesOf(event.dataTransfer)) {
      if (!file.name.startsWith(".")) all.items.add(file);
    }
    input.files = all.files;
    form.requestSubmit();
  });
}
