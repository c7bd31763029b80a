package import ChatDBKit

/// SimpleX Chat's next start, on stores of the tests.
extension SimplexStore {
    /// A healthy store before the app has added its presets. Its preset relay is one of the app's.
    package static func startable(
        _ version: Version = newest, in folder: TemporaryFolder? = nil
    ) throws -> SimplexStore {
        let store = try SimplexStore(version, in: folder, isHealthy: true)
        try kept.write("\(version), startable", to: store.location) { try store.makeStartable() }
        return store
    }

    private func makeStartable() throws {
        try execute("DELETE FROM protocol_servers WHERE smp_server_id IN (3, 4)")
        if version.hasRelays {
            try execute(
                """
                UPDATE chat_relays SET address = CAST('https://smp6.simplex.im/r#\(SimplexRows.otherKey)' AS BLOB)
                WHERE chat_relay_id = 1
                """)
        }
    }

    /// A store after a start of the newest app: it has all its presets, in every profile.
    package static func started(_ version: Version = newest, in folder: TemporaryFolder? = nil) throws -> SimplexStore {
        let store = try startable(version, in: folder)
        try kept.write("\(version), started", to: store.location) {
            try store.write { chat in _ = try AppLaunch.newest.run(in: chat) }
        }
        return store
    }

    /// Writes the chat database in a transaction.
    package func write(_ body: (any WriteTransaction) throws -> Void) throws {
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .existing)
        defer { try? connection.close() }
        try connection.write(body)
    }

    /// The rows of an answer to SQL, values as text, joined with `|`.
    package func rows(_ sql: String, in database: DatabaseName = .chat) throws -> [String] {
        let connection = try SQLiteEngine().open(location.path(of: database), as: .readOnly)
        defer { try? connection.close() }
        return try connection.read { chat in
            try chat.rows(.unchecked(sql: sql)).map { row in
                row.values.map { value in
                    switch value {
                    case .null: ""
                    case .integer(let number): "\(number)"
                    case .real(let number): "\(number)"
                    case .text(let text): text
                    case .blob(let bytes): String(validating: bytes, as: UTF8.self) ?? "\(bytes)"
                    }
                }.joined(separator: "|")
            }
        }
    }

    /// The result of the next start of each version of the app, each on the same rows; nothing is kept.
    package func launches() throws -> [(app: AppLaunch, result: Result<AppLaunch.Outcome, any Error>)] {
        struct Undone: Error {}
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .existing)
        defer { try? connection.close() }
        return try AppLaunch.all.get().map { launch in
            var result: Result<AppLaunch.Outcome, any Error> = .failure(Undone())
            do {
                try connection.write { chat in
                    result = Result { try launch.run(in: chat) }
                    throw Undone()
                }
            } catch is Undone {}
            return (launch, result)
        }
    }
}
