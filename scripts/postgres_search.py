#!/usr/bin/env python3
"""Prints the SQL functions of migrations/postgres/chat that fold and split texts for the search, as SQLite does.

Asks SQLite's tokenizer unicode61 (remove_diacritics 2) about each character: whether it separates words, whether it is
left out of them, and what it is folded to. The tokenizer has these tables of its own, the same since SQLite 3.27.
"""
import collections
import sqlite3


def tokens():
    """The words that SQLite finds in `aXb`, for each character X."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'unicode61 remove_diacritics 2')")
    database.execute("CREATE VIRTUAL TABLE words USING fts5vocab(texts, 'instance')")
    # PostgreSQL's texts have no NUL, and no text has a half of a surrogate pair.
    characters = [code for code in range(1, 0x110000) if not 0xD800 <= code <= 0xDFFF]
    database.executemany(
        "INSERT INTO texts (rowid, text) VALUES (?, ?)", ((code, "a" + chr(code) + "b") for code in characters))
    found = collections.defaultdict(list)
    for code, word in database.execute("SELECT doc, term FROM words ORDER BY doc, offset"):
        found[code].append(word)
    return found


def ranges(codes):
    """The first and last code of each run of codes."""
    runs = []
    for code in codes:
        if runs and runs[-1][1] + 1 == code:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return runs


def escaped(code):
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def literal(pieces, beginning, end, indent):
    """An SQL literal that goes on from line to line."""
    lines, line = [], ""
    for piece in pieces:
        if len(line) + len(piece) > 104:
            lines.append(line)
            line = ""
        line += piece
    lines.append(line)
    return beginning + f"'\n{indent}'".join(lines) + end


def main():
    separators, dropped, folded = [], [], {}
    for code, words in tokens().items():
        if words == ["a", "b"]:
            separators.append(code)
        elif words == ["ab"]:
            dropped.append(code)
        elif words != ["a" + chr(code) + "b"]:
            folded[code] = ord(words[0][1:-1])
    indent = " " * 8
    # translate looks for a character from the beginning of the list: those that most texts have come first.
    usual = [ord(character) for character in " etaoinsrhldcumfpgwybvkxjqz0123456789.,!?-"]
    sources = [escaped(code) for code in [*usual, *folded, *dropped]]
    targets = [escaped(code) for code in [*usual, *folded.values()]]
    classes = [
        escaped(first) if first == last else escaped(first) + ("-" if last > first + 1 else "") + escaped(last)
        for first, last in ranges(separators)
    ]
    print(f"""\
CREATE FUNCTION search_folded(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(value) = char_length(value) THEN lower(value COLLATE "C") ELSE translate(
        value,
        {literal(sources, "E'", "'", indent)},
        {literal(targets, "E'", "'", indent)}) END
$$;

CREATE FUNCTION search_separators() RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT
        {literal(classes, "'", "'", indent)}
$$;""")


if __name__ == "__main__":
    main()
