package import ChatDBEngine
import ChatDBSchema

/// A change of the configuration that was checked against the rules, and what the app does with the result.
package struct CheckedConfiguration: Sendable {
    package let change: ConfigurationChange
    /// The rows of the app before the change.
    let before: AppRows
    private let presets: AppPresets
    /// The entries that no version of the app uses already now, by version.
    private let unusedNow: [Set<AppStart.Entry>]
    /// What the newest known version of the app adds at its next start.
    private let next: (apps: String, outcome: AppStart.Outcome)
    /// The roles for which profiles have no enabled server after the change.
    private let unserved: [AppUnserved]

    /// Checks a change against the rules, and tries the start of each version of the app on copies of the tables.
    ///
    /// Throws a `ConfigurationError`. Changes nothing but the scratch databases.
    /// - Parameters:
    ///   - chat: the chat database of the app, as it is stored.
    ///   - structure: its schema.
    ///   - scratch: makes an empty database in memory.
    package init(
        _ shadow: ConfigurationShadow, over chat: any ReadTransaction, _ structure: DatabaseStructure,
        allowsFallback: Bool, scratch: () throws -> any StorageConnection
    ) throws {
        let presets = try AppPresets.known.get()
        self.presets = presets
        try AppSchema.check(structure)
        before = try AppRows(in: chat)
        try AppSchema.check(before)
        change = try shadow.change()
        let after = change.applied(to: before)
        try ConfigurationRules(
            change: change, before: before, after: after, presets: presets, accepted: try shadow.acceptedOperators(),
            allowsFallback: allowsFallback
        ).check()
        unserved = after.unserved.sorted()
        func start(_ rows: AppRows) throws -> [AppStart.Outcome] {
            let connection = try scratch()
            defer { try? connection.close() }
            return try connection.write { copy in
                try AppSchema.copy(rows, like: structure, to: copy)
                return try Self.start(in: copy, presets)
            }
        }
        do {
            unusedNow = try start(before).map(\.unused)
        } catch let failure as FailedStart {
            throw ConfigurationError.startNow(failure.cause, apps: failure.apps)
        }
        let outcomes: [AppStart.Outcome]
        do {
            outcomes = try start(after)
        } catch let failure as FailedStart {
            throw ConfigurationError.start(failure.cause, apps: failure.apps)
        }
        let newest = zip(presets.versions, outcomes).last { !$0.0.isOfTerminal }
        next = (newest?.0.apps ?? "", newest?.1 ?? AppStart.Outcome())
        try requireUse(outcomes, of: after)
    }

    /// A version of the app that would not start.
    private struct FailedStart: Error {
        let cause: AppStartFailure
        let apps: String
    }

    /// Starts each version of the app on a database, each on the same rows, and takes back what it writes.
    private static func start(in chat: any WriteTransaction, _ presets: AppPresets) throws -> [AppStart.Outcome] {
        try presets.versions.map { preset in
            try chat.run("SAVEPOINT simplex_start")
            let outcome = Result { try AppStart(preset).run(in: chat, knowing: presets) }
            try chat.run("ROLLBACK TO simplex_start")
            try chat.run("RELEASE simplex_start")
            do {
                return try outcome.get()
            } catch let failure as AppStartFailure {
                throw FailedStart(cause: failure, apps: preset.apps)
            }
        }
    }

    /// Throws `unused` if a version of the app drops an entry that it uses now, or a new one.
    private func requireUse(_ outcomes: [AppStart.Outcome], of rows: AppRows) throws(ConfigurationError) {
        for (number, outcome) in outcomes.enumerated() {
            let lost = outcome.unused.subtracting(unusedNow[number])
            if !lost.isEmpty { throw .unused(lost.map(rows.shown).sorted(), apps: presets.versions[number].apps) }
        }
    }

    /// Writes the change into the transaction of the app's chat database, checks the database, and tries the start of
    /// each version of the app on it. The caller commits when this returns, and must roll back when it throws.
    package func apply(to chat: any WriteTransaction) throws {
        guard try AppRows(in: chat) == before else { throw ConfigurationError.unsound("another program changed it") }
        let violations = try Self.violations(in: chat)
        try change.apply(to: chat, over: before)
        let written = try AppRows(in: chat)
        try change.check(written, over: before)
        try Self.requireSound(chat, violations)
        let outcomes: [AppStart.Outcome]
        do {
            outcomes = try Self.start(in: chat, presets)
        } catch let failure as FailedStart {
            throw ConfigurationError.start(failure.cause, apps: failure.apps)
        }
        try requireUse(outcomes, of: written)
        guard try AppRows(in: chat) == written else { throw ConfigurationError.unsound("the trial was not undone") }
    }

    /// The number of rows that refer to no row, in the tables that were written and in those that refer to them.
    private static func violations(in chat: any ReadTransaction) throws -> Int {
        var count = 0
        for table in AppTable.allCases.map(\.rawValue) + ["group_relays", "operator_usage_conditions"] {
            guard try chat.first(chat.dialect.tableExists(table)) != nil else { continue }
            count += try chat.rows("PRAGMA main.foreign_key_check(\(identifier: table))").count
        }
        return count
    }

    private static func requireSound(_ chat: any ReadTransaction, _ violations: Int) throws {
        guard try Self.violations(in: chat) <= violations else {
            throw ConfigurationError.unsound("a row refers to a missing row")
        }
        for table in AppTable.allCases where try chat.first(chat.dialect.tableExists(table.rawValue)) != nil {
            let answers = try chat.rows("PRAGMA main.integrity_check(\(identifier: table.rawValue))")
            guard answers.count == 1, answers.first?.values.first == .text("ok") else {
                throw ConfigurationError.unsound("the table \(table.rawValue) is damaged")
            }
        }
    }

    /// What SimpleX Chat does with the result at its next start, and what it uses where nothing is enabled, a sentence
    /// each.
    package var notes: [String] {
        var added: [String] = []
        func note(_ count: Int, _ noun: String) {
            if count > 0 { added.append("\(count) \(noun)\(count == 1 ? "" : "s")") }
        }
        note(next.outcome.addedOperators.count, "operator")
        note(next.outcome.addedServers, "server")
        note(next.outcome.addedRelays, "relay")
        let apps = next.apps
        let start =
            added.isEmpty
            ? "at its next start, SimpleX Chat (\(apps)) keeps these entries and adds none"
            : "at its next start, SimpleX Chat (\(apps)) keeps these entries and adds \(added.joined(separator: ", ")) "
                + "of its presets"
        return [start]
            + unserved.map { "\($0.clause): SimpleX Chat uses all its servers instead, disabled ones too" }
    }
}

extension ConfigurationChange {
    /// The rows of the app with the changes, in the app's forms.
    func applied(to stored: AppRows) -> AppRows {
        var result = stored
        for row in rows {
            guard row.new != nil else {
                result.set(row.table, row.id, to: nil)
                continue
            }
            var values = stored.row(row.table, row.id) ?? [:]
            for column in row.old == nil ? row.table.columns : row.changed
            where !stored.lacks(column, in: row.table) {
                values[column] = AppSchema.stored(row.new?[column] ?? .null, in: column, of: row.table)
            }
            if row.old == nil { values.merge(["created_at": .text(""), "updated_at": .text("")]) { old, _ in old } }
            result.set(row.table, row.id, to: values)
        }
        return result
    }
}

extension AppRows {
    /// The name of an entry for people, with its profile.
    fileprivate func shown(_ entry: AppStart.Entry) -> String {
        guard let values = row(entry.table, entry.id) else { return "" }
        let name =
            entry.table == .servers
            ? AppServer(id: entry.id, values: values).address.shown : AppRelay(id: entry.id, values: values).shown
        return "\(name) of \(profile(values.number("user_id")))"
    }
}
