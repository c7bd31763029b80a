import Engine
import Migrations
import Repos
import Schema

/// One page about a store.
struct InspectReport: Report {
    let location: StoreLocation
    let status: StoreStatus
    /// What the chat database holds; nil when it could not be read as this build's.
    let facts: StoreFacts?

    // MARK: What is wrong, and what to do

    private var warnings: [String] {
        var lines = status.problems.map { "\($0.path): \($0.error.message)" }
        if let record = status.interrupted {
            lines.append("a migration of \(record.startedAt) was interrupted between the two databases")
        }
        if status.isMismatched { lines.append("the chat and the agent database do not belong together") }
        for database in DatabaseName.allCases {
            guard let part = status.readable[database] else { continue }
            if !part.unknown.isEmpty {
                lines.append("the \(database) database is newer than this build: \(part.unknown.joined(separator: ", "))")
            }
            if !part.edited.isEmpty {
                lines.append("migrations were edited after being applied: \(part.edited.joined(separator: ", "))")
            }
        }
        lines += (facts?.warnings ?? []).map { warning in
            warning.user.map { "\($0.name): \(warning.message)" } ?? warning.message
        }
        return lines
    }

    private var notes: [String] {
        var lines: [String] = []
        for database in DatabaseName.allCases where status.parts[database] == nil {
            lines.append("the \(database) database is not there")
        }
        lines += status.readable.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { database, part in
            part.notes.map { "the \(database) database: \($0)" }
        }
        switch status.kind {
        case .simplex: lines.append("a store of SimpleX Chat: its profiles, relays and channels are not read yet")
        case .unknown where status.problems.isEmpty: lines.append("neither chatdb nor SimpleX Chat made this store")
        default: break
        }
        if facts == nil, status.kind == .chatdb, status.readable[.chat]?.pending.isEmpty == false {
            lines.append("profiles, relays and channels are shown once the store is at this build's version")
        }
        return lines
    }

    private var next: [String] {
        let path = location.prefix
        if status.interrupted != nil { return ["chatdb migrate run -d \(path)"] }
        if status.kind == .chatdb, status.hasPending {
            return ["chatdb migrate plan -d \(path)", "chatdb migrate up -d \(path)"]
        }
        if facts?.profiles.isEmpty == true { return ["chatdb user add NAME -d \(path)"] }
        return []
    }

    // MARK: For programs

    var json: JSONValue {
        var store: [JSONValue.Member] = [.init("kind", .string(status.kind.rawValue))]
        for database in DatabaseName.allCases {
            store.append(.init(database.rawValue, status.readable[database].map(Self.json) ?? .null))
        }
        let profiles = facts?.profiles
        return [
            "store": .object(store),
            "users": profiles.map { .array($0.map(Self.json)) } ?? .null,
            "hiddenUsers": JSONValue(facts?.hiddenProfiles),
            "relays": profiles.map { .array($0.flatMap(Self.relays)) } ?? .null,
            "channels": profiles.map { .array($0.flatMap(Self.channels)) } ?? .null,
            "warnings": JSONValue(warnings), "notes": JSONValue(notes), "next": JSONValue(next),
        ]
    }

    private static func json(_ part: StoreStatus.Part) -> JSONValue {
        [
            "path": .string(part.path), "bytes": .integer(part.bytes), "version": JSONValue(part.version),
            "migrations": JSONValue(part.applied.count), "pending": JSONValue(part.pending),
            "unknown": JSONValue(part.unknown), "generation": JSONValue(part.identity?.generation),
        ]
    }

    private static func json(_ profile: ProfileFacts) -> JSONValue {
        let smp = profile.servers.filter { $0.serverProtocol == .smp }
        let xftp = profile.servers.filter { $0.serverProtocol == .xftp }
        return [
            "userId": .integer(profile.user.id.rawValue), "name": .string(profile.user.name),
            "active": .bool(profile.user.isActive), "hidden": .bool(profile.user.isHidden),
            "relays": JSONValue(profile.relays.count),
            "relaysEnabled": JSONValue(profile.relays.count(where: \.relay.isEnabled)),
            "smpServers": JSONValue(smp.count), "smpServersEnabled": JSONValue(smp.count(where: \.isEnabled)),
            "xftpServers": JSONValue(xftp.count), "xftpServersEnabled": JSONValue(xftp.count(where: \.isEnabled)),
            "channels": JSONValue(profile.channels.count), "groups": JSONValue(profile.groups),
            "contacts": JSONValue(profile.contacts),
        ]
    }

