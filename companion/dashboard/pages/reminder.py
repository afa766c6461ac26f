"""Each game on one page: a few lines after our own RULES.md, each with a picture."""

PICTURES = {
    "drachenhort": ("s-jewel", "die", "i-pass", "s-trap", "s-dragon", "i-trophy"),
    "dragorun": (
        "i-trophy", "die", "i-again", "i-plus", "i-swap", "i-egg", "i-mushroom",
    ),
    "dragon_run": (
        "i-heart", "i-power", "i-rush", "i-sneak", "i-cry", "i-dragon", "i-potion",
    ),
    "eight_dragons": (
        "i-head", "i-back", "i-hand", "i-swap", "i-diamond", "i-fireball", "i-lock",
    ),
    "dragonix": (
        "i-camp", "i-plus", "i-krak", "i-hero", "i-tower", "i-dragon", "i-hand",
    ),
}  # fmt: skip
"""By game the symbols of the page's sprite; the lines are ``reminder.<game>.<n>``."""


def reminder(game: str) -> list[tuple[str, str]]:
    """Return the lines of a game's page and their pictures; none for others' games."""
    pictures = enumerate(PICTURES.get(game, ()), start=1)
    return [(f"reminder.{game}.{number}", picture) for number, picture in pictures]
