"""Dragorun a second time: plain numbers, one object that changes.

Made from the rulebook alone, to be compared with `companion.games.dragorun` over
thousands of random games. It shares no code with it. Lines of the rulebook: set-up
72-75, dice 85-113, another dragon and the eggs 119-144, end of the race 139-154.

A dragon is 0 to 4, a cell is a number (0 the snail's, `end` the finish), colour 5 of
the die is white. `house` holds the rulings by their ids. Moves are the texts of the
game's notation.
"""

WHITE, SNAIL, MUSHROOM = 5, 5, 6
STEPS = ("+1", "+2", "+3", "-1", "trophy", "snail")


class Race:
    """A whole game; `moves` lists what may be done, `do` does it."""

    def __init__(self, starts, end, names, seats, first, house):
        self.starts, self.end, self.names, self.seats = starts, end, names, seats
        self.house, self.who, self.race = house, first, 0
        self.rides, self.pale = [-1] * seats, [False] * seats
        self.eggs, self.drawn = [[] for _ in range(seats)], 0
        self.line_up()

    def line_up(self):
        self.race += 1
        self.at, self.line, self.won = [-1] * 5, [], []
        self.colour, self.step, self.task = None, None, "place"

    # --- what may be done ------------------------------------------------------------

    def moves(self):
        return list(getattr(self, f"moves_{self.task}")())

    def moves_place(self):
        bare = [n for d, n in enumerate(self.names) if self.at[d] < 0]
        return [f"place {n} {c}" for n in bare for c in self.starts if c not in self.at]

    def moves_deal(self):
        beside = [n for d, n in enumerate(self.names) if d not in self.rides]
        return [f"deal {self.next_bare()} {n}" for n in beside]

    def moves_turn(self):
        found = self.throws() + [f"swap {self.names[d]}" for d in self.on_offer()]
        if self.eggs[self.who] and self.last(self.rides[self.who]):
            found.append("return")
        return found

    def moves_keep(self):
        colours = [f"colour {n}" for n in (*self.names, "white")]
        return self.uses() + self.throws() + colours + [f"step {s}" for s in STEPS]

    def moves_bound(self):
        return self.uses()

    def moves_draw(self):
        held = [egg for eggs in self.eggs for egg in eggs]
        faces = (*self.names, "snail", "mushroom")
        of_each = (2, 2, 2, 2, 2, 1, 1)
        return [f"egg {f}" for e, f in enumerate(faces) if held.count(e) < of_each[e]]

    def moves_egg(self):
        return [f"move {self.names[self.due[0]]} {self.due[1]}"]

    def moves_decide(self):
        return [f"decide {seat}" for seat in self.won]

    def moves_again(self):
        return ["again"]

    def moves_over(self):
        return []

    def throws(self):
        return [f"throw {n} {s}" for n in (*self.names, "white") for s in STEPS]

    def uses(self):
        return [f"move {self.names[d]} {cell}" for d, cell in self.choices()]

    def choices(self):
        """Pair the dragons that the dice leave open with where they would go."""
        dragons = range(5) if self.colour == WHITE else [self.colour]
        found = [(d, self.goal(d, self.step)) for d in dragons]
        if self.colour == WHITE and self.house["DG23"] == "must_move":
            moving = [pair for pair in found if self.stirs(*pair)]
            return moving or found
        return found

    def stirs(self, dragon, cell):
        return cell != self.at[dragon]

    def on_offer(self):
        pale = [d for d, p in zip(self.rides, self.pale, strict=True) if p]
        return [d for d in range(5) if d != self.rides[self.who] and d not in pale]

    def next_bare(self):
        turns = [(self.who + n) % self.seats for n in range(self.seats)]
        return next((seat for seat in turns if self.rides[seat] < 0), None)

    # --- where a dragon goes ---------------------------------------------------------

    def last(self, dragon):
        rear = min(self.at)
        if self.at[dragon] > rear:
            return False
        if rear or len(self.line) == 1:
            return True
        rule = self.house["DG4"]
        return rule == "all" or (rule == "newest" and self.line[-1] == dragon)

    def goal(self, dragon, step):
        """Return the cell that a face of the movement die leads to."""
        if step == "snail":
            return self.to_the_rear(dragon)
        if step == "trophy":
            return self.to_the_front(dragon)
        return self.back(dragon) if step == "-1" else self.ahead(dragon, int(step))

    def ahead(self, dragon, steps):
        cell = self.at[dragon]
        while steps and cell < self.end:
            cell += 1
            steps -= cell not in self.at
        if steps and self.house["DG7"] == "exact":
            return self.at[dragon]
        return cell

    def back(self, dragon):
        here = self.at[dragon]
        skips = self.house["DG1"] == "nearest_free"
        for cell in range(here - 1, -1, -1):
            if cell not in self.at or (cell == 0 and self.house["DG2"] == "share"):
                return cell
            if not skips:
                break
        return here

    def to_the_front(self, dragon):
        here, lead = self.at[dragon], max(self.at)
        if here == lead and (lead or self.house["DG25"] == "stay"):
            return here
        barred = lead + 1 == self.end and self.house["DG6"] == "stay"
        return here if barred else lead + 1

    def to_the_rear(self, dragon):
        if self.last(dragon):
            return self.at[dragon]
        if self.house["DG3"] == "snail_cell":
            return 0
        return max(0, min(self.at) - 1)

    def stand(self, dragon, cell):
        """Set a dragon on a cell and tell whether that was the finish."""
        if dragon in self.line:
            self.line.remove(dragon)
        self.at[dragon] = cell
        if cell == 0:
            self.line.append(dragon)
        return cell == self.end

    # --- what is done ----------------------------------------------------------------

    def do(self, text):
        word, *rest = text.split()
        getattr(self, f"do_{word}")(*rest)

    def do_place(self, name, cell):
        self.at[self.names.index(name)] = int(cell)
        if -1 not in self.at:
            self.ask_for_markers()

    def ask_for_markers(self):
        if self.next_bare() is None:
            self.start_turn(self.who)
        else:
            self.task = "deal"

    def do_deal(self, seat, name):
        self.rides[int(seat)] = self.names.index(name)
        self.ask_for_markers()

    def do_throw(self, name, step):
        again = self.task == "keep"
        self.colour, self.step = (*self.names, "white").index(name), step
        self.task = "bound" if again else "keep"
        if again and not any(self.stirs(*pair) for pair in self.choices()):
            self.next_turn()

    def do_colour(self, name):
        self.do_throw(name, self.step)

    def do_step(self, step):
        self.do_throw((*self.names, "white")[self.colour], step)

    def do_move(self, name, cell):
        dragon, cell = self.names.index(name), int(cell)
        if self.stirs(dragon, cell) and self.stand(dragon, cell):
            self.finish(dragon)
        elif self.task == "egg":
            self.after_egg()
        else:
            self.next_turn()

    def do_swap(self, name):
        dragon, mine = self.names.index(name), self.rides[self.who]
        if dragon in self.rides:
            other = self.rides.index(dragon)
            self.rides[other] = mine
            self.pale[other] = self.house["DG11"] == "both"
        self.rides[self.who], self.pale[self.who] = dragon, True
        self.task = "draw"

    def do_egg(self, face):
        egg = (*self.names, "snail", "mushroom").index(face)
        self.eggs[self.who].append(egg)
        self.drawn += 1
        dragon = self.rides[self.who] if egg == SNAIL else egg
        if egg == MUSHROOM:
            self.after_egg()
            return
        cell = self.goal(dragon, "snail" if egg == SNAIL else "+1")
        self.due, self.task = (dragon, cell), "egg"
        if not self.stirs(dragon, cell):
            self.after_egg()

    def after_egg(self):
        self.empty_supply()
        self.next_turn()

    def empty_supply(self):
        held = sum(map(len, self.eggs))
        if (held if self.house["DG29"] == "empty" else self.drawn) == 12:
            self.all_back()

    def all_back(self):
        self.eggs, self.drawn = [[] for _ in range(self.seats)], 0

    def do_return(self):
        self.eggs[self.who] = []

    def next_turn(self):
        self.start_turn((self.who + 1) % self.seats)

    def start_turn(self, seat):
        self.who, self.pale[seat], self.task = seat, False, "turn"
        self.colour, self.step = None, None

    # --- the end of a race -----------------------------------------------------------

    def riders(self, dragons):
        counts = self.house["DG9"] == "counts"
        return sorted(
            seat
            for seat in range(self.seats)
            if self.rides[seat] in dragons and (counts or not self.pale[seat])
        )

    def finish(self, dragon):
        first = self.riders([dragon])
        if first and MUSHROOM in self.eggs[first[0]]:
            first = self.seconds(dragon)
        self.won, self.task, self.colour, self.step = first, "over", None, None
        if len(first) > 1 and self.house["DG5"] == "decide":
            self.task = "decide"
        elif not first or (len(first) > 1 and self.house["DG5"] == "rerun"):
            self.won, self.task = [], "again"
            self.empty_supply()

    def seconds(self, dragon):
        """Return the riders of the second dragon, or of the third if a table may."""
        cells = sorted({*self.at} - {self.end}, reverse=True)
        for cell in cells[: 1 + (self.house["DG20"] == "third")]:
            riders = self.riders([d for d in range(5) if self.at[d] == cell])
            if riders:
                return riders
        return []

    def do_decide(self, seat):
        self.won, self.task = [int(seat)], "over"

    def do_again(self):
        self.who = (self.who + 1) % self.seats
        if self.house["DG21"] == "anew":
            self.rides, self.pale = [-1] * self.seats, [False] * self.seats
            self.all_back()
        self.line_up()

    def face(self):
        """Return all that a look at the table tells, to compare with the other."""
        return (
            self.race,
            self.task,
            self.who,
            None if self.colour is None else (*self.names, "white")[self.colour],
            self.step,
            self.at,
            self.line,
            self.rides,
            self.pale,
            [[(*self.names, "snail", "mushroom")[e] for e in row] for row in self.eggs],
            self.drawn,
            self.won,
        )
