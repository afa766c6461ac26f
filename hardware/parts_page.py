"""What ``parts.html`` looks like, says, and does; `draw_parts_list` fills it."""

import re
from typing import TypeAlias

Said: TypeAlias = dict[str, str]
"""A text by language."""


def _said(fr: str, en: str, de: str) -> Said:
    return {"fr": unbroken(fr), "en": en, "de": de}


def unbroken(french: str) -> str:
    """Return French whose lines never begin with a mark that has a space before it."""
    return re.sub(" ([;:?!»])", "\u00a0\\1", french)


WORDS: dict[str, Said] = {
    "title": _said(
        "Dragon Table : les pièces",
        "Dragon Table: the parts",
        "Dragon Table: die Teile",
    ),
    "about": _said(
        "Choisissez la version et le mât ; cochez ce que vous avez déjà. Sans script, "
        "les nombres sont ceux de camera / buttons / full, pour un mât A3.",
        "Choose the build and the mast; tick what you have already. Without a script "
        "the numbers are those of camera / buttons / full, for a mast for A3.",
        "Wählt Ausführung und Mast; hakt ab, was ihr schon habt. Ohne Skript sind die "
        "Zahlen die von camera / buttons / full, für einen Mast für A3.",
    ),
    "language": _said("langue", "language", "Sprache"),
    "build": _said("version", "build", "Ausführung"),
    "camera": _said(
        "camera : la table lit, le reste est sur le téléphone",
        "camera: the table reads, all else is on the phone",
        "camera: der Tisch liest, alles Übrige ist auf dem Handy",
    ),
    "buttons": _said(
        "buttons : boutons, lampes, sons",
        "buttons: buttons, lamps, tones",
        "buttons: Knöpfe, Lampen, Töne",
    ),
    "full": _said(
        "full : et écran, molette, lampes des places, voix",
        "full: display, knob, lamps at seats, voice too",
        "full: auch Anzeige, Drehknopf, Lampen, Stimme",
    ),
    "mast": _said("mât", "mast", "Mast"),
    "A4": _said(
        "tapis A4 : 2 sections, {height} mm, tige de {rod} mm",
        "A4 mat: 2 sections, {height} mm, rod of {rod} mm",
        "A4-Matte: 2 Abschnitte, {height} mm, Stange von {rod} mm",
    ),
    "A3": _said(
        "plateau ou tapis A3 : 3 sections, {height} mm, tige de {rod} mm",
        "board or A3 mat: 3 sections, {height} mm, rod of {rod} mm",
        "Spielplan oder A3-Matte: 3 Abschnitte, {height} mm, Stange von {rod} mm",
    ),
    "four": _said(
        "caméra standard sur un plateau : 4 sections, {height} mm, tige de {rod} mm",
        "standard camera over a board: 4 sections, {height} mm, rod of {rod} mm",
        "Standardkamera über Spielplan: 4 Abschnitte, {height} mm, Stange von {rod} mm",
    ),
    "extension": _said(
        "plateau profond : 3 sections et rallonge, {height} mm, tige de {rod} mm",
        "deep board: 3 sections and extension, {height} mm, rod of {rod} mm",
        "tiefer Plan: 3 Abschnitte, Verlängerung, {height} mm, Stange von {rod} mm",
    ),
    "arm": _said(
        "bras de bureau ou de micro à vous, écrou d’un quart de pouce",
        "desk or microphone arm of your own, quarter-inch nut",
        "eigener Schreibtisch- oder Mikrofonarm, Mutter von einem Viertelzoll",
    ),
    "left": _said(
        "seulement ce qui manque", "only what is missing", "nur was noch fehlt"
    ),
    "buy": _said("À acheter", "To buy", "Zu kaufen"),
    "print": _said("À imprimer", "To print", "Zu drucken"),
    "plastic": _said(
        "Poids pleins ; au quart de remplissage, c’est moins. Le filament est dans la "
        "liste du haut.",
        "Weights are solid; a quarter filled they are less. The filament is in the "
        "list above.",
        "Gewichte sind massiv; zu einem Viertel gefüllt ist es weniger. Das Filament "
        "steht in der oberen Liste.",
    ),
    "prices": _said(
        "Prix et poids sont des estimations ; les mois des prix sont dans bom.csv.",
        "Prices and weights are estimates; bom.csv has the month of each price.",
        "Preise und Gewichte sind Schätzungen; bom.csv hat den Monat jedes Preises.",
    ),
    "have": _said("j’ai", "got", "da"),
    "count": _said("nombre", "count", "Zahl"),
    "part": _said("pièce", "part", "Teil"),
    "number": _said("référence", "number", "Nummer"),
    "what_for": _said("pour", "for", "wofür"),
    "instead": _said("ou bien", "or instead", "oder stattdessen"),
    "eur": _said("prix", "price", "Preis"),
    "weight": _said("poids", "weight", "Gewicht"),
    "sum": _said(
        "Il reste {n} sortes à acheter : {eur}, {g} ; {p} pièces à imprimer : {pg}.",
        "Left to buy: {n} kinds, {eur}, {g}; to print: {p} parts, {pg}.",
        "Noch zu kaufen: {n} Sorten, {eur}, {g}; zu drucken: {p} Teile, {pg}.",
    ),
}

