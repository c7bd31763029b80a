package import ChatDBKit

/// SimpleX Chat's next start, on stores of the tests.
extension SimplexStore {
    /// A healthy store with values that the app can read, before the app has added its presets.
    package static func startable(
        _ version: Version = newest, in folder: TemporaryFolder? = nil
    ) throws -> SimplexStore {
        let store = try SimplexStore(version, in: folder, isHealthy: true)
        try store.execute(
            """
            UPDATE protocol_servers
            SET key_hash = CAST('0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU=' AS BLOB)
            """)
        if version.hasRelays {
            try store.execute(
                """
                UPDATE chat_relays SET address = CAST('https://odd.example.org/r#\(SimplexRows.otherKey)' AS BLOB)
                WHERE chat_relay_id = 6
                """)
        }
        return store
    }

    /// A store after a start of the newest app that the tests know.
    package static func started(_ version: Version = newest, in folder: TemporaryFolder? = nil) throws -> SimplexStore {
        let store = try startable(version, in: folder)
        guard let preset = try AppPresets.known.get().versions.first(where: { $0.apps == "v6.5" }) else { return store }
        try store.write { _ = try AppStart(preset).run(in: $0, knowing: try AppPresets.known.get()) }
        return store
    }

    /// Writes the chat database in a transaction.
    package func write(_ body: (any WriteTransaction) throws -> Void) throws {
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .existing)
        defer { try? connection.close() }
        try connection.write(body)
    }

    /// The numbers of an answer to SQL.
    package func count(_ sql: String) throws -> Int {
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .readOnly)
        defer { try? connection.close() }
        return try connection.read { try $0.count(.unchecked(sql: sql)) }
    }

    /// The rows that SimpleX Chat brings in line at its start.
    package func rows() throws -> AppRows {
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .readOnly)
        defer { try? connection.close() }
        return try connection.read { try AppRows(in: $0) }
    }

    /// What the start of each version of the app does, each on the same rows; nothing is kept.
    package func starts() throws -> [Result<AppStart.Outcome, AppStartFailure>] {
        struct Undone: Error {}
        let presets = try AppPresets.known.get()
        return try presets.versions.map { preset in
            var result: Result<AppStart.Outcome, AppStartFailure>?
            do {
                try write { chat in
                    do {
                        result = .success(try AppStart(preset).run(in: chat, knowing: presets))
                    } catch let failure as AppStartFailure {
                        result = .failure(failure)
                    }
                    throw Undone()
                }
            } catch is Undone {}
            guard let result else { throw Undone() }
            return result
        }
    }
}
