#!/usr/bin/env python3
"""Writes the manual pages of chatdb from its own description of the command line.

    chatdb --experimental-dump-help | scripts/manual.py FOLDER [VERSION]

One page for each command: chatdb.1, chatdb-relay.1, chatdb-relay-delete.1.
"""
import json
import os
import sys

ENVIRONMENT = [
    ("CHATDB_STORE", "The store of commands without --store."),
    ("CHATDB_FORMAT", "The format of answers without --format."),
    ("CHATDB_PASSPHRASE_FILE", "The file with the passphrase of an encrypted store."),
    ("NO_COLOR", "If it is set, no colours, unless --color=always asks for them."),
]
FILES = [
    ("~/.config/chatdb/config.toml",
     "The configuration file, or $XDG_CONFIG_HOME/chatdb/config.toml. chatdb config show prints the settings."),
    ("~/.local/share/chatdb/chatdb_chat.db, chatdb_agent.db",
     "The default store, or in $XDG_DATA_HOME/chatdb."),
]
EXITS = [
    ("0", "Done, or the answer is yes."), ("1", "The answer is no: findings, differences, not found, declined."),
    ("64", "The command line is wrong."), ("65", "The input is not valid."),
    ("66", "The store or an input file is missing, incomplete, or not a database."),
    ("69", "SQLite is too old."), ("70", "A defect in chatdb."), ("73", "An output cannot be created."),
    ("74", "An I/O error."), ("75", "The store is locked or in use."),
    ("78", "The version of the store is not this build's."), ("130", "Stopped with Ctrl-C."),
]


def escaped(text):
    """A text in roff. A line must not begin with a control character."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def flags(argument):
    return ", ".join(
        "\\fB" + escaped(("-" if name["kind"] == "short" else "--") + name["name"]) + "\\fR"
        for name in sorted(argument.get("names", []), key=lambda name: name["kind"] == "long"))


def value(argument):
    return "\\fI" + escaped(argument["valueName"]) + "\\fR"


def synopsis(argument):
    if argument["kind"] == "positional":
        text = value(argument)
    else:
        preferred = argument["preferredName"]
        text = "\\fB" + escaped(("-" if preferred["kind"] == "short" else "--") + preferred["name"]) + "\\fR"
        if argument["kind"] == "option":
            text += " " + value(argument)
    text += " ..." if argument["isRepeating"] else ""
    return "[" + text + "]" if argument["isOptional"] else text


def paragraphs(text):
    """Paragraphs are filled; indented blocks, such as examples, stay as they are."""
    for block in text.split("\n\n"):
        lines = block.split("\n")
        yield ".PP"
        plain = [line for line in lines if not line.startswith("  ")]
        yield escaped("\n".join(plain))
        indented = [line for line in lines if line.startswith("  ")]
        if indented:
            yield from (".PP", ".nf", escaped("\n".join(indented)), ".fi")


def definitions(title, rows):
    yield ".SH " + title
    for term, text in rows:
        yield ".TP\n\\fB" + escaped(term) + "\\fR\n" + escaped(text)


def described(argument):
    yield ".TP"
    if argument["kind"] == "positional":
        yield value(argument)
    else:
        yield flags(argument) + (" " + value(argument) if argument["kind"] == "option" else "")
    text = argument.get("abstract", "")
    if argument.get("discussion"):
        text += " " + argument["discussion"]
    if argument.get("allValues"):
        text += " One of " + ", ".join(argument["allValues"]) + "."
    if argument.get("defaultValue"):
        text += " Default: " + argument["defaultValue"] + "."
    yield escaped(text.strip() or argument["valueName"])


def shown(items):
    return [item for item in items if item.get("shouldDisplay", True)]


def page(command, words, version):
    name = "-".join(words)
    arguments = shown(command.get("arguments", []))
    # The parser adds a command help to every group; --help does the same.
    commands = [one for one in shown(command.get("subcommands", [])) if one["commandName"] != "help"]
    yield '.TH "%s" 1 "" "chatdb %s"' % (name.upper(), version)
    # Left-aligned, without hyphenation: options are searched for and copied.
    yield ".ad l\n.nh"
    yield ".SH NAME\n%s \\- %s" % (escaped(name), escaped(command.get("abstract", "")))
    yield ".SH SYNOPSIS\n\\fB%s\\fR" % escaped(" ".join(words))
    yield from (synopsis(argument) for argument in arguments)
    if commands:
        yield "\\fIcommand\\fR"
    if command.get("discussion"):
        yield ".SH DESCRIPTION"
        yield from paragraphs(command["discussion"])
    if commands:
        yield ".SH COMMANDS"
        for one in commands:
            yield ".TP\n\\fB%s\\fR(1)\n%s" % (
                escaped(name + "-" + one["commandName"]), escaped(one.get("abstract", "")))
    if arguments:
        yield ".SH OPTIONS"
        for argument in arguments:
            yield from described(argument)
    if len(words) == 1:
        yield from definitions("ENVIRONMENT", ENVIRONMENT)
        yield from definitions("FILES", FILES)
        yield from definitions("EXIT STATUS", EXITS)
    else:
        yield ".SH SEE ALSO\n\\fB%s\\fR(1)" % escaped("-".join(words[:-1]))


def write(command, words, folder, version):
    with open(os.path.join(folder, "-".join(words) + ".1"), "w", encoding="utf-8") as file:
        file.write("\n".join(page(command, words, version)) + "\n")
    for one in shown(command.get("subcommands", [])):
        if one["commandName"] != "help":
            write(one, words + [one["commandName"]], folder, version)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    write(json.load(sys.stdin)["command"], ["chatdb"], folder, "".join(sys.argv[2:]))


main()
