# What the scripts beside this file share. DESTDIR puts everything below another root,
# where nothing of the system is changed: for tests, and for making an image.
# shellcheck shell=sh disable=SC2034 # each script uses some of these

root=${DESTDIR-}
home=$root/opt/dragon-table
data=$root/var/lib/dragon-table
unit=$root/etc/systemd/system/dragon-table.service
network_unit=$root/etc/systemd/system/dragon-table-network.service
watchdog=$root/etc/systemd/system.conf.d/dragon-table.conf
settings=$root/etc/default/dragon-table
service=dragon-table.service
stay=$root/etc/NetworkManager/dnsmasq-shared.d/dragon-table.conf

say() { printf 'dragon-table: %s\n' "$*"; }

fail() {
  printf 'dragon-table: %s\n' "$*" >&2
  exit 1
}

need_root() {
  [ -n "$root" ] || [ "$(id -u)" -eq 0 ] || fail "this changes the system; run it with sudo"
}

# Points the name that the service starts at one release. A rename is all or nothing: a
# power cut leaves the old one or the new one, with all its files on the card.
use_release() {
  ln -sfn "releases/$1" "$home/venv.new"
  sync
  mv -T "$home/venv.new" "$home/venv"
  sync
}

# Prints LANG as the settings of the table or of the system have it, or nothing.
language() {
  for file in "$settings" "$root/etc/default/locale"; do
    [ ! -e "$file" ] || sed -n 's/^LANG="\{0,1\}\([A-Za-z_.0-9-]*\)"\{0,1\}$/\1/p' "$file"
  done | head -n 1
}

# Ten letters and digits, which a phone's keyboard has on its first page.
new_password() { od -An -N5 -tx1 /dev/urandom | tr -d ' \n'; }

# Prints the password that the table's own WLAN is made with, or nothing.
own_password() {
  [ ! -e "$settings" ] || sed -n 's/^DRAGON_TABLE_HOTSPOT_PASSWORD=//p' "$settings" | head -n 1
}

# Whether a cable or a WLAN is up now. Not `nm-online`, which the loopback of newer
# systems may satisfy.
has_network_now() {
  nmcli --terse --fields TYPE,STATE device | grep -Eqx '(wifi|ethernet):connected'
}

release_in_use() {
  if [ -L "$home/venv" ]; then basename "$(readlink "$home/venv")"; fi
}
