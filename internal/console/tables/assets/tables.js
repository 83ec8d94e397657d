// Enhances the import pages: buttons show that the server is working, and the progress is
// updated. The pages work without it.
"use strict";

for (const button of document.querySelectorAll("button[data-busy]")) {
  button.form.addEventListener("submit", () => {
    button.textContent = button.dataset.busy;
    setTimeout(() => { button.disabled = true; });
  });
}

const progress = document.getElementById("progress");
if (progress && progress.dataset.state === "RUNNING") follow(progress);

// follow updates the progress every second while the import is running and the page is visible.
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