    private static func relays(_ profile: ProfileFacts) -> [JSONValue] {
        profile.relays.map { ["userId": .integer(profile.user.id.rawValue), "relay": $0.relay.json($0.use)] }
    }

    private static func channels(_ profile: ProfileFacts) -> [JSONValue] {
        profile.channels.map { ["userId": .integer(profile.user.id.rawValue), "group": $0.json] }
    }

    // MARK: For people

    var document: Document {
        var blocks: [Block] = [.heading("Store \(location.prefix)"), .table(files)]
        if let facts {
            blocks += [.heading("Profiles"), .table(Self.profiles(facts))]
            if facts.hiddenProfiles > 0 { blocks.append(.paragraph("and \(facts.hiddenProfiles) hidden", style: .dim)) }
            blocks += [.heading("Relays"), .table(Self.relays(facts)), .heading("Channels"), .table(Self.channels(facts))]
        }
        blocks.append(.notes(warnings.map { .warning($0) } + notes.map { .note($0) }))
        if !next.isEmpty { blocks += [.heading("Next"), .verbatim(next.joined(separator: "\n"), language: "sh")] }
        return Document(blocks)
    }

    private var files: Table {
        Table(
            [
                Column("Database"), Column("Made by"), Column("Size", key: "bytes", alignment: .right),
                Column("Version", shrinking: .end), Column("Applied", key: "migrations", alignment: .right),
                Column("Pending", alignment: .right),
            ],
            rows: DatabaseName.allCases.compactMap { database in
                guard let part = status.readable[database] else { return nil }
                return [
                    .text(database.rawValue), .text(part.kind.shown), .bytes(part.bytes), .text(part.version ?? "–"),
                    .count(part.applied.count), .count(part.pending.count, part.pending.isEmpty ? nil : .bad),
                ]
            }, whenEmpty: "no database can be read")
    }

    private static func profiles(_ facts: StoreFacts) -> Table {
        Table(
            [
                Column("Id", key: "userId", alignment: .right), Column("Profile", key: "name", shrinking: .end),
                Column("Active"), Column("Relays"), Column("SMP"), Column("XFTP"),
                Column("Channels", alignment: .right), Column("Contacts", alignment: .right),
            ],
            rows: facts.profiles.map { profile in
                let servers = { (kind: ServerProtocol) in profile.servers.filter { $0.serverProtocol == kind } }
                return [
                    .number(profile.user.id.rawValue), .text(profile.user.name), .yesNo(profile.user.isActive),
                    .text(share(profile.relays.map(\.relay.isEnabled))), .text(share(servers(.smp).map(\.isEnabled))),
                    .text(share(servers(.xftp).map(\.isEnabled))), .count(profile.channels.count),
                    .count(profile.contacts),
                ]
            }, whenEmpty: "no profiles")
    }

    /// How many of them are enabled.
    private static func share(_ enabled: [Bool]) -> String { "\(enabled.count { $0 }) of \(enabled.count)" }

    private static func relays(_ facts: StoreFacts) -> Table {
        Table(
            [
                Column("Profile", shrinking: .end), Column("Relay", key: "shownName", shrinking: .end), Column("Host", shrinking: .middle),
                Column("Kind"), Column("Enabled"), Column("Channels", alignment: .right),
                Column("Active", alignment: .right),
            ],
            rows: facts.profiles.flatMap { profile in
                profile.relays.map { usage in
                    [
                        .text(profile.user.name), .text(usage.relay.name.isEmpty ? usage.relay.shownName : usage.relay.name),
                        .text(usage.relay.host), .text(usage.relay.isPreset ? "preset" : "custom"),
                        .yesNo(usage.relay.isEnabled), .count(usage.use.using), .count(usage.use.active),
                    ]
                }
            }, whenEmpty: "none")
    }

    private static func channels(_ facts: StoreFacts) -> Table {
        Table(
            [
                Column("Profile", shrinking: .end), Column("Channel", key: "name", shrinking: .end), Column("Role"),
                Column("Membership"), Column("Relays active", key: "progress"),
            ],
            rows: facts.profiles.flatMap { profile in
                profile.channels.map { channel in
                    [
                        .text(profile.user.name), .text(channel.group.displayName),
                        .text(channel.group.membership?.role.text ?? "–"),
                        .text(channel.group.membership?.status.text ?? "–"),
                        .text("\(channel.progress.active) of \(channel.progress.total)"),
                    ]
                }
            }, whenEmpty: "none")
    }
}

extension StoreStatus.Kind {
    /// The program's name.
    fileprivate var shown: String {
        switch self {
        case .chatdb: "chatdb"
        case .simplex: "SimpleX Chat"
        case .unknown: "unknown"
        }
    }
}
