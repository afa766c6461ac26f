"""What the table of cables says in the guides of other languages.

Parts keep their English names: those are in the drawings and in what the doctor says.
"""

PHRASES: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (),
    "fr": (
        ("cable", "câble"), ("cut", "coupé à"),
        ("wires: colour to header pin", "fils : couleur à la broche"),
        ("at both plugs, push to button", "aux deux fiches, poussoir au bouton"),
        ("at the plug, transistor at the buzzer", "à la fiche, transistor au buzzer"),
        ("at the plug", "à la fiche"), ("at the long leg", "à la longue patte"),
        ("in data and clock, fuse", "dans données et horloge, fusible"),
        ("in data and clock", "dans données et horloge"), ("A in 5 V", "A dans le 5 V"),
        ("along the arrows", "le long des flèches"), ("board:", "carte :"),
        ("piece:", "morceau :"), ("ground", "masse"), ("data", "données"),
        ("clock", "horloge"), ("green to", "vert à"), ("yellow to", "jaune à"),
        ("blue to", "bleu à"), ("white to", "blanc à"), ("brown to", "marron à"),
        ("grey to", "gris à"), ("violet to", "violet à"), ("orange to", "orange à"),
        ("red to", "rouge à"), ("black to", "noir à"),
    ),
    "de": (
        ("cable", "Kabel"), ("wires: colour to header pin", "Adern: Farbe an Stift"),
        ("cut", "Länge"),
        ("at both plugs, push to button", "an beiden Steckern, Druck an Knopf"),
        ("at the plug, transistor at the buzzer", "am Stecker, Transistor am Summer"),
        ("at the plug", "am Stecker"), ("at the long leg", "am langen Bein"),
        ("in data and clock, fuse", "in Daten und Takt, Sicherung"),
        ("in data and clock", "in Daten und Takt"), ("A in 5 V", "A in 5 V"),
        ("along the arrows", "entlang der Pfeile"), ("board:", "Platine:"),
        ("piece:", "Stück:"), ("ground", "Masse"), ("data", "Daten"),
        ("clock", "Takt"), ("green to", "grün an"), ("yellow to", "gelb an"),
        ("blue to", "blau an"), ("white to", "weiß an"), ("brown to", "braun an"),
        ("grey to", "grau an"), ("violet to", "violett an"), ("orange to", "orange an"),
        ("red to", "rot an"), ("black to", "schwarz an"),
    ),
}  # fmt: skip
"""By language: English phrases, a longer one before what it holds, and their own."""


def say(words: str, language: str) -> str:
    """Return what a cell of the table says in a language.

    Raises:
        KeyError: There is no guide in that language.
    """
    for english, own in PHRASES[language]:
        words = words.replace(english, own)
    return words.replace(".", ",") if language != "en" else words
