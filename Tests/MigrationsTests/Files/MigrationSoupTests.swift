import ChatDBKit
import Testing

@Suite struct MigrationSoupTests {
    private static let pieces = [
        "CREATE", "TEMP", "TRIGGER", "TABLE", "INDEX", "ON", "BEGIN", "END", ";", ";", "INSERT", "INTO", "UPDATE", "OR",
        "DELETE", "FROM", "RENAME", "TO", "IF", "NOT", "EXISTS", "main", "temp", ".", "store", "\"migrations\"",
        "'store'",
        "[]", "\"\"", "load_extension", "(", ")", "PRAGMA", "?", "'", "/*", "*/", "-- chatdb: rebuild\n", "-- chatdb:",
        "-- c\n", "\n", "\r\n", "\u{FEFF}", "\u{301}", "\u{0}", "a", "1",
    ]

    @Test("any text becomes a migration with statements, or problems with lines in the text", arguments: 1...20)
    func soup(_ seed: UInt64) throws {
        var soup = MigrationSoup(seed: seed, pieces: Self.pieces)
        var accepted = 0
        for _ in 0..<200 {
            let text = soup.text()
            let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            do throws(MigrationFileError) {
                let migrations = try MigrationSource.embedded([("sqlite/chat/20260901_a.up.sql", text)]).load()
                let statements = try migrations[.chat]?.first?.up.statements ?? []
                #expect(!statements.isEmpty)
                #expect(statements.allSatisfy { (1...lines).contains($0.line) && !$0.firstLine.isEmpty })
                accepted += 1
            } catch {
                guard case .invalid(let invalid) = error else { throw error }
                #expect(!invalid.problems.isEmpty)
                #expect(invalid.problems.allSatisfy { (1...lines).contains($0.line ?? 1) })
            }
        }
        #expect(accepted > 0)
    }
}

/// Texts of random pieces, the same for the same seed.
struct MigrationSoup {
    private var state: UInt64
    private let pieces: [String]

    init(seed: UInt64, pieces: [String]) {
        state = seed
        self.pieces = pieces
    }

    mutating func text() -> String {
        var text = ""
        for _ in 0..<number(below: 16) { text += pieces[number(below: pieces.count)] + " " }
        return text
    }

    /// A linear congruential generator.
    private mutating func number(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}
