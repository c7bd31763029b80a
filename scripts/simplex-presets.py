#!/usr/bin/env python3
"""Writes simplex/presets.json, which chatdb embeds, from the recorded history of SimpleX Chat's presets.

With --check it writes nothing, and fails if the file differs. Run it from the root of the repository.
"""

import json
import sys

HISTORY = "Tests/Fixtures/simplex-presets-history.json"
PRESETS = "simplex/presets.json"

# The names of the versions in messages, in the order of the history; those of the app for the terminal come last.
APPS = [
    "development of November 2024, with a stand-in for Flux",
    "development of November 2024",
    "v6.2 to v6.3",
    "v6.4",
    "development of October 2025, with stand-ins for relays",
    "v6.5",
    "after v6.5.5, with the role names",
    "terminal app v6.3 and v6.4",
    "terminal app after v6.4",
]


def entries(servers):
    return [{"address": server["address"], "enabled": server["enabled"]} for server in servers]


def relays(known):
    return [{key: relay[key] for key in ("name", "address", "domains", "enabled")} for relay in known]


def presets(history):
    recorded = [(version, False) for version in history["versions"]]
    recorded += [(version, True) for version in history["cli"]["versions"]]
    if len(recorded) != len(APPS):
        sys.exit(f"{HISTORY} has {len(recorded)} versions, and APPS has {len(APPS)} names")
    lists = {}

    def name(operator, is_terminal):
        """The name of a list of servers, which is stored once."""
        wanted = {"smp": entries(operator["smp"]), "xftp": entries(operator["xftp"])}
        key = "cli" if is_terminal else operator["tag"]
        if lists.setdefault(key, wanted) != wanted:
            sys.exit(f"the servers of {key} differ between versions: give the second list a name")
        return key

    versions = [
        {
            "apps": apps,
            "released": version.get("released") is not False,
            "operators": [
                {
                    "tag": operator["tag"],
                    "tradeName": operator["tradeName"],
                    "legalName": operator["legalName"],
                    "domains": operator["domains"],
                    "enabled": operator["enabledByDefault"],
                    "roles": operator["roles"],
                    "servers": name(operator, is_terminal),
                    "relays": relays(operator["relays"]),
                }
                for operator in version["operators"]
            ],
        }
        for apps, (version, is_terminal) in zip(APPS, recorded)
    ]
    return {
        "about": "Operators, servers and chat relays with which the apps of SimpleX Chat start, oldest first. Facts "
        "from public sources. Lists of servers that are the same in several versions stand once. Made by "
        "scripts/simplex-presets.py.",
        "servers": lists,
        "versions": versions,
        "relaysOfOtherVersions": [
            relay["address"] for part in history["partial"] for relay in part.get("relays", [])
        ],
        "serversOfOtherVersions": [server["address"] for server in history["alsoKnownNotPreset"]],
    }


def main():
    with open(HISTORY, encoding="utf-8") as file:
        made = json.dumps(presets(json.load(file)), indent=2, ensure_ascii=False) + "\n"
    if sys.argv[1:] == ["--check"]:
        with open(PRESETS, encoding="utf-8") as file:
            if file.read() != made:
                sys.exit(f"{PRESETS} is not what {HISTORY} says: run scripts/simplex-presets.py")
        return
    with open(PRESETS, "w", encoding="utf-8") as file:
        file.write(made)


if __name__ == "__main__":
    main()
