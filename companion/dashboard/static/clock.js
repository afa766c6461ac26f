// How long the game was played, and this turn, counted on from what the page says.

const BREAK_S = 30 * 60; // as in companion/running/storage/game_file.py
const clock = document.getElementById("clock");
const turn = document.getElementById("turn");

let wanted = false;
let ahead_s = null; // the table's clock before the phone's

function asTime(s) {
  const pad = (n) => String(n).padStart(2, "0");
  const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
  return h ? `${h}:${pad(m)}:${pad(s % 60)}` : `${m}:${pad(s % 60)}`;
}

async function tune() {
  if (!wanted || ahead_s !== null) return;
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
  clock.hidden = !(wanted && from && since_s > -BREAK_S && since_s < BREAK_S);
  if (clock.hidden) return;
  const game = asTime(Math.round(Number(from.played) + Math.max(0, since_s)));
  const text = clock.dataset.text.replace("{game}", game).replace("{turn}", asTime(Math.max(0, Math.round(now_s - from.turn))));
  if (clock.textContent !== text) clock.textContent = text;
}

export function showClock(on) {
  wanted = on;
  tune();
  count();
}

setInterval(count, 1000);
