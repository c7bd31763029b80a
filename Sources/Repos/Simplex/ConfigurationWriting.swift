package import ChatDBEngine
import ChatDBSchema

/// A change of the configuration that was checked against the rules, and what the app does with the result.
package struct CheckedConfiguration: Sendable {
    package let change: ConfigurationChange
    /// What the newest known version of the app does with the result at its next start.
    private let nextStart: AppNextStart
    /// The rows of the app before the change.
    let before: AppRows
    private let presets: AppPresets
    /// The starts of all versions without the change.
    private let startsNow: [AppStart.Outcome]
    private let allowsFallback: Bool

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
        (self.presets, self.allowsFallback) = (presets, allowsFallback)
        try AppSchema.check(structure)
        before = try AppRows(in: chat)
        try AppSchema.check(before)
        let unreadable = try AppConditions.unreadable(in: chat) + before.unreadable(presets.tags)
        if !unreadable.isEmpty { throw ConfigurationError.unreadable(unreadable) }
        change = try shadow.change()
        let after = change.applied(to: before)
        try ConfigurationRules(
            change: change, before: before, after: after, presets: presets, accepted: try shadow.acceptedOperators()
        ).check()
        func starts(_ rows: AppRows) throws -> [AppStart.Outcome] {
            let connection = try scratch()
            defer { try? connection.close() }
            return try connection.write { copy in
                try AppSchema.copy(rows, like: structure, to: copy)
                return try Self.starts(in: copy, presets)
            }
        }
        do {
            startsNow = try starts(before)
        } catch let failure as FailedStart {
            throw ConfigurationError.startNow(failure.cause, apps: failure.apps)
        }
        let outcomes: [AppStart.Outcome]
        do {
            outcomes = try starts(after)
        } catch let failure as FailedStart {
            throw ConfigurationError.start(failure.cause, apps: failure.apps)
        }
        let newest = Array(zip(presets.versions, outcomes)).last { !$0.0.isOfTerminal }
        let outcome = newest?.1 ?? AppStart.Outcome()
        nextStart = AppNextStart(
            apps: newest?.0.apps ?? "", addedOperators: outcome.addedOperators, addedServers: outcome.addedServers,
            addedRelays: outcome.addedRelays, fallbacks: AppUse.fallbacks(of: outcome),
            lacksRelays: before.tables[.relays] == nil)
        try require(outcomes, of: after)
    }

    /// A version of the app that would not start.
    private struct FailedStart: Error {
        let cause: AppStartFailure
        let apps: String
    }

    /// Starts each version of the app on a database, each on the same rows, and takes back what it writes.
    private static func starts(in chat: any WriteTransaction, _ presets: AppPresets) throws -> [AppStart.Outcome] {
        try presets.versions.map { preset in
            try chat.run("SAVEPOINT simplex_start")
            let outcome = Result { try AppStart(preset).run(in: chat, knowing: presets) }
            // After an error of the disk, SQLite has undone the whole transaction.
            if case .failure(let error) = outcome, !(error is AppStartFailure) { throw error }
            try chat.run("ROLLBACK TO simplex_start")
            try chat.run("RELEASE simplex_start")
            do {
                return try outcome.get()
            } catch let failure as AppStartFailure {
                throw FailedStart(cause: failure, apps: preset.apps)
            }
        }
    }

    /// Throws `unused` if a version of the app drops an entry that it uses now, or a new one; `start` if it undoes a
    /// choice that it keeps now, or a new one; and `noServers` if one with windows finds no enabled server where it
    /// finds one now. Of several versions, the error names the newest one with windows, which most people have.
    private func require(_ outcomes: [AppStart.Outcome], of rows: AppRows) throws(ConfigurationError) {
        let starts = Array(zip(zip(outcomes, startsNow), presets.versions)).reversed()
        for ((outcome, now), version) in starts.filter({ !$0.1.isOfTerminal }) + starts.filter(\.1.isOfTerminal) {
            let lost = outcome.unused.subtracting(now.unused)
            if !lost.isEmpty {
                throw .unused(lost.map(rows.unused).sorted { $0.name < $1.name }, apps: version.apps)
            }
            if let entry = outcome.undone.subtracting(now.undone).min(by: { $0.id < $1.id }) {
                throw .start(.choice(entry.table, row: entry.id), apps: version.apps)
            }
        }
        // The app for the terminal does not use presets that only the others have.
        func withWindows(_ outcomes: [AppStart.Outcome]) -> [AppStart.Outcome] {
            zip(presets.versions, outcomes).filter { !$0.0.isOfTerminal }.map(\.1)
        }
        let fallbacks = AppUse.fallbacks(withWindows(outcomes), since: withWindows(startsNow))
        if !fallbacks.isEmpty, !allowsFallback { throw .noServers(fallbacks) }
    }

    /// Writes the change into the transaction of the app's chat database, checks the database, and tries the start of
    /// each version of the app on it. The caller commits when this returns, and must roll back when it throws.
    package func apply(to chat: any WriteTransaction) throws {
        guard try AppRows(in: chat) == before else { throw ConfigurationError.unsound("another program changed it") }
        let soundness = try AppSoundness(of: chat)
        let written = try change.apply(to: chat, over: before)
        let rows = try AppRows(in: chat)
        try written.check(rows, over: before)
        try soundness.requireKept(in: chat)
        let outcomes: [AppStart.Outcome]
        do {
            outcomes = try Self.starts(in: chat, presets)
        } catch let failure as FailedStart {
            throw ConfigurationError.start(failure.cause, apps: failure.apps)
        }
        try require(outcomes, of: rows)
        guard try AppRows(in: chat) == rows else { throw ConfigurationError.unsound("the trial was not undone") }
    }

    /// What SimpleX Chat does with the result; nil for an empty change.
    package var effect: AppNextStart? { change.isEmpty ? nil : nextStart }
}

