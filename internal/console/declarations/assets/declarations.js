// An open declaration changes by itself: when the server tells of a change, the page is
// fetched again and what may have changed takes the place of what was there. A page that
// nobody looks at listens to nothing.
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

  function hush() {
    if (source) source.close();
    source = null;
  }

  async function refresh() {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" }, redirect: "error" });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("now");
    const now = document.getElementById("now");
    if (!fresh || !now) return;
    const held = now.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    for (const time of fresh.querySelectorAll("time[data-local]")) time.textContent = local.format(new Date(time.dateTime));
    for (const link of fresh.querySelectorAll("[data-refresh]")) link.hidden = true;
    const said = now.querySelector("[data-live-text]");
    const says = fresh.querySelector("[data-live-text]");
    now.dataset.live = fresh.dataset.live;
    for (const child of [...now.children]) if (child !== said) child.remove();
    for (const child of [...fresh.children]) if (child !== says) now.append(child);
    if (said.textContent !== says.textContent) {
      said.textContent = says.textContent;
      document.querySelector("main > .notice")?.remove(); // what was just done is no longer the news
    }
    if (held) now.querySelector(`a[href="${CSS.escape(held)}"]`)?.focus();
  }

  for (const link of document.querySelectorAll("[data-refresh]")) link.hidden = Boolean(window.EventSource);
  document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
  window.addEventListener("pagehide", hush);
  window.addEventListener("pageshow", listen);
  listen();
}
