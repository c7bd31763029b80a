#!/usr/bin/env bash
# Runs every test; those that failed are listed once more at the end, where they are found among a thousand lines.
#
# Arguments go to swift test. Without any, three processes share the tests by their module: one process would wait half
# of its time, for programs that it started and for the disk.
set -uo pipefail
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

status=0
if [ $# -gt 0 ]; then
    swift test "$@" 2>&1 | tee "$logs/all" || status=$?
else
    swift build --build-tests || exit $?
    share() { swift test --skip-build --ignore-lock "$@" 2>&1; }
    share --filter '^MigrationsTests\.' > "$logs/migrations" &
    migrations=$!
    share --filter '^ToolTests\.' > "$logs/tool" &
    tool=$!
    share --skip '^(MigrationsTests|ToolTests)\.' | tee "$logs/others" || status=$?
    wait "$migrations" || status=$?
    wait "$tool" || status=$?
    cat "$logs/migrations" "$logs/tool"
fi
if [ "$status" != 0 ]; then
    printf '\nWhat failed:\n'
    cat "$logs"/* | grep -aE '✘|↳|error:|Fatal|unexpected signal' | tail -60
fi
exit "$status"