/// What must be the same after a change: the rows of the tables that refer to the written ones, and the number of rows
/// that refer to a missing row. The tables themselves must be whole.
private struct AppSoundness: Equatable {
    private let rows: [String: Int]
    private let dangling: Int

    init(of chat: any ReadTransaction) throws {
        var rows: [String: Int] = [:]
        var dangling = 0
        for table in AppTable.allCases.map(\.rawValue) + AppSchema.referrers.map(\.table)
        where try chat.first(chat.dialect.tableExists(table)) != nil {
            dangling += try chat.rows("PRAGMA main.foreign_key_check(\(identifier: table))").count
            if AppTable(rawValue: table) == nil {
                rows[table] = try chat.count("SELECT count(*) FROM main.\(identifier: table)")
            }
        }
        (self.rows, self.dangling) = (rows, dangling)
    }

    func requireKept(in chat: any ReadTransaction) throws {
        let now = try AppSoundness(of: chat)
        if now.rows != rows { throw ConfigurationError.unsound("rows of another table were removed") }
        if now.dangling > dangling { throw ConfigurationError.unsound("a row refers to a missing row") }
        for table in AppTable.allCases where try chat.first(chat.dialect.tableExists(table.rawValue)) != nil {
            let answers = try chat.rows("PRAGMA main.integrity_check(\(identifier: table.rawValue))")
            guard answers.count == 1, answers.first?.values.first == .text("ok") else {
                throw ConfigurationError.unsound("the table \(table.rawValue) is damaged")
            }
        }
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
    /// A server or relay that a version of the app leaves out.
    fileprivate func unused(_ entry: AppStart.Entry) -> UnusedEntry {
        guard let values = row(entry.table, entry.id) else { return UnusedEntry(name: "", isMarkedAsPreset: false) }
        let (name, isPreset): (String, Bool)
        if entry.table == .servers {
            let server = AppServer(id: entry.id, values: values)
            (name, isPreset) = (server.address.shown, server.isPreset)
        } else {
            let relay = AppRelay(id: entry.id, values: values)
            (name, isPreset) = (relay.shown, relay.isPreset)
        }
        return UnusedEntry(name: "\(name) of \(profile(values.number("user_id")))", isMarkedAsPreset: isPreset)
    }
}
