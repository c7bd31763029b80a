package import ChatDBKit

/// The tables of the page about a store. The page limits their length; JSON has everything.
package enum InspectTables {
    package typealias Profile = InspectContents.Profile
    /// The largest number of lines of a table.
    private static let mostLines = 20

    /// The longest name on a page. JSON has the whole name.
    package static func short(_ name: String) -> String { DisplayWidth.cutMiddle(name, to: 80) }

    package static func profiles(_ profiles: [Profile], _ operators: [ServerOperator]) -> Table {
        Table(
            [
                Column("Id", key: "userId", alignment: .right), Column("Profile", key: "name", shrinking: .end),
                Column("Active"), Column("Relays"), Column("SMP"), Column("XFTP"),
                Column("Channels", alignment: .right), Column("Contacts", alignment: .right),
            ],
            rows: profiles.map { profile in
                [
                    .number(profile.user.id.rawValue), .text(short(profile.user.name)), .yesNo(profile.user.isActive),
                    .text(profile.relays.map(share)), .text(profile.servers(.smp).map { share($0, operators) }),
                    .text(profile.servers(.xftp).map { share($0, operators) }),
                    .count(profile.channels?.count), .count(profile.contacts),
                ]
            }, whenEmpty: "no profiles")
    }

    /// The number of enabled ones. Those of an operator that is off do not count, because the app uses none of them.
    private static func share(_ relays: [RelayRow]) -> String {
        "\(relays.count(where: \.isChoosable)) of \(relays.count)"
    }

    private static func share(_ servers: [ProtocolServer], _ operators: [ServerOperator]) -> String {
        let used = servers.count { $0.isEnabled && operators.owner(of: $0)?.isEnabled != false }
        return "\(used) of \(servers.count)"
    }

    /// The largest tables; empty for a store without rows.
    package static func largest(_ spaces: [DatabaseName: DatabaseSpace]) -> [Block] {
        let tables = DatabaseName.allCases.flatMap { database in
            (spaces[database]?.largestTables ?? []).prefix(5).map { (database: database, table: $0) }
        }
        guard !tables.isEmpty else { return [] }
        let rows: [[Cell]] = tables.map {
            [.text($0.database.rawValue), .text(short($0.table.name)), .count($0.table.rows), .bytes($0.table.bytes)]
        }
        let isMeasured = tables.allSatisfy { $0.table.bytes != nil }
        return [
            .heading("Largest tables"),
            .table(
                Table(
                    [
                        Column("Database"), Column("Table", shrinking: .end), Column("Rows", alignment: .right),
                        Column("Size with indexes", key: "bytes", alignment: .right),
                    ], rows: rows, whenEmpty: "")),
        ]
            + (isMeasured
                ? [] : [.paragraph("--sizes measures every table; this reads the whole file", style: .dim)])
    }

    /// Each profile's relays and servers, by operator.
    package static func operators(_ profiles: [Profile], _ operators: [ServerOperator]) -> [Block] {
        let rows: [[Cell]] = profiles.flatMap { profile in
            (OwnedThings.all(of: profile, among: operators) ?? []).map { things in
                [
                    .text(short(profile.user.name)), .text(short(things.owner?.tradeName ?? "own")),
                    things.owner.map { $0.isEnabled ? .text("on", .good) : .text("off", .bad) } ?? .nothing,
                    .text(share(things.relays)), .text(share(things.servers(.smp), operators)),
                    .text(share(things.servers(.xftp), operators)),
                ]
            }
        }
        let columns = [
            Column("Profile", shrinking: .end), Column("Operator", shrinking: .end), Column("State", key: "is"),
            Column("Relays"),
            Column("SMP"), Column("XFTP"),
        ]
        return section("Operators", columns, rows, rest: "chatdb inspect --format json")
    }

    /// The reason why a channel can or cannot be created.
    package static func readiness(_ profiles: [Profile]) -> [Block] {
        let rows: [[Cell]] = profiles.compactMap { profile in
            guard let readiness = profile.readiness else { return nil }
            return [
                .text(short(profile.user.name)), readiness.isPossible ? .text("yes", .good) : .text("no", .bad),
                .count(readiness.choosable),
                .text(readiness.reasons.isEmpty ? nil : readiness.reasons.joined(separator: ", ")),
            ]
        }
        let columns = [
            Column("Profile", shrinking: .end), Column("Possible"),
            Column("Choosable relays", key: "relaysToChoose", alignment: .right),
            Column("Details", key: "notToChoose", shrinking: .wrapped),
        ]
        return section("New channels", columns, rows, rest: "chatdb inspect --format json")
    }

    package static func relays(_ profiles: [Profile]) -> [Block] {
        let relays = profiles.flatMap { profile in
            ((profile.relays ?? []) + (profile.deletedRelays ?? [])).map { (user: profile.user, row: $0) }
        }
        let rows: [[Cell]] = relays.map { user, row in
            [
                .text(short(user.name)), .text(short(row.relay.calledName)), .text(short(row.relay.host)),
                .text(row.relay.isPreset ? "preset" : "custom"), row.state, .count(row.use.using),
                .count(row.use.active),
            ]
        }
        let columns = [
            Column("Profile", shrinking: .end), Column("Relay", shrinking: .middle), Column("Host", shrinking: .middle),
            Column("Kind"), Column("State"), Column("Channels", alignment: .right),
            Column("Active", alignment: .right),
        ]
        let uncounted = relays.map(\.row).uncounted.map { Block.paragraph($0.text(), style: .dim) }
        return section("Relays", columns, rows, rest: "chatdb relay list --deleted") + uncounted
    }

    /// Channels with relays that are not active, or whose state or connection is not known, come first.
    ///
    /// - Parameter unreached: the channels with a relay with which the chat database has no connection.
    package static func channels(_ profiles: [Profile], unreached: Set<GroupID>) -> [Block] {
        var waiting: [[Cell]] = []
        var others: [[Cell]] = []
        let hasRelaysOff = profiles.contains { !($0.relaysOff ?? []).isEmpty }
        for profile in profiles {
            let names = profile.waitingNames
            let off = profile.namesOff
            for channel in profile.channels ?? [] {
                let missing = names[channel.group.id] ?? []
                let isUnreached = unreached.contains(channel.group.id)
                var row: [Cell] = [
                    .text(short(profile.user.name)), .text(short(channel.group.calledName)),
                    .text(channel.group.membership?.role.text), .text(channel.group.shownMembership),
                    .text(channel.progressText.map { isUnreached ? "\($0), connection missing" : $0 }),
                    .text(missing.isEmpty ? nil : missing.map(short).joined(separator: ", ")),
                ]
                if hasRelaysOff { row.append(.text(off[channel.group.id].map { $0.joined(separator: ", ") })) }
                let isWhole = missing.isEmpty && !channel.hasUnknownProgress && !isUnreached
                if isWhole { others.append(row) } else { waiting.append(row) }
            }
        }
        var columns = [
            Column("Profile", shrinking: .end), Column("Channel", key: "name", shrinking: .end), Column("Role"),
            Column("Membership"), Column("Active", key: "progress"), Column("Relays not active", shrinking: .wrapped),
        ]
        if hasRelaysOff { columns.append(Column("Relays off", shrinking: .wrapped)) }
        return section("Channels", columns, waiting + others, rest: "chatdb group list")
    }

    /// Groups prepared from a link and never joined; no block if there are none.
    package static func prepared(_ profiles: [Profile]) -> [Block] {
        let rows: [[Cell]] = profiles.flatMap { profile in
            (profile.prepared ?? []).map { summary in
                [
                    .text(short(profile.user.name)), .text(short(summary.group.calledName)),
                    .text(summary.group.isChannel ? "channel" : "group"), .time(summary.group.chatTime.date),
                ]
            }
        }
        let columns = [
            Column("Profile", shrinking: .end), Column("Group", key: "name", shrinking: .end), Column("Kind"),
            Column("Last active", key: "chatTs"),
        ]
        return rows.isEmpty ? [] : section("Prepared, never joined", columns, rows, rest: "chatdb group list")
    }

    /// Channels whose creation is not finished; no block if there are none.
    package static func unfinished(_ profiles: [Profile]) -> [Block] {
        let rows: [[Cell]] = profiles.flatMap { profile in
            (profile.unfinished ?? []).map { channel in
                [
                    .text(short(profile.user.name)), .text(short(channel.summary.group.calledName)),
                    .text(channel.missing.isEmpty ? nil : channel.missing.map(\.rawValue).joined(separator: ", ")),
                    .time(channel.createdAt.date),
                ]
            }
        }
        let columns = [
            Column("Profile", shrinking: .end), Column("Channel", key: "name", shrinking: .end), Column("Missing"),
            Column("Created", key: "createdAt"),
        ]
        return rows.isEmpty ? [] : section("Creation not finished", columns, rows, rest: "chatdb group list")
    }

    private static func section(_ title: String, _ columns: [Column], _ rows: [[Cell]], rest: String) -> [Block] {
        let table = Table(columns, rows: Array(rows.prefix(mostLines)), whenEmpty: "none")
        let left = rows.count - mostLines
        let more: [Block] = left > 0 ? [.paragraph("and \(left) more: \(rest)", style: .dim)] : []
        return [.heading(title), .table(table)] + more
    }
}

