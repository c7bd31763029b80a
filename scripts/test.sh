#!/usr/bin/env bash
# Runs every test by the command that is given, the program of the tests. Those that failed are listed once more at the
# end, where they are found among a thousand lines.
#
# Four processes share the tests by their module, and those of the tool by the first letter: one process would wait half
# of its time, for programs that it started and for the disk.
set -uo pipefail
if [ $# -eq 0 ]; then
    echo "usage: scripts/test.sh COMMAND: make test calls it" >&2
    exit 64
fi
logs=$(mktemp -d)
programs=$(mktemp -d)
trap 'rm -rf "$logs" "$programs"' EXIT
# A python3 that is a script, as pyenv's is, looks for Python at each start, and the tests start it thousands of times.
# The folder of that Python may have other programs that the tests start, such as sqlite3, so it does not come first. A
# link would not find the packages of a virtual environment.
python=$(python3 -c 'import sys; print(sys.executable)' 2> /dev/null)
if [ -x "$python" ] && [ "$python" != "$(command -v python3)" ]; then
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" > "$programs/python3"
    chmod 755 "$programs/python3"
    PATH=$programs:$PATH
    export PATH
fi

status=0
"$@" --filter '^MigrationsTests\.' > "$logs/migrations" 2>&1 &
migrations=$!
"$@" --filter '^ToolTests\.[A-M]' > "$logs/first" 2>&1 &
first=$!
"$@" --filter '^ToolTests\.' --skip '^ToolTests\.[A-M]' > "$logs/second" 2>&1 &
second=$!
"$@" --skip '^(MigrationsTests|ToolTests)\.' 2>&1 | tee "$logs/others" || status=$?
for process in $migrations $first $second; do wait "$process" || status=$?; done
cat "$logs/migrations" "$logs/first" "$logs/second"
if [ "$status" != 0 ]; then
    printf '\nWhat failed (exit code %s):\n' "$status"
    cat "$logs"/* | grep -aE '✘|↳|error:|Fatal|unexpected signal' | tail -60
fi
exit "$status"
