#!/usr/bin/env bash
# select-xcode.sh MAJOR [FOLDER]: makes the newest installed Xcode of a major version the one that is used. Images of runners
# drop older minor versions without notice, so none is named.
set -euo pipefail
. "$(dirname "$0")/common.sh"

major=${1:?The major version is missing}
folder=${2:-/Applications}

newest=$(
  for app in "$folder/Xcode_$major".*.app; do
    [ ! -d "$app/Contents/Developer" ] || basename "$app"
  done | sort -t. -k2,2n -k3,3n | tail -n 1
)
[ -n "$newest" ] || fail "No Xcode $major is installed in $folder: $(cd "$folder" && echo Xcode*)"
sudo xcode-select --switch "$folder/$newest/Contents/Developer" || fail "$newest could not be selected"
xcodebuild -version || fail "$newest does not run"
