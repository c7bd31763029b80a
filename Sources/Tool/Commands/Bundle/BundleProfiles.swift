import ChatDBKit

/// Profiles and what they have, by number. Null for what could not be read.
struct BundleProfiles {
    let profiles: JSONValue
    let relays: JSONValue
    let servers: JSONValue
    let channels: JSONValue
    /// The relays of channels that are not active there.
    let inactiveRelays: JSONValue
    /// The relays of channels that no new channel may use.
    let relaysOff: JSONValue
    /// The rows of channels that lack their relay or their member.
    let incompleteRelays: JSONValue
    /// Groups and channels that were never joined.
    let preparedGroups: JSONValue
    /// Channels whose creation is not finished, and what they lack.
    let unfinishedChannels: JSONValue
    let relayService: JSONValue

    init(_ found: [InspectContents.Profile]?, among operators: [ServerOperator], hosts: BundleHosts) {
        profiles = found.map { .array($0.map(Self.profile)) } ?? .null
        // Soft-deleted ones too: channels may still use them.
        relays = Self.list(
            found,
            { profile in
                profile.relays.flatMap { relays in profile.deletedRelays.map { relays + $0 } }
            }
        ) { user, row in Self.relay(row, of: user, hosts) }
        servers = Self.list(found, \.servers) { user, server in
            Self.server(server, isOff: operators.owner(of: server)?.isEnabled == false, of: user, hosts)
        }
        channels = Self.list(found, \.channels) { user, channel in Self.channel(channel, of: user) }
        inactiveRelays = Self.list(found, \.waiting) { user, relay in
            Self.relay(relay.chatRelayID, of: relay.groupID, relay.status, of: user)
        }
        relaysOff = Self.list(found, \.relaysOff) { user, relay in
            Self.relay(relay.relay.id, of: relay.groupRelay.groupID, relay.groupRelay.status, of: user)
        }
        incompleteRelays = Self.list(found, \.incompleteRelays) { user, row in
            let members = Self.relay(
                row.groupRelay.chatRelayID, of: row.groupRelay.groupID, row.groupRelay.status, of: user)
            return .object(
                (members.members ?? []) + [
                    .init("groupRelayId", .integer(row.groupRelay.id.rawValue)),
                    .init("missing", .array(row.missing.map { .string($0.rawValue) })),
                ])
        }
        preparedGroups = Self.list(found, \.prepared) { user, group in
            ["userId": .integer(user.id.rawValue), "groupId": .integer(group.group.id.rawValue)]
        }
        unfinishedChannels = Self.list(found, \.unfinished) { user, channel in
            [
                "userId": .integer(user.id.rawValue), "groupId": .integer(channel.summary.group.id.rawValue),
                "createdAt": .string(channel.createdAt.iso8601),
                "missing": .array(channel.missing.map { .string($0.rawValue) }),
            ]
        }
        relayService = Self.list(found, \.relaying) { user, service in service.json(of: user) }
    }

    private static func list<Entry>(
        _ profiles: [InspectContents.Profile]?, _ section: (InspectContents.Profile) -> [Entry]?,
        _ json: (User, Entry) -> JSONValue
    ) -> JSONValue {
        guard let profiles else { return .null }
        var values: [JSONValue] = []
        for profile in profiles {
            guard let entries = section(profile) else { return .null }
            values += entries.map { json(profile.user, $0) }
        }
        return .array(values)
    }

    private static func profile(_ profile: InspectContents.Profile) -> JSONValue {
        let members = (profile.json.members ?? []).filter { $0.name != "name" && $0.name != "hidden" }
        return .object(members)
    }

    private static func relay(_ row: RelayRow, of user: User, _ hosts: BundleHosts) -> JSONValue {
        // The host of an invalid address is the whole text.
        let host = row.relay.host == row.relay.address ? "" : row.relay.host
        return [
            "userId": .integer(user.id.rawValue), "chatRelayId": .integer(row.relay.id.rawValue),
            "host": JSONValue(hosts.shown(host)), "operator": JSONValue(hosts.operatorTag(of: host)),
            "preset": .bool(row.relay.isPreset), "tested": JSONValue(row.relay.tested),
            "enabled": .bool(row.relay.isEnabled), "deleted": .bool(row.relay.isDeleted),
            "operatorOff": .bool(row.isOperatorDisabled),
            "channels": ["using": JSONValue(row.use.using), "active": JSONValue(row.use.active)],
        ]
    }

    /// A relay of a channel, by its numbers.
    private static func relay(
        _ relay: ChatRelayID, of group: GroupID, _ status: RelayStatus, of user: User
    ) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "groupId": .integer(group.rawValue),
            "userChatRelayId": .integer(relay.rawValue), "relayStatus": .string(word(status)),
        ]
    }

    /// - Parameter isOff: whether its operator is off.
    private static func server(
        _ server: ProtocolServer, isOff: Bool, of user: User, _ hosts: BundleHosts
    ) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "serverId": .integer(server.id.rawValue),
            "protocol": .string(server.serverProtocol.text), "host": JSONValue(hosts.shown(server.primaryHost)),
            "operator": JSONValue(hosts.operatorTag(of: server.primaryHost)), "preset": .bool(server.isPreset),
            "tested": JSONValue(server.tested), "enabled": .bool(server.isEnabled), "operatorOff": .bool(isOff),
        ]
    }

    private static func channel(_ channel: GroupSummary, of user: User) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "groupId": .integer(channel.group.id.rawValue),
            "role": JSONValue(channel.group.membership.map { word($0.role) }),
            "membership": JSONValue(channel.group.membership.map { word($0.status) }),
            "progress": channel.progress.json, "progressUnknown": .bool(channel.hasUnknownProgress),
        ]
    }
}

extension BundleProfiles {
    /// The text of a value that this build knows, or `other`: an unknown text may say anything.
    private static func word(_ value: some StoredText) -> String {
        value.unknownText == nil ? value.text : "other"
    }
}

/// Which hosts a bundle contains: those that this build ships, which are public; others on request.
struct BundleHosts {
    private let includesOthers: Bool
    /// The tags of their operators by the hosts that ship.
    private let shipped: [String: String]

    init(includesOthers: Bool) throws {
        self.includesOthers = includesOthers
        var shipped: [String: String] = [:]
        for name in BundledPresets.names {
            for preset in try BundledPresets.preset(named: name).operators {
                let servers = (preset.entries.smpServers + preset.entries.xftpServers).flatMap(\.address.hosts)
                let relays = preset.entries.relays.map { linkHost($0.address.text) }
                for host in servers + relays { shipped[host.lowercased()] = preset.tag?.text ?? preset.tradeName }
            }
        }
        self.shipped = shipped
    }

    /// The host, if a bundle may contain it; nil otherwise, and for a text that is not a host.
    func shown(_ host: String) -> String? {
        let host = host.lowercased()
        if shipped[host] != nil { return host }
        // What is no host may be a whole link.
        let isHost = !host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && !"/@#?:%".utf8.contains($0) }
        return includesOthers && isHost ? host : nil
    }

    /// The operator that ships the host; nil for none.
    func operatorTag(of host: String) -> String? { shipped[host.lowercased()] }
}
