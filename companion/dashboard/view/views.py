"""What one viewer may see of the table at one moment, in words, ready to be printed.

Everything goes through `redact` first, so that whatever a page, a stream or the JSON
holds may be seen by whoever holds the phone. Templates print it and decide nothing.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.corrections.amend import undo_bar
from companion.corrections.misplaced import find_misplaced
from companion.dashboard import boards
from companion.dashboard.boards.artist import list_layout
from companion.dashboard.boards.drawing import Drawing
from companion.dashboard.boards.picking import Pick
from companion.dashboard.door.auth import Who
from companion.dashboard.pages.reminder import Tip, tips
from companion.dashboard.pages.rulings import ruling_of, rulings
from companion.dashboard.pages.setting_up import tasks
from companion.dashboard.view.clock import clock_of
from companion.dashboard.view.history import NEWEST, SHOWN, past_lines, undone_moves
from companion.dashboard.view.misread import misread
from companion.dashboard.view.moves import AnyGame, moves_for
from companion.dashboard.view.page_parts import PageParts
from companion.dashboard.view.remedies import no_remedy, remedy
from companion.dashboard.view.status import status_of
from companion.dashboard.view.view import (
    Ending,
    Me,
    OfferView,
    PlayerView,
    PointsPart,
    QuestionView,
    Ruled,
    Task,
    TurnView,
    View,
    source,
)
from companion.games.core import Prompt
from companion.games.hidden import redact
from companion.kits.curriculum import face_name
from companion.kits.from_answers import reference
from companion.running.reducer import PAUSED
from companion.running.snapshot import Snapshot
from companion.story.log import Story
from companion.words import Words
from companion.words.pieces import describe_misplaced


def view_of(
    snapshot: Snapshot,
    who: Who,
    language: str,
    *,
    strict: bool = False,
    most: int = SHOWN,
) -> View:
    """Return what *who* sees of *snapshot*, with *most* lines of what happened.

    *strict* raises for missing words, and for a part that fails.
    """
    story = snapshot.story
    names = story.header.players if story else ()
    words = Words(language, names, strict)
    name = words.name(who.seat) if who.seat is not None else None
    me = Me(who.role, who.seat, name, who.host)
    status = status_of(snapshot, words)
    bare = View(snapshot.version, 0, language, me, status)
    if story is None:
        return bare
    parts = PageParts(strict=strict)
    view = _look_at_game(snapshot, story, who, words, bare, parts)
    view = _with_history(view, story, who, words, parts, most)
    return replace(view, failed=parts.failed)


def _with_history(
    view: View, story: Story, who: Who, words: Words, parts: PageParts, most: int
) -> View:
    lines, earlier = parts.get(
        "history", lambda: past_lines(story, who.viewer, words, most), ((), 0)
    )
    mentioned = {name for line in lines[:NEWEST] for name in line.rulings}
    points = parts.get(
        "points", lambda: rulings(story.game, story.header.options, words), ()
    )
    return replace(
        view,
        history=lines,
        earlier=earlier,
        points=tuple(point for point in points if point.id in mentioned),
        undoes=parts.get("undo", lambda: undone_moves(story, who.viewer, words), ""),
        undoes_of=parts.get("undo", lambda: _other_maker(story, who, words), None),
    )


def _other_maker(story: Story, who: Who, words: Words) -> str | None:
    """Return whose move a player would take back, None for their own or nobody's."""
    if who.seat is None or not story.steps:
        return None
    step = story.steps[-1]
    move = step.made.move
    actor = None if move is None else story.game.actor(step.before, move)
    return None if actor is None or actor == who.seat else words.name(actor)


