import ChatDBKit
import Foundation

/// The states in which chatdb can find a store. In all of them the relay has the name of the last commit.
enum FoundStore: String, CaseIterable, CustomStringConvertible {
    case cleanRollback, cleanWAL, hotWAL, hotWALWithoutIndex, hotJournal

    var description: String { rawValue }

    static let committed = "UPDATE chat_relays SET display_name = 'committed' WHERE display_name = 'mine';"

    /// A transaction that reaches the file before its commit.
    static let cutOff = """
        PRAGMA cache_size = 2; PRAGMA cache_spill = 2; BEGIN;
        UPDATE chat_relays SET display_name = 'uncommitted'; UPDATE protocol_servers SET port = 1;
        UPDATE users SET local_display_name = 'uncommitted' || user_id; UPDATE groups SET local_display_name = 'x';
        """

    /// The demo's store in this state.
    func make() throws -> ToolRun {
        let store = try DemoStore.make()
        switch self {
        case .cleanWAL:
            try store.sql(Self.committed)
        case .cleanRollback:
            try store.sql("PRAGMA journal_mode = delete; \(Self.committed)")
        case .hotWAL, .hotWALWithoutIndex:
            let app = try HeldShell(store)
            try app.run(Self.committed)
            app.crash()
            if self == .hotWALWithoutIndex { try FileManager.default.removeItem(atPath: store.file("x_chat.db-shm")) }
        case .hotJournal:
            try store.sql("PRAGMA journal_mode = delete; \(Self.committed)")
            let app = try HeldShell(store)
            try app.run(Self.cutOff)
            app.crash()
        }
        return store
    }

    /// The journal's state as the page reports it.
    var journalState: JSONValue {
        switch self {
        case .cleanRollback, .cleanWAL: "clean"
        case .hotWAL, .hotWALWithoutIndex: "pendingLog"
        case .hotJournal: "hotJournal"
        }
    }

    /// Whether the page shows all committed rows, and no others.
    static func isWhole(_ page: JSONValue) -> Bool {
        let names = (page["relays"]?.arrayValue ?? []).compactMap { $0["relay"]?["name"]?.stringValue }
        return names.count == 7 && names.contains("committed") && !names.contains("uncommitted")
            && page["users"]?.arrayValue?.compactMap { $0["name"]?.stringValue }.sorted() == ["alice", "work"]
    }
}
