#!/bin/sh
# Prepares a card on which Raspberry Pi OS Lite (Trixie, 64 bits) was just written, so that
# it becomes a table by itself: sh card.sh FOLDER [--wifi NAME] [--country FR] [--key FILE]
# FOLDER is where the card's first partition is mounted. Asks for the password of `maker`,
# who may log in, and with --wifi for that of the WLAN. Runs on any Linux or Mac.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)

fail() {
  printf 'card.sh: %s\n' "$*" >&2
  exit "${code:-1}"
}

code=2
boot=${1-}
[ -n "$boot" ] || fail "say where the card's first partition is mounted"
shift
wifi='' country=FR key=''
while [ $# -gt 0 ]; do
  [ $# -gt 1 ] || fail "$1 needs a value"
  case $1 in
    --wifi) wifi=$2 ;;
    --country) country=$2 ;;
    --key) key=$2 ;;
    *) fail "$1 is unknown; there are --wifi, --country and --key" ;;
  esac
  shift 2
done
case $country in
  [A-Z][A-Z]) ;;
  *) fail "a country is two capital letters, such as FR, not '$country'" ;;
esac
[ -e "$boot/cmdline.txt" ] || fail "$boot is not the first partition of a card"
[ -e "$boot/user-data" ] ||
  fail "this image has no cloud-init: take a newer Raspberry Pi OS Trixie"
[ -z "$key" ] || [ -r "$key" ] || fail "the key $key cannot be read"
code=1

# Reads a line that nobody should see into $secret.
ask() {
  if [ -t 0 ]; then
    printf '%s: ' "$1" >&2
    stty -echo
    IFS= read -r secret || true
    stty echo
    printf '\n' >&2
  else
    IFS= read -r secret || true
  fi
  [ "${#secret}" -ge 8 ] || fail "$1: at least 8 letters are needed"
}

# Puts a text between double quotes of YAML.
quoted() { printf '"%s"' "$(printf %s "$1" | sed 's/[\\"]/\\&/g')"; }

ask "password for maker"
hash=$(printf %s "$secret" | openssl passwd -6 -stdin) || fail "openssl cannot make a hash"
keys='[]'
[ -z "$key" ] || keys="[$(quoted "$(head -n 1 "$key")")]"
# What sed would take for its own in the new text.
plain() { printf %s "$1" | sed 's/[\\&|]/\\&/g'; }
sed -e "s|^\( *passwd:\) .*|\1 \"$(plain "$hash")\"|" \
  -e "s|^\( *ssh_authorized_keys:\) .*|\1 $(plain "$keys")|" \
  "$here/cloud-init.yaml" > "$boot/user-data"

{
  cat "$here/network-config.yaml"
  if [ -n "$wifi" ]; then
    ask "password of the WLAN"
    printf '  wifis:\n    wlan0:\n      dhcp4: true\n      optional: true\n'
    printf '      regulatory-domain: "%s"\n      access-points:\n' "$country"
    printf '        %s:\n          password: %s\n' "$(quoted "$wifi")" "$(quoted "$secret")"
  fi
} > "$boot/network-config"

rm -rf "$boot/dragon-table"
mkdir "$boot/dragon-table"
tar -C "$project" --exclude ./.git --exclude ./.venv --exclude ./tests -cf - . |
  tar -C "$boot/dragon-table" --no-same-owner -xf -
own=$(od -An -N5 -tx1 /dev/urandom | tr -d ' \n')
printf '%s\n' "$own" > "$boot/dragon-table/own-wlan"
printf "card.sh: without a network it will make the WLAN 'Dragon Table', password %s:\n" "$own"
printf 'card.sh: write that on a sticker and put it on the table\n'
printf 'card.sh: done; eject the card, start the Pi with it, and wait for http://dragon.local:8000\n'
