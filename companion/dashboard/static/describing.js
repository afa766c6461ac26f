// A form whose answer takes its place: no tap is lost, and nothing scrolls away. Without
// this script the same form is answered by the same page.

const live = document.getElementById("live");
let last = Promise.resolve();
let waiting = 0;

const here = () => document.querySelector("[data-swap]");

async function exchange(body) {
  try {
    const answer = await fetch(here().action, { method: "POST", body });
    if (new URL(answer.url).pathname !== location.pathname) return location.assign(answer.url);
    const text = await answer.text();
    // An answer that knows less than the page takes no place of it.
    if (waiting === 1) show(new DOMParser().parseFromString(text, "text/html"));
    tell("");
  } catch {
    tell(document.body.dataset.retry);
  } finally {
    waiting -= 1;
  }
}

function show(page) {
  // What one may be tapping or choosing in stays: only what was told of it changes.
  for (const fresh of page.querySelectorAll("#box [data-key]")) {
    const old = document.querySelector(`#box [data-key="${fresh.dataset.key}"]`);
    if (old.outerHTML === fresh.outerHTML) continue;
    for (const name of ["class", "aria-label"])
      if (fresh.hasAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
    old.innerHTML = fresh.innerHTML;
  }
  document.querySelector("#box [role=alert]")?.scrollIntoView({ block: "center" });
}

function tell(text) {
  live.classList.toggle("loud", text !== "");
  live.textContent = text;
}

function next(button) {
  const body = new URLSearchParams(new FormData(here()));
  if (button?.name) body.append(button.name, button.value);
  waiting += 1;
  last = last.then(() => exchange(body));
}

document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== here()) return;
    event.preventDefault();
    event.stopPropagation();
    next(event.submitter);
  },
  true,
);
document.addEventListener("change", ({ target }) => {
  if (target.form === here() && !target.name.startsWith("tool-")) next();
});
