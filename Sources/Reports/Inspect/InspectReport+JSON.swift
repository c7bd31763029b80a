package import ChatDBKit

// The report as JSON.

extension InspectReport {
    package var json: JSONValue {
        var store: [JSONValue.Member] = [
            .init("kind", .string(status.kind.rawValue)), .init("prefix", .string(location.prefix)),
            .init("storeId", JSONValue(identity?.storeID)), .init("generation", JSONValue(identity?.generation)),
        ]
        for database in DatabaseName.allCases { store.append(.init(database.rawValue, json(of: database))) }
        return [
            "store": .object(store),
            "interrupted": status.interrupted.map(\.shown) ?? .null,
            "users": JSONValue(profiles: contents?.profiles) { $0.json },
            "hiddenUsers": JSONValue(contents?.hiddenProfiles),
            "channelCreation": list({ $0.readiness.map { [$0] } }) { $1.json(of: $0) },
            "servers": list(ownedThings) { $1.json(of: $0) },
            "relays": list(\.relays) { ["userId": .integer($0.id.rawValue), "relay": $1.json] },
            "deletedRelays": list(\.deletedRelays) { ["userId": .integer($0.id.rawValue), "relay": $1.json] },
            "channels": list(\.channels) { ["userId": .integer($0.id.rawValue), "group": $1.json] },
            "inactiveRelays": list(\.waiting) { $1.json(of: $0) },
            "relaysOff": list(\.relaysOff) { $1.jsonOfInspect },
            "incompleteRelays": list(\.incompleteRelays) { $1.json(of: $0) },
            "preparedGroups": list(\.prepared) { ["userId": .integer($0.id.rawValue), "group": $1.json] },
            "unfinishedChannels": list(\.unfinished) { $1.json(of: $0) },
            "relayService": list(\.relaying) { $1.json(of: $0) },
            "unreadable": contents?.leftOut.json ?? .null, "timeline": timeline.json,
            "warnings": JSONValue(warnings), "notes": JSONValue(notes), "next": JSONValue(next),
        ]
    }

    package var identity: StoreIdentity? {
        status.isMismatched ? nil : status.readable[.chat]?.identity ?? status.readable[.agent]?.identity
    }

    private func json(of database: DatabaseName) -> JSONValue {
        guard let part = status.readable[database] else { return .null }
        let compared = part.comparisonJSON(isFolderNamed: migrationsDir != nil)
        return [
            "path": .string(part.path), "bytes": .integer(part.bytes),
            "journalMode": JSONValue(files[database]?.journalMode?.rawValue),
            "encrypted": JSONValue(files[database]?.isEncrypted),
            "version": JSONValue(part.version), "migrations": JSONValue(part.applied.count),
            "state": JSONValue(state(of: part)?.key), "pending": compared.pending,
            "unknown": compared.unknown, "edited": compared.edited,
            "history": part.simplexVersion?.historyJSON() ?? .null,
            "journal": files[database]?.json ?? .null, "pageSize": JSONValue(spaces[database]?.pageSize),
            "pages": JSONValue(spaces[database]?.pages), "freePages": JSONValue(spaces[database]?.freePages),
            "tables": spaces[database]?.json ?? .null,
        ]
    }

    private func ownedThings(_ profile: InspectContents.Profile) -> [OwnedThings]? {
        OwnedThings.all(of: profile, among: contents?.operators ?? [])
    }

    /// The entries of one section for all profiles; null if the section cannot be read.
    private func list<Entry>(
        _ section: (InspectContents.Profile) -> [Entry]?, _ json: (User, Entry) -> JSONValue
    ) -> JSONValue {
        guard let profiles = contents?.profiles else { return .null }
        var values: [JSONValue] = []
        for profile in profiles {
            guard let entries = section(profile) else { return .null }
            values += entries.map { json(profile.user, $0) }
        }
        return .array(values)
    }
}

extension InspectContents.Profile {
    /// The work as a chat relay: one entry, or none for a profile that is not a chat relay and relays nothing; nil if
    /// it cannot be read.
    package var relaying: [RelayService]? {
        guard isRelayServiceRead else { return nil }
        return user.isChatRelay || relayService != nil
            ? [RelayService(isChatRelay: user.isChatRelay, counts: relayService)] : []
    }

    /// A profile as a chat relay.
    package struct RelayService {
        package let isChatRelay: Bool
        package let counts: RelayServiceCounts?

        package func json(of user: User) -> JSONValue {
            let identity: [JSONValue.Member] = [
                .init("userId", .integer(user.id.rawValue)), .init("userChatRelay", .bool(isChatRelay)),
            ]
            return .object(identity + ((counts ?? .none).json.members ?? []))
        }
    }
}

extension DatabaseSpace {
    /// The tables with rows, the largest first; equal ones by name.
    package var largestTables: [Table] {
        tables.filter { $0.rows != 0 }.sorted {
            ($1.bytes ?? 0, $1.rows ?? 0, $0.name) < ($0.bytes ?? 0, $0.rows ?? 0, $1.name)
        }
    }

    fileprivate var json: JSONValue {
        .array(
            largestTables.map {
                ["name": .string($0.name), "rows": JSONValue($0.rows), "bytes": JSONValue($0.bytes)]
            })
    }
}

extension ChannelReadiness {
    fileprivate func json(of user: User) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "possible": .bool(isPossible), "choosable": JSONValue(choosable),
            "failedTest": JSONValue(failedTest), "disabled": JSONValue(disabled),
            "operatorOff": JSONValue(operatorOff), "operatorsOff": JSONValue(operatorsOff),
            "invalidAddress": JSONValue(invalidAddress), "deleted": JSONValue(deleted),
        ]
    }
}

extension WaitingRelay {
    fileprivate func json(of user: User) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "groupId": .integer(groupID.rawValue),
            "userChatRelayId": .integer(chatRelayID.rawValue), "relayStatus": .string(status.text),
        ]
    }
}

extension IncompleteGroupRelay {
    fileprivate func json(of user: User) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "groupId": .integer(groupRelay.groupID.rawValue),
            "groupRelayId": .integer(groupRelay.id.rawValue),
            "userChatRelayId": .integer(groupRelay.chatRelayID.rawValue),
            "relayStatus": .string(groupRelay.status.text), "missing": .array(missing.map { .string($0.rawValue) }),
        ]
    }
}

extension UnfinishedChannel {
    fileprivate func json(of user: User) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "group": summary.json, "createdAt": .string(createdAt.iso8601),
            "missing": .array(missing.map { .string($0.rawValue) }),
        ]
    }
}

extension ChannelRelay {
    fileprivate var jsonOfInspect: JSONValue {
        [
            "userId": .integer(relay.userID.rawValue), "groupId": .integer(groupRelay.groupID.rawValue),
            "userChatRelayId": .integer(relay.id.rawValue), "relayStatus": .string(groupRelay.status.text),
            "enabled": .bool(relay.isEnabled), "deleted": .bool(relay.isDeleted), "operatorOff": .bool(isOperatorOff),
            "invalidAddress": .bool(!relay.hasValidAddress),
        ]
    }
}

extension JSONValue {
    /// A list of profiles, or `null` if they cannot be read.
    fileprivate init(
        profiles: [InspectContents.Profile]?, _ json: (InspectContents.Profile) -> JSONValue
    ) {
        self = profiles.map { .array($0.map(json)) } ?? .null
    }
}
