import ChatDBKit
import TestKit
import Testing

/// Every method of the repositories on a PostgreSQL server. Rule: docs/architecture.md, "SQL for every engine".
@Suite(.enabled(if: PostgresServer.isSupported), .serialized)
struct PostgresCatalogueTests {
    /// Methods that make a row after they deleted the last one: SQLite gives its number again, PostgreSQL does not.
    private static let reusingNumbers: Set = ["NoteFoldersWriter.findOrCreate(of:)"]

    @Test("every method answers the same on PostgreSQL as on SQLite")
    func answers() throws {
        let store = try PostgresTwoProfiles()
        for entry in RepositoryCatalogue.all {
            for things in [Things.alice, .bob] {
                var expected = Self.answer(of: entry, things) { try TwoProfiles.undoing($0) }
                var found = Self.answer(of: entry, things) { try store.undoing($0) }
                if Self.reusingNumbers.contains(entry.name) {
                    expected.replace(/id: \d+/) { _ in "id" }
                    found.replace(/id: \d+/) { _ in "id" }
                }
                #expect(found == expected, "\(entry.name) of \(things.name)")
            }
        }
    }

    /// The answer of a method as text, or its error.
    private static func answer(
        of entry: CatalogueEntry, _ things: Things,
        _ undoing: ((any WriteTransaction, any WriteTransaction) throws -> Void) throws -> Void
    ) -> String {
        var answer = "no answer"
        do {
            try undoing { chat, agent in
                let call = Call(chat: chat, agent: agent, user: things.user, things: things)
                answer = text(of: try entry.call(call)).replacing(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\.\d{3}/) {
                    // The rows of the test have times of 2026-07; a statement that took its own time has another.
                    $0.output.hasPrefix("2026-07") ? String($0.output) : "now"
                }
            }
        } catch {
            answer = "error: \(error)"
        }
        return answer
    }

    /// A description in which the members of a dictionary are sorted.
    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let children = mirror.children.map { text(of: $0.value) }
        switch mirror.displayStyle {
        case .dictionary, .set: return "{\(children.sorted().joined(separator: ", "))}"
        case .collection: return "[\(children.joined(separator: ", "))]"
        case .tuple: return "(\(children.joined(separator: ", ")))"
        default: return String(describing: value)
        }
    }
}