extension InspectContents.Profile {
    /// The servers of one protocol; nil if servers cannot be read.
    package func servers(_ kind: ServerProtocol) -> [ProtocolServer]? { servers?.filter { $0.serverProtocol == kind } }

    /// The relays that are not active and were not removed, by channel, with their status, and then the rows that do not count.
    fileprivate var waitingNames: [GroupID: [String]] {
        let rows = (relays ?? []) + (deletedRelays ?? [])
        let names = Dictionary(rows.map { ($0.relay.id, $0.relay.calledName) }) { first, _ in first }
        let present = (waiting ?? []).filter { !$0.isRemoved }
        return Dictionary(grouping: present, by: \.groupID).mapValues { relays in
            relays.map { relay in
                let name = names[relay.chatRelayID] ?? "relay \(relay.chatRelayID)"
                return "\(InspectTables.short(name)) (\(relay.status.shownWord))"
            }
        }.merging(incompleteNames) { $0 + $1 }
    }

    /// The rows of channels that lack their relay or their member, by channel, with what each lacks.
    private var incompleteNames: [GroupID: [String]] {
        Dictionary(grouping: incompleteRelays ?? [], by: \.groupRelay.groupID).mapValues { rows in
            rows.map { "\(InspectTables.short($0.name)) (\($0.stateWords))" }
        }
    }

