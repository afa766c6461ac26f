#!/bin/sh
# Takes Dragon Table off this Pi: sudo uninstall.sh [--purge]. Games and an own pins.toml
# stay unless --purge is said; what apt installed stays too, as other programs may use it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

need_root
case ${1-} in
  "" | --purge) ;;
  *)
    printf 'dragon-table: say nothing, or --purge to delete all games too\n' >&2
    exit 2
    ;;
esac
systemctl disable --now --quiet "$service" "$(basename "$network_unit")" || true
rm -f "$unit" "$network_unit" "$settings" "$stay" "$watchdog"
systemctl daemon-reexec
if [ "${1-}" = --purge ]; then
  rm -rf "$data" "$root/etc/dragon-table"
  say "all games were deleted"
elif [ -d "$data" ]; then
  say "the games are still in $data"
fi
if getent passwd dragon > /dev/null; then userdel dragon; fi
# Last, as this script may lie in there.
rm -rf "$home"
say "taken off"
