#!/usr/bin/env bash
# README's `npm start` in a new data directory: the service says that it listens, is ready, and ends when it is told to.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$(dirname "$0")/../.."

start_seconds=${START_SECONDS:-60}
end_seconds=${END_SECONDS:-15}
folder=$(mktemp -d)
log=$folder/log
: >"$log"
export RUNCLOUD_DATA_DIR=$folder/data RUNCLOUD_PORT=0

# A group of its own, so that npm and its child get the signal together.
set -m
npm start >"$log" 2>&1 &
service=$!
set +m
trap 'kill -KILL -- "-$service" 2>/dev/null || true; rm -rf "$folder"' EXIT

address() {
  sed -n 's/^RunCloud listening on //p' "$log"
}
listens_or_has_ended() {
  [ -n "$(address)" ] || has_ended "$service"
}
fail_with_log() {
  cat "$log" >&2
  fail "$*"
}

within "$start_seconds" listens_or_has_ended || fail_with_log "The service does not listen after $start_seconds seconds"
[ -n "$(address)" ] || fail_with_log 'The service ended instead of listening'
curl -fsS --max-time 10 "$(address)/readyz" >/dev/null || fail_with_log 'The service listens, but is not ready'
kill -TERM -- "-$service"
within "$end_seconds" has_ended "$service" || fail_with_log "The service still runs $end_seconds seconds after SIGTERM"
echo "The service started, was ready, and ended."