PRINTED: dict[str, tuple[str, str, str]] = {
    "foot": ("pied", "foot", "Fuß"),
    "section": ("section du mât", "section of the mast", "Abschnitt des Masts"),
    "arm": ("bras", "arm", "Ausleger"),
    "extension": ("rallonge", "extension", "Verlängerung"),
    "head": ("tête", "head", "Kopf"),
    "plate": ("plaque pour un bras à vous", "plate for an arm of your own",
              "Platte für einen eigenen Arm"),
    "cradle": ("support du Pi", "cradle of the Pi", "Halter des Pi"),
    "cover": ("capot du Pi", "cover of the Pi", "Haube des Pi"),
    "tray-base": ("fond de la piste", "floor of the tray", "Boden des Tellers"),
    "tray-rim": ("rebord de la piste", "rim of the tray", "Rand des Tellers"),
    "console": ("console", "console", "Pult"),
    "console-lid": ("couvercle de la console", "lid of the console",
                    "Deckel des Pults"),
    "pod": ("boîtier d’une place", "pod of a seat", "Gehäuse eines Platzes"),
    "pod-lid": ("couvercle d’un boîtier", "lid of a pod", "Deckel eines Gehäuses"),
}  # fmt: skip
"""What the printed parts are called: French, English, German."""

STYLE = """
:root{color-scheme:light dark;--line:#8886;--soft:#8881}
body{font:16px/1.4 system-ui,sans-serif;max-width:80rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:1.5rem 0 .3rem}
.choose{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;margin:1rem 0}
.choose[hidden]{display:none}
.choose label{display:flex;flex-direction:column;font-size:.85rem;max-width:100%}
.choose .tick{flex-direction:row;align-items:center;gap:.5rem;min-height:2.75rem}
select{font:inherit;padding:.5rem;min-height:2.75rem;max-width:100%}
input[type=checkbox]{width:1.5rem;height:1.5rem;margin:0}
.sum{position:sticky;top:0;background:Canvas;border-bottom:2px solid;padding:.6rem 0;
margin:0;font-weight:600;z-index:1}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .5rem}
td{border-top:1px solid var(--line)}
.count{white-space:nowrap;font-weight:600}.eur,.g{text-align:right;white-space:nowrap}
tr.got td:not(.have){opacity:.55;text-decoration:line-through}
tr[hidden]{display:none}
.quiet .have{display:none}
@media (max-width:44rem){
thead{display:none}
table,tbody{display:block}
tr{display:grid;grid-template-columns:2.2rem 1fr auto;gap:0 .6rem;padding:.6rem 0;
border-top:1px solid var(--line)}
td{border:0;padding:0}
.have{grid-row:1/3}
.part{grid-column:2;grid-row:1;font-weight:600}
.count{grid-column:3;grid-row:1;text-align:right}
.number,.what_for,.instead{grid-column:2/4;overflow-wrap:anywhere}
.number:empty{display:none}
.instead{opacity:.8}.instead::before{content:"\\2194\\00a0"}
.eur{grid-column:2;text-align:left}.g{grid-column:2/4;grid-row:auto}
.eur+.g{grid-column:3}
.quiet tr{grid-template-columns:1fr auto}
.quiet .number,.quiet .what_for,.quiet .instead,.quiet .g{grid-column:1/3}
.quiet .part,.quiet .eur{grid-column:1}.quiet .count,.quiet .eur+.g{grid-column:2}
}
@media print{.choose,.sum{display:none}tr{break-inside:avoid}}
"""

