"""Dragon Run a second time: small integers, lists and one object that changes.

Made from the rulebook alone, to be compared with `companion.games.dragon_run` over
thousands of random games. It shares no code with it, and it explains little.

A treasure is a number: 0 to 4 for gold of 1 to 5, then the potions and talismans of the
box. A hand is how many cards a seat holds and, in `notes`, which of them it has told;
`unseen` counts the treasures that nobody has shown. *places*, *specials* and *heroes*
are (name, [(what it does, how much)], ...) as the box has them.
"""

FIT, WOUNDED, OUT = range(3)


class Run:
    """A whole game; `moves` lists what may be done, `do` does it."""

    def __init__(self, gold, specials, places, heroes, seats, first, house):
        self.specials, self.places, self.heroes = specials, places, heroes
        self.seats, self.house, self.who = seats, house, first
        self.names = [f"gold-{n}" for n in range(1, 6)] + [s[0] for s in specials]
        self.unseen = [*gold, *(special[3] for special in specials)]
        if seats == 2:
            for name in ("redirection", "invisibility"):
                self.unseen[self.names.index(name)] = 0
        self.annulment = self.names.index("annulment")
        self.anger = seats + 3
        self.hero, self.health, self.tilted = [], [FIT] * seats, [False] * seats
        self.shuffle_places()
        self.since = 0
        self.hands, self.notes = [4] * seats, [[] for _ in range(seats)]
        self.stock = sum(self.unseen) - 4 * seats
        self.fronts, self.shown = [[] for _ in range(seats)], [[] for _ in range(seats)]
        self.discard, self.need, self.paid = [], 0, 0
        self.todo, self.back, self.task = [], None, "deal"
        self.forgot, self.last = False, None
        self.spared, self.extra = [], 0

    # --- looks -----------------------------------------------------------------------

    def alive(self):
        return [s for s in range(self.seats) if self.health[s] != OUT]

    def others(self):
        return [s for s in self.alive() if s != self.who]

    def left(self):
        """Count the place cards that a stealth test must beat (l. 82)."""
        return sum(self.pile)

    def has(self, seat, kind):
        """Tell whether a seat may hold a treasure, as far as the table knows."""
        if kind in self.notes[seat]:
            return True
        return self.hands[seat] > len(self.notes[seat]) and self.unseen[kind] > 0

    def does(self, seat, what):
        """Add up what the talismans before a seat do."""
        rows = [self.specials[kind - 5][1] for kind in self.fronts[seat]]
        return sum(n for row in rows for did, n in row if did == what)

    def bonus(self):
        """Add up what helps the stealth test now: talismans, and this turn's cards."""
        return self.extra + self.does(self.who, "bonus")

    # --- what may be done ------------------------------------------------------------

    def moves(self):
        return list(getattr(self, f"may_{self.task}")())

    def may_deal(self):
        return [f"deal {h[0]}" for i, h in enumerate(self.heroes) if i not in self.hero]

    def may_turn(self):
        for n, count in enumerate(self.pile):
            if count:
                yield f"turn {self.places[n][0]}"

    def may_act(self):
        yield from self.may_turn()
        yield from self.may_sneak_or_cry()
        if not self.tilted[self.who]:
            yield "power"
        yield from self.may_open()

    def may_sneak_or_cry(self):
        hopeless = 9 + self.bonus() <= self.left()
        if self.most() >= 1 and not (hopeless and self.house["RN4"] == "forbid"):
            yield "sneak"
        alone = not self.others() and self.house["RN28"] == "no"
        if self.most() >= 2 and not alone and not self.no_crying():
            yield "cry"

    def no_crying(self):
        barred = [
            any(what == "no_crying" for what, _ in self.places[n][1])
            for n in self.turned
        ]
        kind = self.house["RN11"]
        if kind == "on_top":
            return any(barred[-1:])
        return any(barred if kind == "until_shuffled" else barred[self.since :])

    def will_do(self, kind):
        """Tell whether the hand may pay in full after this treasure of it."""
        rest = self.need - self.paid - kind - 1
        return self.has(self.who, kind) and (rest <= 0 or self.most(kind) >= rest)

    def most(self, without=None):
        """Return the most gold that the hand may be worth, *without* one treasure."""
        notes, left = list(self.notes[self.who]), list(self.unseen)
        cards = self.hands[self.who]
        if without is not None:
            cards -= 1
            left[without] -= 1
            notes = list_without(notes, without)
        best = [
            kind for kind in range(5) for _ in range(left[kind] - notes.count(kind))
        ]
        dark = sorted(best, reverse=True)[: cards - len(notes)]
        return sum(kind + 1 for kind in [*notes, *dark] if kind < 5)

    def may_open(self):
        if self.task != "forced" or self.house["RN8"] == "potions":
            yield from self.may_play()
        yield from self.may_note()
        yield from self.may_forget()

    def may_play(self):
        for kind in range(5, len(self.names)):
            if kind != self.annulment and self.has(self.who, kind):
                yield f"play {self.names[kind]}"

    def may_note(self):
        mine = self.notes[self.who]
        if self.hands[self.who] > len(mine):
            for kind, count in enumerate(self.unseen):
                if count > mine.count(kind):
                    yield f"note {self.who} {self.names[kind]}"

    def may_forget(self):
        if self.notes[self.who] and not self.forgot:
            yield f"forget {self.who}"

    def may_discard(self, kinds=range(5)):
        for kind in kinds:
            if self.has(self.who, kind):
                yield f"discard {self.names[kind]}"

    def may_pay(self):
        yield from self.may_discard(kind for kind in range(5) if self.will_do(kind))
        yield from self.may_forget()

    def may_roll(self):
        yield from (f"roll {n}" for n in range(10))
        yield from self.may_discard()
        yield from self.may_open()

    def may_forced(self):
        yield from self.may_turn()
        yield from self.may_open()

    def may_again(self):
        return self.may_forced()

    def may_choice(self):
        yield from self.may_sneaked()
        if self.house["RN9"] == "action":
            yield from self.may_sneak_or_cry()

    def may_sneaked(self):
        yield "pass"
        yield from self.may_forced()

    def may_cried(self):
        yield "pass"
        yield from self.may_discard()

    def may_answer(self):
        for s in self.others():
            if self.hands[s] and s not in self.spared:
                yield f"let {s}"
            if self.has(s, self.annulment):
                yield f"annul {s}"

    def may_effect(self):
        what = self.todo[0][0]
        if what == "discard":
            yield from self.may_discard(range(len(self.names)))
        else:
            yield from (f"point {s}" for s in self.others() if self.hands[s])
        yield from self.may_forget()

    def may_redirect(self):
        return [f"point {s}" for s in self.others()]

    def may_show(self):
        for s in self.alive():
            if self.hands[s]:
                for kind in range(len(self.names)):
                    if self.has(s, kind):
                        yield f"show {s} {self.names[kind]}"

    def may_over(self):
        return []

    # --- what is done ----------------------------------------------------------------

    def do(self, text):
        word, *rest = text.split()
        getattr(self, f"do_{word}")(*rest)

    def do_deal(self, name):
        self.hero.append([hero[0] for hero in self.heroes].index(name))
        if len(self.hero) == self.seats:
            self.task = "act"

    def do_sneak(self):
        self.task, self.need, self.paid = "pay", 1, 0

    def do_cry(self):
        self.task, self.need, self.paid = "pay", 2, 0

    def lose(self, seat, kind):
        """Take an open treasure out of a hand."""
        self.notes[seat] = list_without(self.notes[seat], kind)
        self.hands[seat] -= 1
        self.unseen[kind] -= 1
        for other, notes in enumerate(self.notes):
            if notes.count(kind) > self.unseen[kind]:
                self.notes[other] = [noted for noted in notes if noted != kind]

    def do_discard(self, name):
        kind = self.names.index(name)
        self.lose(self.who, kind)
        self.discard.append(kind)
        if self.task == "effect":
            self.did_one()
            return
        self.paid += kind + 1
        if self.paid >= self.need:
            self.task = "roll" if self.need == 1 else "cried"

    def do_roll(self, pips):
        pips = int(pips)
        self.need = self.paid = 0
        if not pips or pips + self.bonus() <= self.left():
            self.task = "forced"
            return
        self.calm(1)
        if self.task != "show" and self.task != "over":
            self.shuffle_places()
            self.spend_talismans()
            if self.house["RN13"] == "yes":
                self.tilted = [False] * self.seats
            self.task = "sneaked"

    def calm(self, n):
        self.anger = max(0, self.anger - n)
        if not self.anger:
            self.asleep()

    def asleep(self):
        self.todo, self.task, self.need, self.paid = [], "show", 0, 0
        self.extra = 0
        told = [(seat, kind) for seat in self.alive() for kind in self.notes[seat]]
        kinds = [kind for _, kind in told]
        clash = {kind for kind in kinds if kinds.count(kind) > self.unseen[kind]}
        self.notes = [[] for _ in range(self.seats)]
        for seat, kind in told:
            if kind not in clash:
                self.lose(seat, kind)
                self.shown[seat].append(kind)
        self.close()

    def shuffle_places(self):
        self.pile = [place[3] for place in self.places]
        self.turned, self.since = [], 0

    def spend_talismans(self):
        for s in range(self.seats):
            self.discard += self.fronts[s]
            self.fronts[s] = []

    def refill(self):
        for kind in self.discard:
            if kind is not None:
                self.unseen[kind] += 1
        self.stock += len(self.discard)
        self.discard = []

    def draw(self):
        if not self.stock:
            self.refill()
        if self.stock:
            self.stock -= 1
            self.hands[self.who] += 1
        if not self.stock and self.house["RN26"] == "at_once":
            self.refill()

    def do_turn(self, name):
        n = [place[0] for place in self.places].index(name)
        self.pile[n] -= 1
        self.turned.append(n)
        if name == "dragon":
            self.breathe()
            return
        _, effects, then, _ = self.places[n]
        after = "again" if self.house["RN10"] == "rush" else "act"
        back = {"stop": None, "replay": after, "choose": "choice"}[then]
        self.go(effects, back)

    def breathe(self):
        if self.does(self.who, "redirect") and self.others():
            self.task = "redirect"
        else:
            self.burn(self.who)

    def do_point(self, seat):
        seat = int(seat)
        if self.task == "redirect":
            self.burn(seat)
            return
        self.notes[seat] = []
        if self.todo[0][0] == "swap":
            self.notes[self.who] = []
        if self.todo[0][0] == "steal":
            self.hands[seat] -= 1
            self.hands[self.who] += 1
        self.did_one()

    def burn(self, seat):
        if not self.does(seat, "invisible"):
            self.health[seat] += 1
            if self.health[seat] == OUT:
                self.last = seat
                self.fall(seat)
        self.anger -= 1
        if not self.alive():
            self.task = "over"
        elif not self.anger:
            self.asleep()
        else:
            self.shuffle_places()
            self.spend_talismans()
            self.tilted = [False] * self.seats
            self.end_turn()

    def fall(self, seat):
        self.discard += [None] * self.hands[seat] + self.fronts[seat]
        self.fronts[seat], self.notes[seat], self.hands[seat] = [], [], 0

    def end_turn(self):
        self.need = self.paid = self.extra = 0
        self.forgot = False
        self.who = (self.who + 1) % self.seats
        while self.health[self.who] == OUT:
            self.who = (self.who + 1) % self.seats
        self.since = len(self.turned)
        self.task = "act"

    def do_pass(self):
        self.end_turn()

    def do_power(self):
        self.tilted[self.who] = True
        self.go(self.heroes[self.hero[self.who]][1], "act")

    def do_play(self, name):
        kind = self.names.index(name)
        self.lose(self.who, kind)
        _, effects, talisman, _ = self.specials[kind - 5]
        if talisman:
            self.fronts[self.who].append(kind)
            return
        self.discard.append(kind)
        self.todo, self.back, self.task = list(effects), self.task, "answer"
        hands = [self.hands[seat] for seat in self.others()]
        if not self.unseen[self.annulment] or not any(hands):
            self.go(self.todo, self.back)

    def do_let(self, seat):
        self.spared = sorted([*self.spared, int(seat)])
        if self.spared == [s for s in self.others() if self.hands[s]]:
            self.spared = []
            self.go(self.todo, self.back)

    def do_annul(self, seat):
        self.lose(int(seat), self.annulment)
        self.discard.append(self.annulment)
        self.spared = []
        self.go([], self.back)

    # --- effects ---------------------------------------------------------------------

    def go(self, effects, back):
        self.todo, self.back = list(effects), back
        self.work()

    def work(self):
        while self.todo:
            what, n = self.todo[0]
            if what in ("discard", "steal", "swap"):
                if self.can(what):
                    self.task = "effect"
                    return
            else:
                getattr(self, f"now_{what}", lambda n: None)(n)
                if self.task in ("show", "over"):
                    return
            self.todo = self.todo[1:]
        if self.back is None:
            self.end_turn()
        else:
            self.task, self.back = self.back, None

    def can(self, what):
        mine = self.hands[self.who] > 0
        theirs = any(self.hands[s] for s in self.others())
        return {"discard": mine, "steal": theirs, "swap": mine and theirs}[what]

    def did_one(self):
        (what, n), *rest = self.todo
        self.todo = [(what, n - 1), *rest] if n > 1 else rest
        self.work()

    def now_draw(self, n):
        for _ in range(n):
            self.draw()

    def now_bonus(self, n):
        self.extra += n

    def now_heal(self, n):
        self.health[self.who] = FIT

    def now_attack(self, n):
        self.calm(n)

    def now_skip(self, n):
        self.todo, self.back = self.todo[:1], None

    # --- the end ---------------------------------------------------------------------

    def do_show(self, seat, name):
        kind = self.names.index(name)
        self.lose(int(seat), kind)
        self.shown[int(seat)].append(kind)
        self.close()

    def close(self):
        if not any(self.hands[s] for s in self.alive()):
            self.task = "over"

    def do_note(self, seat, name):
        self.notes[int(seat)].append(self.names.index(name))

    def do_forget(self, seat):
        self.notes[int(seat)] = []
        self.forgot = True

    def points(self):
        return [sum(k + 1 for k in mine if k < 5) for mine in self.shown]

    def winners(self):
        living = self.alive()
        if not living:
            asleep = not self.anger and self.house["RN17"] == "last"
            return [self.last] if asleep else []
        rows = []
        for s in range(self.seats):
            worth = sorted((k + 1 for k in self.shown[s] if k < 5), reverse=True)
            more = worth if self.house["RN19"] == "next_card" else worth[:1]
            rows.append((sum(worth), more))
        best = max(rows[s] for s in living)
        return [s for s in living if rows[s] == best]

    def face(self):
        """Return all that a look at the table tells, to compare with the other."""
        return (
            self.task,
            self.who,
            self.anger,
            self.hero,
            self.health,
            self.tilted,
            self.pile,
            self.turned,
            self.stock,
            self.unseen,
            self.hands,
            [sorted(mine) for mine in self.notes],
            self.fronts,
            self.discard,
            [sorted(mine) for mine in self.shown],
            self.paid,
            self.todo,
            self.spared,
            self.extra,
        )


def list_without(cards, card):
    """Return *cards* less one *card*, if it is there."""
    rest = list(cards)
    if card in rest:
        rest.remove(card)
    return rest
