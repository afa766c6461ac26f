// Keeps the page fresh and sends taps. Everything shown was decided by the server:
// this script puts its HTML in place, and without it the same page works by reloading.

const main = document.querySelector("main[data-stream]");
const live = document.getElementById("live");
const age = document.getElementById("age");

const STALE_MS = 5000; // without a sign of life for so long, nothing shown is current
const BACK_OFF_MS = [500, 1500]; // the page is right within 2 s of the table's return
const ANSWER_MS = 1500; // a stream that has said nothing for so long is dead

let source = null;
let retry = 0;
let waitMs = BACK_OFF_MS[0];
let contactAt = performance.now();
let openedAt = 0;
let turned = false; // the table shows another page by now

// --- what is read out and shown for a moment ---------------------------------

function tell(text, loud = false) {
  live.classList.toggle("loud", loud && text !== "");
  live.textContent = text;
}

// --- calls: what happens, said aloud by a phone that was asked to ---------------------

const LONGEST_CALL_MS = 20000; // some browsers never say that a call has ended

const calls = document.getElementById("calls");
const caption = document.getElementById("caption");
const voice = calls ? window.speechSynthesis : undefined;

let calling = false;
let saidAt = 0;
let waiting = ""; // the newest call that came while another was being said

function speak(text) {
  waiting = "";
  saidAt = performance.now();
  caption.textContent = text;
  caption.hidden = false;
  const call = new SpeechSynthesisUtterance(text);
  call.lang = document.documentElement.lang;
  // A call that was cut off ends with an error, and some browsers tell it later.
  call.onend = call.onerror = () => waiting && speak(waiting);
  voice.speak(call);
}

function hush() {
  waiting = "";
  if (!voice) return;
  voice.cancel();
  caption.hidden = true;
}

function sayAloud({ call, corrects }) {
  if (!calling || !call || document.hidden) return;
  // What was wrong is not said to its end, and what is right not after it.
  if (corrects || performance.now() - saidAt > LONGEST_CALL_MS) hush();
  if (voice.speaking) waiting = call;
  else speak(call);
}

function turnCalls(on) {
  calling = on;
  calls.querySelector("button").setAttribute("aria-pressed", on);
}

function remembered(value) {
  try {
    if (value !== undefined) localStorage.setItem("calls", value);
    return localStorage.getItem("calls");
  } catch {
    return null; // a browser that keeps nothing; then it is off at the next page
  }
}

if (voice) {
  calls.hidden = false;
  turnCalls(remembered() === "on");
  calls.querySelector("button").addEventListener("click", (event) => {
    turnCalls(!calling);
    remembered(calling ? "on" : "off");
    hush();
    if (calling) speak(event.currentTarget.dataset.hello);
  });
  // iPhones let a page speak only once it has spoken in a tap.
  const first = () => calling && !voice.speaking && voice.speak(new SpeechSynthesisUtterance(""));
  document.addEventListener("pointerdown", first, { once: true });
  addEventListener("pagehide", hush);
}

// --- swapping parts without losing focus or open details -----------------------

const keyOf = (node) => node.id || node.dataset?.key || "";
const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function matchAttributes(from, to) {
  for (const { name } of [...from.attributes])
    if (name !== "open" && !to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes)
    if (name !== "open" && from.getAttribute(name) !== value) from.setAttribute(name, value);
}

function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  matchAttributes(from, to);
  morphChildren(from, to);
}

function morphChildren(from, to) {
  let here = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    let match = here;
    while (match && !alike(match, wanted)) match = match.nextSibling;
    if (!match) {
      from.insertBefore(wanted, here);
      wanted.classList?.add("fresh"); // a card on the board is seen to arrive
      continue;
    }
    // What stands between is gone from the new part, unless something keyed follows.
    while (here !== match) {
      const next = here.nextSibling;
      here.remove();
      here = next;
    }
    morph(match, wanted);
    here = match.nextSibling;
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

function swap(name, html) {
  const part = document.getElementById(name);
  if (!part) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  morphChildren(part, fresh.content);
}

// --- the stream: snapshot first, then what changed -----------------------------

function heard() {
  contactAt = performance.now();
  waitMs = BACK_OFF_MS[0];
  showAge();
}

function turnPage() {
  // A form on its way leads somewhere by itself; to load now would cut it off.
  if (turned && !document.querySelector("form[data-busy]")) location.reload();
}

function changed(event) {
  const change = JSON.parse(event.data);
  heard();
  if (change.page !== main.dataset.page) {
    turned = true;
    turnPage();
    return;
  }
  for (const [name, html] of Object.entries(change.parts)) swap(name, html);
  main.dataset.seq = change.seq;
  if (change.news) tell(change.news);
  sayAloud(change);
}

function open() {
  clearTimeout(retry);
  if (source || !main || document.hidden) return;
  openedAt = performance.now();
  const stream = new URL(main.dataset.stream, location);
  stream.searchParams.set("seen", main.dataset.seq); // what came since then is read out
  source = new EventSource(stream);
  source.addEventListener("change", changed);
  source.addEventListener("beat", heard);
  source.addEventListener("error", () => {
    close();
    // Half of the wait is chance, so that a full table's phones do not come at once.
    retry = setTimeout(open, waitMs * (0.5 + Math.random() / 2));
    waitMs = Math.min(waitMs * 2, BACK_OFF_MS[1]);
  });
}

function close() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

function pause() {
  close();
  hush();
}

function wake() {
  close(); // a phone that slept may hold a stream that is dead without knowing it
  waitMs = BACK_OFF_MS[0];
  showAge();
  open();
}

function lookAfter() {
  showAge();
  // A table without power says no goodbye: its stream stays open and silent.
  const nowMs = performance.now();
  if (source && nowMs - contactAt > STALE_MS && nowMs - openedAt > ANSWER_MS) {
    close();
    open();
  }
}

function showAge() {
  const lostMs = performance.now() - contactAt;
  const old = main !== null && lostMs > STALE_MS;
  if (old && calling) hush(); // nor may a voice tell old news
  document.body.classList.toggle("stale", old);
  age.hidden = !old;
  if (old) age.textContent = document.body.dataset.age.replace("{s}", Math.round(lostMs / 1000));
}

// --- taps ------------------------------------------------------------------------

function onceOnlyKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
}

