import ChatDBKit

/// What the migrations of a store say about a message of the app's screens for versions.
struct DiagnosedHistory {
    /// A clause about a database, which explains the message or may explain it.
    struct Cause {
        let text: String
        let isCertain: Bool
    }

    /// A migration that the message names.
    struct Migration {
        let name: String
        /// The databases to which it is applied, chat first.
        let applied: [DatabaseName]
        /// Whether this build knows it.
        let isKnown: Bool

        /// The predicate of a sentence about the migration.
        var sentence: String {
            let databases = applied.map { "the \($0) database" }.joined(separator: " and ")
            let state = applied.isEmpty ? "is not applied" : "is applied to \(databases)"
            return isKnown ? state : state + "; this build does not know it"
        }

        var json: JSONValue {
            ["name": .string(name), "applied": JSONValue(applied.map(\.rawValue)), "known": .bool(isKnown)]
        }
    }

    /// The migrations that the text names, in the order of the text.
    let migrations: [Migration]
    /// The versions of the databases of SimpleX Chat; empty for a store of another program.
    private let versions: [DatabaseName: SimpleXVersion]

    /// A store that cannot be read: nothing is known of its migrations.
    static let unknown = DiagnosedHistory(migrations: [], versions: [:])

    private init(migrations: [Migration], versions: [DatabaseName: SimpleXVersion]) {
        (self.migrations, self.versions) = (migrations, versions)
    }

    init(_ names: [String], of status: StoreStatus) {
        versions = status.readable.compactMapValues(\.simplexVersion)
        migrations = names.map { name in
            let databases = DatabaseName.allCases.filter { status.readable[$0] != nil }
            let applied = databases.filter { database in
                status.readable[database]?.applied.contains { Self.isSame($0.name, name) } == true
            }
            return Migration(
                name: name, applied: applied,
                isKnown: databases.contains { Self.isKnown(name, status.readable[$0], as: $0) })
        }
    }

    /// The agent's names have an `m` in the ledger and none in many messages.
    private static func isSame(_ stored: String, _ name: String) -> Bool {
        let stored = stored.lowercased()
        return stored == name || stored == "m" + name || "m" + stored == name
    }

    private static func isKnown(_ name: String, _ part: FoundDatabase?, as database: DatabaseName) -> Bool {
        guard let part else { return false }
        if part.kind == .simplex { return SimpleXVersion.knows(name, in: part.database ?? database) }
        let known = Set(part.applied.map(\.name)).subtracting(part.unknown).union(part.pending)
        return known.contains { isSame($0, name) }
    }

    /// The causes of a message in the migrations of a store of SimpleX Chat; empty for any other message or store.
    func causes(of message: KnownMessage) -> [Cause] {
        switch message.id {
        case "upgrade": ofUpgrade
        case "downgrade", "noDownMigration": ofDowngrade
        case "differentMigration": ofDifference
        default: []
        }
    }

    private func forEach(_ clause: (DatabaseName, SimpleXVersion) -> Cause?) -> [Cause] {
        DatabaseName.allCases.compactMap { database in versions[database].flatMap { clause(database, $0) } }
    }

    /// A database with an earlier version than this build knows.
    private var ofUpgrade: [Cause] {
        forEach { database, version in
            guard let last = version.later.last else { return nil }
            let count = version.later.count == 1 ? "1 migration" : "\(version.later.count) migrations"
            return Cause(
                text: "the \(database) database has the schema of \(version.date); an app with its newest known "
                    + "schema applies \(count), up to \(last)", isCertain: true)
        }
    }

    /// A database with a migration that the app lacks. Only the message has the names of these migrations.
    private var ofDowngrade: [Cause] {
        if !migrations.isEmpty {
            return versions.isEmpty ? [] : named.map { Cause(text: $0 + ", and the app is older", isCertain: true) }
        }
        // The app finds another migration in the list before it finds a newer one at the end.
        if versions.values.contains(where: \.isOther) { return [] }
        return forEach { database, version in
            Cause(
                text: "the \(database) database has the schema of \(version.date); an app with an older one shows "
                    + "this message", isCertain: false)
        }
    }

    /// A database with a migration that the app has under another name, or in another place.
    private var ofDifference: [Cause] {
        if !migrations.isEmpty { return versions.isEmpty ? [] : named.map { Cause(text: $0, isCertain: false) } }
        return forEach { database, version in
            version.difference.map {
                Cause(
                    text: "the \(database) database has \($0.database) in the place of \($0.app)", isCertain: true)
            }
        }
    }

    private var named: [String] {
        migrations.filter { !$0.applied.isEmpty }.map { "the migration \($0.name) \($0.sentence)" }
    }
}
