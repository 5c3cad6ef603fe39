#!/usr/bin/env bash
# create-emulator.sh API_LEVEL: makes an Android Virtual Device with the SDK in ANDROID_HOME, and boots it once, so that the
# service finds a snapshot of the booted system: a first boot takes minutes. Hands on `entry`, which the settings take.
set -euo pipefail
. "$(dirname "$0")/common.sh"

api=${1:?The API level is missing}
sdk=${ANDROID_HOME:-}
boot_seconds=${BOOT_SECONDS:-600}
settle_seconds=${SETTLE_SECONDS:-30}
end_seconds=${END_SECONDS:-120}
avd=runcloud-api-$api
image="system-images;android-$api;google_apis;x86_64"
port=5584
serial=emulator-$port

[ -n "$sdk" ] || fail 'ANDROID_HOME does not say where the Android SDK is'
tools=$sdk/cmdline-tools/latest/bin
emulator=$sdk/emulator/emulator
adb=$sdk/platform-tools/adb
[ -x "$tools/sdkmanager" ] || fail "The Android SDK in $sdk has no command line tools"

# Where XDG_CONFIG_HOME is set, avdmanager writes elsewhere than the emulator reads, unless this names the place for both.
export ANDROID_AVD_HOME=${ANDROID_AVD_HOME:-$HOME/.android/avd}
mkdir -p "$ANDROID_AVD_HOME"

echo "Installing $image"
"$tools/sdkmanager" --install emulator platform-tools "$image" >/dev/null < <(yes 2>/dev/null) ||
  fail "sdkmanager could not install $image"
"$emulator" -accel-check || fail 'The emulator cannot use KVM on this machine'
# Without a device it would ask for one.
"$tools/avdmanager" create avd --force --name "$avd" --package "$image" --device pixel_6 </dev/null ||
  fail "avdmanager could not create $avd"

log=$(mktemp)
"$emulator" -avd "$avd" -port "$port" -no-window -no-audio -no-boot-anim -no-snapshot-load >"$log" 2>&1 &
running=$!
trap 'kill "$running" 2>/dev/null || true; rm -f "$log"' EXIT

fail_with_log() {
  tail -n 50 "$log" >&2
  fail "$*"
}
has_booted() {
  [ "$(timeout 10 "$adb" -s "$serial" shell getprop sys.boot_completed 2>/dev/null | tr -d '\r')" = 1 ]
}
has_booted_or_ended() {
  has_booted || has_ended "$running"
}

echo "Booting $avd"
within "$boot_seconds" has_booted_or_ended || fail_with_log "$avd did not boot within $boot_seconds seconds"
has_ended "$running" && fail_with_log "The emulator of $avd ended before it had booted"
# A system that has booted is still busy with what it does once.
sleep "$settle_seconds"
# The emulator saves its snapshot as it ends.
"$adb" -s "$serial" emu kill || fail_with_log "The emulator of $avd does not take orders"
within "$end_seconds" has_ended "$running" || fail_with_log "The emulator of $avd did not end within $end_seconds seconds"
"$adb" kill-server || true

hand_on "ANDROID_AVD_HOME=$ANDROID_AVD_HOME" "${GITHUB_ENV:-}"
hand_on "entry=android-emulator:$avd" "${GITHUB_OUTPUT:-}"