def _look_at_game(
    snapshot: Snapshot,
    story: Story,
    who: Who,
    words: Words,
    bare: View,
    parts: PageParts,
) -> View:
    game, state = story.game, redact(story.state, who.viewer)
    legal = () if story.paused else tuple(moves_for(game, story.state, who))
    drawing = parts.get(
        "board",
        lambda: boards.draw(story, state, legal, who.viewer, words),
        list_layout(story, state, legal, who.viewer, words),
    )
    writer = _ViewWriter(snapshot, story, state, words, parts)
    picks, single = parts.get("picks", lambda: writer.shelved(legal, who), ((), legal))
    go = parts.get("moves", lambda: writer.at_one_go(legal, who), None)
    moves = tuple(
        offer
        for offer in writer.offers(single, who, secret=False)
        if go is None or go.then or offer.move != go.move
    )
    get, bar = parts.get, writer.undo_bar
    return replace(
        bare,
        seq=story.seq,
        game_id=snapshot.game_id,
        game=game.id,
        title=game.title,
        players=get("players", lambda: writer.players(who, drawing), ()),
        setup=get("setup", lambda: _to_set_up(story, words), ()),
        turn=get("turn", lambda: writer.turn(who, drawing), None),
        question=get("question", lambda: writer.question(legal, who), None),
        moves=moves,
        at_one_go=go,
        private=writer.offers(single, who, secret=True),
        picks=picks,
        doers=tuple(dict.fromkeys(o.by for o in _in_turn(moves, picks))),
        board=drawing,
        house_rules=get("house rules", lambda: _house_rules(story, words), ()),
        ending=get("ending", writer.ending, None),
        notice=words.part(snapshot.notice) if snapshot.notice else None,
        ruled=get("ruling", writer.ruled, None),
        paused=words.part(story.frozen or PAUSED) if story.paused else None,
        frozen=story.frozen is not None,
        undo_bar=get("undo", lambda: bar(who), None),
        misread=get("misread", lambda: misread(story, who, words), None),
        remember=get("remember", lambda: _remember(story, who, words), None),
        clock=get("clock", lambda: clock_of(story), None),
        tips=get("tips", writer.tips, ()),
    )


class _ViewWriter(Struct, frozen=True):
    """Puts the parts of one redacted state into words."""

    snapshot: Snapshot
    story: Story
    state: Any
    words: Words
    parts: PageParts

    @property
    def game(self) -> AnyGame:
        return self.story.game

    @property
    def chosen(self) -> str:
        """Return the notation of the move that the table's own button would make."""
        cursor, offers = self.snapshot.cursor, self.snapshot.offers
        chosen = offers[cursor] if 0 <= cursor < len(offers) else ""
        return chosen if isinstance(chosen, str) else ""

    def shelved(
        self, legal: tuple[Any, ...], who: Who
    ) -> tuple[tuple[Pick, ...], tuple[Any, ...]]:
        """Return the picks that stand for long lists of moves, and the moves left."""
        prompts = self.game.expects(self.state)
        asked = tuple(prompt for prompt in prompts if _for(prompt, who))
        likely = boards.likeliest_first(self.game, self.state, asked, legal)
        picks, single = boards.shelve(
            self.game, self.state, likely, lambda move: self.doer(move, who), self.words
        )
        return tuple(pick.with_chosen(self.chosen) for pick in picks), single

    def offers(
        self, legal: tuple[Any, ...], who: Who, *, secret: bool
    ) -> tuple[OfferView, ...]:
        return tuple(
            self.offer(move, who)
            for move in legal
            if boards.is_note(self.game, move) is secret
        )

    def offer(self, move: Any, who: Who) -> OfferView:
        game, state, words = self.game, self.state, self.words
        notation = game.notate(state, move)
        return OfferView(
            move=notation,
            text=self.parts.get(
                "words", lambda: words.part(game.describe_move(state, move)), notation
            ),
            icons=self.parts.get(
                "icons", lambda: boards.icons(game, state, move, words), ()
            ),
            chosen=notation == self.chosen,
            by=self.doer(move, who),
            spots=self.parts.get("spots", lambda: boards.spots(game, state, move), ""),
        )

    def at_one_go(self, legal: tuple[Any, ...], who: Who) -> OfferView | None:
        """Return what people do without a choice as one button, if they may.

        What is only told is not so near a finger while a camera reads the table: told
        too soon, what still lies there is read as the next player's.
        """
        line, moves = boards.at_one_go(self.game, self.state)
        if not moves or moves[0] not in legal:
            return None
        camera = self.snapshot.camera
        reads = camera.name != "none" and camera.trouble is None
        if reads and isinstance(moves[0], self.game.only_told):
            return None
        first, *rest = (self.game.notate(self.state, move) for move in moves)
        by = self.doer(moves[0], who)
        return OfferView(first, self.words.say(line), by=by, then=";".join(rest))

    def ruled(self) -> Ruled | None:
        """Return the rule by which the newest claim was refused."""
        refused, options = self.snapshot.refused, self.story.header.options
        return ruling_of(self.game, options, refused, self.words)

    def doer(self, move: Any, who: Who) -> str | None:
        """Return the player whose move it is, None for the one who looks."""
        actor = self.game.actor(self.state, move)
        return None if actor is None or actor == who.seat else self.words.name(actor)

    def question(self, legal: tuple[Any, ...], who: Who) -> QuestionView | None:
        asked = self.story.asked
        if asked is None or self.story.paused:
            return None
        verdict, say = asked.verdict, self.words.say
        by_notation = {self.game.notate(self.state, move): move for move in legal}
        stuck = no_remedy(self.snapshot, self.story)
        likely = [by_notation[text] for text in asked.options if text in by_notation]
        return QuestionView(
            text=self.words.part(asked.why),
            options=tuple(self.offer(move, who) for move in likely),
            picture=f"/picture?seq={self.story.seq}",
            reason=None if verdict is None else say(verdict.reason, verdict.params),
            ruled=ruling_of(self.game, self.story.header.options, verdict, self.words),
            remedy=remedy(self.snapshot, self.story, who, self.words),
            no_remedy=None if stuck is None else self.words.part(stuck),
            astray=tuple(
                describe_misplaced(self.story, lost, self.words)
                for lost in find_misplaced(self.story, self.snapshot.lying)
            ),
        )

    def turn(self, who: Who, drawing: Drawing | None) -> TurnView:
        prompts = [
            prompt for prompt in self.game.expects(self.state) if _for(prompt, who)
        ]
        # Where several have to do something, each phone puts its own first.
        musts = sorted(
            (prompt for prompt in prompts if not prompt.reminder),
            key=lambda prompt: prompt.who is None or prompt.who != who.seat,
        )
        seat = next((p.who for p in musts if p.only_for is None), None)
        say = self.words.say
        return TurnView(
            seat=seat,
            name=self.words.name(seat) if seat is not None else None,
            mine=seat is not None and seat == who.seat,
            todo=tuple(say(p.line, p.params) for p in musts),
            reminders=tuple(say(p.line, p.params) for p in prompts if p.reminder),
            die=drawing.die if drawing else None,
            dice=drawing.dice if drawing else (),
        )

    def players(self, who: Who, drawing: Drawing | None) -> tuple[PlayerView, ...]:
        acting = {
            prompt.who
            for prompt in self.game.expects(self.state)
            if not prompt.reminder and prompt.only_for is None
        }
        outcome = self.game.outcome(self.state)
        winners = outcome.winners if outcome else ()
        extras = drawing.extras if drawing else ()
        return tuple(
            PlayerView(
                seat=score.seat,
                name=self.words.name(score.seat),
                low=score.low,
                high=score.high,
                parts=tuple(PointsPart(self.words.part(p), n) for p, n in score.parts),
                to_act=score.seat in acting,
                me=score.seat == who.seat,
                won=score.seat in winners,
                extra=extras[score.seat] if score.seat < len(extras) else None,
            )
            for score in self.game.scores(self.state)
        )

    def undo_bar(self, who: Who) -> str | None:
        if who.role == "viewer" or not self.story.steps or self.story.paused:
            return None
        why = undo_bar(self.story, who.seat, host=who.host)
        return self.words.part(why) if why else None

    def tips(self) -> tuple[Tip, ...]:
        """Return what explains a first game: whoever has a box knows the game."""
        story = self.story
        if story.header.kit or story.paused or self.game.outcome(self.state):
            return ()
        return tips(self.game, self.state, self.words, begins=not story.steps)

    def ending(self) -> Ending | None:
        outcome = self.game.outcome(self.state)
        if outcome is None:
            return None
        return Ending(
            winners=tuple(self.words.name(seat) for seat in outcome.winners),
            text=self.words.say(outcome.reason, outcome.params),
            cite=source(outcome.cite, self.words),
        )


