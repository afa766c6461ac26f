"""Drachenhort a second time: small integers, bit masks and one object that changes.

Made from the rulebook alone, to be compared with `companion.games.drachenhort` over
thousands of random games. It shares no code with it, and it explains nothing.

A square is a number: 0 the hall, 1 the start room, n + 1 cell n. A set of squares or of
heroes is an int with one bit each. Moves are the texts of the game's notation.
"""

HALL, ROOM = 0, 1
FACES = (1, 2, 3, 4, 6)


class Side:
    """One side of the board as masks of squares."""

    def __init__(self, lights, traps, jewels, exit_on_last):
        self.end = len(lights) + 1 - exit_on_last  # the last square to stand on
        self.dark = mask(n + 2 for n, light in enumerate(lights) if light == "dark")
        self.lit = mask(n + 2 for n, light in enumerate(lights) if light == "lit")
        self.traps = mask(n + 2 for n, trap in enumerate(traps) if trap)
        self.jewels = mask(n + 2 for n, jewel in enumerate(jewels) if jewel)


def mask(bits):
    """Return an int with these bits set."""
    made = 0
    for bit in bits:
        made |= 1 << bit
    return made


class Hoard:
    """A whole game; `moves` lists what may be done, `do` does it."""

    def __init__(self, front, back, heroes, cards, seats, first, house):
        self.sides, self.heroes, self.cards = (front, back), heroes, cards
        self.seats, self.first, self.house = seats, first, house
        self.who, self.jewels_of = first, [0] * seats
        self.noted, self.open = [None] * seats, [None] * seats
        self.medal = [[0] * 7, [0] * 7]
        self.turn_up(0)

    def turn_up(self, which):
        self.which, self.side = which, self.sides[which]
        self.at, self.gone, self.shade = [ROOM] * 7, 0, 0
        self.dragon, self.die, self.task = HALL, 0, "throw"
        self.jewels, self.left = self.side.jewels, [1, 2, 3, 4, 5, 6, 8]

    def running(self):
        return [i for i in range(7) if not self.gone >> i & 1]

    # --- what may be done ------------------------------------------------------------

    def moves(self):
        found = list(self.tasks())
        if self.task not in ("show", "over"):
            for seat in range(self.seats):
                if self.noted[seat] is None:
                    found += [f"note {seat} {card}" for card in range(7)]
        return found

    def tasks(self):
        if self.task == "throw":
            return [f"throw {n}" for n in FACES]
        if self.task == "advance":
            found = [f"advance {self.heroes[i]}" for i in self.able(self.die)]
            return found + ["pass"] * ("optional" in self.house)
        if self.task == "rank":
            return [f"rank {self.heroes[i]}" for i in self.tied]
        if self.task == "show":
            closed = [s for s in range(self.seats) if self.open[s] is None]
            cards = [c for c in range(7) if c not in self.open]
            return [f"show {s} {c}" for s in closed for c in cards]
        return [] if self.task == "over" else [self.task]

    def able(self, die):
        found = []
        for i in self.running():
            if die != 2 and self.shade >> i & 1:
                continue
            steps_out = self.ahead(i, self.at[i], die) - self.side.end
            if "exact" in self.house and steps_out > 1:
                continue
            found.append(i)
        return found

    def ahead(self, hero, square, steps):
        """Count *steps* squares that no other hero stands on."""
        taken = mask(self.at[i] for i in self.running() if i != hero)
        free = ~taken >> square + 1
        while steps:
            if square >= self.side.end:
                return square + steps
            steps -= free & 1
            free >>= 1
            square += 1
        return square

    # --- what is done ----------------------------------------------------------------

    def do(self, text):
        word, *rest = text.split()
        getattr(self, f"do_{word}")(*rest)

    def do_throw(self, face):
        self.die, self.task = int(face), "advance"
        if self.able(self.die):
            return
        helps = any(self.able(n) for n in FACES)
        if "reroll" in self.house and helps:
            self.die, self.task = 0, "throw"
        else:
            self.close_turn()

    def do_pass(self):
        self.close_turn()

    def do_advance(self, name):
        hero = self.heroes.index(name)
        square = self.ahead(hero, self.at[hero], self.die)
        if square <= self.side.end and self.side.traps >> square & 1:
            square = self.out_of_trap(hero, square)
        if square > self.side.end:
            self.take(hero, self.left.pop())
            self.rank_all()
            return
        self.at[hero] = square
        self.shade |= 1 << hero
        if self.side.lit >> square & 1:
            self.shade ^= 1 << hero
        if self.jewels & ~self.side.traps & 1 << square:
            self.jewels ^= 1 << square
            self.jewels_of[self.who] += 1
        self.close_turn()

    def out_of_trap(self, hero, trap):
        base = self.dragon
        if base == HALL and "never" in self.house:
            base = ROOM
        square = self.ahead(hero, base, 3)
        while square <= self.side.end and self.side.traps >> square & 1:
            step = square + 1 if "next_cell" in self.house else None
            square = step or self.ahead(hero, square, 1)
        return trap if "never_forward" in self.house and square > trap else square

    def close_turn(self):
        self.die = 0
        if self.shade | self.gone == 127:
            self.task = "dragon"
        else:
            self.pass_die()

    def pass_die(self):
        self.who, self.task = (self.who + 1) % self.seats, "throw"

    def do_dragon(self):
        for i in self.running():
            if not self.side.dark >> self.at[i] & 1:
                self.shade &= ~(1 << i)
        steps = 1 if self.dragon == HALL else 5
        for _ in range(steps):
            self.dragon += 1
            if self.victims():
                break
        self.bite()

    def victims(self):
        return [i for i in self.running() if self.at[i] == self.dragon]

    def bite(self):
        victims = self.victims()
        if len(victims) > 1:
            self.task, self.tied = "rank", victims
        elif victims:
            self.swallow(victims[0])
        elif "repeat" in self.house and self.shade | self.gone == 127:
            self.task = "dragon"
        else:
            self.pass_die()

    def swallow(self, hero):
        self.take(hero, self.left.pop(0))
        if len(self.running()) == 1:
            self.rank_all()
        else:
            self.bite()

    def take(self, hero, medal):
        self.gone |= 1 << hero
        self.shade &= ~(1 << hero)
        self.medal[self.which][hero] = medal

    def rank_all(self):
        self.die = 0
        while self.left:
            bare = [i for i in range(7) if not self.medal[self.which][i]]
            best = max(self.at[i] for i in bare)
            self.tied = [i for i in bare if self.at[i] == best]
            if len(self.tied) > 1:
                self.task = "rank"
                return
            self.medal[self.which][self.tied[0]] = self.left.pop()
        self.task = "show" if self.which else "flip"
        if self.which:
            self.uncover()

    def do_rank(self, name):
        hero = self.heroes.index(name)
        if self.at[hero] == self.dragon:
            self.swallow(hero)
        else:
            self.medal[self.which][hero] = self.left.pop()
            self.rank_all()

    def do_flip(self):
        self.who = self.first if "oldest" in self.house else (self.who + 1) % self.seats
        self.turn_up(1)

    def do_note(self, seat, card):
        self.noted[int(seat)] = int(card)

    def uncover(self):
        for seat, card in enumerate(self.noted):
            if card is not None and self.noted.count(card) == 1:
                self.open[seat] = card
        self.close_game()

    def do_show(self, seat, card):
        self.open[int(seat)] = int(card)
        self.close_game()

    def close_game(self):
        if None not in self.open:
            self.task = "over"

    # --- the count -------------------------------------------------------------------

    def points(self):
        """Return the points of every seat once all cards are open."""
        total = list(self.jewels_of)
        for seat, card in enumerate(self.open):
            for name in self.cards[card]:
                hero = self.heroes.index(name)
                total[seat] += self.medal[0][hero] + self.medal[1][hero]
        return total

    def face(self):
        """Return all that a look at the table tells, to compare with the other."""
        return (
            self.which + 1,
            self.task,
            self.who,
            self.die,
            [-2 if self.gone >> i & 1 else self.at[i] - 1 for i in range(7)],
            [not (self.gone | self.shade) >> i & 1 for i in range(7)],
            self.dragon - 1,
            [n for n in range(len(bin(self.jewels))) if self.jewels >> n + 1 & 1],
            self.jewels_of,
            self.medal,
            self.noted,
            self.open,
        )
