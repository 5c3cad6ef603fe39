#!/usr/bin/env bash
# install-simulator-helper.sh HELPER: one of the two programs by which the service drives simulators.
set -euo pipefail
. "$(dirname "$0")/common.sh"

helper=${1:?The helper is missing}

case $helper in
  serve-sim) npm install --global serve-sim@0.1.47 ;;
  # By its full name, since Homebrew does not trust other taps unless one names them.
  idb_companion) brew install facebook/fb/idb-companion ;;
  *) fail "There is no helper $helper" ;;
esac || fail "$helper could not be installed"
command -v "$helper" || fail "$helper is installed, but not in PATH"
