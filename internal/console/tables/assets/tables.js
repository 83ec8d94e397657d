// Helps on the pages of imports: a button says that it is at work, and progress moves
// by itself. Everything works without it.
"use strict";

for (const button of document.querySelectorAll("button[data-busy]")) {
  button.form.addEventListener("submit", () => {
    button.textContent = button.dataset.busy;
    setTimeout(() => { button.disabled = true; });
  });
}

const progress = document.getElementById("progress");
if (progress && progress.dataset.state === "RUNNING") follow(progress);

// follow asks again while the import runs, for as long as the page is looked at.
async function follow(shown) {
  while (shown.dataset.state === "RUNNING") {
    await new Promise((later) => setTimeout(later, 1000));
    if (document.hidden) continue;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer || !answer.ok) continue;
    const now = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("progress");
    if (!now) return;
    shown.replaceChildren(...now.childNodes);
    shown.dataset.state = now.dataset.state;
  }
  location.reload();
}
