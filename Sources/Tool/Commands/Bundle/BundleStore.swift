import ChatDBKit

/// Files, versions and migrations of a store, without where it is.
struct BundleStore {
    let status: StoreStatus
    let journals: [DatabaseName: DatabaseHeader.JournalMode]
    let redaction: BundleRedaction

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("kind", .string(status.kind.rawValue)), .init("mismatched", .bool(status.isMismatched)),
            .init("interrupted", interrupted),
            .init(
                "interruptedRestore", status.interruptedRestore.map { ["startedAt": .string($0.startedAt)] } ?? .null),
            .init("exchanged", JSONValue(status.exchanged.map(\.rawValue))),
        ]
        members += DatabaseName.allCases.map { .init($0.rawValue, json(of: $0)) }
        return .object(members)
    }

    private var interrupted: JSONValue {
        guard let record = status.interrupted else { return .null }
        var members: [JSONValue.Member] = [
            .init("startedAt", .string(record.startedAt)), .init("creates", .bool(record.creates)),
            .init("backup", .bool(record.backup != nil)),
        ]
        for database in DatabaseName.allCases {
            guard let course = record.courses[database] else { continue }
            members.append(
                .init(
                    database.rawValue,
                    ["from": JSONValue(course.from.map(Self.name)), "to": JSONValue(course.to.map(Self.name))]))
        }
        return .object(members)
    }

    // A regular expression would take a tenth of the command's time here.
    private static let (digits, smallLetters) = (
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z")
    )

    /// The name of a migration, or `other`: a file may have any text in its place.
    private static func name(_ text: String) -> String {
        let bytes = text.utf8.dropFirst(text.hasPrefix("M") ? 1 : 0)
        let (date, name) = (bytes.prefix(8), bytes.dropFirst(8))
        let isName =
            date.count == 8 && date.allSatisfy(digits.contains) && name.first == UInt8(ascii: "_")
            && (2...81).contains(name.count)
            && name.allSatisfy { digits.contains($0) || smallLetters.contains($0) || $0 == UInt8(ascii: "_") }
        return isName ? text : "other"
    }

    /// The id of a store, or `other`.
    private static func id(_ text: String) -> String {
        let isID = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy("0123456789abcdefABCDEF-".utf8.contains)
        return isID ? text : "other"
    }

    private func json(of database: DatabaseName) -> JSONValue {
        switch status.parts[database] {
        case nil: return .null
        case .failure(let problem):
            let report = problem.error.report
            return ["error": ["code": .string(report.code), "message": .string(redaction.text(report.message))]]
        case .success(let part):
            return [
                "kind": .string(part.kind.rawValue), "bytes": .integer(part.bytes),
                "journalMode": JSONValue(journals[database]?.rawValue),
                "version": JSONValue(part.version.map(Self.name)),
                "storeId": JSONValue(part.identity.map { Self.id($0.storeID) }),
                "generation": JSONValue(part.identity?.generation),
                "applied": JSONValue(part.applied.map { Self.name($0.name) }), "pending": JSONValue(part.pending),
                "edited": JSONValue(part.edited), "unknown": JSONValue(part.unknown.map(Self.name)),
                "notes": JSONValue(part.notes.map(redaction.text)),
            ]
        }
    }
}
