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

    /// The name of a migration, or `other`: a file may have any text in its place.
    private static func name(_ text: String) -> String {
        text.wholeMatch(of: #/M?[0-9]{8}_[0-9a-z_]{1,80}/#) == nil ? "other" : text
    }

    /// The id of a store, or `other`.
    private static func id(_ text: String) -> String {
        text.wholeMatch(of: #/[0-9a-fA-F-]{1,64}/#) == nil ? "other" : text
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
