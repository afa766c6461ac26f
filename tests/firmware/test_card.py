"""A card is prepared for one's own network, password and key, on a fitting image."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

SCRIPT = Path(__file__).parents[2] / "firmware" / "pi" / "card.sh"

needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="no openssl here"
)


@pytest.fixture
def card(tmp_path):
    """Return the first partition as Trixie's image leaves it."""
    folder = tmp_path / "bootfs"
    folder.mkdir()
    for name in ("cmdline.txt", "config.txt", "meta-data", "user-data"):
        (folder / name).write_text("#\n")
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return a project small enough to be copied often, with the real scripts."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(SCRIPT.parent, folder / "firmware" / "pi")
    for name in (".git", ".venv", "tests", "companion"):
        (folder / name).mkdir()
        (folder / name / "file").touch()
    return folder


@pytest.fixture
def prepare(project):
    def run(*arguments, typed="correct horse\n"):
        return subprocess.run(
            ["sh", str(project / "firmware/pi/card.sh"), *map(str, arguments)],
            input=typed, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def network_of(card):
    return yaml.safe_load((card / "network-config").read_text("utf-8"))["network"]


def user_of(card):
    (user,) = yaml.safe_load((card / "user-data").read_text("utf-8"))["users"]
    return user


@needs_openssl
def test_the_password_is_on_the_card_as_a_hash_alone(card, prepare):
    done = prepare(card)

    assert done.returncode == 0, done.stderr
    _, method, salt, _ = user_of(card)["passwd"].split("$")
    assert method == "6"
    again = subprocess.run(
        ["openssl", "passwd", "-6", "-salt", salt, "correct horse"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert user_of(card)["passwd"] == again.stdout.strip()
    assert "correct horse" not in (card / "user-data").read_text()
    assert (card / "user-data").read_text().startswith("#cloud-config\n")


@needs_openssl
def test_the_project_comes_along_without_what_a_table_does_not_need(card, prepare):
    (card / "dragon-table").mkdir()
    (card / "dragon-table" / "of before").touch()

    prepare(card)

    copied = {path.name for path in (card / "dragon-table").iterdir()}
    assert copied == {"firmware", "companion", "own-wlan"}


@needs_openssl
def test_the_password_of_the_tables_own_wlan_is_told_for_its_sticker(card, prepare):
    done = prepare(card)

    own = (card / "dragon-table" / "own-wlan").read_text().strip()
    assert len(own) == 10
    assert f"WLAN 'Dragon Table', password {own}" in done.stdout
    # Each card has another.
    prepare(card)
    assert (card / "dragon-table" / "own-wlan").read_text().strip() != own


@needs_openssl
def test_without_a_wlan_the_cable_is_enough_and_nothing_waits_for_it(card, prepare):
    prepare(card)
    assert network_of(card) == {
        "version": 2,
        "ethernets": {"eth0": {"dhcp4": True, "optional": True}},
    }


@needs_openssl
@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("Chez nous", "vingt mille lieues"),
        ('L"Antre \\ du dragon: 7', '12#4: "x" \\&|'),
    ],
)
def test_the_wlan_is_joined_with_its_country(card, prepare, name, secret):
    done = prepare(
        card, "--wifi", name, "--country", "DE", typed="x" * 8 + f"\n{secret}\n"
    )

    assert done.returncode == 0, done.stderr
    wlan = network_of(card)["wifis"]["wlan0"]
    assert wlan == {
        "dhcp4": True,
        "optional": True,
        "regulatory-domain": "DE",
        "access-points": {name: {"password": secret}},
    }


@needs_openssl
def test_a_key_lets_its_owner_in(card, prepare, tmp_path):
    key = tmp_path / "id.pub"
    key.write_text("ssh-ed25519 AAAAC3Nza/+= me&you@home\n")

    prepare(card, "--key", key)

    assert user_of(card)["ssh_authorized_keys"] == [key.read_text().strip()]


@pytest.mark.parametrize(
    ("arguments", "typed", "words"),
    [
        ((), "", "say where the card"),
        (("nowhere",), "", "is not the first partition"),
        (("CARD", "--wifi"), "", "--wifi needs a value"),
        (("CARD", "--wlan", "x"), "", "--wlan is unknown"),
        (("CARD", "--country", "fr"), "", "two capital letters"),
        (("CARD", "--key", "/no/key"), "", "cannot be read"),
        (("CARD",), "short\n", "at least 8 letters"),
    ],
)
def test_a_slip_is_one_line_and_leaves_the_card_as_it_is(
    card, prepare, arguments, typed, words
):
    done = prepare(*(card if one == "CARD" else one for one in arguments), typed=typed)

    assert done.returncode in (1, 2)
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert (card / "user-data").read_text() == "#\n"


def test_an_image_without_cloud_init_is_told_apart(card, prepare):
    # Bookworm's has no user-data, nor have the first ones of Trixie.
    (card / "user-data").unlink()
    done = prepare(card)
    assert "take a newer Raspberry Pi OS Trixie" in done.stderr
