#!/usr/bin/env bash
# enable-kvm.sh [DEVICE]: lets every user of this machine use KVM, without which an Android Emulator does not boot in time.
set -euo pipefail
. "$(dirname "$0")/common.sh"

device=${1:-/dev/kvm}
rule=/etc/udev/rules.d/99-kvm-for-all.rules

[ -e "$device" ] || fail "This machine has no KVM: $device is missing. Take one with nested virtualization."
echo 'KERNEL=="kvm", GROUP="kvm", MODE="0666", OPTIONS+="static_node=kvm"' | sudo tee "$rule" >/dev/null ||
  fail "$rule could not be written"
sudo udevadm control --reload-rules || fail 'udev did not read its rules'
sudo udevadm trigger --name-match=kvm || fail "udev did not apply the rule to $device"

is_usable() {
  [ -r "$device" ] && [ -w "$device" ]
}
within "${UDEV_SECONDS:-10}" is_usable || fail "This user may not use $device, in spite of $rule"
