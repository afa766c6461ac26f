// What tells a player that it is their turn, each as they wish; a screen that stays on
// where the browser lets it; and a clock. This phone remembers it.

const panel = document.getElementById("signals");
const turn = document.getElementById("turn");
const plain = document.title;
const set = { title: true, sound: false, buzz: false, awake: false, clock: false };
const can = { title: true, sound: "AudioContext" in window, buzz: "vibrate" in navigator, awake: "wakeLock" in navigator, clock: true };

let mine = isMine();
let lock = null;
let sounds = null;

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

async function tellTime() {
  try {
    // Loaded by whoever wants it: most phones do without.
    const { showClock } = await import(`./clock.js${new URL(import.meta.url).search}`);
    showClock(set.clock);
  } catch {} // no table: the page says so
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
    if (box.name === "clock") tellTime();
    look();
    stayAwake();
  });
}
panel.hidden = ![...panel.querySelectorAll("label")].some((label) => !label.hidden);
new MutationObserver(look).observe(turn, { childList: true, subtree: true, attributes: true });
document.addEventListener("visibilitychange", stayAwake);
if (set.clock) tellTime();
look();
stayAwake();