    /// The relays that no new channel can choose, by channel, with the reason.
    fileprivate var namesOff: [GroupID: [String]] {
        Dictionary(grouping: relaysOff ?? [], by: \.groupRelay.groupID).mapValues { relays in
            relays.map { relay in
                let words = relay.relay.offWords(isOperatorOff: relay.isOperatorOff) ?? "enabled"
                return "\(InspectTables.short(relay.relay.calledName)) (\(words))"
            }
        }
    }

    /// The profile in JSON.
    package var json: JSONValue {
        [
            "userId": .integer(user.id.rawValue), "name": .string(user.name), "active": .bool(user.isActive),
            "hidden": .bool(user.isHidden), "relays": Self.counts(relays?.map(\.relay.isEnabled)),
            "smpServers": Self.counts(servers(.smp)?.map(\.isEnabled)),
            "xftpServers": Self.counts(servers(.xftp)?.map(\.isEnabled)),
            "channels": JSONValue(channels?.count), "groups": JSONValue(groups), "contacts": JSONValue(contacts),
        ]
    }

    package static func counts(_ enabled: [Bool]?) -> JSONValue {
        guard let enabled else { return .null }
        return ["total": JSONValue(enabled.count), "enabled": JSONValue(enabled.count { $0 })]
    }
}

/// The relays and servers of one operator in a profile, or the custom ones.
package struct OwnedThings {
    /// Nil for custom ones.
    package let owner: ServerOperator?
    package let relays: [RelayRow]
    package let servers: [ProtocolServer]

    /// By operator, in their order, and the custom ones last; an operator without entries is omitted. Nil if servers or
    /// relays cannot be read.
    package static func all(of profile: InspectContents.Profile, among operators: [ServerOperator]) -> [OwnedThings]? {
        guard let relays = profile.relays, let servers = profile.servers else { return nil }
        let relaysByOwner = Dictionary(grouping: relays) { operators.owner(of: $0.relay)?.id }
        let serversByOwner = Dictionary(grouping: servers) { operators.owner(of: $0)?.id }
        return (operators.map(Optional.some) + [nil]).compactMap { owner in
            let things = OwnedThings(
                owner: owner, relays: relaysByOwner[owner?.id] ?? [], servers: serversByOwner[owner?.id] ?? [])
            return things.relays.isEmpty && things.servers.isEmpty ? nil : things
        }
    }

    package func servers(_ kind: ServerProtocol) -> [ProtocolServer] { servers.filter { $0.serverProtocol == kind } }

    package func json(of user: User) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "operatorId": JSONValue(owner?.id.rawValue),
            "operator": JSONValue(owner?.tradeName), "operatorEnabled": JSONValue(owner?.isEnabled),
            "relays": InspectContents.Profile.counts(relays.map(\.relay.isEnabled)),
            "smpServers": InspectContents.Profile.counts(servers(.smp).map(\.isEnabled)),
            "xftpServers": InspectContents.Profile.counts(servers(.xftp).map(\.isEnabled)),
        ]
    }
}

extension InspectTables {
    /// The work of the profiles that are chat relays; no block if there are none.
    package static func relayService(_ profiles: [Profile]) -> [Block] {
        let rows: [[Cell]] = profiles.compactMap { profile in
            guard profile.user.isChatRelay || profile.relayService != nil else { return nil }
            let counts = profile.relayService
            return [
                .text(short(profile.user.name)), .count(counts?.served ?? 0), .count(counts?.active ?? 0),
                .count(counts?.inactive ?? 0), .count(counts?.rejected ?? 0), .text(counts?.requestWords ?? "none"),
                .text(counts?.tasks.words ?? "none"), .text(counts?.jobs.words ?? "none"),
                .time(counts?.oldest?.date),
            ]
        }
        guard !rows.isEmpty else { return [] }
        let columns = [
            Column("Profile", shrinking: .end), Column("Groups served", key: "served", alignment: .right),
            Column("Active", alignment: .right), Column("Inactive", alignment: .right),
            Column("Rejected", alignment: .right), Column("Requests"), Column("Tasks"), Column("Jobs"),
            Column("Oldest waiting", key: "oldest"),
        ]
        return [.heading("Chat relay"), .table(Table(columns, rows: rows, whenEmpty: "none"))]
    }
}
