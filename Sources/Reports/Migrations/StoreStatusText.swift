package import ChatDBKit

extension StoreStatus {
    /// The existing databases that cannot be read.
    package var problems: [Problem] {
        DatabaseName.allCases.compactMap { database in
            if case .failure(let problem) = parts[database] { problem } else { nil }
        }
    }

    /// Their names.
    package var unreadable: [DatabaseName] {
        DatabaseName.allCases.filter { parts[$0] != nil && readable[$0] == nil }
    }

    /// The note that the store was moved, a clause; nil if it was not. It has the address or path of the other store.
    package var movedNote: String? {
        movedTo.map { "the store was moved to \($0), and can only be read here" }
    }

    /// The warnings about edited files of applied migrations, with what to do. Empty without any.
    ///
    /// - Parameters:
    ///   - database: the database that a warning begins with; nil for warnings about a store.
    ///   - edited: the only database with edited files; nil if both have some.
    package static func editedWarnings(
        _ edits: EditedNames, of database: DatabaseName? = nil, in edited: DatabaseName? = nil
    ) -> [Hint] {
        let place = database.map { "\($0): " } ?? ""
        var warnings: [Hint] = []
        if !edits.emptied.isEmpty {
            let sentence = MigrationError.emptiedMigration(edits.emptied).info.message
            warnings.append(
                "\(place)\(sentence), and the store is as the whole file left it; \(Hint.ofEmptiedMigration)")
        }
        for (other, names) in edits.withOtherTables.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            warnings.append("\(MigrationError.otherTables(other, names).info.message); \(Hint.ofOtherTables)")
        }
        if !edits.sinceAccepted.isEmpty {
            let (names, isOne) = (edits.sinceAccepted.joined(separator: ", "), edits.sinceAccepted.count == 1)
            warnings.append(
                """
                \(place)\(names) \(isOne ? "differs" : "differ") from the text that was accepted last, and may be the \
                text that the database applied; \(.migrateRun, "--accept-edited") records the present text
                """)
        }
        if !edits.others.isEmpty {
            let isOne = edits.others.count == 1
            let names = edits.others.joined(separator: ", ")
            warnings.append(
                """
                \(database.map { "\($0) " } ?? "")edited after being applied: \(names); \
                \(Hint.ofEditedFiles(isOne: isOne, in: database ?? edited))
                """)
        }
        return warnings
    }

    /// Reasons why two files are not one store, as clauses. Other sentences name ids and generations.
    package var pairWarnings: [String] {
        var lines: [String] = []
        if exchanged.count == DatabaseName.allCases.count {
            lines.append("the two files were exchanged: each contains the database that the other is named after")
        } else if let name = exchanged.first, let held = readable[name]?.database {
            lines.append(
                "the file named as the \(name) database contains \(held == .agent ? "an agent" : "a chat") database"
                    + (readable[held] == nil ? "" : ", as the other file does; the \(name) database is missing"))
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

extension StoreStatus {
    /// The note about one database of an adopted pair, if the other one was not named. Empty for any other store.
    package func halfOfPairNotes(at location: StoreLocation) -> [String] {
        guard location.databases.count == 1 else { return [] }
        return readable.values.compactMap { part in
            part.partner.map { partner in
                "the \(part.name) database was adopted together with \(partner), which was not named; name both with "
                    + "--database"
            }
        }
    }
}

extension IntentRecord {
    /// The sentence that the run was interrupted, a clause.
    /// - Parameter progress: what it had changed; nil if that is not known.
    package func interruption(_ progress: Progress?) -> String {
        if let copiedFrom {
            return "a copy of \(copiedFrom), begun at \(startedAt), was interrupted; run the same copy again"
        }
        return "a migration begun at \(startedAt) was interrupted" + (Self.moment(progress).map { " \($0)" } ?? "")
    }

    /// The command that completes or undoes the run. If its migrations are not chatdb's own, the command has a word for
    /// their folder, unless the command line names it.
    package var completion: HintedCommand {
        HintedCommand(.migrateRun, isOfOtherMigrations ? HintedCommand.unnamedFolder : [])
    }

    /// The interruption, as the example of a finding that names it.
    package func example(_ progress: Progress?) -> String {
        if copiedFrom != nil { return interruption(progress) }
        return "begun at \(startedAt)" + (Self.moment(progress).map { ", interrupted \($0)" } ?? "")
    }

    /// When a run was interrupted, as far as its databases show it.
    private static func moment(_ progress: Progress?) -> String? {
        switch progress {
        case .nothing: "before it had changed a database"
        case .agentOnly: "between the two databases"
        case .everything: "after it had changed both databases"
        case .unexplained, nil: nil
        }
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
    /// The applied migrations whose edits can explain drift: the database has the schema of the text from before the
    /// edit, also if the edit was accepted. Each has one entry, also if it was edited again after that.
    package var explainingEdits: [String] {
        edited + applied.filter(\.isAcceptedEdit).map(\.name).filter { !edited.contains($0) }
    }

    /// The unknown migrations that no build but their own can undo, because the database has no down SQL of them.
    package var unknownWithoutDown: [String] {
        applied.filter { $0.down == nil && unknown.contains($0.name) }.map(\.name)
    }

    /// The reason why the schema of its version cannot be made from its files, a clause; nil if nothing prevents that.
    package var unmadeSchema: String? {
        edits.emptied.isEmpty ? nil : MigrationError.emptiedMigration(edits.emptied).info.message
    }

    /// Whether another program made it, and `migrate baseline` could adopt it.
    package var isNotAdopted: Bool { kind == .unknown && database == nil && applied.isEmpty }

    /// Whether its migrations are not chatdb's own, and were not named: none of them is known.
    package var needsItsMigrations: Bool { isOfOtherMigrations && unknown.count == applied.count }

    /// The lists of pending, edited and unknown migrations. They are null if the migrations of the database are not
    /// chatdb's own and no folder was named: chatdb's own migrations are then neither pending nor applied.
    /// - Parameters:
    ///   - isFolderNamed: whether the command line names the folder of the migrations.
    ///   - name: how to show the name of an unknown migration.
    package func comparisonJSON(
        isFolderNamed: Bool, _ name: (String) -> String = { $0 }
    ) -> (pending: JSONValue, edited: JSONValue, unknown: JSONValue) {
        if needsItsMigrations, !isFolderNamed { return (.null, .null, .null) }
        return (JSONValue(pending), JSONValue(edited), JSONValue(unknownMigrations.map(name)))
    }

    /// What to do about that, a clause.
    package var otherMigrationsNote: String {
        "the \(name) database has other migrations than chatdb's own; with --migrations-dir DIR, chatdb compares its "
            + "schema with them"
    }

    /// The same for a command that cannot do without these migrations.
    package var otherMigrationsRefusal: String {
        "the \(name) database has other migrations than chatdb's own, and this command needs their files"
    }

    /// Whether the store has another history than this build, and not an earlier or a later version of it: it lacks
    /// migrations of this build, and has unknown ones or later ones.
    package var isOfOtherHistory: Bool { !pending.isEmpty && (!unknown.isEmpty || !outOfOrder.isEmpty) }

    /// Migrations of this build that are not applied, although a later one is. chatdb applies them only on request.
    package var outOfOrder: [String] {
        guard unknown.isEmpty, let last = applied.map(\.name).max() else { return [] }
        return pending.filter { $0 < last }
    }

    /// The reason why the history is another one, a clause about the database.
    ///
    /// - Parameter owner: what has the known migrations, `this build` or `the folder`.
    package func otherHistory(than owner: String) -> String {
        if !outOfOrder.isEmpty {
            return "lacks \(outOfOrder.joined(separator: ", ")), which comes before migrations that are applied"
        }
        return "has another history than \(owner); \(owner) does not know \(unknown.joined(separator: ", "))"
    }
}

/// Texts about a store of SimpleX Chat, for every command.
package enum SimpleXText {
    /// `a SimpleX Chat store, chat schema of 2026-09-24 (173 migrations), agent 2026-10-08 (51)`.
    package static func store(_ versions: [DatabaseName: SimpleXVersion]) -> String {
        "a SimpleX Chat store, " + schemas(versions)
    }

    /// The schemas alone, chat first.
    package static func schemas(_ versions: [DatabaseName: SimpleXVersion]) -> String {
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

    /// How the histories differ from those of the known versions, a clause for each database, chat first. `inspect`,
    /// `check` and `migrate status` use the same words.
    package static func histories(_ versions: [DatabaseName: SimpleXVersion]) -> [String] {
        newer(versions) + others(versions)
    }

    /// Migrations of an app that is newer than this build.
    private static func newer(_ versions: [DatabaseName: SimpleXVersion]) -> [String] {
        DatabaseName.allCases.compactMap { database in
            guard let names = versions[database]?.newer, !names.isEmpty else { return nil }
            return "the \(database) database has migrations that this build does not know "
                + "(\(names.joined(separator: ", "))): chatdb reads what it knows, and an app without them shows its "
                + "downgrade screen"
        }
    }

    /// Migrations that are missing, or there in the place of others.
    private static func others(_ versions: [DatabaseName: SimpleXVersion]) -> [String] {
        DatabaseName.allCases.compactMap { database in
            guard let version = versions[database], version.isOther else { return nil }
            var screen = ""
            if let one = version.difference {
                screen =
                    ". The app shows \"different migration\": \(one.app) in the app, \(one.database) in the database"
            }
            return "the \(database) database has another history than SimpleX Chat's: "
                + version.differences.joined(separator: ", ") + screen
        }
    }
}

extension SimpleXVersion {
    /// The differences from the known history, a few words each.
    package var differences: [String] {
        missing.map { "lacks \($0)" } + renamed.map { "has \($0.found) in the place of \($0.known)" }
            + unknown.map { "has \($0), which this build does not know" }
    }

    /// The comparison with the known history, in the answer for programs.
    ///
    /// - Parameter shown: how a name is shown. A bundle does not show all names.
    package func historyJSON(_ shown: (String) -> String = { $0 }) -> JSONValue {
        [
            "state": .string(isOther ? "different" : newer.isEmpty ? "known" : "newer"),
            "missing": JSONValue(missing.map(shown)),
            "renamed": .array(
                renamed.map { ["known": .string(shown($0.known)), "found": .string(shown($0.found))] }),
            "unknown": JSONValue(unknown.map(shown)), "newer": JSONValue(newer.map(shown)),
            "difference": difference.map {
                ["app": .string(shown($0.app)), "database": .string(shown($0.database))]
            } ?? .null,
        ]
    }
}

extension FoundDatabase {
    /// Applied migrations that this build does not know, of chatdb's databases and of SimpleX Chat's.
    package var unknownMigrations: [String] { simplexVersion?.unknownNames ?? unknown }
}
