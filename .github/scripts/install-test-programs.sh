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
# The browser without windows draws a page in a quarter of the processor time. Debian alone has it.
windowless=chromium-headless-shell
if command -v "$windowless" >/dev/null; then windowless=''; fi
[ "${#missing[@]}" -gt 0 ] || [ -n "$windowless" ] || exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
if ! "${as_root[@]}" apt-get update -qq; then
  [ "${#missing[@]}" -eq 0 ] || fail 'The lists of packages could not be fetched'
fi
if [ "${#missing[@]}" -gt 0 ]; then
  install "${missing[@]}" || fail "Packages could not be installed: ${missing[*]}"
fi
if [ -n "$windowless" ]; then
  install "$windowless" || echo "There is no $windowless here: the tests use chromium."
fi
