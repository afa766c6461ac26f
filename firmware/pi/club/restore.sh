#!/bin/sh
# Brings a copy of the club's database back: restore.sh FILE. Stop all hubs before. What
# was played since the copy, tables deliver again only if they are asked to: remove
# club.sqlite3 in each table's folder and restart it, and it delivers all that it has.
set -eu
from=${1:?say which file}
store=${DRAGON_TABLE_CLUB_STORE:?say which database, such as postgresql://localhost/club}
[ -e "$from" ] || { printf 'dragon-table: there is no %s\n' "$from" >&2; exit 1; }
case $store in
  postgresql://*)
    # All or nothing; what is there goes.
    pg_restore --clean --if-exists --no-owner --single-transaction --dbname="$store" "$from"
    ;;
  sqlite:///*)
    path=${store#sqlite:///}
    rm -f "$path-wal" "$path-shm"
    cp "$from" "$path.part"
    mv "$path.part" "$path"
    sync
    ;;
  *)
    printf 'dragon-table: %s is no database that is known here\n' "$store" >&2
    exit 1
    ;;
esac
printf 'dragon-table: the club is as it was in %s\n' "$from"
