#!/bin/sh
# Installs Dragon Table from this checkout on Raspberry Pi OS Bookworm or Trixie, or
# brings a table that has it up to date. Run by `sudo make pi-install`. `install.sh image`
# does so in a system that does not run, for a card image: nothing is started.
#
# Each version gets a folder of its own, and the running table is only touched when the
# new one has shown that it works; the one before stays, as the way back.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
. "$here/common.sh"

need_root
case ${1-} in
  "" | image) ;;
  *)
    printf 'dragon-table: say nothing, or image\n' >&2
    exit 2
    ;;
esac
image=${1-}
# shellcheck source=/dev/null # facts of the system that it is run on
release=$(. "$root/etc/os-release" && printf '%s' "${VERSION_CODENAME-}")
case $release in
  bookworm | trixie) ;;
  *) fail "made for Raspberry Pi OS Bookworm and Trixie, not for '$release'" ;;
esac
[ "$(dpkg --print-architecture)" = arm64 ] ||
  fail "there is no OpenCV for 32 bits; install the 64-bit Raspberry Pi OS"

# libcamera has no wheel and lgpio none for Python 3.13, so that these come from apt.
say "installing the system's part"
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -qy --no-install-recommends python3-venv python3-picamera2 \
  python3-lgpio i2c-tools alsa-utils espeak-ng avahi-daemon nftables iw rfkill

if ! getent passwd dragon > /dev/null; then
  useradd --system --user-group --home-dir /var/lib/dragon-table --shell /usr/sbin/nologin \
    --groups gpio,video,i2c,spi,audio dragon
fi
if [ -n "$image" ]; then
  # What raspi-config does below, which talks to the Pi that it runs on.
  config=$root/boot/firmware/config.txt
  [ ! -e "$config" ] || printf '\n# Dragon Table: display, strip of lamps, no serial port\n%s\n' \
    'dtparam=i2c_arm=on
dtparam=spi=on
enable_uart=0' >> "$config"
  mkdir -p "$root/etc/modules-load.d"
  echo i2c-dev > "$root/etc/modules-load.d/dragon-table.conf"
elif command -v raspi-config > /dev/null; then
  raspi-config nonint do_i2c 0 # the display
  raspi-config nonint do_spi 0 # the strip of lamps
  # The serial port would drive GPIO14 high, which a contact of the knob takes to ground.
  raspi-config nonint do_serial_cons 1
  raspi-config nonint do_serial_hw 1
  # Phones open dragon.local; a name that somebody chose stays.
  if [ "$(hostname)" = raspberrypi ]; then raspi-config nonint do_hostname dragon; fi
fi

before=$(release_in_use)
now=$(date +%Y%m%d-%H%M%S)
venv=$home/releases/$now
say "installing version $now"
mkdir -p "$home/releases"
trap 'rm -rf "$venv"; fail "version $now does not work here; nothing was changed"' EXIT
python3 -m venv --system-site-packages "$venv"
# apt's simplejpeg is built for Bookworm's numpy 1.24 and breaks picamera2 beside the
# numpy 2 that OpenCV brings; the wheel of 1.8 and later works with it.
# A table of a club needs what publishes it; others need not carry that.
extras=pi,oled
! grep -q '^DRAGON_TABLE_CLUB=.' "$settings" 2> /dev/null || extras=$extras,club
"$venv/bin/pip" install --quiet "${project}[$extras]" "simplejpeg>=1.8"
"$venv/bin/python" -c 'import cv2, gpiozero, lgpio, numpy, picamera2'
"$venv/bin/dragon-table" --help > /dev/null
trap - EXIT

if [ -e "$data/table.sqlite3" ]; then
  say "keeping a copy of all games as they are"
  "$here/backup.sh" "$data/before-$now"
fi
[ -e "$settings" ] || {
  mkdir -p "$(dirname "$settings")"
  printf '# pi, a webcam number, or none\nDRAGON_TABLE_CAMERA=pi\n' > "$settings"
  lang=$(language)
  {
    printf '# what the small display speaks: fr, en or de\nLANG=%s\n' "${lang:-fr_FR.UTF-8}"
    printf '# the own WLAN after a minute without network: auto or never\n'
    printf 'DRAGON_TABLE_HOTSPOT=auto\n'
    printf '# the club: three lines from its machine, see firmware/pi/club\n'
    printf '# DRAGON_TABLE_CLUB=mqtts://table-1@club.local\n'
    printf '# DRAGON_TABLE_CLUB_PASSWORD=\n'
    printf '# DRAGON_TABLE_NAME="Table 1"\n'
  } >> "$settings"
}
if [ -z "$(own_password)" ]; then
  # card.sh told its owner one; else it is told below.
  password=$(cat "$project/own-wlan" 2> /dev/null || new_password)
  printf 'DRAGON_TABLE_HOTSPOT_PASSWORD=%s\n' "$password" >> "$settings"
fi
chmod 600 "$settings"
mkdir -p "$(dirname "$unit")"
cp "$project/firmware/systemd/dragon-table.service" "$unit"
mkdir -p "$(dirname "$watchdog")"
cp "$project/firmware/systemd/watchdog.conf" "$watchdog"
cp "$project/firmware/systemd/dragon-table-network.service" "$network_unit"
cp "$here/common.sh" "$here/back.sh" "$here/backup.sh" "$here/hotspot.sh" "$here/network.sh" \
  "$here/lamp.sh" "$here/phones-stay.conf" "$here/uninstall.sh" "$home/"
use_release "$now"
[ -n "$image" ] || systemctl daemon-reexec # reads the watchdog too; a reload does not
systemctl enable --quiet "$service" "$(basename "$network_unit")"
if [ -n "$image" ]; then
  say "in the image: without a network it makes the WLAN 'Dragon Table', password $(own_password)"
  exit 0
fi
# It says by itself when it is ready, so that this waits until it is, or has failed.
if ! systemctl restart "$service"; then
  [ -n "$before" ] || fail "version $now does not start; see journalctl -u $service"
  use_release "$before"
  systemctl restart "$service" || true
  fail "version $now does not start; went back to $before. See journalctl -u $service"
fi

# This one and the one before stay.
for old in "$home"/releases/*; do
  case $(basename "$old") in
    "$now" | "$before") ;;
    *) rm -rf "$old" ;;
  esac
done
name=$(cat "$root/etc/hostname" 2> /dev/null || hostname)
say "without a network it makes the WLAN 'Dragon Table': put its password on a sticker, $(own_password)"
say "done; open http://$name.local:8000 on a phone"
