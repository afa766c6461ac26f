"""How camera, buttons and store are, in words."""

from companion.dashboard.view.moves import has_facts
from companion.dashboard.view.view import MissingView, Status
from companion.running.power import power_line
from companion.running.snapshot import Snapshot
from companion.words import Words
from companion.words.said import in_words


def camera_line(name: str) -> str:
    """Return the line that says what kind of camera it is; no path is for people."""
    kinds = {"none": "no_camera", "drawn": "camera.drawn", "pi": "camera.pi"}
    if name.isdecimal() or name.startswith("/dev/"):
        return "dashboard.status.camera.webcam"
    return f"dashboard.status.{kinds.get(name, 'camera.folder')}"


def status_of(snapshot: Snapshot, words: Words) -> Status:
    """Return how camera, buttons and store are, and what else is missing, in words."""
    trouble, power = snapshot.camera.trouble, power_line(snapshot.power)
    story, pins_trouble = snapshot.story, snapshot.buttons.trouble
    return Status(
        camera=snapshot.camera.name,
        camera_called=words.say(camera_line(snapshot.camera.name)),
        camera_trouble=words.part(trouble) if trouble else None,
        pins=snapshot.buttons.name,
        simulated=snapshot.buttons.simulated,
        pins_trouble=in_words(pins_trouble, words) if pins_trouble else None,
        stored=snapshot.stored,
        warnings=tuple(words.part(line) for line in snapshot.warnings),
        knob=snapshot.buttons.knob,
        power=words.say(power) if power else None,
        power_past=snapshot.power.past,
        camera_why=snapshot.camera.why,
        missing=tuple(
            MissingView(words.part(one.what), one.why, one.in_play)
            for one in snapshot.missing
        ),
        demo_board=story is not None and not story.header.kit and has_facts(story.game),
    )
