"""8 Dragons a second time: small integers, lists and one object that changes.

Made from the rulebook alone, to be compared with `companion.games.eight_dragons` over
thousands of random games. It shares no code with it, and it explains little.

A card is a number: colour * 4 + part, then the specials (l. 57-66). A place holds
`NONE`, `DARK` for a card nobody has seen, or its card; `up` are the places turned and
not dealt with, `spent` those of specials that stay open (l. 98), `blocked` those under
a token (l. 114). `pool` counts the cards nobody has seen. Moves are the texts of the
game's notation, and *house* holds the choice of every ruling by its id.
"""

from itertools import combinations

NONE, DARK = -2, -1
SILVER, MULTI = 4, 3
DIAMOND, DIAMONDS, GRAB, FIREBALL, FIREBALLS, TWIN = range(20, 26)
NAMES = [
    f"{colour}_{part}"
    for colour in ("red", "green", "gold", "multi", "silver")
    for part in ("tail", "legs", "claws", "head")
] + ["diamond", "diamonds", "grab", "fireball", "fireballs", "twin"]
NUMBER = {name: card for card, name in enumerate(NAMES)}
LONG = [3] * 4 + [2] * 4 + [1] * 12 + [4, 1, 1, 2, 1, 1]
SHORT = [3] * 4 + [2] * 4 + [0] * 4 + [1] * 8 + [3, 1, 1, 1, 1, 1]
POINTS = (15, 20, 30, 30, 40)
SQUARES = [f"{column}{row}" for column in "abcdefg" for row in range(1, 7)]


