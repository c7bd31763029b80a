import ChatDBKit
import Foundation

/// A store of its own in a temporary folder, made of the real migrations and open for writing. Its folder goes with it.
final class TestStore: Sendable {
    let location: StoreLocation
    let store: Store
    private let folder: URL

    /// What all rows get as their time.
    static let clock = StoreClock.fixed(StoredTime(text: "2026-07-20 09:05:00.120") ?? StoredTime(microseconds: 0))

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chatdb-repos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        location = try StoreLocation(prefix: folder.appendingPathComponent("s").path)
        for name in DatabaseName.allCases {
            try Data(Self.templates.get()[name, default: []]).write(to: URL(fileURLWithPath: location.path(of: name)))
        }
        store = try Store.openForWriting(location, with: SQLiteEngine())
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The files of an empty store, made once.
    private static let templates = Result { try makeTemplates() }

    private static func makeTemplates() throws -> [DatabaseName: [UInt8]] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chatdb-repos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let migrations = try MigrationSource.build.load()
        var files: [DatabaseName: [UInt8]] = [:]
        for name in DatabaseName.allCases {
            let path = folder.appendingPathComponent("\(name).db").path
            let connection = try SQLiteEngine().openForMigration(path, creating: true)
            try connection.begin()
            for migration in migrations[name] ?? [] {
                let isRebuild = try migration.up.directives.contains(.rebuild)
                for statement in try migration.up.statements {
                    try connection.execute(statement: statement.text, rebuild: isRebuild, protected: []) { _ in }
                }
            }
            try connection.commit()
            connection.close()
            files[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        return files
    }
}

// MARK: - Short words for what tests do

extension TestStore {
    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T { try store.read(.chat, body) }

    @discardableResult
    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T { try store.write(.chat, body) }

    @discardableResult
    func addUser(_ name: String) throws -> User {
        try store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat, clock: Self.clock).create(name, agent: agent)
        }
    }

    @discardableResult
    func addRelay(_ host: String, name: String = "", domains: [String] = [], of user: User) throws -> ChatRelay {
        try write {
            try ChatRelaysWriter($0, clock: Self.clock).add(relay(host), name: name, domains: domains, of: user.id)
                .relay
        }
    }

    @discardableResult
    func addChannel(
        _ name: String, relays: [ChatRelay], of user: User, seed: UInt64 = 1
    ) throws -> GroupSummary {
        try write { chat in
            var random = SplitMix64(seed: seed)
            return try GroupsWriter(chat, clock: Self.clock).createChannel(
                named: name, relays: relays.map(\.id), of: user.id, using: &random)
        }
    }

    /// Sets the status of the relays of a channel.
    func setStatus(_ status: RelayStatus, of relay: ChatRelay, in channel: GroupSummary) throws {
        try write {
            try $0.run(
                """
                UPDATE group_relays SET relay_status = \(status)
                WHERE chat_relay_id = \(relay.id) AND group_id = \(channel.group.id)
                """)
        }
    }

    /// Sets the profile's own membership.
    func setOwnStatus(_ status: GroupMemberStatus, in channel: GroupSummary) throws {
        try write {
            try $0.run(
                """
                UPDATE group_members SET member_status = \(status)
                WHERE group_id = \(channel.group.id) AND member_category = 'user'
                """)
        }
    }

    func count(_ query: Query, in name: DatabaseName = .chat) throws -> Int {
        try store.read(name) { try $0.count(query) }
    }

    func hide(_ user: User) throws {
        try write {
            try $0.run(
                "UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02' WHERE user_id = \(user.id)")
        }
    }
}

/// The address of a relay at a host; its key depends on the number.
func relay(_ host: String, key number: Int = 0) -> String { "https://\(host)/r#\(key(number))" }

/// 32 bytes as 43 characters of base64url.
func key(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "A", count: 42 - text.count) + text + "A"
}

/// The address of a server at a host.
func server(_ host: String, _ serverProtocol: ServerProtocol = .smp, password: String? = nil) -> String {
    "\(serverProtocol)://\(key(7))=\(password.map { ":" + $0 } ?? "")@\(host)"
}
