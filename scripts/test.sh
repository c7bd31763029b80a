#!/usr/bin/env bash
# Runs every test; those that failed are listed once more at the end, where they are found among a thousand lines.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" != 0 ]; then
    printf '\nWhat failed:\n'
    grep -E '✘|↳|error:|Fatal|unexpected signal' "$log" | tail -60
fi
exit "$status"
