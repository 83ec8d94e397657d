// Shows the documents beside the form: pages of PDFs by pdf.js, pictures, and the text of
// other files. Places where values were found are marked; a click on a mark puts its value into
// the field, and a click on any other text puts that into the field that had the focus last.

const sources = document.querySelector(".sources");
const sheet = document.getElementById("sheet");
let lastField = null;

sheet.addEventListener("focusin", (event) => {
  if (event.target.matches("input:not([type=hidden]):not([type=radio]):not([type=checkbox]), textarea")) lastField = event.target;
});

// put sets a field as if the user had typed.
function put(control, text) {
  control.value = text;
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
  control.focus();
}

// take puts a found value into its field. A field of another step is set by the server.
function take(item) {
  if ("entry" in sheet.dataset && item.dataset.value) {
    document.dispatchEvent(new CustomEvent("tidewaiter:put", { detail: { field: item.dataset.fieldPath, value: item.dataset.value } }));
    return;
  }
  const control = sheet.elements.namedItem(item.dataset.fieldPath);
  const field = control instanceof RadioNodeList ? [...control].pop() : control;
  if (field && field.type !== "hidden" && field.type !== "checkbox" && item.dataset.value) put(field, item.dataset.value);
  else item.querySelector("button")?.click();
}

let library;

// pdfLibrary loads pdf.js once.
function pdfLibrary() {
  library ??= import(sources.dataset.pdf).then((pdf) => {
    pdf.GlobalWorkerOptions.workerSrc = sources.dataset.worker;
    return pdf;
  });
  return library;
}

// turn returns a point of our lines as a point of the page: lines of a turned page are read upright.
function turn(degrees, x, y) {
  switch (((degrees % 360) + 360) % 360) {
    case 90: return [-y, x];
    case 180: return [-x, -y];
    case 270: return [y, -x];
  }
  return [x, y];
}

// rectangle returns the place of a box on a shown page, in pixels.
function rectangle(viewport, degrees, box) {
  const [left, bottom, right, top] = box.map((edge) => edge / 10);
  const a = viewport.convertToViewportPoint(...turn(degrees, left, bottom));
  const b = viewport.convertToViewportPoint(...turn(degrees, right, top));
  return { x: Math.min(a[0], b[0]), y: Math.min(a[1], b[1]), width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1]) };
}

function place(element, at) {
  element.style.left = `${at.x}px`;
  element.style.top = `${at.y}px`;
  element.style.width = `${at.width}px`;
  element.style.height = `${at.height}px`;
}

// mark draws the marks of a page above it. They are for the pointer; for the keyboard and for screen readers the same values
// stand in the list below the page, with a button each.
function mark(sheetOfPage, viewport, degrees, items) {
  for (const item of items) {
    const spot = document.createElement("div");
    spot.className = "mark";
    spot.setAttribute("aria-hidden", "true");
    spot.dataset.path = item.dataset.fieldPath;
    spot.toggleAttribute("data-agrees", "agrees" in item.dataset);
    spot.title = item.querySelector("span").textContent;
    place(spot, rectangle(viewport, degrees, item.dataset.box.split(" ").map(Number)));
    spot.addEventListener("click", () => {
      take(item);
      spot.toggleAttribute("data-agrees", true);
    });
    sheetOfPage.append(spot);
  }
}

// textAt returns the text of a page at a point.
async function textAt(page, viewport, pdf, x, y) {
  const content = await page.getTextContent();
  for (const part of content.items) {
    const at = pdf.Util.transform(viewport.transform, part.transform);
    const height = Math.hypot(at[2], at[3]);
    if (x >= at[4] && x <= at[4] + part.width * viewport.scale && y <= at[5] + height / 4 && y >= at[5] - height) return part.str.trim();
  }
  return "";
}

const smallest = 0.55; // scale at which the print of a page can still be read

// showPage draws one page.
async function showPage(pdf, doc, number, place, items) {
  const page = await doc.getPage(number);
  const unscaled = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: Math.max(smallest, (place.clientWidth - 24) / unscaled.width) });
  const paper = document.createElement("div");
  paper.className = "paper";
  paper.style.width = `${viewport.width}px`;
  paper.style.height = `${viewport.height}px`;
  const canvas = document.createElement("canvas");
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.floor(viewport.width * sharp);
  canvas.height = Math.floor(viewport.height * sharp);
  canvas.setAttribute("aria-hidden", "true");
  paper.append(canvas);
  place.append(paper);
  await page.render({ canvas, viewport, transform: sharp === 1 ? null : [sharp, 0, 0, sharp, 0, 0] }).promise;
  mark(paper, viewport, page.rotate, items.filter((item) => item.dataset.page === String(number) && item.dataset.box));
  canvas.addEventListener("click", async (event) => {
    const edge = canvas.getBoundingClientRect();
    const text = await textAt(page, viewport, pdf, event.clientX - edge.left, event.clientY - edge.top);
    if (text && lastField) put(lastField, text);
  });
}

const maxPages = 30; // a longer document is saved and opened elsewhere

async function showPDF(source, place, items) {
  const pdf = await pdfLibrary();
  const doc = await pdf.getDocument({ url: source.dataset.path, isEvalSupported: false, enableXfa: false, useWasm: false, disableRange: true, disableStream: true }).promise;
  for (let n = 1; n <= Math.min(doc.numPages, maxPages); n++) await showPage(pdf, doc, n, place, items);
}

async function showImage(source, place) {
  const picture = await createImageBitmap(await (await fetch(source.dataset.path)).blob());
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.className = "picture";
  canvas.getContext("2d").drawImage(picture, 0, 0);
  place.append(canvas);
}

async function showText(source, place) {
  const response = await fetch(`${source.dataset.path}/text`, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  place.append(document.importNode(page.querySelector(".document-text"), true));
  place.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell && lastField) put(lastField, cell.textContent.trim());
  });
}

const shown = { pdf: showPDF, image: showImage, text: showText };

// show fills the place of a document when it is opened for the first time.
async function show(source) {
  if (!source.open || source.dataset.shown) return;
  source.dataset.shown = "yes";
  const place = source.querySelector(".document-page");
  place.hidden = false;
  try {
    await shown[source.dataset.kind](source, place, [...source.querySelectorAll("li[data-field-path]")]);
    source.dataset.shown = "done";
  } catch {
    place.textContent = "The document cannot be shown here. Save the file and open it.";
    source.dataset.shown = "failed";
  }
}

for (const source of sources.querySelectorAll(".source")) {
  source.addEventListener("toggle", () => show(source));
  show(source);
}