def _remember(story: Story, who: Who, words: Words) -> str | None:
    """Return whether the newest answer may become a picture of the kit, as a question.

    Only of a kit: the stand-in is nobody's copy.
    """
    answer = reference(story) if who.host and story.header.kit else None
    if answer is None:
        return None
    name = face_name(story.game.id, answer.piece, answer.face, story.header.box)
    return words.say("teach.remember", {"face": name})


def _in_turn(
    moves: tuple[OfferView, ...], picks: tuple[Pick, ...]
) -> Iterator[OfferView | Pick]:
    """Yield what is offered to everybody, in the order of the page."""
    yield from (pick for pick in picks if pick.first and not pick.private)
    yield from moves
    yield from (pick for pick in picks if not pick.first and not pick.private)


def _to_set_up(story: Story, words: Words) -> tuple[Task, ...]:
    """Return what is still to be set up; in a pause its own words come first."""
    return () if story.paused else tasks(story.to_set_up, words)


def _for(prompt: Prompt, who: Who) -> bool:
    return prompt.only_for is None or prompt.only_for == who.seat


def _house_rules(story: Story, words: Words) -> tuple[str, ...]:
    """Return what the table chose other than the default, one sentence each."""
    return tuple(
        f"{ruling.text} {ruling.choice}"
        for ruling in rulings(story.game, story.header.options, words)
        if ruling.changed
    )
