"""The table of rulings in a game's RULES.md, as its code has them."""

from companion.games.core import Cite, Ruling


def rulings_table(rulings: tuple[Ruling, ...]) -> str:
    """Return all rulings as the table of RULES.md."""
    rows = [
        f"| {rule.id} | {_lines(rule.cite)} | {_choices(rule)} | `Test{rule.id}` |"
        for rule in rulings
    ]
    head = ["| ruling | rulebook | choices, **default** | tests |", "|---|---|---|---|"]
    return "\n".join([*head, *rows])


def _lines(cite: Cite) -> str:
    first, last = cite.first, cite.last
    return f"l. {first}" if first == last else f"l. {first}-{last}"


def _choices(rule: Ruling) -> str:
    if not rule.choices:
        return "fixed"
    default, *others = rule.choices
    return ", ".join([f"**{default}**", *others])
