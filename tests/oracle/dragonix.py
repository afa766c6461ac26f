"""Dragonix a second time: plain numbers, lists, bit masks, one object that changes.

Made from the rulebook alone, to be compared with `companion.games.dragonix` over
thousands of random games. It shares no code with it. Lines of the rulebook: set-up
23-30, rows 44-57, six cards and heroes 61-64, taking back 66-70, tokens 76-80 and
124-154, the dragon's flight 84-86, drawing 90, one player 100-118.

The oracle deals real hands and camps, and beside them keeps what the table knows of
them. `moves` lists what may be done as far as the table knows, `true_moves` what the
cards that are really there allow. A card is colour * 12 + value - 1, 48 a hero; a row
is 0 to 3 for the armies and 4 for the tower. Moves are the texts of the notation.
"""

from collections import Counter

HERO, TOWER, NONE = 48, 4, -1
PEOPLES = ("forest", "sun", "rock", "krak")
NAMES = [f"{p}{v}" for p in PEOPLES for v in range(1, 13)] + ["hero"]
ROWS = ("I", "II", "III", "IV", "tower")
PLAIN = ("prison", "plague", "reinforce", "counter", "volunteers", "flight")
DEALT = {2: 24, 3: 16, 4: 12}


def rising(row):
    return row % 2 == 0


def past(row, one, two):
    """Tell whether value *two* may lie somewhere after value *one* on an army."""
    return two > one if rising(row) else two < one