def alike(one, two):
    """Tell whether two cards are a pair, of shape (2) or of colour only (1)."""
    if max(one, two) >= 20:
        return 0
    return 2 if one % 4 == two % 4 else int(one // 4 == two // 4)


def dragon(cards):
    """Return what four cards are worth as a dragon, 0 if they are none (l. 88)."""
    if len({card % 4 for card in cards}) < 4 or max(cards) >= 20:
        return 0
    colours = sorted(card // 4 for card in cards)
    if colours[0] == colours[3]:
        return POINTS[colours[0]]
    with_silver = colours[0] == colours[2] != MULTI and colours[3] == SILVER
    return POINTS[colours[0]] - 5 if with_silver else 0


class Lair:
    """A whole game; `moves` lists what may be done, `do` does it."""

    def __init__(self, seats, first, house):
        self.seats, self.house = seats, house
        self.pool = list(SHORT if house["ED0"] == "short" else LONG)
        self.grid = [DARK] * sum(self.pool)
        self.hands = [[] for _ in range(seats)]
        self.laid = [[] for _ in range(seats)]
        self.tokens, self.blocked = [1] * seats, {}
        self.waiting, self.spots = {seat: [] for seat in range(seats)}, []
        self.quiet, self.end, self.answered, self.looked = 0, None, None, False
        self.spent = set()
        self.begin(first)

    def begin(self, seat):
        self.who, self.task = seat, "first"
        self.up, self.pair, self.kept, self.freed = [], 0, 0, False
        self.again, self.draws, self.waiting[seat] = False, 0, []
        self.held, self.took, self.gone_on = len(self.hands[seat]), False, False

    def in_hands(self):
        return sum(map(len, self.hands))

    # --- what may be done ------------------------------------------------------------

    def moves(self):
        return list(getattr(self, f"may_{self.task}")())

    def free(self):
        """List the cards that may be turned (l. 114)."""
        out = {*self.up, *self.spent, *self.blocked}
        return [p for p, c in enumerate(self.grid) if c != NONE and p not in out]

    def empty(self):
        return [p for p, card in enumerate(self.grid) if card == NONE]

    def may_turn(self):
        unseen = [card for card, count in enumerate(self.pool) if count]
        for p in self.free():
            cards = unseen if self.grid[p] == DARK else [self.grid[p]]
            for card in cards:
                yield f"turn {SQUARES[p]} {NAMES[card]}"

    def may_miss(self):
        return ["miss"] if len(self.free()) >= 2 else []

    def may_token(self):
        if self.tokens[self.who]:
            for p in self.free():
                yield f"token {SQUARES[p]}"

    def may_lay(self):
        hand = self.hands[self.who]
        if len(hand) == 4 and dragon(hand):
            yield "lay " + " ".join(NAMES[card] for card in sorted(hand))

    def may_return(self):
        hand = self.hands[self.who]
        for card in set(hand if len(hand) > 4 else ()):
            for p in self.empty():
                yield f"return {NAMES[card]} {SQUARES[p]}"

    def may_first(self):
        yield from self.may_token()
        yield from self.may_return()
        if len(self.hands[self.who]) <= 4:
            yield from self.may_turn()
            yield from self.may_miss()
            yield from self.may_lay()
            if not self.free():
                yield "end"
            if self.answered:
                yield "stop"

    def may_second(self):
        return self.may_turn() if self.free() else self.may_back()

    def may_back(self):
        for p in self.up:
            yield f"back {SQUARES[p]}"

    def may_pair(self):
        whole = len(self.up) == 2
        split = whole or self.house["ED35"] == "yes"
        for p in self.up:
            if split or self.kept:
                yield f"take {SQUARES[p]}"
            if split or not self.kept:
                yield f"back {SQUARES[p]}"
                yield from self.may_shift(p)
        if whole:
            yield "swap"
        yield from self.may_free()
        yield from self.may_return()

    def may_shift(self, p):
        if self.house["ED3"] == "anywhere":
            for q in self.empty():
                yield f"shift {SQUARES[p]} {SQUARES[q]}"

    def may_free(self):
        if self.pair < 2 or (self.freed and self.house["ED31"] == "one"):
            return []
        return [f"free {SQUARES[p]}" for p in self.blocked]

    def may_draw(self):
        yield from self.may_draw_of(s for s in range(self.seats) if s != self.who)
        yield "decline"

    def may_draw_of(self, seats):
        for s in seats:
            for card in set(self.hands[s]):
                yield f"draw {s} {NAMES[card]}"

    def may_give(self):
        return self.may_draw_of([self.who])

    def may_grab(self):
        for s in range(self.seats):
            if s != self.who and self.hands[s]:
                yield f"grab {s}"
        yield "decline"

    def may_after(self):
        yield from self.may_free()
        yield from self.may_token()
        yield from self.may_return()
        if len(self.hands[self.who]) <= 4:
            yield "end"
            yield from self.may_turn() if self.again else ()
            yield from self.may_miss() if self.again else ()
            yield from self.may_lay()

    def may_look(self):
        return ["pair", "no_pair"]

    def may_ask(self):
        return ["stop", "play_on"]

    def may_over(self):
        return []

    # --- what is done ----------------------------------------------------------------

    def do(self, text):
        word, *rest = text.split()
        getattr(self, f"do_{word}")(*rest)

    def do_turn(self, square, name):
        p, card = SQUARES.index(square), NUMBER[name]
        if self.grid[p] == DARK:
            self.pool[card] -= 1
            self.grid[p] = card
        if self.task != "second":
            self.leave()
            self.pair, self.kept, self.freed, self.again = 0, 0, False, False
        if card >= 20:
            self.turn_special(p, card)
        elif self.task == "second":
            self.up.append(p)
            self.turn_second(*self.up)
        else:
            self.up.append(p)
            self.task = "second"

    def do_miss(self):
        self.leave()
        self.pair, self.kept, self.freed = 0, 0, False
        self.do_end()

    def leave(self):
        """Note where a pair lies that was left while nothing was freed (l. 126)."""
        if self.pair and not self.kept and not self.freed:
            self.waiting[self.who].append(self.spots)
        self.spots = []

    def carry(self, moves):
        """Let cards of pairs that were left move, or go for good."""
        lists = [self.spots, *(spots for row in self.waiting.values() for spots in row)]
        for spots in lists:
            spots[:] = [moves.get(p, p) for p in spots]

    def turn_second(self, p, q):
        self.pair = alike(self.grid[p], self.grid[q])
        if self.grid[p] == self.grid[q] and self.house["ED1"] == "colour":
            self.pair = 1
        self.task = "pair" if self.pair else "back"
        self.spots = [p, q]
        self.again = self.pair == 2

    def turn_special(self, p, card):
        if card != TWIN or self.house["ED10"] == "spent":
            self.spent.add(p)
            self.gone_on = True
        goes_on = self.house["ED7"] == "goes_on" and DIAMOND <= card <= GRAB
        self.again = goes_on and self.task != "second"
        mine = len(self.hands[self.who])
        theirs = self.in_hands() - mine
        self.task = "after"
        if card <= GRAB and theirs:
            self.task = "grab" if card == GRAB else "draw"
            self.draws = min(card - 19, theirs)
        elif card in (FIREBALL, FIREBALLS) and mine:
            self.task, self.draws = "give", min(card - 22, mine)
        self.settle()

    def settle(self):
        """Go on with what is left to do, and end a turn that has nothing left."""
        if self.task == "after" and self.up:
            self.task = "back"
        if self.task == "after" and not self.busy():
            self.do_end()

    def busy(self):
        """Tell whether there may be more to do than to end the turn."""
        may_hold_dragon = len(self.hands[self.who]) >= 4
        return self.again or self.tokens[self.who] or may_hold_dragon or self.may_free()

    def do_back(self, square):
        self.up.remove(SQUARES.index(square))
        if not self.up:
            self.task = "after"
            self.settle()

    def do_take(self, square):
        p = SQUARES.index(square)
        self.hands[self.who].append(self.grid[p])
        self.grid[p] = NONE
        self.carry({p: None})
        self.kept += 1
        self.took = True
        self.do_back(square)

    def do_shift(self, square, there):
        p, q = SQUARES.index(square), SQUARES.index(there)
        self.grid[q], self.grid[p] = self.grid[p], NONE
        self.carry({p: q})
        self.do_back(square)

    def do_swap(self):
        p, q = self.up
        self.grid[p], self.grid[q] = self.grid[q], self.grid[p]
        self.carry({p: q, q: p})
        self.up = []
        self.task = "after"
        self.settle()

    def do_return(self, name, square):
        self.hands[self.who].remove(NUMBER[name])
        self.grid[SQUARES.index(square)] = NUMBER[name]
        self.settle()

    def do_draw(self, seat, name):
        source = int(seat)
        to = (self.who + 1) % self.seats if self.task == "give" else self.who
        self.hands[source].remove(NUMBER[name])
        self.hands[to].append(NUMBER[name])
        self.draws -= 1
        if not self.draws:
            self.task = "after"
            self.settle()

    def do_grab(self, seat):
        mine, theirs = self.hands[self.who], self.hands[int(seat)]
        if self.house["ED14"] == "exchange":
            self.hands[self.who], self.hands[int(seat)] = theirs, mine
        else:
            self.hands[self.who], self.hands[int(seat)] = mine + theirs, []
        self.do_decline()

    def do_decline(self):
        self.draws, self.task = 0, "after"
        self.settle()

    def do_token(self, square):
        self.tokens[self.who] -= 1
        self.gone_on = True
        self.blocked[SQUARES.index(square)] = self.who
        self.again &= self.task == "first" or self.house["ED34"] == "yes"
        self.settle()

    def do_free(self, square):
        owner = self.blocked.pop(SQUARES.index(square))
        self.freed = self.gone_on = True
        if self.house["ED18"] == "owner":
            self.tokens[owner] += 1
        elif self.house["ED18"] == "liberator":
            self.tokens[self.who] += 1
        self.settle()

    def do_lay(self, *names):
        self.laid[self.who].append(self.hands[self.who])
        self.hands[self.who] = []
        self.gone_on = True
        self.settle()

    # --- the end (l. 122-126) --------------------------------------------------------

    def do_end(self):
        self.leave()
        idle = not self.gone_on and len(self.hands[self.who]) == self.held
        leaves = any(None not in spots for spots in self.waiting[self.who])
        starts = self.took or (leaves and self.count_free() <= 4) or self.dead()
        self.answered = self.answered if idle else None
        self.looked &= idle and not self.took
        nxt = (self.who + 1) % self.seats
        if len(self.hands[nxt]) > 4:  # too many cards to be judged (82)
            self.quiet = self.quiet if idle else 0
            self.begin(nxt)
            return
        self.quiet = self.quiet + 1 if idle and (self.quiet or starts) else 0
        self.judge()

    def judge(self):
        few = self.few()
        sure, never = self.pairs()
        if never and few:
            self.stop("no_pair")
        elif few and not sure and not self.looked:
            self.task = "look"
        elif self.dead() and self.house["ED29"] == "end":
            self.stop("dead_end")
        else:
            self.offer()

    def count_free(self):
        """Count the free cards, the twin with them even when spent (l. 124)."""
        return len(self.free()) + any(self.grid[p] == TWIN for p in self.spent)

    def few(self):
        count = self.count_free()
        return count == 4 if self.house["ED22"] == "exactly" else count <= 4

    def pairs(self):
        """Tell whether a pair surely lies free, and whether none can."""
        free = self.free()
        seen = [self.grid[p] for p in free if self.grid[p] != DARK]
        if any(alike(a, b) for a, b in combinations(seen, 2)):
            return True, False
        dark = len(free) - len(seen)
        unseen = [c for c, count in enumerate(self.pool) for _ in range(min(count, 2))]
        some = dark > 0 and any(alike(a, b) for a in seen for b in unseen)
        some |= dark > 1 and any(alike(a, b) for a, b in combinations(unseen, 2))
        apart = [c for c in unseen if c < 20 and not any(alike(c, s) for s in seen)]
        most = sum(self.pool[20:]) + most_apart(apart)
        return dark > most, not some

    def dead(self):
        """Tell whether only parts without a pair and the twin lie free (ED29)."""
        cards = {self.grid[p] for p in self.free()}
        if DARK in cards:
            cards.update(card for card, count in enumerate(self.pool) if count)
        special = cards & set(range(DIAMOND, TWIN))
        return not special and not self.few() and self.pairs()[1]

    def offer(self):
        nxt = (self.who + 1) % self.seats
        there = any(set(spots) <= {*self.free()} for spots in self.waiting[nxt])
        if self.answered:
            self.begin(nxt)
        elif there and self.count_free() > 4:
            self.ask("pair_left")
        elif self.quiet >= self.seats:
            self.ask("dead_end" if self.dead() else "barren")
        else:
            self.begin(nxt)

    def ask(self, why):
        self.task, self.end, self.quiet = "ask", why, 0

    def stop(self, why):
        self.task, self.end = "over", why

    def do_pair(self):
        self.looked = True
        self.offer()

    def do_no_pair(self):
        self.stop("no_pair")

    def do_stop(self):
        self.stop(self.end or self.answered)

    def do_play_on(self):
        self.end, self.answered = None, self.end
        self.begin((self.who + 1) % self.seats)

    # --- the count -------------------------------------------------------------------

    def points(self):
        return [sum(map(dragon, mine)) for mine in self.laid]

    def winners(self):
        count = self.points()
        rank = list(zip(count, map(len, self.laid), strict=True))
        if self.house["ED25"] == "shared":
            rank = count
        return [seat for seat, mine in enumerate(rank) if mine == max(rank)]

    def face(self):
        """Return all that a look at the table tells, to compare with the other."""
        open_ = self.spent | set(self.up)
        return (
            self.task,
            self.who,
            [(c, p in open_) for p, c in enumerate(self.grid)],
            self.up,
            [sorted(hand) for hand in self.hands],
            [[sorted(four) for four in mine] for mine in self.laid],
            self.tokens,
            self.blocked,
            self.end,
        )


def most_apart(cards):
    """Return how many of *cards* can lie together without a pair."""
    if not cards:
        return 0
    first, *rest = cards
    apart = [card for card in rest if not alike(first, card)]
    return max(1 + most_apart(apart), most_apart(rest))
