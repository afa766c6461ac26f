"""A scratch root in which the Pi's scripts run.

The scripts are the real ones; what would change this computer is a stub that notes how
it was called.
"""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "firmware" / "pi"

STUBS = {
    "apt-get": "",
    "dpkg": "echo ${ARCHITECTURE-arm64}",
    "getent": "exit 2",
    "useradd": "",
    "userdel": "",
    "raspi-config": """
case $2 in
  get_wifi_country) printf "%s" "${COUNTRY-}" ;;
  do_wifi_country) [ -z "${NO_COUNTRY-}" ] ;;
esac""",
    "hostname": "echo ${HOST-raspberrypi}",
    "df": 'echo Avail; echo "${FREE_KB-9000000}"',
    "vcgencmd": 'echo "throttled=${THROTTLED-0x50000}"',
    "iw": 'printf "%s" "${PHONES-}"',
    "rfkill": "",
    "sleep": "",
    # Which level a pin has; a button that is held takes it to ground.
    "pinctrl": '[ "$1" != get ] || echo "$2: ip pu | ${LEVEL-hi} // GPIO$2 = input"',
    "systemctl": '[ "$1" != restart ] || [ -z "${BROKEN-}" ]',
    # A network comes after so many looks; the loopback is none.
    "nmcli": """
case "$*" in
  *get-values*) printf "%s\\n" "${PASSWORD-secret42}" ;;
  *STATE*)
    echo loopback:connected\\ \\(externally\\)
    echo look >> "$DESTDIR/looks"
    looks=$(wc -l < "$DESTDIR/looks")
    [ "$looks" -le "${AFTER-999}" ] || echo "${BY-wifi}:connected" ;;
esac""",
    # What it reads becomes the rules that hold; it deletes them by their name.
    "nft": """
case "$1" in
  -f) [ -z "${NO_NAT-}" ] && cat > "$DESTDIR/rules" ;;
  delete) [ -e "$DESTDIR/rules" ] && rm "$DESTDIR/rules" ;;
esac""",
    "lsblk": 'printf "%s" "${DISKS-}"',
    "mount": '[ -z "${UNREADABLE-}" ]',
    "umount": "",
    "mountpoint": '[ "$2" = "${STICK-}" ]',
    # Each update has a time of its own.
    "date": 'echo "${NOW-20260101-120000}"',
    # A venv in an instant, whose programs do what the test says.
    "python3": f"""
case "$*" in
  "-m venv"*)
    for made; do :; done
    mkdir -p "$made/bin"
    for program in pip python dragon-table; do
      printf '#!/bin/sh\\n[ %s != "${{FAILS-}}" ]\\n' $program > "$made/bin/$program"
      chmod +x "$made/bin/$program"
    done ;;
  *) exec {sys.executable} "$@" ;;
esac""",
}


class Pi:
    """A scratch root with the system's commands as stubs."""

    def __init__(self, folder: Path) -> None:
        self.root, self.calls = folder / "root", folder / "calls"
        self.home = self.root / "opt/dragon-table"
        self.data = self.root / "var/lib/dragon-table"
        self.unit = self.root / "etc/systemd/system/dragon-table.service"
        self.watchdog = self.root / "etc/systemd/system.conf.d/dragon-table.conf"
        self.settings = self.root / "etc/default/dragon-table"
        self._bin = folder / "bin"
        self._bin.mkdir()
        for name, body in STUBS.items():
            stub = self._bin / name
            note = f'echo {name} "$@" >> {self.calls}'
            stub.write_text(f"#!/bin/sh\n{note}\n{body}\n")
            stub.chmod(0o755)
        (self.root / "etc").mkdir(parents=True)
        self.release("trixie")

    def release(self, name: str) -> None:
        (self.root / "etc/os-release").write_text(f"VERSION_CODENAME={name}\n")

    def run(self, script: str, *arguments: str, **changes: str):
        """Run a script; return how it ended."""
        self.calls.write_text("")
        environment = {
            "PATH": f"{self._bin}:{os.environ['PATH']}",
            "DESTDIR": str(self.root),
            **changes,
        }
        return subprocess.run(
            ["sh", str(SCRIPTS / f"{script}.sh"), *arguments],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def install_python(self, body: str) -> None:
        """Let the table's own Python do no more than *body*."""
        program = self.home / "venv/bin/python"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)

    def called(self, words: str) -> bool:
        return words in self.calls.read_text()

    def in_use(self) -> str:
        return (self.home / "venv").readlink().name

    def play(self) -> None:
        """Leave a store with one game in it."""
        self.data.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(self.data / "table.sqlite3") as db:
            db.execute("CREATE TABLE IF NOT EXISTS games (id TEXT)")
            db.execute("INSERT INTO games VALUES ('g')")
        db.close()


def stored(path: Path) -> int:
    db = sqlite3.connect(path)
    (games,) = db.execute("SELECT count(*) FROM games").fetchone()
    db.close()
    return games
