import Engine
import Migrations
import Schema

/// Where the schema differs from that of the version.
enum BundleSchema {
    /// Per database the differences; null for one that cannot be compared, with a note.
    static func differences(_ status: StoreStatus, _ migrator: Migrator, _ notes: inout [String]) -> JSONValue {
        var members: [JSONValue.Member] = []
        for database in DatabaseName.allCases {
            guard let part = status.readable[database] else { continue }
            guard part.kind == .chatdb else {
                notes.append("the schema of the \(database) database was not compared: it is not chatdb's")
                continue
            }
            do {
                members.append(.init(database.rawValue, .array(try migrator.drift(of: database).map(json))))
            } catch {
                members.append(.init(database.rawValue, .null))
                notes.append("the schema of the \(database) database was not compared: \(ErrorReport(error).code)")
            }
        }
        return .object(members)
    }

    private static func json(_ difference: StructureDifference) -> JSONValue {
        [
            "kind": .string(difference.kind.rawValue), "object": .string(difference.object.rawValue),
            "name": .string(difference.name), "expected": JSONValue(difference.expected),
            "found": JSONValue(difference.found.map(withoutTexts)),
        ]
    }

    /// A definition with `'…'` in the place of every text: what somebody else's schema has there may be anything.
    static func withoutTexts(_ definition: String) -> String {
        var lexer = SQLLexer(definition, refusesControls: false)
        var words: [String] = []
        do {
            while let token = try lexer.nextSignificant() {
                let isText = token.kind == .string || token.kind == .blob
                words.append(isText ? "'…'" : lexer.text(of: token))
            }
        } catch {
            return "…"
        }
        return words.joined(separator: " ")
    }
}