async function send(form, button) {
  if (form.dataset.busy) return; // the second tap of a double tap
  form.dataset.busy = "yes";
  const body = Object.fromEntries(new FormData(form));
  if (button?.name) body[button.name] = button.value; // a form may have a button an answer
  for (const name of ["seq", "seat", "step"]) if (name in body) body[name] = Number(body[name]);
  if ("key" in body) body.key = onceOnlyKey();
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const told = await answer.json();
    if (!answer.ok) tell([told.text, told.source].filter(Boolean).join(" "), true);
    else if (told.next && (told.next !== location.pathname || !main)) {
      turned = false;
      location.assign(told.next);
    }
    else tell("");
  } catch {
    tell(document.body.dataset.retry, true);
  } finally {
    delete form.dataset.busy;
    turnPage();
  }
}

// --- a secret is shown while a finger lies on it -----------------------------------

const TAP_MS = 400; // shorter is a tap and no hold, as of a screen reader or a stiff hand
const GLANCE_MS = 3000;

let held = null;
let heldAt = 0;
let glance = 0;

function letGo() {
  clearTimeout(glance);
  if (held) held.open = false;
  held = null;
}

function lift() {
  if (performance.now() - heldAt < TAP_MS) glance = setTimeout(letGo, GLANCE_MS);
  else letGo();
}

const secretOf = (event) => event.target.closest?.(".hold > summary")?.parentElement;

document.documentElement.classList.add("scripted");
document.addEventListener("pointerdown", (event) => {
  const secret = secretOf(event);
  if (!secret || event.button !== 0) return;
  letGo();
  held = secret;
  held.open = true;
  heldAt = performance.now();
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, lift);
addEventListener("blur", letGo);
document.addEventListener("click", (event) => {
  // A key or a screen reader clicks without a finger: that turns the secret over.
  if (secretOf(event) && event.detail > 0) event.preventDefault();
});
document.addEventListener("contextmenu", (event) => secretOf(event) && event.preventDefault());

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.classList.contains("act-form")) {
    event.preventDefault();
    send(form, event.submitter);
  } else if (form.dataset.busy) {
    event.preventDefault(); // the second tap on a form that is being sent already
  } else {
    form.dataset.busy = "yes";
  }
});

// --- a page that follows the camera ------------------------------------------------

const lesson = document.querySelector("[data-follow]");
const FOLLOW_MS = 700;

async function follow() {
  try {
    if (!document.hidden) {
      const answer = await fetch(lesson.dataset.follow);
      const told = await answer.json();
      if (answer.ok && told.version !== lesson.dataset.version) swap(lesson.id, told.html);
      if (answer.ok) lesson.dataset.version = told.version;
      const eye = lesson.querySelector("[data-eye]");
      // One that is still on its way is waited for, or a slow phone never shows any.
      if (eye?.complete) eye.src = `/teach/picture?n=${Date.now()}`;
    }
  } catch {} // the next look tells more
  setTimeout(follow, FOLLOW_MS);
}
if (lesson) follow();

document.addEventListener("visibilitychange", () => {
  for (const secret of document.querySelectorAll(".hold[open]")) secret.open = false;
  if (document.hidden) pause();
  else wake();
});
addEventListener("pageshow", (event) => {
  for (const form of document.forms) delete form.dataset.busy; // back from another page
  if (event.persisted) wake();
});
addEventListener("online", wake);
setInterval(lookAfter, 500);
open();
// Last of all, so that it tells that all of this runs; see watch.js and .unheard.
document.documentElement.classList.add("awake");
