// What tells a player that it is their turn, each as they wish; a screen that stays on
// where the browser lets it; and a clock. This phone remembers it.

const panel = document.getElementById("signals");
const turn = document.getElementById("turn");
const plain = document.title;
const clock = document.getElementById("clock");
const set = { title: true, sound: false, buzz: false, awake: false, clock: false };
const can = { title: true, sound: "AudioContext" in window, buzz: "vibrate" in navigator, awake: "wakeLock" in navigator, clock: true };
const BREAK_S = 30 * 60; // as in companion/running/storage/game_file.py

let mine = isMine();
let lock = null;
let sounds = null;
let ahead_s = null; // the table's clock before the phone's

function isMine() {
  return turn.querySelector(".mine") !== null;
}

function stored(value) {
  try {
    if (value) localStorage.setItem("signals", JSON.stringify(value));
    return JSON.parse(localStorage.getItem("signals")) ?? {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

function ring() {
  sounds ??= new AudioContext();
  const tone = sounds.createOscillator();
  const volume = sounds.createGain();
  const now = sounds.currentTime;
  tone.frequency.setValueAtTime(660, now);
  tone.frequency.setValueAtTime(880, now + 0.15);
  volume.gain.setValueAtTime(0.2, now);
  volume.gain.linearRampToValueAtTime(0, now + 0.4);
  tone.connect(volume).connect(sounds.destination);
  tone.start(now);
  tone.stop(now + 0.4);
}

async function stayAwake() {
  try {
    if (set.awake && can.awake && !document.hidden && !lock) {
      lock = await navigator.wakeLock.request("screen");
      lock.onrelease = () => (lock = null);
    }
    if (!set.awake) await lock?.release();
  } catch {} // a low battery refuses; the page works as before
}

function asTime(s) {
  const pad = (n) => String(n).padStart(2, "0");
  const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
  return h ? `${h}:${pad(m)}:${pad(s % 60)}` : `${m}:${pad(s % 60)}`;
}

async function tune() {
  if (!set.clock || ahead_s !== null) return;
  try {
    // Every answer of the table says what time it has there.
    const answer = await fetch(location.pathname, { method: "HEAD" });
    ahead_s = (Date.parse(answer.headers.get("Date")) - Date.now()) / 1000;
    count();
  } catch {} // no table: the page says so
}

function count() {
  const from = ahead_s === null ? null : turn.querySelector("[data-turn]")?.dataset;
  const now_s = Date.now() / 1000 + ahead_s;
  const since_s = from ? now_s - from.newest : 0;
  // Nobody thinks that long: a clock was set, or the game was put away meanwhile.
  clock.hidden = !(set.clock && from && since_s > -BREAK_S && since_s < BREAK_S);
  if (clock.hidden) return;
  const game = asTime(Math.round(Number(from.played) + Math.max(0, since_s)));
  const text = clock.dataset.text.replace("{game}", game).replace("{turn}", asTime(Math.max(0, Math.round(now_s - from.turn))));
  if (clock.textContent !== text) clock.textContent = text;
}

function look() {
  document.title = isMine() && set.title ? `● ${panel.dataset.mine} ${plain}` : plain;
  if (isMine() && !mine) {
    if (set.sound) ring();
    if (set.buzz) navigator.vibrate([120, 80, 120]);
  }
  mine = isMine();
}

Object.assign(set, stored());
for (const box of panel.querySelectorAll("input")) {
  box.checked = set[box.name] && can[box.name];
  box.closest("label").hidden = !can[box.name];
  box.addEventListener("change", () => {
    set[box.name] = box.checked;
    stored(set);
    if (box.name === "sound" && box.checked) ring(); // this tap lets the page sound later
    look();
    tune();
    count();
    stayAwake();
  });
}
panel.hidden = ![...panel.querySelectorAll("label")].some((label) => !label.hidden);
new MutationObserver(look).observe(turn, { childList: true, subtree: true, attributes: true });
document.addEventListener("visibilitychange", stayAwake);
setInterval(count, 1000);
look();
tune();
stayAwake();
