#!/bin/bash
# Installs this project in a userland made by make_root.sh and runs its tests there.
#
#   sudo tests/pi/run.sh ROOT [arguments of pytest]
#
# Without arguments: the camera's tests on the real Picamera2. An arm64 userland runs
# through qemu as a Pi 4's processor: its default one computes pointer authentication,
# which makes Python twenty times slower.
set -euo pipefail

root=${1:?say which userland} project=$(cd "$(dirname "$0")/../.." && pwd)
shift
[ $# -gt 0 ] || set -- -q tests/pi/virtual

binfmt=/proc/sys/fs/binfmt_misc
if [ -e "$root/lib/ld-linux-aarch64.so.1" ] && [ "$(uname -m)" != aarch64 ]; then
  [ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt
  # The beginning of every arm64 program, as binfmt_misc's documentation describes it;
  # F keeps the emulator open, so that it is found inside the userland too.
  magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  [ -e $binfmt/qemu-aarch64 ] || printf '%s' \
    ":qemu-aarch64:M::$magic:$mask:/usr/bin/qemu-aarch64-static:F" > $binfmt/register
fi

inside() {
  # In a mount namespace of its own, so that its /proc goes with it.
  # shellcheck disable=SC2016 # the inner shell fills these in
  unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" \
    env -i PATH=/opt/venv/bin:/usr/bin:/bin HOME=/root LANG=C.UTF-8 \
    QEMU_CPU=cortex-a72 LIBCAMERA_LOG_LEVELS='*:ERROR' PYTHONDONTWRITEBYTECODE=1 \
    DRAGON_TABLE_PHOTOS=/nowhere "$@"
}

if [ ! -e "$root/opt/venv/bin/dragon-table" ]; then
  # As `make pi-install` does on a Pi: libcamera comes from the system.
  inside python3 -m venv --system-site-packages /opt/venv
  install=(/opt/venv/bin/pip install --quiet --no-index --find-links /opt/wheels)
  inside "${install[@]}" "dragon-table[oled]" simplejpeg videodev2 av pillow jsonschema \
    tqdm libarchive-c pytest pytest-cov pytest-randomly hypothesis pyyaml pypdfium2 playwright \
    axe-playwright-python fpdf2 markdown-it-py
  inside "${install[@]}" --no-deps picamera2
fi

# Tests read files of the project that no wheel carries: pins, drawings, the catalogue.
rm -rf "$root/srv/project" && mkdir -p "$root/srv/project"
(cd "$project" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar -c) | tar -x -C "$root/srv/project"
mkdir -p "$root/usr/share/libcamera/pipeline/virtual"
cp "$project/tests/pi/virtual/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/"
inside python3 /srv/project/tests/pi/virtual/frames.py /srv/frames

inside /bin/bash -c 'cd /srv/project && exec python3 -m pytest -p no:cacheprovider "$@"' \
  bash "$@"
