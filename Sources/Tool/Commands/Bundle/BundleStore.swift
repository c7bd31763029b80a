import ChatDBKit

/// Files, versions and migrations of a store, without where it is.
struct BundleStore {
    let status: StoreStatus
    /// Whether the two databases do not belong together, as a check finds it.
    let isMismatched: Bool
    let journals: [DatabaseName: DatabaseHeader.JournalMode]
    let redaction: BundleRedaction
    /// The names of chatdb's migrations that this build knows.
    private let known: [DatabaseName: Set<String>]

    init(
        status: StoreStatus, isMismatched: Bool, journals: [DatabaseName: DatabaseHeader.JournalMode],
        redaction: BundleRedaction
    ) {
        self.status = status
        self.isMismatched = isMismatched
        self.journals = journals
        self.redaction = redaction
        var known = status.readable.mapValues(\.knownMigrations)
        // The record of a run names the migrations of a database that may not be readable.
        if status.interrupted != nil, let build = try? MigrationSource.build.load() {
            for (database, migrations) in build { known[database, default: []].formUnion(migrations.map(\.name)) }
        }
        self.known = known
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("kind", .string(status.kind.rawValue)), .init("mismatched", .bool(isMismatched)),
            .init("interrupted", interrupted),
            .init(
                "interruptedRestore",
                status.interruptedRestore.map { ["startedAt": .string(Self.time($0.startedAt))] } ?? .null),
            .init("exchanged", JSONValue(status.exchanged.map(\.rawValue))),
        ]
        members += DatabaseName.allCases.map { .init($0.rawValue, json(of: $0)) }
        return .object(members)
    }

    private var interrupted: JSONValue {
        guard let record = status.interrupted else { return .null }
        var members: [JSONValue.Member] = [
            .init("startedAt", .string(Self.time(record.startedAt))), .init("creates", .bool(record.creates)),
            .init("backup", .bool(record.backup != nil)),
        ]
        for database in DatabaseName.allCases {
            guard let course = record.courses[database] else { continue }
            let (from, to) = (course.from.map { name($0, in: database) }, course.to.map { name($0, in: database) })
            members.append(.init(database.rawValue, ["from": JSONValue(from), "to": JSONValue(to)]))
        }
        return .object(members)
    }

    // A regular expression would take a tenth of the command's time here.
    private static let (digits, smallLetters) = (
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z")
    )

    /// The name of a migration that this build knows; of another name the date, `20261124_other`, and of a text of
    /// another form only `other`. A file may have any text in its place.
    private func name(_ text: String, in database: DatabaseName) -> String {
        let isKnown =
            if let part = status.readable[database], part.kind == .simplex {
                SimpleXVersion.knows(text, in: part.database ?? database)
            } else {
                known[database]?.contains(text) == true
            }
        if isKnown { return text }
        let (digits, smallLetters) = (Self.digits, Self.smallLetters)
        // Names of SimpleX Chat's agent.
        let prefix = text.hasPrefix("m") || text.hasPrefix("M") ? 1 : 0
        let bytes = text.utf8.dropFirst(prefix)
        let (date, name) = (bytes.prefix(8), bytes.dropFirst(8))
        let isName =
            date.count == 8 && date.allSatisfy(digits.contains) && name.first == UInt8(ascii: "_")
            && (2...81).contains(name.count)
            && name.allSatisfy { digits.contains($0) || smallLetters.contains($0) || $0 == UInt8(ascii: "_") }
        return isName ? "\(text.prefix(prefix + date.count))_other" : "other"
    }

    /// The time in a record, or `other`.
    private static func time(_ text: String) -> String {
        let isTime = (1...40).contains(text.utf8.count) && text.utf8.allSatisfy("0123456789-:.TZ ".utf8.contains)
        return isTime ? text : "other"
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
            let compared = part.comparisonJSON(isFolderNamed: false) { name($0, in: database) }
            return [
                "kind": .string(part.kind.rawValue), "bytes": .integer(part.bytes),
                "journalMode": JSONValue(journals[database]?.rawValue),
                "version": JSONValue(part.version.map { name($0, in: database) }),
                "storeId": JSONValue(part.identity.map { Self.id($0.storeID) }),
                "generation": JSONValue(part.identity?.generation),
                "applied": JSONValue(part.applied.map { name($0.name, in: database) }),
                "pending": compared.pending, "edited": compared.edited, "unknown": compared.unknown,
                "history": part.simplexVersion?.historyJSON { name($0, in: database) } ?? .null,
                "notes": JSONValue(part.notes.map(redaction.text)),
            ]
        }
    }
}

extension FoundDatabase {
    /// The names in chatdb's ledger that this build knows, and those of the build's migrations.
    fileprivate var knownMigrations: Set<String> {
        kind == .chatdb ? Set(applied.map(\.name)).subtracting(unknown).union(pending) : []
    }
}