SCRIPT = """
const $ = (id) => document.getElementById(id);
const rows = (id) => [...document.querySelectorAll(`#${id}-table tbody tr`)];
const all = [...rows("buy"), ...rows("print")];
const store = {  // a page that is a file may have no memory; then it only forgets
  read: () => { try { return JSON.parse(localStorage.getItem("parts")) || {}; }
                catch { return {}; } },
  write: (kept) => { try { localStorage.setItem("parts", JSON.stringify(kept)); }
                     catch { /* nothing is kept */ } },
};
const kept = store.read();
const name = (row) => row.querySelector(".part span").dataset.en;
const got = (row) => row.querySelector(".have input").checked;

function translate(language) {
  document.documentElement.lang = language;
  for (const one of document.querySelectorAll("[data-en]")) {
    one.textContent = one.dataset[language];
  }
  for (const one of document.querySelectorAll("[data-en-label]")) {
    one.setAttribute("aria-label", one.getAttribute(`data-${language}-label`));
  }
}

function show() {
  const language = $("language").value;
  const number = (value, digits) => value.toLocaleString(language,
    {minimumFractionDigits: digits, maximumFractionDigits: digits});
  const weight = (g) => g < 1000 ? `${number(g, g < 10 ? 1 : 0)}\u00a0g`
    : `${number(g / 1000, 2)}\u00a0kg`;
  const euros = (value) => `${number(value, 2)}\u00a0€`;
  const sums = {buy: [0, 0, 0], print: [0, 0, 0]};
  translate(language);
  for (const id of ["buy", "print"]) {
    for (const row of rows(id)) {
      const count = JSON.parse(row.dataset.counts)[$("build").value][$("mast").value];
      const eur = row.querySelector(".eur"), g = row.querySelector(".g");
      row.hidden = count === 0 || (got(row) && $("left").checked);
      row.classList.toggle("got", got(row));
      row.querySelector(".count").textContent = `${count}\u00a0×`;
      const costs = eur ? count * Number(eur.dataset.eur) : 0;
      const weighs = count * Number(g.dataset.g);
      if (eur) eur.textContent = euros(costs);
      g.textContent = weight(weighs);
      if (count === 0 || got(row)) continue;
      sums[id][0] += id === "buy" ? 1 : count;
      sums[id][1] += costs;
      sums[id][2] += weighs;
    }
  }
  const values = {n: sums.buy[0], eur: euros(sums.buy[1]), g: weight(sums.buy[2]),
                  p: sums.print[0], pg: weight(sums.print[2])};
  $("sum").textContent = words.sum[language].replace(/{(\\w+)}/g,
    (_, key) => values[key]);
  store.write({language, build: $("build").value, mast: $("mast").value,
               got: all.filter(got).map(name)});
}

const own = (navigator.language || "fr").slice(0, 2);
$("language").value = kept.language || (["fr", "en", "de"].includes(own) ? own : "fr");
if (kept.build) $("build").value = kept.build;
if (kept.mast) $("mast").value = kept.mast;
for (const row of all) {
  row.querySelector(".have input").checked = (kept.got || []).includes(name(row));
}
document.querySelector(".choose").hidden = $("sum").hidden = false;
document.body.classList.remove("quiet");
document.addEventListener("change", show);
show();
"""
