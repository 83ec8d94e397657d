"use strict";
// What HMRC wants to know of the device that a return is sent from.
const device = () => {
  let id = localStorage.getItem("tidewaiter-device");
  if (!id) {
    id = [...crypto.getRandomValues(new Uint8Array(16))].map((b, i) => (i === 6 ? (b & 15) | 64 : i === 8 ? (b & 63) | 128 : b).toString(16).padStart(2, "0"))
      .join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    localStorage.setItem("tidewaiter-device", id);
  }
  const behind = new Date().getTimezoneOffset(), away = Math.abs(behind), two = n => String(n).padStart(2, "0");
  return {
    "Gov-Client-Browser-JS-User-Agent": navigator.userAgent,
    "Gov-Client-Device-ID": id,
    "Gov-Client-Timezone": `UTC${behind > 0 ? "-" : "+"}${two(Math.floor(away / 60))}:${two(away % 60)}`,
    "Gov-Client-Screens": `width=${screen.width}&height=${screen.height}&scaling-factor=${devicePixelRatio}&colour-depth=${screen.colorDepth}`,
    "Gov-Client-Window-Size": `width=${innerWidth}&height=${innerHeight}`,
  };
};
for (const place of document.querySelectorAll("[data-device]")) {
  place.closest("form").addEventListener("submit", () => {
    for (const [name, value] of Object.entries(device())) place.querySelector(`[name="${name}"]`).value = value;
  });
}

// What takes its time says so, and is not begun twice.
for (const form of document.querySelectorAll("form[data-waits]")) {
  form.addEventListener("submit", event => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
    const waiting = form.querySelector("[data-waiting]");
    waiting.textContent = form.dataset.waits;
    waiting.hidden = false;
  });
}

// Boxes 3, 4 and 5 while the others are typed, in pence and without a fraction.
for (const form of document.querySelectorAll("form[data-boxes]")) {
  const pence = name => {
    const text = form.elements[name].value.replace(/[£,\s]/g, "").replace("−", "-") || "0";
    const found = /^(-?)(\d+)(?:\.(\d{0,2}))?$/.exec(text);
    return found ? (found[1] ? -1n : 1n) * BigInt(found[2] + (found[3] || "").padEnd(2, "0")) : null;
  };
  const written = n => {
    const text = String(n < 0n ? -n : n).padStart(3, "0");
    return (n < 0n ? "−£" : "£") + text.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",") + "." + text.slice(-2);
  };
  const show = (box, text) => { form.querySelector(`[data-box="${box}"]`).textContent = text; };
  const work = () => {
    const [one, two, more] = ["box1VatDueSales", "box2VatDueAcquisitions", "box4AdditionalReclaim"].map(pence);
    if (one === null || two === null || more === null) { for (const box of [3, 4, 5]) show(box, "worked out when the amounts are right"); return; }
    const due = one + two, back = more + BigInt(form.dataset.importVat), net = due - back;
    show(3, written(due));
    show(4, written(back));
    show(5, written(net < 0n ? -net : net) + (net > 0n ? " to pay" : net < 0n ? " to be repaid" : ""));
  };
  form.addEventListener("input", work);
  work();
}
