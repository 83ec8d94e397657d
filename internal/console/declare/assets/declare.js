// What the form does more where the browser runs scripts: it says at once what is wrong
// with a field, and shows suggested codes without a new page. The server judges both.
"use strict";

const sheet = document.getElementById("sheet");

// ask sends what is typed, with what a button would say, and gives the page's answer.
async function ask(go) {
  const typed = new URLSearchParams(new FormData(sheet));
  typed.set("go", go);
  const answer = await fetch(sheet.action, { method: "POST", body: typed, headers: { Accept: "text/html" }, redirect: "error" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.getElementById("sheet")) throw new Error("the answer is another page");
  return page;
}

// complain shows at a field what the server says of it now, and nothing that was said before.
function complain(field, judged) {
  const said = judged && judged.querySelector(".error");
  const old = field.querySelector(".error");
  if (old) old.remove();
  field.classList.toggle("wrong", Boolean(said));
  for (const control of field.querySelectorAll("input:not([type=hidden]):not([type=radio]), select, textarea")) {
    const fresh = judged && judged.querySelector("#" + CSS.escape(control.id));
    control.toggleAttribute("aria-invalid", false);
    if (said) control.setAttribute("aria-invalid", "true");
    const described = fresh && fresh.getAttribute("aria-describedby");
    if (described) control.setAttribute("aria-describedby", described);
    else control.removeAttribute("aria-describedby");
    if (said) control.before(document.importNode(said, true));
  }
}

if (sheet && "check" in sheet.dataset) {
  sheet.addEventListener("change", async (event) => {
    const field = event.target.closest("[data-field]");
    if (!field || event.target.type === "radio") return;
    try {
      const page = await ask("check");
      complain(field, page.querySelector(`[data-field="${CSS.escape(field.dataset.field)}"]`));
    } catch { /* the server says it when the form is sent */ }
  });
}

function take(code) {
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
      take(pick.dataset.pick);
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
      const page = await ask("suggest");
      place.replaceChildren(...document.importNode(page.getElementById("suggestions"), true).childNodes);
      for (const field of sheet.querySelectorAll('[data-field$=".description"]')) {
        complain(field, page.querySelector(`[data-field="${CSS.escape(field.dataset.field)}"]`));
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

// A form that was sent is not sent again, and long work says that it goes on.
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
