// Enhances the webhook pages: a search for events, selecting an event selects "Only these",
// and the number of waiting deliveries is updated. The pages work without it.
"use strict";

const search = document.getElementById("search");
if (search) {
  search.parentElement.hidden = false;
  const groups = [...document.querySelectorAll(".events details")].map((group) => ({ group, opened: group.open }));
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const { group, opened } of groups) {
      let found = 0;
      for (const event of group.querySelectorAll(".check")) {
        event.hidden = wanted !== "" && !event.textContent.toLowerCase().includes(wanted);
        if (!event.hidden) found++;
      }
      group.hidden = found === 0;
      group.open = wanted === "" ? opened : found > 0;
    }
  });
  for (const box of document.querySelectorAll('.events input[name="events"]')) {
    box.addEventListener("change", () => {
      if (box.checked) document.getElementById("which-some").checked = true;
    });
  }
}

const progress = document.getElementById("progress");
if (progress && Number(progress.dataset.waiting) > 0) follow(progress);

// follow updates the page every 2 s while deliveries are waiting and the page is visible.
async function follow(shown) {
  for (let round = 0; round < 600 && Number(shown.dataset.waiting) > 0; round++) {
    await new Promise((later) => setTimeout(later, 2000));
    if (document.hidden) continue;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer || !answer.ok) continue;
    const now = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("progress");
    if (!now) return;
    if (now.textContent !== shown.textContent) shown.replaceChildren(...now.childNodes);
    shown.dataset.waiting = now.dataset.waiting;
    if (Number(shown.dataset.waiting) === 0) location.reload();
  }
}
