#!/bin/sh
# Makes this machine a club's: broker, database, hub. sudo install.sh "Table 1,Table 2" [HOST]
# on Debian or Raspberry Pi OS, Bookworm or Trixie. HOST is this machine's name as tables
# reach it; club.local where nothing is said. Run again, all passwords are new. DESTDIR
# puts the files below another root, for tests.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../../.." && pwd)
root=${DESTDIR-}
home=$root/opt/dragon-table-club
files=$root/etc/dragon-table
settings=$root/etc/default/dragon-table-club
units=$root/etc/systemd/system

fail() { printf 'dragon-table: %s\n' "$*" >&2; exit 1; }
say() { printf 'dragon-table: %s\n' "$*"; }

tables=${1-}
host=${2:-club.local}
[ -n "$tables" ] || fail 'say which tables: sudo install.sh "Table 1,Table 2"'
[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "put sudo before it"

say "installing broker and database"
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -qy --no-install-recommends python3-venv mosquitto postgresql openssl
getent passwd dragon-club > /dev/null ||
  useradd --system --user-group --home-dir /var/lib/dragon-table-club \
    --shell /usr/sbin/nologin dragon-club

say "installing the hub"
mkdir -p "$home"
python3 -m venv "$home/venv"
"$home/venv/bin/pip" install --quiet "${project}[club]"
cp "$here/backup.sh" "$here/restore.sh" "$home/"

# Over its socket PostgreSQL believes the system who asks: no password to keep.
as_postgres="runuser -u postgres --"
$as_postgres psql -qtAc "SELECT 1 FROM pg_roles WHERE rolname = 'dragon-club'" | grep -q 1 ||
  $as_postgres createuser dragon-club
$as_postgres psql -qtAc "SELECT 1 FROM pg_database WHERE datname = 'club'" | grep -q 1 ||
  $as_postgres createdb --owner dragon-club --encoding UTF8 --template template0 club

say "making the broker's files in $files"
umask 077
"$home/venv/bin/dragon-table" club-files "$files" --tables "$tables" --host "$host"
if [ ! -e "$files/ca.key" ]; then
  # An authority of the club's own, for ten years: tables get its ca.crt.
  openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj "/CN=Dragon Table club" \
    -keyout "$files/ca.key" -out "$files/ca.crt" 2> /dev/null
fi
openssl req -newkey rsa:3072 -nodes -subj "/CN=$host" -keyout "$files/broker.key" \
  -out "$files/broker.csr" 2> /dev/null
printf 'subjectAltName=DNS:%s,DNS:localhost,IP:127.0.0.1\n' "$host" > "$files/broker.ext"
openssl x509 -req -in "$files/broker.csr" -CA "$files/ca.crt" -CAkey "$files/ca.key" \
  -CAcreateserial -days 3650 -extfile "$files/broker.ext" -out "$files/broker.crt" 2> /dev/null
mosquitto_passwd -U "$files/passwords"
# The broker reads these; passwords of tables and the authority's key it does not.
chmod 711 "$files"
chown mosquitto "$files/passwords" "$files/dragon-table.acl" "$files/broker.key"
chmod 600 "$files/passwords" "$files/dragon-table.acl" "$files/broker.key"
chmod 644 "$files/ca.crt" "$files/broker.crt"
# Debian's own file sets where it keeps its state: ours says so as well, and twice is refused.
sed '/^persistence/d' "$files/dragon-table.conf" > "$root/etc/mosquitto/conf.d/dragon-table.conf"
chmod 644 "$root/etc/mosquitto/conf.d/dragon-table.conf"

sed -n 's/@[^@]*$/@localhost/; s/^DRAGON_TABLE_NAME.*//; /./p' "$files/hub.settings" > "$settings"
pin=$(od -An -N4 -tu4 /dev/urandom | awk '{ printf "%06d", $1 % 1000000 }')
printf 'DRAGON_TABLE_CLUB_STORE=postgresql:///club?host=/run/postgresql\nDRAGON_TABLE_CLUB_PIN=%s\n' \
  "$pin" >> "$settings"
chmod 600 "$settings"
mkdir -p "$units"
cp "$here/dragon-table-club.service" "$here/dragon-table-club-backup.service" \
  "$here/dragon-table-club-backup.timer" "$units/"
chmod 644 "$units"/dragon-table-club*
systemctl daemon-reload
systemctl enable --quiet mosquitto dragon-table-club.service dragon-table-club-backup.timer
systemctl restart mosquitto dragon-table-club.service dragon-table-club-backup.timer ||
  fail "broker or hub does not start; see journalctl -u mosquitto -u dragon-table-club"
say "done; open http://$host:8080 and, for the wall, http://$host:8080/wall"
say "the staff's PIN is $pin; it stands in $settings"
say "each table: put the lines of $files/NAME.settings into its /etc/default/dragon-table,"
say "copy $files/ca.crt to its /etc/dragon-table, and run sudo make pi-install there"
