import ChatDBKit

extension StoreStatus {
    /// What keeps two files from being one store, a clause each; ids and generations are told elsewhere.
    var pairWarnings: [String] {
        var lines: [String] = []
        if exchanged.count == DatabaseName.allCases.count {
            lines.append("the two files were exchanged: each holds what the other is called by")
        } else if let name = exchanged.first, let held = readable[name]?.database {
            lines.append("what is called the \(name) database is \(held == .agent ? "an agent" : "a chat") database")
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
    /// Whose it is.
    fileprivate var owner: String {
        switch self {
        case .chatdb: "chatdb's"
        case .simplex: "SimpleX Chat's"
        case .unknown: "neither chatdb's nor SimpleX Chat's"
        }
    }
}

extension FoundDatabase {
    /// Whether the store has migrations this build does not know, and lacks some that it has: not a later version, but
    /// another history.
    var isOfOtherHistory: Bool { !unknown.isEmpty && !pending.isEmpty }
}
