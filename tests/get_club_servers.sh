#!/bin/sh
# Sees to a broker and a database for the tests of the club, without asking a question, and
# starts neither; never fails. The tests start their own, on loopback, and stop them.
PATH=$PATH:/usr/sbin:/sbin
need=""
command -v mosquitto >/dev/null 2>&1 || need="mosquitto"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need="$need postgresql"
[ -n "$need" ] || exit 0
if command -v apt-get >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ]; then as=""; elif sudo -n true 2>/dev/null; then as="sudo -n"; else as="none"; fi
  if [ "$as" != none ]; then
    $as apt-get update -qq >/dev/null 2>&1
    # RUNLEVEL=1: packages start no service in it (invoke-rc.d, "RUNLEVEL").
    # shellcheck disable=SC2086 # two words are two packages
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 $as apt-get install -y -qq \
      --no-install-recommends $need >/dev/null 2>&1 && exit 0
  fi
fi
echo "No $need could be installed: tests of the club that need it will be skipped."
exit 0
