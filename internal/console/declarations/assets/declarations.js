// Updates the page of a declaration: when the server sends a change, the page is fetched
// again and its changing part is replaced. Hidden pages do not listen.
"use strict";

{
  const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
  let source = null;

  function listen() {
    const now = document.getElementById("now");
    if (!now || source || document.hidden) return;
    source = new EventSource(now.dataset.live);
    source.addEventListener("change", refresh);
    source.addEventListener("error", () => {
      if (source && source.readyState === EventSource.CLOSED) source = null;
    });
  }

  function stop() {
    if (source) source.close();
    source = null;
  }

  async function refresh() {
    const response = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" }, redirect: "error" });
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("now");
    const now = document.getElementById("now");
    if (!fresh || !now) return;
    const focused = now.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const summary = document.activeElement?.localName === "summary" ? document.activeElement.parentElement.id : "";
    for (const folded of now.querySelectorAll("details[id]")) {
      const same = fresh.querySelector(`details[id="${CSS.escape(folded.id)}"]`);
      if (same) same.open = folded.open;
    }
    for (const time of fresh.querySelectorAll("time[data-local]")) time.textContent = local.format(new Date(time.dateTime));
    for (const link of fresh.querySelectorAll("[data-refresh]")) link.hidden = true;
    const oldStatus = now.querySelector("[data-live-text]");
    const newStatus = fresh.querySelector("[data-live-text]");
    now.dataset.live = fresh.dataset.live;
    for (const child of [...now.children]) if (child !== oldStatus) child.remove();
    for (const child of [...fresh.children]) if (child !== newStatus) now.append(child);
    if (oldStatus.textContent !== newStatus.textContent) {
      oldStatus.textContent = newStatus.textContent;
      document.querySelector("main > .notice")?.remove(); // the notice is out of date
    }
    if (focused) now.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
    if (summary) now.querySelector(`details[id="${CSS.escape(summary)}"] > summary`)?.focus();
  }

  for (const link of document.querySelectorAll("[data-refresh]")) link.hidden = Boolean(window.EventSource);
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : listen()));
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", listen);
  listen();
}
