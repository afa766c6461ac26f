"""What the running table does with each reading, claim and press, as a pure function.

Takes the table as it is and a command, gives the table as it is after it, the answer
for whoever asked, and the cues for lamps and sound. No thread, disk or clock in here.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.corrections.adopt import TableIsRight, adopt_bar, adoption
from companion.corrections.amend import SECRET, Amendment, preview, undo_bar, undo_depth
from companion.corrections.look_back import (
    LookBack,
    begin_look_back,
    move_cursor,
    open_step,
    step_by_button,
)
from companion.referee.changes import apply_changes, plain_changes
from companion.referee.decisions import (
    Decision,
    Ignored,
    NotUnderstood,
    SeveralMade,
    TableInOrder,
    Thresholds,
    TurnedAway,
)
from companion.referee.meanings import translate
from companion.referee.referee import hear, judge_claim, offers
from companion.running.commands import (
    Adopt,
    Amend,
    Command,
    GameCommand,
    Heard,
    MissingStatus,
    Rest,
    TakeBack,
)
from companion.running.power import Power
from companion.running.snapshot import (
    Answer,
    ButtonStatus,
    CameraStatus,
    Done,
    Offer,
    Rejected,
    Snapshot,
    Stale,
)
from companion.story.log import (
    GO_ON,
    PAUSE,
    PUT_BACK,
    Asked,
    Body,
    Made,
    Noted,
    Story,
    Undone,
    extend,
)
from companion.table import Claim, Cue, LinePart, Pressed, Reading

ASK = Cue(light="ask", sound="ask")
REFUSE = Cue(light="refused", sound="refused")

SWITCH_OFF = "help.long"
PAUSES = "confirm.long"
"""Held for two seconds, as `hardware/pins.toml` says: nobody does so by accident."""

PAUSED = LinePart("core.paused")
HELP = {"help": LinePart("core.help"), SWITCH_OFF: LinePart("core.switching_off")}
HELP_MORE = LinePart("core.help_more")
"""What a second press of help tells: the display has no room for all at once."""


class Result(Struct, frozen=True):
    """The table after a command, the answer to it, and what lamps and sound do."""

    shown: Snapshot
    answer: Answer
    cues: tuple[Cue, ...] = ()


def carry_out(
    shown: Snapshot, command: Command, at: float, thresholds: Thresholds
) -> Result:
    """Return what *command* makes of the table; *at* is a time of day in seconds."""
    if isinstance(command, CameraStatus):
        return _reply_done(replace(shown, camera=command))
    if isinstance(command, ButtonStatus):
        return _reply_done(replace(shown, buttons=command))
    if isinstance(command, Power):
        return _reply_done(replace(shown, power=command))
    if isinstance(command, MissingStatus):
        return _reply_done(replace(shown, missing=command.parts))
    if isinstance(command, Heard) and (button := _button(command.reading)) in HELP:
        # Also without a game: the box must tell how it works, and be switched off.
        off = button == SWITCH_OFF
        more = button == "help" and shown.notice == HELP["help"]
        notice = HELP_MORE if more else HELP[button]
        return _reply_done(replace(shown, notice=notice, off=shown.off or off))
    if shown.story is None:
        return Result(shown, Rejected(LinePart("core.no_game")))
    if isinstance(command, Heard) and _button(command.reading) == PAUSES:
        command = Rest(pause=not shown.story.paused)
    return _in_the_game(shown, shown.story, command, at, thresholds)


def _in_the_game(
    shown: Snapshot,
    story: Story,
    command: GameCommand | Rest,
    at: float,
    thresholds: Thresholds,
) -> Result:
    if story.paused and (story.frozen is not None or not isinstance(command, Rest)):
        return _refuse_in_pause(shown, command, story.frozen or PAUSED)
    if isinstance(command, Rest):
        return _rest(shown, story, command, at)
    match command:
        case Heard():
            return _hear(shown, story, command, at, thresholds)
        case Claim():
            return _claim(shown, story, command, "phone", at)
        case TakeBack():
            return _take_back(shown, story, command, "phone", at)
        case Amend():
            return _amend(shown, story, command, at)
        case Adopt():
            return _adopt(shown, story, command, at)


def done_at(shown: Snapshot) -> Done:
    """Return the answer that all is well."""
    return Done(shown.story.seq if shown.story else 0, shown.game_id)


def with_story(shown: Snapshot, story: Story) -> Snapshot:
    """Return the table with *story* on it, the buttons at their first choice."""
    names: tuple[Offer, ...] = offers(story)
    if adoption(story, shown.lying) is not None:
        # Last, and never at the first press: the only way on where no move explains it.
        names = (*names, *TableIsRight)
    # A stray press must not claim a throw: among several moves none is chosen until
    # somebody presses next. A question starts at its likeliest answer, and a single
    # move needs no choosing.
    at_first = story.asked is not None or len(names) == 1
    cursor = 0 if at_first and names and names[0] is not TableIsRight.THIS_TIME else -1
    return replace(
        shown,
        story=story,
        offers=names,
        cursor=cursor,
        notice=None,
        refused=None,
        back=None,
    )


def _rest(shown: Snapshot, story: Story, wish: Rest, at: float) -> Result:
    """Pause or go on; what is so already, or over, stays as it is."""
    over = story.game.outcome(story.state) is not None
    if story.paused is wish.pause or (over and wish.pause):
        return _reply_done(shown)
    noted = Noted(PAUSE if wish.pause else GO_ON)
    # What hands did meanwhile nobody has seen yet.
    shown = replace(shown, unseen=shown.unseen or not wish.pause)
    return _reply_done(_append(shown, story, noted, at))


def _refuse_in_pause(
    shown: Snapshot, command: GameCommand | Rest, why: LinePart
) -> Result:
    """Take nothing while the game rests; a press is answered with the reason."""
    if isinstance(command, Heard) and _button(command.reading):
        shown = replace(shown, notice=why)
    return Result(shown, Rejected(why))


def _reply_done(shown: Snapshot, *cues: Cue) -> Result:
    return Result(shown, done_at(shown), cues)


def _append(shown: Snapshot, story: Story, body: Body, at: float) -> Snapshot:
    return with_story(shown, extend(story, body, at))


def _button(reading: Reading) -> str:
    """Return the button that a reading tells of, "" for a reading of the camera."""
    sights = (glimpse.sight for glimpse in reading.glimpses)
    return next((s.button for s in sights if isinstance(s, Pressed)), "")


def _hear(
    shown: Snapshot, story: Story, heard: Heard, at: float, thresholds: Thresholds
) -> Result:
    for glimpse in heard.reading.glimpses:
        if isinstance(glimpse.sight, Pressed):
            if shown.back is not None:
                button = glimpse.sight.button
                return _looking_back(shown, story, shown.back, button, at)
            return _press(shown, story, glimpse.sight, at)
    if heard.seq is not None and heard.seq != story.seq:
        return Result(shown, Stale(story.seq))
    reading = translate(heard.reading, story.header.meanings)
    decision = hear(story, reading, thresholds, shown.lying)
    if not reading.whole:
        return _decide(shown, story, decision, at)
    # A dark table, or half a move, is no look yet.
    looked = reading.trouble is None and not isinstance(decision, Ignored)
    first = looked and shown.unseen
    shown = replace(shown, unseen=shown.unseen and not looked)
    if isinstance(decision, Made | SeveralMade | TableInOrder):
        record = story.game.layout(story.state)
        seen = plain_changes(glimpse.sight for glimpse in reading.glimpses)
        shown = replace(shown, lying=apply_changes(record, seen))
    result = _decide(shown, story, decision, at)
    return _caught_up(result, story) if first else result


def _caught_up(result: Result, before: Story) -> Result:
    """Say what was noted at a first look: nobody was there to see it being noted."""
    after = result.shown.story
    made = 0 if after is None else len(after.steps) - len(before.steps)
    if made < 1:
        return result
    notice = LinePart("core.caught_up", (("n", made),))
    return Result(replace(result.shown, notice=notice), result.answer, result.cues)


def _press(shown: Snapshot, story: Story, pressed: Pressed, at: float) -> Result:
    # The key is the number of the state, so that no two presses ever share one.
    key = f"button/{story.seq}"
    match pressed.button:
        case "next" | "next.long" | "previous" if shown.offers:
            cursor = move_cursor(shown.offers, shown.cursor, pressed.button)
            return _reply_done(replace(shown, cursor=cursor, notice=None))
        case "confirm" if 0 <= shown.cursor < len(shown.offers):
            chosen = shown.offers[shown.cursor]
            if isinstance(chosen, TableIsRight):
                house = chosen is TableIsRight.HOUSE_RULE
                return _adopt(shown, story, Adopt(None, story.seq, key, house), at)
            claim = Claim(chosen, pressed.seat, story.seq, key)
            return _claim(shown, story, claim, "button", at)
        case "undo":
            wish = TakeBack(pressed.seat, story.seq, key)
            return _take_back(shown, story, wish, "button", at)
        case "undo.long" if (back := begin_look_back(story)) is not None:
            return _reply_done(replace(shown, back=back, notice=None, refused=None))
        case "undo.long" if any(step.made.move is not None for step in story.steps):
            return _reply_done(replace(shown, notice=LinePart(SECRET), refused=None))
        case _:
            return _reply_done(shown)


def _looking_back(
    shown: Snapshot, story: Story, back: LookBack, button: str, at: float
) -> Result:
    """Carry out a press while somebody looks back at earlier moves."""
    shown = replace(shown, notice=None, refused=None)
    match button:
        case "next" | "next.long" | "previous":
            return _reply_done(replace(shown, back=step_by_button(story, back, button)))
        case "confirm" if back.chosen is not None:
            key = f"button/{story.seq}"
            wish = Amend(back.step, back.chosen, None, story.seq, key)
            return _show_refusal(_amend(shown, story, wish, at))
        case "confirm":
            found = open_step(story, back)
            if found.chosen is None:
                return _show_refusal(
                    Result(shown, Rejected(LinePart("core.back.no_other")))
                )
            return _reply_done(replace(shown, back=found))
        case "undo":
            earlier = LookBack(back.step) if back.alternatives else None
            return _reply_done(replace(shown, back=earlier))
        case _:
            return _reply_done(replace(shown, back=None))


def _show_refusal(result: Result) -> Result:
    """Return *result* so that who has only the display reads why it was refused."""
    why = result.answer
    if not isinstance(why, Rejected):
        return result
    shown = replace(result.shown, notice=why.why, refused=why.verdict)
    return Result(shown, why, (REFUSE,))


def _claim(
    shown: Snapshot, story: Story, claim: Claim, source: str, at: float
) -> Result:
    if story.knows_key(claim.key):
        return _reply_done(shown)
    if claim.seq != story.seq:
        return Result(shown, Stale(story.seq))
    return _decide(shown, story, judge_claim(story, claim, source), at)


def _decide(shown: Snapshot, story: Story, decision: Decision, at: float) -> Result:
    match decision:
        case Made():
            return _accept(shown, story, (decision,), at)
        case SeveralMade(made=made):
            return _accept(shown, story, made, at)
        case TableInOrder():
            return _in_order(shown, story, at)
        case Asked():
            return _reply_done(_append(shown, story, decision, at), ASK)
        case TurnedAway():
            return _turned_away(shown, decision)
        case NotUnderstood(why=text):
            return Result(
                shown, Rejected(LinePart("core.not_a_move", (("why", text),)))
            )
        case Ignored():
            return _reply_done(shown)


def _turned_away(shown: Snapshot, decision: TurnedAway) -> Result:
    """Tell why a claim is refused: all who may know, else whoever claimed it alone."""
    why = LinePart(decision.verdict.reason, decision.verdict.params)
    answer = Rejected(why, decision.verdict)
    if decision.secret:  # the table, its lamps and all other phones keep still
        return Result(shown, answer)
    noticed = replace(shown, notice=why, refused=decision.verdict)
    return Result(noticed, answer, (REFUSE,))


def _accept(
    shown: Snapshot, story: Story, moves: tuple[Made[Any], ...], at: float
) -> Result:
    cues: list[Cue] = []
    for made in moves:
        story = extend(story, made, at)
        cues += [story.game.cue(event) for event in story.steps[-1].events]
    if story.game.outcome(story.state) is not None:
        story = extend(story, Noted("end"), at)
    return _reply_done(with_story(shown, story), *cues)


def _in_order(shown: Snapshot, story: Story, at: float) -> Result:
    """Note that the table lies as it should, where that answers a question."""
    if story.asked is None or not story.asked.reading.whole:
        return _reply_done(shown)
    return _reply_done(_append(shown, story, Noted(PUT_BACK), at))


def _take_back(
    shown: Snapshot, story: Story, wish: TakeBack, source: str, at: float
) -> Result:
    if story.knows_key(wish.key):
        return _reply_done(shown)
    if wish.seq != story.seq:
        return Result(shown, Stale(story.seq))
    why = undo_bar(story, wish.seat, host=wish.seat is None and source == "phone")
    if why is not None:
        return Result(shown, Rejected(why))
    undone = Undone(source, wish.seat, wish.key)
    for _ in range(undo_depth(story)):
        story = extend(story, undone, at)
    return _reply_done(with_story(shown, story))


def _amend(shown: Snapshot, story: Story, wish: Amend, at: float) -> Result:
    if story.knows_key(wish.key):
        return _reply_done(shown)
    if wish.seq != story.seq:
        return Result(shown, Stale(story.seq))
    found = preview(story, wish.step, wish.move, wish.seat, wish.key)
    if not isinstance(found, Amendment):
        return _decide(shown, story, found, at)
    if found.breaks is not None:
        why = LinePart("core.amend_breaks", (("n", found.breaks),))
        return Result(shown, Rejected(why, found.verdict))
    return _reply_done(_append(shown, story, found.body, at))


def _adopt(shown: Snapshot, story: Story, wish: Adopt, at: float) -> Result:
    """Set the record to what lies on the table, where a question about it stands."""
    if story.knows_key(wish.key):
        return _reply_done(shown)
    if wish.seq != story.seq:
        return Result(shown, Stale(story.seq))
    why = adopt_bar(story, wish.seat)
    if why is not None:
        return Result(shown, Rejected(why))
    found = adoption(story, shown.lying)
    if found is None:
        return Result(shown, Rejected(LinePart("core.adopt.cannot")))
    edited = found.as_entry_body(wish.seat, wish.key, house=wish.house)
    return _reply_done(_append(replace(shown, lying=found.lying), story, edited, at))
