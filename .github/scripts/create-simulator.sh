#!/usr/bin/env bash
# create-simulator.sh DEVICE_TYPE: makes an iOS Simulator with the newest runtime of the selected Xcode, and boots it once: a
# first boot takes minutes, and the service makes copies of it. Hands on `entry`, which the settings take.
set -euo pipefail
. "$(dirname "$0")/common.sh"

type=${1:?The device type is missing}
boot_seconds=${BOOT_SECONDS:-600}

sdk=$(xcrun --sdk iphonesimulator --show-sdk-version) || fail 'The selected Xcode has no SDK for simulators'
major=${sdk%%.*}
runtime=$(
  xcrun simctl list runtimes available |
    sed -nE "s/^iOS $major\.[^ ]+ .*(com\.apple\.CoreSimulator\.SimRuntime\.iOS-[0-9-]+).*/\1/p" |
    sort -t- -k2,2n -k3,3n | tail -n 1
)
[ -n "$runtime" ] || fail "No runtime of iOS $major is installed, which is the SDK's"
udid=$(xcrun simctl create "Certified $type" "$type" "$runtime") || fail "simctl could not make an $type with $runtime"

echo "Booting $udid: $type, $runtime"
xcrun simctl boot "$udid" || fail "The $type could not be booted"
xcrun simctl bootstatus "$udid" &
status=$!
trap 'kill "$status" 2>/dev/null || true' EXIT
within "$boot_seconds" has_ended "$status" || fail "The $type did not boot within $boot_seconds seconds"
wait "$status" || fail "The $type did not boot"
# The service copies only what is off.
xcrun simctl shutdown "$udid" || fail "The $type could not be shut down"

hand_on "entry=ios-simulator:$udid" "${GITHUB_OUTPUT:-}"
