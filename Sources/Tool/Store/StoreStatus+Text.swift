import ChatDBKit

extension StoreStatus {
    /// Reasons why two files are not one store, as clauses. Other sentences name ids and generations.
    var pairWarnings: [String] {
        var lines: [String] = []
        if exchanged.count == DatabaseName.allCases.count {
            lines.append("the two files were exchanged: each contains the database that the other is named after")
        } else if let name = exchanged.first, let held = readable[name]?.database {
            lines.append(
                "the file named as the \(name) database contains \(held == .agent ? "an agent" : "a chat") database")
        }
        if isForeignPair {
            let programs = DatabaseName.allCases.compactMap { name in
                readable[name].map { "the \(name) database is \($0.kind.owner)" }
            }
            lines.append("the two databases are of different programs: \(programs.joined(separator: ", "))")
        }
        return lines + unknownRecords.map(\.message)
    }
}

extension FoundDatabase.Kind {
    /// The program of the database.
    fileprivate var owner: String {
        switch self {
        case .chatdb: "chatdb's"
        case .simplex: "SimpleX Chat's"
        case .unknown: "neither chatdb's nor SimpleX Chat's"
        }
    }
}

extension FoundDatabase {
    /// Whether the store has migrations unknown to this build, and lacks some of this build's: another history, and not
    /// a later version.
    var isOfOtherHistory: Bool { !unknown.isEmpty && !pending.isEmpty }
}

extension StructureDifference {
    /// The difference in a few words: `extra column users.note`.
    var sentence: String { "\(kind.rawValue) \(object.rawValue) \(name)" }
}

/// Texts about a store of SimpleX Chat, for every command.
enum SimpleXText {
    /// `a SimpleX Chat store, chat schema of 2026-07-20 (164 migrations), agent 2026-04-10 (44)`.
    static func store(_ versions: [DatabaseName: SimpleXVersion]) -> String {
        "a SimpleX Chat store, " + schemas(versions)
    }

    /// The schemas alone, chat first.
    static func schemas(_ versions: [DatabaseName: SimpleXVersion]) -> String {
        var parts: [String] = []
        for database in DatabaseName.allCases {
            guard let version = versions[database] else { continue }
            let unit = version.count == 1 ? "migration" : "migrations"
            parts.append(
                parts.isEmpty
                    ? "\(database) schema of \(version.date) (\(version.count) \(unit))"
                    : "\(database) \(version.date) (\(version.count))")
        }
        return parts.joined(separator: ", ")
    }

    /// Migrations of the app that this build does not know, chat first.
    static func newer(_ versions: [DatabaseName: SimpleXVersion]) -> [String] {
        DatabaseName.allCases.compactMap { database in
            guard let names = versions[database]?.newer, !names.isEmpty else { return nil }
            return "the \(database) database has migrations that this build does not know "
                + "(\(names.joined(separator: ", "))): chatdb reads what it knows"
        }
    }
}