class Row:
    """The cards of one army or of the tower."""

    def __init__(self, number, cards=(), values=(), order=NONE):
        self.number, self.cards, self.values = number, list(cards), list(values)
        self.order = order

    def copy(self):
        return Row(self.number, self.cards, self.values, self.order)

    def colour(self):
        """Return the colour asked for: ordered, else that of the troops there."""
        if self.number < 2 or self.order != NONE:
            return self.order
        return next((c // 12 for c in self.cards if c != HERO), NONE)

    def hued(self, card):
        return self.colour() in (NONE, card // 12)

    def worth(self, card):
        """Return what a card would count at the end."""
        if card != HERO:
            return card % 12 + 1
        last = self.values[-1] if self.values else (0 if rising(self.number) else 13)
        return last + 1 if rising(self.number) else last - 1

    def fits(self, card):
        if self.number == TOWER:
            return card != HERO and self.hued(card)
        if card == HERO:
            return HERO not in self.cards and 1 <= self.worth(HERO) <= 12
        ends = not self.values or past(self.number, self.values[-1], card % 12 + 1)
        return ends and self.hued(card)

    def put(self, card, slot=None, value=None):
        """Lay a card and return the six that go into the box, if they do."""
        slot = len(self.cards) if slot is None else slot
        value = value or self.worth(card)
        self.cards.insert(slot, card)
        self.values.insert(slot, value)
        if len(self.cards) < 6:
            return []
        gone = self.cards
        self.cards, self.values, self.order = [], [], NONE
        return gone

    def pop(self):
        self.values.pop()
        card = self.cards.pop()
        if not self.cards:
            self.order = NONE
        return card

    def plus(self, card):
        new = self.copy()
        new.put(card)
        return new

    def less(self):
        new = self.copy()
        new.pop()
        return new

    def gap(self, slot):
        """Return the values strictly between two neighbours, the lower card's first."""
        low, high = self.values[slot - 1 : slot + 1]
        step = 1 if rising(self.number) else -1
        return list(range(low + step, high, step))

    def slots(self, card):
        """Return after how many cards this one could be inserted."""
        if card == HERO and HERO in self.cards:
            return []
        if card != HERO and not self.hued(card):
            return []
        places = [(slot, self.gap(slot)) for slot in range(1, len(self.cards))]
        return [
            s for s, gap in places if gap and (card == HERO or card % 12 + 1 in gap)
        ]

    def swaps(self, card, same):
        """Tell whether this troop could lie where the hero lies."""
        if card == HERO or HERO not in self.cards or not self.hued(card):
            return False
        place, value = self.cards.index(HERO), card % 12 + 1
        if same:
            return value == self.values[place]
        before, after = self.values[:place][-1:], self.values[place + 1 :][:1]
        return all(past(self.number, v, value) for v in before) and all(
            past(self.number, value, v) for v in after
        )


class Side:
    """The cards and tokens of one seat, and what the table knows of them."""

    def __init__(self, camp, chips, known_chips):
        self.camp, self.hand, self.chips = camp, [], chips
        self.shown, self.noted, self.under, self.mixed = [], [], [], []
        self.chips_shown, self.chips_noted = known_chips, []

    def closed(self):
        return len(self.hand) - len(self.shown) - len(self.noted)

    def deep(self):
        """Count the cards of the camp that nobody knows the place of."""
        return len(self.camp) - len(self.under)

    def closed_chips(self):
        return len(self.chips) - len(self.chips_shown) - len(self.chips_noted)

    def draw(self, n):
        from_under = max(0, n - self.deep())
        self.hand += self.camp[:n]
        self.camp = self.camp[n:]
        self.shown = sorted(self.shown + self.under[:from_under])
        self.under = self.under[from_under:]

    def tuck(self, card):
        self.camp.append(card)
        self.under.append(card)


class Purse:
    """The cards that may be in the hand: *sure* ones, and *free* of the *pool*."""

    def __init__(self, sure, free=0, pool=()):
        self.sure, self.free, self.pool = list(sure), free, Counter(pool)

    def each(self):
        found = set(self.sure)
        return sorted(found | set(self.pool) if self.free else found)

    def size(self):
        return len(self.sure) + self.free

    def without(self, card):
        if card in self.sure:
            rest = list(self.sure)
            rest.remove(card)
            return Purse(rest, self.free, self.pool)
        return Purse(self.sure, self.free - 1, self.pool - Counter([card]))


def room(ghost, cards):
    """Tell whether all cards fit on *ghost* in some order, or six come together there.

    With six together the row is empty, so nothing stood in the way of the others.
    """
    if not cards:
        return True
    for n, card in enumerate(cards):
        if ghost.fits(card):
            rest = cards[:n] + cards[n + 1 :]
            if len(ghost.cards) == 5 or room(ghost.plus(card), rest):
                return True
    return False


def can_finish(row, ghost, laid, purse):
    """Tell whether cards can follow so that, with those *laid*, not all fit on *ghost*.

    Troops that fit on both one after another do so in any number; only a hero may find
    no value among them. So without one the first card tells.
    """
    fitting = [card for card in purse.each() if row.fits(card)]
    if any(not room(ghost, [*laid, card]) for card in fitting):
        return True
    if HERO not in laid and HERO not in purse.each():
        return False
    return any(
        can_finish(row.plus(card), ghost, [*laid, card], purse.without(card))
        for card in fitting
    )


def can_clear(row, purse):
    """Tell whether taking cards back from here makes room that cards then need."""
    while row.cards:
        ghost, row = row, row.less()
        if can_finish(row, ghost, [], purse):
            return True
    return False


class War:
    """A whole game; `moves` lists what may be done, `do` does it."""

    def __init__(self, seats, house, dice):
        self.seats, self.house, self.dice = seats, house, dice
        self.who, self.task = 0, "deal"
        self.rows = [Row(n) for n in range(5)]
        self.unseen, self.heroes = (1 << 48) - 1, 4
        self.red, self.undead, self.undead_by, self.jailer = 0, NONE, None, None
        self.boxed, self.deserters, self.spent = [], [], []
        self.deal_cards()
        self.deal_chips()
        self.new_turn()

    def deal_cards(self):
        troops = self.dice.sample(range(48), 48)
        self.pile, deck, heroes = troops[:4], troops[4:], [HERO] * 4
        each = 4 // self.seats
        if self.seats == 3:
            deck.append(heroes.pop())
            self.dice.shuffle(deck)
        self.sides = []
        share = len(deck) // self.seats
        for seat in range(self.seats):
            camp = deck[seat * share : (seat + 1) * share] + [HERO] * each
            self.dice.shuffle(camp)
            self.sides.append(Side(camp, [], []))

    def deal_chips(self):
        if self.seats == 1:
            chips = ["plague", "reinforce", "counter", "volunteers", "flight"]
            self.sides[0].chips, self.sides[0].chips_shown = list(chips), list(chips)
            self.pool = []
            if self.house["SOLO"] == "variant":
                self.undead = 3
            return
        self.pool = list(PLAIN) + ["undead"] * (2 * (self.seats > 2))
        bag = self.dice.sample(self.pool, len(self.pool))
        for side in self.sides:
            side.chips = [bag.pop(), bag.pop()]
            if self.seats == 2:
                side.chips.append("undead")
                side.chips_shown = ["undead"]

    def new_turn(self):
        self.bound, self.placed, self.swapped, self.flown = NONE, False, False, False
        self.ghost, self.barred, self.pending, self.aim = None, frozenset(), None, NONE
        self.laid = []
        self.high = set()

    @property
    def side(self):
        return self.sides[self.who]

    # --- who may hold what -----------------------------------------------------------

    def pool_of(self, seat):
        """Return the cards that the unknown part of a hand may have."""
        side = self.sides[seat]
        noted = Counter(side.noted)
        mixed = Counter(side.mixed)
        if side.closed() + side.deep() > (mixed - noted).total():
            mixed.update([c for c in range(48) if self.unseen >> c & 1])
            mixed[HERO] += self.heroes
        return list((mixed - noted).elements())

    def purse(self):
        side = self.side
        pool = self.pool_of(self.who) if side.closed() else []
        pool = [card for card in pool if card not in self.barred]
        sure, free = side.shown + side.noted, side.closed()
        if len(pool) == free:
            return Purse(sure + pool)
        return Purse(sure, free, pool)

    def purse_as_others_know_it(self):
        side, noted = self.side, self.side.noted
        side.noted = []
        purse = self.purse()
        side.noted = noted
        return purse

    def chips_of(self, seat):
        side = self.sides[seat]
        found = {*side.chips_shown, *side.chips_noted}
        return found | self.free_chips(seat)

    def free_chips(self, seat):
        side = self.sides[seat]
        if not side.closed_chips():
            return set()
        return set(Counter(self.pool) - Counter(side.chips_noted))

    # --- what may be done ------------------------------------------------------------

    def moves(self):
        """Return what may be done as far as the table knows."""
        return self.acts(self.purse(), self.chips_of(self.who)) + self.notes()

    def true_moves(self):
        """Return what may be done with the cards and tokens really there."""
        found = self.acts(Purse(self.side.hand), set(self.side.chips))
        if self.task == "deal":
            return [f"open {NAMES[self.pile[0]]} {ROWS[4 - len(self.pile)]}"]
        if self.task == "reveal":
            seat = self.revealer()
            return [f"reveal {seat} {NAMES[self.sides[seat].camp[0]]}"]
        return found + self.true_notes()

    def true_notes(self):
        chips = [
            Counter(side.chips) - Counter(side.chips_shown + side.chips_noted)
            for side in self.sides
        ]
        cards = [
            Counter(side.hand) - Counter(side.shown + side.noted) for side in self.sides
        ]
        found = {f"token-note {s} {c}" for s, row in enumerate(chips) for c in row}
        found |= {f"note {s} {NAMES[c]}" for s, row in enumerate(cards) for c in row}
        return [note for note in self.notes() if note in found]

    def acts(self, purse, chips):
        return list(getattr(self, f"acts_{self.task}")(purse, chips))

    def acts_deal(self, purse, chips):
        row = ROWS[4 - len(self.pile)]
        return [f"open {NAMES[c]} {row}" for c in range(48) if self.unseen >> c & 1]

    def acts_reveal(self, purse, chips):
        seat = self.revealer()
        cards = [c for c in sorted(set(self.pool_of(seat))) if c != HERO]
        return [f"reveal {seat} {NAMES[c]}" for c in cards + self.hero_of(seat)]

    def hero_of(self, seat):
        """Return the hero if a seat may have been dealt one more than it has shown."""
        shown = [side.shown.count(HERO) for side in self.sides]
        spare = self.seats == 3 and 2 not in shown
        return [HERO] * (shown[seat] < 4 // self.seats + spare)

    def acts_begin(self, purse, chips):
        return [f"begin {seat}" for seat in self.tied]

    def acts_play(self, purse, chips):
        found = self.plays(purse) + self.exchanges(purse) + self.backs(purse)
        if (self.placed or not self.side.hand) and not self.ghost:
            found += self.flights()
        return found + self.tokens(purse, chips)

    def acts_fly(self, purse, chips):
        return self.flights()

    def acts_recruit(self, purse, chips):
        return ["recruit", *self.tokens(purse, chips)]

    def acts_over(self, purse, chips):
        return []

    def acts_effect(self, purse, chips):
        return getattr(self, f"acts_{self.pending}")(purse)

    def acts_more(self, purse, chips):
        return ["enough", *self.acts_effect(purse, chips)]

    def notes(self):
        if self.task in ("deal", "reveal", "begin", "over"):
            return []
        found = []
        for seat, side in enumerate(self.sides):
            chips = sorted(self.free_chips(seat))
            found += [f"token-note {seat} {chip}" for chip in chips]
            busy = seat == self.who and (self.ghost or self.pending)
            if side.closed() and not busy:
                out = self.barred if seat == self.who else ()
                cards = {card for card in self.pool_of(seat) if card not in out}
                found += [f"note {seat} {NAMES[card]}" for card in sorted(cards)]
        return found

    # --- step A ----------------------------------------------------------------------

    def shut(self, row):
        if row == TOWER:
            return self.jailer is not None
        return (self.red == row and "red" not in self.high) or (
            self.undead == row and "undead" not in self.high
        )

    def open_rows(self):
        """Return the rows that a card may go to in what is left of the turn."""
        if self.bound == TOWER and self.placed:
            return []
        rows = range(5) if self.bound == NONE else [self.bound]
        return [row for row in rows if not self.shut(row)]

    def plays(self, purse):
        return [
            f"play {NAMES[card]} {ROWS[row]}"
            for row in self.open_rows()
            for card in purse.each()
            if self.playable(row, card, purse)
        ]

    def playable(self, row, card, purse):
        here = self.rows[row]
        if not here.fits(card) or not self.ghost:
            return here.fits(card)
        laid, rest = [*self.laid, card], purse.without(card)
        return not room(self.ghost, laid) or can_finish(
            here.plus(card), self.ghost, laid, rest
        )

    def exchanges(self, purse):
        if self.swapped or (purse.size() < 2 and self.must_place()):
            return []
        same = self.house["DX15"] == "same_value"
        return [
            f"swap {NAMES[card]} {ROWS[row]}"
            for row in self.open_rows()
            for card in purse.each()
            if row != TOWER
            and self.rows[row].swaps(card, same)
            and self.goes_on(self.rows[row], card, purse)
        ]

    def goes_on(self, row, card, purse):
        """Tell whether a card can follow where one must, or cards be taken back."""
        new, rest = self.exchanged(row, card), purse.without(card)
        if self.ghost:
            ghost, laid = self.ghost_exchanged(card)
            return not room(ghost, laid) or can_finish(new, ghost, laid, rest)
        if not self.must_place() or any(new.fits(other) for other in rest.each()):
            return True
        return not self.telling([card], purse) and self.may_be_stuck(rest)

    def ghost_exchanged(self, card):
        """Return what would lie there and what was laid, with a hero exchanged."""
        if HERO in self.laid:
            laid = [card if c == HERO else c for c in self.laid]
            return self.ghost, laid
        if HERO in self.ghost.cards:
            return self.exchanged(self.ghost, card), self.laid
        return self.ghost, self.laid

    def still(self, row, purse, placed):
        """Tell whether what was taken back can still have been in the way (76)."""
        if not self.ghost or can_finish(row, self.ghost, self.laid, purse):
            return True
        return not placed and can_clear(row, purse)

    def must_place(self):
        return not self.placed and self.house["DX14"] == "with_a_card"

    def backs(self, purse):
        if self.placed or not purse.size():
            return []
        if not self.ghost and not self.may_be_stuck(purse):
            return []
        rows = [r for r in self.open_rows() if r != TOWER and self.rows[r].cards]
        calm = self.calm(purse)
        return [f"back {ROWS[r]}" for r in rows if can_clear(self.rows[r], calm)]

    def placing_rows(self):
        """Return the rows that keep one from taking cards back if a card fits."""
        counts = self.house["DX9"] == "tower_counts"
        return [self.rows[r] for r in self.open_rows() if r != TOWER or counts]

    def telling(self, cards, purse):
        """Return those cards that, alone or with a sure one, could be placed."""
        found = self.fitting(cards)
        return found | {card for card in cards if self.pairs(card, purse)}

    def fitting(self, cards):
        rows = self.placing_rows()
        return {card for card in cards if any(row.fits(card) for row in rows)}

    def pairs(self, card, purse):
        """Tell whether an exchange makes room for a hero, one of them this card."""
        rows = [] if self.swapped else self.placing_rows()
        same = self.house["DX15"] == "same_value"
        troops = purse.sure if card == HERO else [card] * (HERO in purse.sure)
        return any(
            row.swaps(troop, same) and self.exchanged(row, troop).fits(HERO)
            for row in rows
            if HERO in row.cards
            for troop in troops
        )

    def exchanged(self, row, card):
        new = row.copy()
        place = new.cards.index(HERO)
        new.cards[place], new.values[place] = card, card % 12 + 1
        return new

    def calm(self, purse):
        """Return the purse without the cards that could be placed, if it is new."""
        if self.ghost or not purse.free:
            return purse
        out = self.telling(list(purse.pool), purse)
        pool = purse.pool.elements()
        return Purse(purse.sure, purse.free, [c for c in pool if c not in out])

    def may_be_stuck(self, purse):
        if self.telling(purse.sure, purse):
            return False
        return not purse.free or self.calm(purse).pool.total() >= purse.free

    # --- tokens ----------------------------------------------------------------------

    def tokens(self, purse, chips):
        return [f"token {c}" for c in sorted(chips) if self.useful(c, purse)]

    def useful(self, chip, purse):
        if chip == "prison":
            return self.jailer is None
        if chip == "reinforce":
            return bool(self.side.camp)
        if chip == "flight":
            return True
        if chip == "undead" and self.undead != NONE:
            return False
        return bool(getattr(self, f"acts_{chip}")(purse))

    def acts_plague(self, purse):
        rows = {*range(4)} if self.aim == NONE else {self.aim}
        kept = self.house["DX22"] == "refused"
        return [
            f"strike {ROWS[r]}"
            for r in rows
            if self.rows[r].cards and not (kept and self.shut(r))
        ]

    def acts_counter(self, purse):
        return [
            f"recolour {ROWS[r]} {people}"
            for r in (2, 3, TOWER)
            for n, people in enumerate(PEOPLES)
            if self.rows[r].cards and self.rows[r].colour() != n
            if r != self.bound or self.still(self.ordered(r, n), purse, self.placed)
        ]

    def ordered(self, r, people):
        new = self.rows[r].copy()
        new.order = people
        return new

    def acts_undead(self, purse):
        # While the cards laid have not shown that those taken were in the way (66),
        # more must be laid on that army, which a dragon there would forbid (86).
        owing = not self.placed or self.ghost
        banned = {self.red, self.bound} if owing else {self.red}
        return [f"summon {ROWS[r]}" for r in range(4) if r not in banned]

    def acts_volunteers(self, purse):
        rows = range(4) if self.bound == NONE else [self.bound]
        rows = [r for r in rows if r != TOWER and not self.shut(r)]
        placed = self.placed or self.house["DX23"] == "counts"
        return [
            f"insert {NAMES[card]} {ROWS[r]} {slot}"
            for r in rows
            for card in purse.each()
            for slot in self.rows[r].slots(card)
            if self.still(
                self.with_volunteer(r, card, slot), purse.without(card), placed
            )
        ]

    def with_volunteer(self, r, card, slot):
        new = self.rows[r].copy()
        new.put(card, slot, self.rows[r].gap(slot)[0] if card == HERO else None)
        return new

    def acts_flight(self, purse):
        return ["soar red", "soar undead"]

    # --- step B ----------------------------------------------------------------------

    def flights(self):
        if self.seats > 1:
            free = [r for r in range(4) if r not in (self.red, self.undead)]
            return [f"fly red {ROWS[r]}" for r in free]
        if self.flown:
            return [f"fly undead {ROWS[(self.undead + 1) % 4]}"]
        return [f"fly red {ROWS[(self.red + 1) % 4]}"]

    # --- what is done ----------------------------------------------------------------

    def do(self, text):
        word, *rest = text.split()
        getattr(self, f"do_{word.replace('-', '_')}")(*rest)

    def do_open(self, name, row):
        card = NAMES.index(name)
        self.pile.remove(card)
        self.rows[ROWS.index(row)].put(card)
        self.see(card)
        if not self.pile:
            self.task = "reveal"
            if self.seats == 1:
                self.side.draw(3)
                self.task = "play"

    def see(self, card):
        if card == HERO:
            self.heroes -= 1
        else:
            self.unseen &= ~(1 << card)

    def revealer(self):
        hands = [len(side.hand) for side in self.sides]
        return next((seat for seat, n in enumerate(hands) if n < 3), None)

    def do_reveal(self, seat, name):
        side, card = self.sides[int(seat)], NAMES.index(name)
        self.see(card)
        side.hand.append(side.camp.pop(0))
        side.shown = sorted([*side.shown, card])
        if self.revealer() is None:
            self.find_first()

    def find_first(self):
        sums = [
            sum(13 if c == HERO else c % 12 + 1 for c in s.hand) for s in self.sides
        ]
        self.tied = [seat for seat, n in enumerate(sums) if n == max(sums)]
        self.task = "begin"
        if len(self.tied) == 1:
            self.do_begin(self.tied[0])

    def do_begin(self, seat):
        self.who, self.task = int(seat), "play"

    def take(self, card):
        """Take a card out of the active hand, from what is known first."""
        side = self.side
        side.hand.remove(card)
        if card in side.shown:
            side.shown.remove(card)
            return
        if card in side.noted:
            side.noted.remove(card)
        if card in side.mixed:
            side.mixed.remove(card)
        else:
            self.see(card)

    def do_play(self, name, row):
        row, card = ROWS.index(row), NAMES.index(name)
        self.take(card)
        self.laid.append(card)
        self.owe()
        self.boxed += self.rows[row].put(card)
        self.bound, self.placed = row, True
        self.look_for_end()

    def owe(self):
        """Owe nothing more once what was laid would not have fitted (66)."""
        if self.ghost and not room(self.ghost, self.laid):
            self.ghost = None

    def do_swap(self, name, row):
        row, card = ROWS.index(row), NAMES.index(name)
        self.take(card)
        self.rows[row] = self.exchanged(self.rows[row], card)
        if self.ghost:
            self.ghost, self.laid = self.ghost_exchanged(card)
            self.owe()
        self.bound, self.swapped = row, True
        self.placed |= self.house["DX14"] == "alone"
        if self.seats == 1 and self.house["DX36"] == "beside":
            self.deserters.append(HERO)
        else:
            self.side.tuck(HERO)
        self.look_for_end()

    def do_back(self, row):
        row = ROWS.index(row)
        if not self.ghost:
            self.barred = frozenset(self.fitting(range(49)))
        self.ghost, self.bound, self.laid = self.rows[row].copy(), row, []
        card = self.rows[row].pop()
        if self.seats == 1:
            self.deserters.append(card)
        else:
            self.side.tuck(card)

    def look_for_end(self, at_last=False):
        if self.side.hand or self.side.camp:
            return
        if at_last or self.house["DX1"] == "at_once":
            high = self.high
            self.new_turn()
            self.high, self.task = high, "over"

    def do_token(self, chip):
        side = self.side
        side.chips.remove(chip)
        if chip in side.chips_shown:
            side.chips_shown.remove(chip)
        else:
            self.pool.remove(chip)
            if chip in side.chips_noted:
                side.chips_noted.remove(chip)
        self.spent.append(chip)
        self.before, self.pending, self.task = self.task, chip, "effect"
        if chip == "prison":
            self.jailer = self.who
            self.effect_over()
        elif chip == "reinforce":
            self.reinforce()
            self.effect_over()
        elif chip == "flight" and self.undead == NONE:
            self.do_soar("red")

    def effect_over(self):
        self.task, self.pending, self.aim = self.before, None, NONE

    def reinforce(self):
        side = self.side
        side.hand.append(side.camp.pop(self.dice.randrange(len(side.camp))))
        self.dice.shuffle(side.camp)
        side.mixed, side.under = sorted(side.mixed + side.under), []
        self.barred = frozenset()

    def do_strike(self, row):
        row = ROWS.index(row)
        self.boxed.append(self.rows[row].pop())
        self.second(row, bool(self.rows[row].cards))

    def second(self, row, more):
        if self.task == "more" or not more:
            self.effect_over()
        else:
            self.task, self.aim = "more", row

    def do_enough(self):
        self.effect_over()

    def do_recolour(self, row, people):
        self.rows[ROWS.index(row)].order = PEOPLES.index(people)
        self.effect_over()

    def do_summon(self, row):
        self.undead, self.undead_by = ROWS.index(row), self.who
        self.effect_over()

    def do_insert(self, name, row, slot):
        row, card, slot = ROWS.index(row), NAMES.index(name), int(slot)
        self.take(card)
        value = self.rows[row].gap(slot)[0] if card == HERO else None
        self.boxed += self.rows[row].put(card, slot, value)
        self.bound = row
        self.placed |= self.house["DX23"] == "counts"
        self.second(row, bool(self.acts_volunteers(self.purse_as_others_know_it())))
        self.look_for_end(at_last=self.flown)

    def do_soar(self, dragon):
        self.high.add(dragon)
        self.effect_over()

    def do_fly(self, dragon, row):
        if self.house["DX20"] == "while_there":
            self.high.discard(dragon)
        if dragon == "red":
            self.red, self.flown = ROWS.index(row), True
        else:
            self.undead = ROWS.index(row)
        both = self.seats == 1 and self.undead != NONE and dragon == "red"
        self.task = "fly" if both else "recruit"
        if not both:
            self.look_for_end(at_last=True)

    def do_recruit(self):
        side = self.side
        side.draw(min(len(side.camp), max(0, 3 - len(side.hand))))
        high = self.high if self.house["DX20"] == "while_there" else set()
        self.who, self.task = (self.who + 1) % self.seats, "play"
        self.new_turn()
        self.high = high
        if self.jailer == self.who:
            self.jailer = None
        if self.undead_by == self.who:
            self.undead, self.undead_by = NONE, None
            self.high.discard("undead")

    def do_note(self, seat, name):
        side = self.sides[int(seat)]
        side.noted = sorted([*side.noted, NAMES.index(name)])

    def do_token_note(self, seat, chip):
        self.sides[int(seat)].chips_noted.append(chip)

    def points(self):
        """Count the cards left to each seat, or alone the deserters (104)."""
        if self.seats > 1:
            return [len(side.hand) + len(side.camp) for side in self.sides]
        if self.house["DX30"] == "all_cards":
            return [len(self.deserters)]
        return [sum(card != HERO for card in self.deserters)]

    def grade(self):
        """Return how one player did (106-111), from 0 for the best to 4."""
        fair = 9 if self.house["DX29"] == "fair" else 8
        return sum(self.points()[0] > limit for limit in (0, 4, fair, 15))

    # --- to compare ------------------------------------------------------------------

    def face(self):
        """Return all that the table knows, to compare with the other."""
        return (
            (self.task, self.who),
            (self.bound, self.placed, self.swapped, self.pending, self.aim, self.flown),
            [(r.cards, r.values, r.colour(), r.order != NONE) for r in self.rows],
            (self.red, self.undead, self.undead_by, self.jailer, sorted(self.high)),
            [self.face_of(side) for side in self.sides],
            (self.unseen, self.heroes, sorted(self.pool)),
            (self.boxed, self.deserters, self.spent),
        )

    def face_of(self, side):
        return (
            (len(side.hand), len(side.camp), len(side.chips)),
            (side.shown, side.noted, side.under, side.mixed),
            (sorted(side.chips_shown), sorted(side.chips_noted)),
        )
