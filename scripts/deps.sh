#!/usr/bin/env bash
# Looks for what chatdb is built with, and installs the system packages that are missing where it can.
set -euo pipefail

fail() {
    echo "chatdb: $1" >&2
    exit 1
}

command -v swift > /dev/null || fail "Swift is missing: install Swift 6.1 or newer (swift.org/install), then try again"
version=$(swift --version 2> /dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9]+\.[0-9]+' | head -1)
[ "$(printf '%s\n6.1\n' "$version" | sort -V | head -1)" = 6.1 ] \
    || fail "Swift $version is too old: install Swift 6.1 or newer, then try again"

# The tests use SQLCipher by its Python package, which makes and reads encrypted databases, and a client of JSON-RPC.
# chatdb itself uses neither.
python_package() {
    local folder module=$1 package=$2
    folder="$(cd "$(dirname "$0")/.." && pwd)/.build/python"
    command -v python3 > /dev/null || return 0
    if python3 -c "import $module" 2> /dev/null; then return 0; fi
    if [ -x "$folder/bin/python3" ] && "$folder/bin/python3" -c "import $module" 2> /dev/null; then return 0; fi
    echo "chatdb: installing $package for the tests, in .build/python" >&2
    if ! { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check "$package"
    } > /dev/null 2>&1; then
        echo "chatdb: $package cannot be installed from PyPI: the tests that use it are skipped" >&2
    fi
}
# A test looks at the page of inspect --html in a browser.
browser() {
    local name sudo=
    [ "$(uname)" = Linux ] || return 0
    for name in chromium chromium-browser google-chrome; do
        if [ -x "/usr/bin/$name" ]; then return 0; fi
    done
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    echo "chatdb: installing chromium for the tests" >&2
    if ! { $sudo apt-get update && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y --no-install-recommends chromium
    } > /dev/null 2>&1; then
        echo "chatdb: chromium cannot be installed: the test of the HTML page is skipped" >&2
    fi
}
# Tests draw and read QR codes, test servers that openssl and Python run, and compile programs in C.
programs() {
    local missing=() sudo=
    [ "$(uname)" = Linux ] || return 0
    command -v openssl > /dev/null || missing+=(openssl)
    command -v zbarimg > /dev/null || missing+=(zbar-tools)
    # It brings libqrencode4.
    command -v qrencode > /dev/null || missing+=(qrencode)
    command -v cc > /dev/null || missing+=(gcc libc6-dev)
    command -v pkg-config > /dev/null || missing+=(pkg-config)
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    echo "chatdb: installing ${missing[*]} for the tests" >&2
    if ! { $sudo apt-get update && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y --no-install-recommends \
        "${missing[@]}"
    } > /dev/null 2>&1; then
        echo "chatdb: ${missing[*]} cannot be installed: their tests are skipped" >&2
    fi
}
# Tests start a PostgreSQL server of their own. The package would make and start one of the system's.
postgresql() {
    local sudo=
    [ "$(uname)" = Linux ] || return 0
    compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null && return 0
    command -v initdb > /dev/null && return 0
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    echo "chatdb: installing postgresql for the tests" >&2
    if ! {
        $sudo mkdir -p /etc/postgresql-common
        [ -e /etc/postgresql-common/createcluster.conf ] \
            || echo "create_main_cluster = false" | $sudo tee /etc/postgresql-common/createcluster.conf
        $sudo apt-get update && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y --no-install-recommends postgresql
    } > /dev/null 2>&1; then
        echo "chatdb: postgresql cannot be installed: its tests are skipped" >&2
    fi
}
# Tests reach their server through PgBouncer too. The package would start a service.
pgbouncer() {
    local sudo= systemctl=:
    [ "$(uname)" = Linux ] || return 0
    [ -x /usr/sbin/pgbouncer ] || [ -x /usr/bin/pgbouncer ] && return 0
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    if [ -d /run/systemd/system ]; then systemctl="$sudo systemctl"; fi
    echo "chatdb: installing pgbouncer for the tests" >&2
    if ! {
        $systemctl mask pgbouncer
        $sudo apt-get update && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y --no-install-recommends pgbouncer
    } > /dev/null 2>&1; then
        echo "chatdb: pgbouncer cannot be installed: its tests are skipped" >&2
    fi
    { $systemctl unmask pgbouncer && $systemctl disable pgbouncer; } > /dev/null 2>&1 || true
}
# Tests and benchmarks compare copies with what pgloader makes.
pgloader() {
    local sudo=
    [ "$(uname)" = Linux ] || return 0
    [ -x /usr/bin/pgloader ] && return 0
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    echo "chatdb: installing pgloader for the tests" >&2
    if ! { $sudo apt-get update && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y --no-install-recommends pgloader
    } > /dev/null 2>&1; then
        echo "chatdb: pgloader cannot be installed: its tests are skipped" >&2
    fi
}
if [ "${1:-}" = tests ]; then
    programs
    postgresql
    pgbouncer
    pgloader
    python_package sqlcipher3 sqlcipher3-binary
    python_package jsonrpcclient jsonrpcclient
    browser
    exit 0
fi

# On macOS they come with the system's developer tools.
[ "$(uname)" = Linux ] || exit 0

has_header() { echo "#include <$1>" | cc -E -x c - > /dev/null 2>&1 || [ -f "/usr/include/$1" ]; }
missing=()
has_header sqlite3.h || missing+=(libsqlite3-dev)
has_header zlib.h || missing+=(zlib1g-dev)
command -v sqlite3 > /dev/null || missing+=(sqlite3)
command -v git > /dev/null || missing+=(git)
# The tests run scripts/dependencies.py, and make ZIP archives.
command -v python3 > /dev/null || missing+=(python3)
[ ${#missing[@]} -eq 0 ] && exit 0

install="apt-get install -y ${missing[*]}"
command -v apt-get > /dev/null || fail "missing: ${missing[*]}; install them with your system's package manager"
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
    sudo="sudo -n"
else
    fail "missing: ${missing[*]}; run as root: $install"
fi
echo "chatdb: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
{ $sudo apt-get update && $sudo $install; } > /dev/null || fail "apt-get could not install ${missing[*]}; run as root: $install"
