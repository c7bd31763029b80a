import ChatDBKit

/// What is said of a store of SimpleX Chat, whatever the command.
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

    /// What the app has done that this build does not know, chat first.
    static func newer(_ versions: [DatabaseName: SimpleXVersion]) -> [String] {
        DatabaseName.allCases.compactMap { database in
            guard let names = versions[database]?.newer, !names.isEmpty else { return nil }
            return "the \(database) database is newer than this build knows (\(names.joined(separator: ", "))): "
                + "what is known of it is read"
        }
    }
}
