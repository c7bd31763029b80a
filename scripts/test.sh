#!/usr/bin/env bash
# Runs every test by the command that is given, such as swift test --skip-build. Those that failed are listed once more
# at the end, where they are found among a thousand lines.
#
# Four processes share the tests by their module, and those of the tool by the first letter: one process would wait half
# of its time, for programs that it started and for the disk.
set -uo pipefail
if [ $# -eq 0 ]; then
    echo "usage: scripts/test.sh COMMAND: make test calls it" >&2
    exit 64
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

share() { "$@" --ignore-lock 2>&1; }

status=0
share "$@" --filter '^MigrationsTests\.' > "$logs/migrations" &
migrations=$!
share "$@" --filter '^ToolTests\.[A-M]' > "$logs/first" &
first=$!
share "$@" --filter '^ToolTests\.' --skip '^ToolTests\.[A-M]' > "$logs/second" &
second=$!
share "$@" --skip '^(MigrationsTests|ToolTests)\.' | tee "$logs/others" || status=$?
for process in $migrations $first $second; do wait "$process" || status=$?; done
cat "$logs/migrations" "$logs/first" "$logs/second"
if [ "$status" != 0 ]; then
    printf '\nWhat failed:\n'
    cat "$logs"/* | grep -aE '✘|↳|error:|Fatal|unexpected signal' | tail -60
fi
exit "$status"
