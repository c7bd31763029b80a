#!/usr/bin/env bash
# Prints a folder below the given one that has the archive of C++'s library, and not the shared library beside it: the
# linker would take that. Prints nothing if the compiler has no archive.
set -euo pipefail
archive=$(cc -print-file-name=libstdc++.a)
[ -f "$archive" ] || exit 0
mkdir -p "$1/cpp"
ln -sf "$archive" "$1/cpp/libstdc++.a"
cd "$1/cpp"
pwd
