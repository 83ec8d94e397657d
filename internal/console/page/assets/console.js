// What the console does more where the browser runs scripts: times of this place,
// and a button that copies. Everything works without it.
"use strict";

const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[data-local]")) {
  time.textContent = local.format(new Date(time.dateTime));
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
}

const summary = document.querySelector(".error-summary");
if (summary && !document.querySelector("main [autofocus]")) summary.focus();

// A page on which something is entered begins in its first field.
const entered = /\/(new|edit|from-template)$/.test(location.pathname) && !location.hash && !summary;
const form = entered && (document.querySelector("main form[data-entry]") || document.querySelector("main form"));
const first = form && [...form.querySelectorAll("input:not([type=hidden], [type=search]), select, textarea")].find((field) => field.checkVisibility());
if (first) first.focus({ preventScroll: true });

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("details.pop[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
