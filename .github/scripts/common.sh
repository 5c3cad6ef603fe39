# shellcheck shell=bash
# Sourced by the scripts beside it. They run on macOS too, whose bash is 3.2.

# fail MESSAGE: ends the script; GitHub shows the message on the page of the run.
fail() {
  printf '::error::%s\n' "$*" >&2
  exit 1
}

# within SECONDS COMMAND...: asks again and again; fails where the command has not succeeded for so long, or a second more.
within() {
  local deadline=$((SECONDS + $1 + 1))
  shift
  until "$@"; do
    if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
    sleep "${POLL_SECONDS:-1}"
  done
}

# has_ended PID: whether a process that the script has started is gone.
has_ended() {
  ! kill -0 "$1" 2>/dev/null
}

# hand_on NAME=VALUE FILE: what the next steps read; on the terminal where no workflow runs.
hand_on() {
  printf '%s\n' "$1" >>"${2:-/dev/stdout}"
}
