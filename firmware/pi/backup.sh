#!/bin/sh
# Copies all games, kits and secrets into a folder, or onto a USB stick that is plugged
# in: sudo backup.sh [FOLDER]. A stick that nothing has mounted is mounted meanwhile. The
# table may go on playing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

need_root

# Prints the first partition of a stick that is mounted nowhere; the card of the Pi is not
# removable, and one that is in use has a mount point.
stick_without_a_place() {
  lsblk --pairs --paths --output NAME,RM,TYPE,FSTYPE,MOUNTPOINT |
    grep 'RM="1"' | grep -E 'TYPE="(part|disk)"' | grep -v 'FSTYPE=""' |
    grep 'MOUNTPOINT=""' | sed -n '1s/^NAME="\([^"]*\)".*/\1/p'
}

umask 077 # the store holds the host's PIN
[ -e "$data/table.sqlite3" ] || fail "there are no games in $data"
into=${1-}
if [ -z "$into" ]; then
  for stick in "$root"/media/*/* "$root"/media/* "$root"/mnt/*; do
    if mountpoint -q "$stick" 2> /dev/null; then into=$stick/dragon-table-$(date +%Y%m%d-%H%M%S); break; fi
  done
  [ -n "$into" ] || {
    # Without a desktop nothing mounts a stick: the first one that is plugged in is
    # mounted here for as long as it takes.
    stick=$(stick_without_a_place)
    [ -n "$stick" ] || fail "no USB stick is plugged in; plug one in, or say which folder"
    place=$root/run/dragon-table-stick
    mkdir -p "$place"
    mount -o nosuid,nodev,noexec "$stick" "$place" || fail "the stick $stick cannot be read"
    trap 'umount "$place"' EXIT
    into=$place/dragon-table-$(date +%Y%m%d-%H%M%S)
  }
fi
[ ! -e "$into" ] || fail "$into is there already; say another folder"

half=$into.part
rm -rf "$half"
mkdir -p "$half"
# SQLite's own copy: what is written meanwhile cannot tear it. It is read back at once,
# as a full or broken stick says nothing while it is written.
python3 - "$data/table.sqlite3" "$half/table.sqlite3" << 'PYTHON'
import sqlite3
import sys

source = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
copy = sqlite3.connect(sys.argv[2])
source.backup(copy)
verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
copy.close()
sys.exit(None if verdict == "ok" else f"the copy is damaged: {verdict}")
PYTHON
[ ! -d "$data/kits" ] || cp -r "$data/kits" "$half/"
# One that is being written or deleted at this moment must not stop the copy.
if [ -d "$data/pictures" ] && ! cp -r "$data/pictures" "$half/" 2> /dev/null; then
  say "not all pictures could be copied; the games are whole"
fi
sync
mv "$half" "$into"
sync
if [ -n "${place-}" ]; then
  trap - EXIT
  umount "$place"
  say "all games are in $(basename "$into") on the stick; you may pull it"
  say "to bring them back, stop the table and copy them to $data"
else
  say "all games are in $into; to bring them back, stop the table and copy them to $data"
fi
