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
                .init(database.rawValue, ["from": JSONValue(course.from), "to": JSONValue(course.to)]))
        }
        return .object(members)
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
                "journalMode": JSONValue(journals[database]?.rawValue), "version": JSONValue(part.version),
                "storeId": JSONValue(part.identity?.storeID), "generation": JSONValue(part.identity?.generation),
                "applied": JSONValue(part.applied.map(\.name)), "pending": JSONValue(part.pending),
                "edited": JSONValue(part.edited), "unknown": JSONValue(part.unknown),
                "notes": JSONValue(part.notes.map(redaction.text)),
            ]
        }
    }
}
