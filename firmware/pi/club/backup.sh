#!/bin/sh
# Copies the club's database into a file: backup.sh [FILE]. Tables and hubs go on. Without
# a file it goes to /var/lib/dragon-table-club, where the newest fourteen are kept.
# DRAGON_TABLE_CLUB_STORE says which database, as for the hub.
set -eu
umask 077 # names of people
kept=14
store=${DRAGON_TABLE_CLUB_STORE:?say which database, such as postgresql://localhost/club}
folder=${STATE_DIRECTORY:-/var/lib/dragon-table-club}
into=${1:-$folder/club-$(date +%Y%m%d-%H%M%S).dump}
[ ! -e "$into" ] || { printf 'dragon-table: %s is there already\n' "$into" >&2; exit 1; }
case $store in
  postgresql://*)
    pg_dump --format=custom --no-owner --file="$into.part" "$store"
    # What pg_restore cannot list it could not bring back either.
    pg_restore --list "$into.part" > /dev/null
    ;;
  sqlite:///*)
    python3 - "${store#sqlite:///}" "$into.part" << 'PYTHON'
import sqlite3
import sys

source = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
copy = sqlite3.connect(sys.argv[2])
source.backup(copy)
verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
copy.close()
sys.exit(None if verdict == "ok" else f"the copy is damaged: {verdict}")
PYTHON
    ;;
  *)
    printf 'dragon-table: %s is no database that is known here\n' "$store" >&2
    exit 1
    ;;
esac
mv "$into.part" "$into"
sync
printf 'dragon-table: the club is in %s\n' "$into"
[ -z "${1-}" ] || exit 0
# A name that was deleted is in the copies until they go.
find "$folder" -maxdepth 1 -name 'club-*.dump' | sort -r | tail -n +$((kept + 1)) |
  while read -r old; do rm -f "$old"; done
