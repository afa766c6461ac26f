#!/bin/bash
# Makes a Debian userland with the real libcamera and Picamera2, for tests of this
# project on x86-64 or on emulated arm64, without any Raspberry Pi.
#
#   sudo tests/pi/make_root.sh amd64|arm64 FOLDER
#
# Packages are unpacked and not configured, so that an arm64 one is made as quickly as
# an amd64 one. libcamera comes from trixie-backports: the version of Raspberry Pi OS,
# with its virtual camera. Mirror and package index are those this machine is set up with.
# Needs mmdebstrap, and qemu-user-static for arm64.
set -euo pipefail

arch=${1:?say amd64 or arm64} root=${2:?say where to}
project=$(cd "$(dirname "$0")/../.." && pwd)
case $arch in
  amd64) machine=x86_64 ;;
  arm64) machine=aarch64 ;;
  *) echo "no such architecture: $arch; say amd64 or arm64" >&2; exit 2 ;;
esac
# shellcheck disable=SC2016 # apt and the hook below fill these in
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
  awk '$2 !~ /-/ && /debian/ { print $1; exit }')

# shellcheck disable=SC2016
hook='mkdir -p "$1/etc/apt/preferences.d"'
pin='Package: src:libcamera\nPin: release n=trixie-backports\nPin-Priority: 990\n'
mmdebstrap --quiet --variant=extract --architectures="$arch" \
  --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
  --setup-hook="$hook" \
  --setup-hook="printf '$pin' > \"\$1/etc/apt/preferences.d/libcamera\"" \
  --include=base-files,bash,dash,coreutils,grep,sed,gawk,findutils,libc-bin,netbase \
  --include=ca-certificates,python3,python3-venv,python3-libcamera,python3-prctl,python3-piexif \
  trixie "$root" "deb $mirror trixie main" "deb $mirror trixie-backports main"

# What a package's own script would have done.
printf 'root:x:0:0:root:/root:/bin/bash\n' > "$root/etc/passwd"
printf 'root:x:0:\n' > "$root/etc/group"
mkdir -p "$root/tmp" "$root/proc" "$root/dev" && chmod 1777 "$root/tmp"
[ -e "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
[ -e "$root/dev/urandom" ] || mknod -m 666 "$root/dev/urandom" c 1 9
find "$root/usr/share/ca-certificates" -name '*.crt' -exec cat {} + \
  > "$root/etc/ssl/certs/ca-certificates.crt"
[ -e "$root/bin/awk" ] || ln -s gawk "$root/usr/bin/awk"

# Our own wheel and everything it needs, for Python 3.13 on that machine.
wheels=$root/opt/wheels
python=$project/.venv/bin/python
"$python" -m pip wheel --quiet --no-deps --wheel-dir "$wheels" "$project"
platforms=()
for glibc in 41 39 34 31 28 27 24 17; do platforms+=(--platform "manylinux_2_${glibc}_$machine"); done
fetch=("$python" -m pip download --quiet --dest "$wheels" --only-binary=:all:)
"${fetch[@]}" --python-version 3.13 --implementation cp --abi cp313 --abi abi3 --abi none \
  "${platforms[@]}" --platform "manylinux2014_$machine" --platform any \
  "$wheels"/dragon_table-*.whl "luma.oled>=3.13" \
  "simplejpeg>=1.8" videodev2 av pillow jsonschema tqdm libarchive-c \
  pytest pytest-cov pytest-randomly hypothesis pyyaml pypdfium2 playwright \
  axe-playwright-python fpdf2 markdown-it-py
# picamera2 asks for packages that only a real Pi can build; apt brings them there.
"${fetch[@]}" --no-deps "picamera2>=0.3.25"
