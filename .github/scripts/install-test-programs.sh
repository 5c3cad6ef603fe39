#!/usr/bin/env bash
# Installs the programs that the tests judge with, from the packages of Debian or Ubuntu.
set -euo pipefail
. "$(dirname "$0")/common.sh"

missing=()
for program in chromium ffmpeg adb aapt python3 nats-server spin; do
  command -v "$program" >/dev/null || missing+=("$program")
done
# The server is outside of PATH; this program comes with it.
command -v pg_ctlcluster >/dev/null || missing+=(postgresql)
# They compile what spin writes.
command -v gcc >/dev/null || missing+=(gcc libc6-dev)
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq || fail 'The lists of packages could not be fetched'
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  fail "Packages could not be installed: ${missing[*]}"
