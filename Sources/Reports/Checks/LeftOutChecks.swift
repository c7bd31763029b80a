package import ChatDBKit

// The texts about checks that were left out, for check and diagnose.

extension [CheckResult.LeftOut] {
    /// For programs.
    package var json: JSONValue { .array(map { ["id": .string($0.id), "reason": .string($0.reason.key)] }) }

    /// The reasons why checks were left out, a note each: first those of many checks with the number of checks, then
    /// those of single checks with their ids.
    /// - Parameter given: the options that the command in a note repeats.
    package func notes(_ given: GivenOptions) -> [String] {
        var counts: [CheckResult.LeftOut.Reason: Int] = [:]
        let ofSchema = filter(\.needsFolder)
        for one in self where !one.needsFolder { counts[one.reason, default: 0] += 1 }
        let notes = counts.filter { !$0.key.hasOwnClause }
            .sorted { $0.key.sentence(of: 2) < $1.key.sentence(of: 2) }
            .map { "\(Self.counted($0.value)) left out, because \($0.key.sentence(of: $0.value))" }
        let isOne = ofSchema.count == 1
        let command = Self.checkOfFolder.text(given)
        let reason =
            "\(isOne ? "it compares" : "they compare") the schema with the migrations of the database, and "
            + "\(isOne ? "needs" : "need") their folder: \(command)"
        let folder = ofSchema.isEmpty ? [] : ["\(Self.counted(ofSchema.count)) left out, because \(reason)"]
        return notes + folder + filter(\.reason.hasOwnClause).sentences
    }

    /// The command in a note about checks that need the folder of the migrations.
    package static var checkOfFolder: HintedCommand { HintedCommand(.check, HintedCommand.unnamedFolder) }

    /// The checks and the reasons why they were left out, a clause each. Checks with the same reason share a clause.
    package var sentences: [String] {
        var reasons: [(reason: CheckResult.LeftOut.Reason, ids: [String])] = []
        for one in self {
            if let index = reasons.firstIndex(where: { $0.reason == one.reason }) {
                reasons[index].ids.append(one.id)
            } else {
                reasons.append((one.reason, [one.id]))
            }
        }
        return reasons.map { reason, ids in
            "\(ids.joined(separator: ", ")) \(ids.count == 1 ? "was" : "were") \(reason.clause(of: ids.count))"
        }
    }

    package static func counted(_ count: Int) -> String { count == 1 ? "1 check was" : "\(count) checks were" }
}

extension CheckResult.LeftOut {
    /// Whether the check compares schemas, and only lacks the folder of the migrations.
    fileprivate var needsFolder: Bool {
        reason == .otherMigrations
            && DatabaseName.allCases.contains { database in
                [
                    StoreCheck.schemaDrift(database), StoreCheck.schemaMissing(database),
                    StoreCheck.schemaLost(database), StoreCheck.duplicateRow(database),
                ].contains(id)
            }
    }
}

extension CheckResult.LeftOut {
    /// What the check could not decide about rows, a clause for a bundle; nil if that is nothing. A row without a profile
    /// may belong to a hidden one, and is left out.
    package var undecided: String? {
        guard case .unproven(let rows, _) = reason else { return nil }
        let shown = rows.filter { $0.userID != nil }
        return shown.isEmpty ? nil : "\(id) was \(Reason.unproven(shown, without: []).clause(of: 1))"
    }
}

extension CheckResult.LeftOut.Reason {
    /// Whether the reason is about one check, so that a note names the check.
    fileprivate var hasOwnClause: Bool {
        switch self {
        case .failed, .partly, .unproven: true
        default: false
        }
    }

    /// The common reason why so many checks were left out, a clause; empty if each has its own reason.
    fileprivate func sentence(of count: Int) -> String {
        let isOne = count == 1
        return switch self {
        case .missing(let database): "the \(database) database is missing"
        case .unreadable(let database): "the \(database) database cannot be read"
        case .otherVersion: "the store does not have what \(isOne ? "it reads" : "they read")"
        case .otherProgram: "\(isOne ? "it applies" : "they apply") only to chatdb's own stores"
        case .otherMigrations: "\(isOne ? "it reads" : "they read") the tables of chatdb's own migrations"
        case .mismatchedPair: "the two databases do not belong together"
        case .encrypted: "\(isOne ? "it" : "they") would write texts of an encrypted database into a file"
        case .failed, .partly, .unproven: ""
        }
    }

    /// The end of a sentence about checks that were left out, that ran without some rows, or that could not decide about
    /// some rows: of these, there is only the one for connections with relays.
    fileprivate func clause(of count: Int) -> String {
        switch self {
        case .failed(let message): "not checked: \(message)"
        case .partly(let names):
            "checked without what cannot be read: \(names.joined(separator: ", "))"
                + (names.count < FoundRows.mostShown ? "" : ", …")
        case .unproven(let rows, let names):
            "not decided: the chat database has no connection with \(rows.map(\.name).joined(separator: ", "))"
                + (rows.count < FoundRows.mostShown ? "" : ", …")
                + (rows.count == 1 ? ", and its channel does not reach it" : ", and their channels do not reach them")
                + "; nothing proves that a connection was lost"
                + (names.isEmpty ? "" : "; it was \(Self.partly(without: names).clause(of: count))")
        default: "not checked, because \(sentence(of: count))"
        }
    }

    /// For programs.
    fileprivate var key: String {
        switch self {
        case .missing: "missingDatabase"
        case .unreadable: "unreadableDatabase"
        case .otherVersion: "otherVersion"
        case .otherProgram: "otherProgram"
        case .otherMigrations: "otherMigrations"
        case .mismatchedPair: "mismatchedPair"
        case .encrypted: "encrypted"
        case .failed: "failed"
        case .partly: "partly"
        case .unproven: "unproven"
        }
    }
}

/// The notes of a check about foreign keys that SQLite cannot check. No row is wrong, so they are no finding.
/// Rule: docs/checks.md.
enum ForeignKeyNotes {
    /// A note for each such key, chat first, and one for those beyond a limit. A database that cannot be read has findings
    /// instead.
    static func notes(_ store: Store) -> [String] {
        DatabaseName.allCases.flatMap { database -> [String] in
            let references = (try? store.connection(database).brokenReferences()) ?? []
            let more = references.count - FoundRows.mostShown
            return references.prefix(FoundRows.mostShown).map {
                "the \(database) database: \($0.reason); a program that checks foreign keys cannot write the table"
            } + (more > 0 ? ["the \(database) database: \(more) more foreign keys cannot be checked"] : [])
        }
    }
}
