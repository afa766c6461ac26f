#!/bin/sh
# Goes back to the version that was installed before this one. Games stay as they are; a
# copy of how they were before the update lies in before-<version> beside them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

need_root
now=$(release_in_use)
before=
for one in "$home"/releases/*; do
  name=$(basename "$one")
  [ "$name" = "$now" ] || [ ! -d "$one" ] || before=$name
done
[ -n "$before" ] || fail "there is no version before $now"
use_release "$before"
systemctl restart "$service"
say "went back from $now to $before"
