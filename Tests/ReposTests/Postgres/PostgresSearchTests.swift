import ChatDBKit
import TestKit
import Testing

@testable import ChatDBEnginePostgres

/// Search on PostgreSQL finds what the index of SQLite finds. Rule: docs/domain.md, "Searching".
@Suite(.enabled(if: PostgresServer.isSupported))
struct PostgresSearchTests {
    /// Texts that have every character up to U+2FFFF once, each between two letters.
    private static let texts: [String] = stride(from: 1, to: 0x30000, by: 2_000).map { first in
        (first..<min(first + 2_000, 0x30000)).compactMap { Unicode.Scalar(UInt32($0)).map { "a\($0)b" } }
            .joined(separator: " ")
    }

    @Test("the words of a text are those of SQLite, for every character")
    func words() throws {
        let server = try SchemaOnServer.shared.get()
        let pair = try server.pair()
        try TestStore().write { tx in
            try tx.run(
                """
                CREATE VIRTUAL TABLE texts USING fts5 (value, tokenize = 'unicode61 remove_diacritics 2')
                """)
            try tx.run("CREATE VIRTUAL TABLE words USING fts5vocab (texts, 'instance')")
            for text in Self.texts {
                try tx.run("DELETE FROM texts")
                try tx.run("INSERT INTO texts (rowid, value) VALUES (1, \(text))")
                let expected: [String] = try tx.rows("SELECT term FROM words ORDER BY \(identifier: "offset")")
                    .map { try $0.get("term") }
                let found: [String] = try pair.read { chat, _ in
                    try chat.rows("SELECT unnest(search_tokens(\(text))) AS term").map { try $0.get("term") }
                }
                #expect(found == expected, "from \(text.unicodeScalars.dropFirst().first?.value ?? 0) on")
            }
        }
    }

    @Test(
        "a snippet has marks around the found words, and at most 24 words",
        arguments: [
            ("Hello, Wörld!", ["world"], false, "Hello, [Wörld]!"),
            ("I don't know", ["don't"], false, "I [don]'[t] know"),
            ("one two three", ["t"], true, "one [two] [three]"),
            ("one two three", ["t"], false, "one two three"),
            (
                String(repeating: "a ", count: 40) + "here" + String(repeating: " b", count: 40), ["here"], false,
                "…a a a a [here]" + String(repeating: " b", count: 19) + "…"
            ),
        ])
    func snippets(_ text: String, _ words: [String], _ isPrefix: Bool, _ expected: String) throws {
        let pair = try SchemaOnServer.shared.get().pair()
        let search = TextSearch.postgres
        let asked = words.enumerated().map { SearchWord($1, isPrefix: isPrefix && $0 == words.count - 1) }
        let snippet = search.snippet("chat_items_fts", "\(text)", asked, SearchMarks(open: "[", close: "]"))
        let found: String = try pair.read { chat, _ in
            try #require(try chat.first("SELECT \(snippet) AS snippet")).get("snippet")
        }
        #expect(found == expected)
    }

    @Test("a question matches the words of its profile, and of no other")
    func profiles() throws {
        let pair = try SchemaOnServer.shared.get().pair()
        for (text, words, isPrefix) in [
            ("one common word", ["common"], false), ("one common word", ["one", "comm"], true),
            ("I don't know", ["don't"], false), ("I don't know", ["know", "don't"], true),
        ] {
            for (profile, isMatch) in [(1, true), (2, false), (11, false)] as [(Int64, Bool)] {
                let asked = words.enumerated().map { SearchWord($1, isPrefix: isPrefix && $0 == words.count - 1) }
                let condition = TextSearch.postgres.matches("texts", SearchQuestion(asked, of: 1))
                let found: Bool = try pair.read { chat, _ in
                    try #require(
                        try chat.first(
                            """
                            SELECT CAST(\(condition) AS INTEGER) AS found
                            FROM (SELECT search_words(\(profile), \(text)) AS words) AS texts
                            """)
                    ).get("found")
                }
                #expect(found == isMatch, "\(words) in the texts of profile \(profile)")
            }
        }
    }

    @Test("the index takes the longest text of different words, also of a profile with the greatest number")
    func longText() throws {
        let pair = try SchemaOnServer.shared.get().pair()
        let words: Int = try pair.read { chat, _ in
            try #require(
                try chat.first(
                    """
                    SELECT length(search_words(9223372036854775807, string_agg(chr(131072 + number), ' '))) AS words
                    FROM generate_series(1, 40000) AS number
                    """)
            ).get("words")
        }
        #expect(words == 25_000)
    }
}

/// Times that are computed in SQL. Rule: docs/architecture.md, "SQL for every engine".
@Suite(.enabled(if: PostgresServer.isSupported))
struct PostgresTimesTests {
    @Test(
        "a later time is that of SQLite; beyond the year 9999 there is none, and before the year 1 it is less than others",
        arguments: [0, 60, -60, 252_000_000_000, -150_000_000_000, 40_000_000_000_000, -40_000_000_000_000] as [Int64])
    func later(_ seconds: Int64) throws {
        let time = "2026-07-20 09:05:00.120"
        let expected: String? = try TestStore().read { tx in
            try #require(try tx.first("SELECT \(tx.dialect.later("\(time)", "\(seconds)")) AS v")).get("v")
        }
        let found: String? = try SchemaOnServer.shared.get().pair().read { chat, _ in
            try #require(try chat.first("SELECT \(chat.dialect.later("\(time)", "\(seconds)")) AS v")).get("v")
        }
        // The two count years before 1 in another way.
        if let expected, expected.hasPrefix("-") {
            #expect(found?.hasPrefix("-") == true)
        } else {
            #expect(found == expected)
        }
    }
}

extension SchemaOnServer {
    /// A connection to the two schemas.
    func pair() throws -> PostgresPair {
        try PostgresPair(
            PostgresServer.started().parameters(database: database),
            schemas: [.chat: "two_chat", .agent: "two_agent"])
    }
}
