#!/usr/bin/env bash
# demo.sh CHATDB: shows the main functions of chatdb on a new store, in a new folder that the script leaves in place.
set -euo pipefail

chatdb=$(realpath "${1:?usage: demo.sh CHATDB}")
folder=$(mktemp -d "${TMPDIR:-/tmp}/chatdb-demo-XXXXXX")
export CHATDB_STORE="$folder/demo"
unset CHATDB_FORMAT
relay='https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'

say() { printf '\n\033[1m# %s\033[0m\n' "$1"; }
run() {
    printf '$ chatdb %s\n' "$*"
    "$chatdb" "$@"
}

say "A new store: the migrations create its two databases"
run migrate run

say "Two profiles, with the relays and servers that ship with chatdb"
run user add alice --seed 1
run user add work --seed 2

say "A custom relay for alice, and a channel that uses it and a preset relay"
run relay add "$relay" --name 'my relay' --user alice
run group create news --relay 'my relay' --relay smp5.simplex.im --user alice

say "Alice's relays, and the number of channels that use each"
run relay list --user alice

say "Alice's configuration as a file"
run preset export --user alice -o "$folder/alice.json"
head -n 12 "$folder/alice.json"
echo "…"

say "The whole store on one page"
run inspect

say "A check of the store"
run check

say "Two migrations down, for an older build, and up again"
before=$("$chatdb" relay list --user alice --format json)
run migrate down --steps 2 --yes
run migrate status
run migrate run --yes
after=$("$chatdb" relay list --user alice --format json)
[ "$before" = "$after" ] || { echo "the relays have changed" >&2; exit 1; }
run group list --user alice

say "Done"
echo "The relays are the same as before. Each run made a verified backup first:"
ls "$folder/demo.backups"
echo "All files are in $folder; remove it when you no longer need it."
