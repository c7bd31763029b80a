package import ChatDBKit
package import Foundation

/// What happened last in a store and when, the earliest first.
package struct StoreTimeline {
    /// Something that happened.
    package struct Event {
        package let at: Date
        /// The database. It is nil for an event of both databases.
        package let database: DatabaseName?
        /// The stable name.
        package let kind: Kind
        /// The name of a migration, or the number of messages that wait. It is nil for other events, and for migrations
        /// that are not named.
        package var detail: String?

        /// The time to the second. A terminal also shows the date, because people compare it with the times that a user
        /// names.
        fileprivate var shownTime: String { StoredTime(at).iso8601.prefix(19) + "Z" }
    }

    /// The kinds of events.
    package enum Kind: String {
        case firstMigration
        case lastMigration
        case filesWritten
        case messageReceived
        case messageSent
        case oldestUndelivered

        fileprivate var shown: String {
            switch self {
            case .firstMigration: "first migration"
            case .lastMigration: "last migration"
            case .filesWritten: "files last written"
            case .messageReceived: "last message received"
            case .messageSent: "last message sent"
            case .oldestUndelivered: "oldest message that waits"
            }
        }
    }

    package let events: [Event]
    /// What the time line lacks, and why.
    package let notes: [String]

    /// - Parameters:
    ///   - location: the store, for the time when its files were last written.
    ///   - chat: what happened in the chat database; nil if the database is missing or cannot be read.
    ///   - agent: the agent's connection; nil if the database is missing or cannot be read.
    ///   - named: whether migrations are named. A file may have any text as the name of a migration.
    package init(
        _ status: StoreStatus, at location: StoreLocation, chat: ChatActivity?, agent: (any StorageConnection)?,
        named: Bool = true
    ) {
        var events: [Event] = []
        func add(_ at: Date?, _ database: DatabaseName?, _ kind: Kind, _ detail: String? = nil) {
            if let at { events.append(Event(at: at, database: database, kind: kind, detail: detail)) }
        }
        for database in DatabaseName.allCases {
            let part = status.readable[database]
            let applied = (part?.applied ?? []).compactMap { entry in
                StoredTime(text: entry.appliedAt).map { time in
                    // Versions have no mark either.
                    (at: time.date, name: part?.kind == .simplex ? SimpleXHistory.withoutMark(entry.name) : entry.name)
                }
            }
            let (first, last) = (applied.min { $0.at < $1.at }, applied.max { $0.at <= $1.at })
            add(first?.at, database, .firstMigration, named ? first?.name : nil)
            add(last?.at, database, .lastMigration, named ? last?.name : nil)
        }
        add(chat?.lastReceived?.date, .chat, .messageReceived)
        add(chat?.lastSent?.date, .chat, .messageSent)
        let waiting = try? agent?.read { try AgentActivity(of: $0) }
        add(waiting?.oldestWaiting?.date, .agent, .oldestUndelivered, waiting.map { "\($0.waiting) waiting" })
        add(Self.written(location), nil, .filesWritten)
        // The sort is stable, so that events of one time keep their order.
        self.events = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
        notes = chat.map(Self.notes) ?? []
    }

    /// What the events of the chat database lack. An event that is missing in a small store did not happen.
    private static func notes(_ chat: ChatActivity) -> [String] {
        var notes: [String] = []
        if chat.hasOlder {
            let missing = [(chat.lastReceived, "received"), (chat.lastSent, "sent")].filter { $0.0 == nil }
            notes += missing.map { _, kind in
                "the time line has no \(kind) message: none is among the newest "
                    + "\(CellText.grouped(Int64(ChatActivity.searched))) entries of chats"
            }
        }
        if chat.unreadable > 0 {
            let entries = chat.unreadable == 1 ? "1 entry of a chat" : "\(chat.unreadable) entries of chats"
            notes.append("the time line leaves out \(entries): the time cannot be read")
        }
        return notes
    }

    /// When a file of the store was last written. For an archive, it is the time of the archive's file: chatdb reads a
    /// copy of its databases, and has just written the files of that copy.
    private static func written(_ location: StoreLocation) -> Date? {
        let archive = ShownPaths.text(location.prefix)
        let paths =
            archive != location.prefix
            ? [archive]
            : DatabaseName.allCases.map { location.path(of: $0) }.flatMap { [$0, $0 + "-wal", $0 + "-journal"] }
        return paths.compactMap {
            (try? FileManager.default.attributesOfItem(atPath: $0))?[.modificationDate] as? Date
        }.max()
    }

    package var json: JSONValue {
        .array(
            events.map { event in
                [
                    "at": .string(event.shownTime), "database": JSONValue(event.database?.rawValue),
                    "event": .string(event.kind.rawValue), "detail": JSONValue(event.detail),
                ]
            })
    }

    package var blocks: [Block] {
        if events.isEmpty { return [] }
        let table = Table(
            [Column("Time", key: "at"), Column("Database"), Column("Event"), Column("Detail", shrinking: .end)],
            rows: events.map { event in
                [
                    .text(event.shownTime), .text(event.database?.rawValue), .text(event.kind.shown),
                    .text(event.detail),
                ]
            }, whenEmpty: "nothing")
        return [.heading("Time line"), .table(table)]
    }
}
