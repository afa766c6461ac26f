// The board itself as buttons: a tap on a place makes the one move that concerns it, or
// shows those that do. What is shown are copies of the plain buttons, so nothing can be
// chosen here that the server did not offer.

const main = document.querySelector("main[data-stream]");
const chooser = document.getElementById("chooser");

let chosen = []; // the places tapped so far, the newest last

const concerns = (node, spot) => (node.dataset.spots ?? "").split(" ").includes(spot);
const targetOf = (spot) => document.querySelector(`.tap[data-spot="${CSS.escape(spot)}"]`);

// What a form still offers once some places are chosen, or null for nothing.
function left(form, spots) {
  let ats = [...form.querySelectorAll(".choice-tile")];
  let whats = [...form.querySelectorAll("button")];
  for (const spot of spots) {
    if (concerns(form, spot)) continue;
    const at = ats.filter((tile) => concerns(tile, spot));
    const what = whats.filter((tile) => concerns(tile, spot));
    if (at.length) ats = at;
    else if (what.length) whats = what;
    else return null;
  }
  return { form, ats, whats, count: Math.max(1, ats.length) * whats.length };
}

function offers(spots) {
  return [...document.querySelectorAll("main form[action='/api/act']")]
    .filter((form) => !form.closest(".chooser, .secret"))
    .map((form) => left(form, spots))
    .filter(Boolean);
}

function make({ form, ats, whats }) {
  const radio = ats[0]?.querySelector("input");
  if (radio) radio.checked = true;
  form.requestSubmit(whats[0]);
}

// A copy of a form with the answers that are left; one that is sure is not asked.
function copy({ form, ats, whats }) {
  const twin = form.cloneNode(true);
  const wordOf = (tile) => (tile.querySelector("input") ?? tile).value;
  const keep = (tiles, kept) => {
    const words = kept.map(wordOf);
    for (const tile of tiles) if (!words.includes(wordOf(tile))) tile.remove();
  };
  keep(twin.querySelectorAll("button[name=what]"), whats);
  keep(twin.querySelectorAll(".choice-tile"), ats);
  const rest = twin.querySelectorAll(".choice-tile input");
  for (const input of rest) input.checked = rest.length === 1;
  if (rest.length === 1) twin.querySelector("fieldset").hidden = true;
  else if (rest.length > 1 && whats.length === 1) answerFirst(twin, rest, whats[0].value);
  return twin;
}

// Where the second answer is sure, the first one is what sends the form.
function answerFirst(twin, inputs, what) {
  const sure = Object.assign(document.createElement("input"), { type: "hidden", name: "what", value: what });
  twin.querySelector("button[name=what]").parentElement.replaceWith(sure);
  for (const input of inputs) {
    const button = document.createElement("button");
    button.className = "tile";
    button.name = "at";
    button.value = input.value;
    button.append(...input.nextElementSibling.childNodes);
    input.parentElement.replaceWith(button);
  }
}

function show(found, title) {
  const heading = document.createElement("h2");
  heading.textContent = title;
  const plain = document.createElement("div");
  plain.className = "offers";
  const parts = found.flatMap((one) => {
    const asked = one.form.closest(".ask-in-steps")?.querySelector("summary span");
    if (!asked) {
      plain.append(copy(one));
      return [];
    }
    const line = document.createElement("p");
    line.textContent = asked.textContent;
    return [line, copy(one)];
  });
  chooser.replaceChildren(heading, plain, ...parts);
  chooser.hidden = false;
}

function mark() {
  for (const tap of document.querySelectorAll(".tap"))
    tap.setAttribute("aria-pressed", chosen.includes(tap.dataset.spot));
}

function forget() {
  chosen = [];
  chooser.hidden = true;
  chooser.replaceChildren();
  mark();
}

function tapped(spot, byKey) {
  if (chosen.includes(spot)) return forget();
  const both = [...chosen.slice(-1), spot];
  const fits = offers(both).length > 0;
  const found = fits ? offers(both) : offers([spot]);
  const count = found.reduce((sum, one) => sum + one.count, 0);
  if (!count) return forget();
  if (count === 1) {
    forget();
    return make(found[0]);
  }
  chosen = fits ? both : [spot];
  show(found, targetOf(spot).getAttribute("aria-label"));
  mark();
  if (byKey) chooser.querySelector("button")?.focus();
  else chooser.scrollIntoView({ block: "nearest" });
}

// Where places lie close together a finger means the one whose middle is nearest.
function nearest({ clientX, clientY, target }) {
  const far = (tap) => {
    const box = tap.getBoundingClientRect();
    return Math.hypot(box.x + box.width / 2 - clientX, box.y + box.height / 2 - clientY);
  };
  const under = document.elementsFromPoint(clientX, clientY).map((one) => one.closest(".tap"));
  const taps = [...new Set(under.filter(Boolean))].sort((a, b) => far(a) - far(b));
  return taps[0] ?? target.closest(".tap");
}

if (main && chooser) {
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.(".tap")) return;
    const byKey = event.detail === 0;
    tapped((byKey ? event.target.closest(".tap") : nearest(event)).dataset.spot, byKey);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen.length) {
      const last = chosen.at(-1);
      forget();
      targetOf(last)?.focus();
    }
    const tap = event.target.closest?.(".tap");
    if (!tap || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    tapped(tap.dataset.spot, true);
  });
  // What was chosen belongs to the moment that it was chosen in.
  new MutationObserver(forget).observe(main, { attributes: true, attributeFilter: ["data-seq"] });
}
