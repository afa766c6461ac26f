// Keeps a page of the club fresh: each word of the stream has the page fetched anew and
// its middle put in place; pages of results, which have none, ask every ten seconds.
// Without scripts pages load themselves anew now and then.
const { lost, onward, sheet, events } = document.body.dataset;
const live = document.getElementById("live");
let asking = false, again = false, silentSince = 0;

function say(text) {
  if (live.textContent === text) return;
  live.textContent = text;
  live.classList.toggle("loud", text !== "");
  document.documentElement.classList.toggle("stale", text !== "");
}

// A wall is read from across the room: its type is as large as its sheet allows. While
// a sheet stays it only ever shrinks, or words would jump with each change.
let size = 2.1;
function fit() {
  if (!document.body.classList.contains("wall") || innerWidth < 900) return;
  const root = document.documentElement;
  const texts = [...document.querySelectorAll("main :is(h2, li, p)")];
  root.classList.add("fitting");
  for (; size > 1.25; size -= 0.05) {
    root.style.fontSize = `max(100%, ${size}vw)`;
    const cut = texts.some((one) => one.scrollWidth > one.clientWidth);
    if (!cut && root.scrollHeight <= innerHeight) return;
  }
  // A sheet as full as can be: as it is without scripts, with words cut if need be.
  root.style.fontSize = "";
  root.classList.remove("fitting");
}
fit();
addEventListener("resize", () => { size = 2.1; fit(); });

async function page(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(answer.status);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

async function refresh() {
  if (asking) { again = true; return; }
  asking = true;
  try {
    const fresh = await page(location.href);
    const main = document.getElementById("main");
    const at = document.activeElement?.getAttribute?.("href");
    main.replaceChildren(...fresh.getElementById("main").childNodes);
    fit();
    if (at && !document.activeElement?.matches("a")) {
      main.querySelector(`a[href="${CSS.escape(at)}"]`)?.focus();
    }
    silentSince = 0;
    say("");
  } catch { trouble(); }
  asking = false;
  if (again) { again = false; refresh(); }
}

// A hub that starts anew is back within seconds: nobody needs to be told of that.
function trouble() {
  silentSince ||= Date.now();
  if (Date.now() - silentSince > 5000) say(lost);
}

if (events) {
  const words = new EventSource(events);
  words.onmessage = refresh;
  words.onerror = trouble;
}
// What no change brings: minutes that pass, and a hub that has no stream to spare.
setInterval(refresh, 10000);

async function turn() {
  try {
    await page(onward);
    location.replace(onward);
  } catch {
    trouble();
    setTimeout(turn, 5000);
  }
}
if (onward) setTimeout(turn, 1000 * sheet);
