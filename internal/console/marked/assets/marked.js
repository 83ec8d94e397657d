// Shows how far a batch is until it has ended: the page is fetched again each second and its changing part replaced.
"use strict";

{
  async function look() {
    const shown = document.getElementById("progress");
    if (shown?.dataset.running !== "true") return;
    const response = await fetch(location.pathname, { headers: { Accept: "text/html" }, redirect: "error" });
    const fresh = response.ok && new DOMParser().parseFromString(await response.text(), "text/html").getElementById("progress");
    if (fresh) {
      shown.dataset.running = fresh.dataset.running;
      shown.replaceChildren(...fresh.childNodes);
    }
    setTimeout(look, 1000);
  }
  setTimeout(look, 1000);
}
