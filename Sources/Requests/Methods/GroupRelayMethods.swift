import ChatDBKit
import ChatDBReports

/// `groups.relays`: the relays of a channel.
enum GroupRelayMethods {
    private static let groupRelay = Parameter<GroupRelayID>.id("groupRelayId", "The relay of the channel.")
    private static let relay = Parameter<ChatRelayID>.id("chatRelayId", "The relay of the profile.")
    private static let status = Parameter<Step>.word("status", "The status that the relay has reached.")
    private static let link = Parameter.text("relayLink", "With `accepted`: the link of the relay for this channel.")
        .optional

    /// The steps that an owner stores.
    enum Step: String, CaseIterable, Sendable {
        case invited
        case accepted
        case acknowledged
        case active
        case inactive
        case rejected
    }

    static let channelRelay = relay(memberStatus: .text)
    /// A row that lacks its relay or its member, and does not count.
    private static let incompleteRelay = relay(memberStatus: .nullable(.text)).and(["missing": missing])
    private static let missing = Shape.array(.word(IncompleteGroupRelay.Part.allCases.map(\.rawValue)))

    private static func relay(memberStatus: Shape) -> Shape {
        .members([
            "groupRelayId": .nullable(.integer), "groupMemberId": .integer, "userChatRelayId": .nullable(.integer),
            "name": .nullable(.text), "shownName": .text, "relayStatus": .nullable(.text),
            "relayLink": .nullable(.text), "host": .nullable(.text), "memberStatus": memberStatus,
            "enabled": .nullable(.flag), "deleted": .nullable(.flag), "operatorOff": .nullable(.flag),
            "joining": .nullable(.text), "failure": .nullable(.text),
        ])
    }

    static let member = Shape.members([
        "groupMemberId": .integer, "memberId": .text, "name": .text, "role": .text, "category": .text, "status": .text,
        "own": .flag, "relayLink": .nullable(.text),
    ])
    static let preparedGroup = Shape.members([
        "connFullLink": .nullable(.text), "connShortLink": .nullable(.text), "connLinkStartedConnection": .flag,
    ])
    private static let backlog = Shape.members(["waiting": .integer, "failed": .integer, "oldest": .nullable(.text)])
    static let information = Shape.members([
        "user": Shapes.profile, "group": Shapes.group,
        "profile": .members([
            "displayName": .text, "fullName": .text, "shortDescr": .nullable(.text), "description": .nullable(.text),
        ]), "preparedGroup": .nullable(preparedGroup), "owners": .array(member), "subscribers": .nullable(.integer),
        "relays": .array(channelRelay.and(["lostConnection": .nullable(.word(DatabaseName.allCases.map(\.rawValue)))])),
        "incompleteRelays": .array(incompleteRelay), "progress": Shapes.progress,
        "mayLeave": .flag, "mayDelete": .flag,
        "relayService": .nullable(.any), "delivery": .members(["tasks": backlog, "jobs": backlog]),
    ])
    private static let changed = Shape.members([
        "user": Shapes.profile, "group": Shapes.group, "relay": channelRelay, "from": .nullable(.text),
        "applied?": .flag,
    ])

    static let all: [RequestMethod] = [
        .ofProfile(
            "groups.relays.list", "Lists the relays of a channel: for its owner with their status.",
            [GroupMethods.group], result: information
        ) { call, user, chat in try show(try call[GroupMethods.group], of: user, in: chat) },
        .changing(
            "groups.relays.add", "Adds a relay of the profile to a channel that it owns.", [GroupMethods.group, relay],
            result: changed
        ) { call, user, chat in
            let channel = try GroupsRepo(chat).get(try call[GroupMethods.group], of: user.id).group
            if !channel.isChannel { throw GroupsError.notAChannel(channel) }
            try requireOwner(of: channel)
            // Other people see the ids of members: they come from the system's random numbers.
            var random = SystemRandomNumberGenerator()
            let added = try GroupRelaysWriter(chat).add(try call[relay], to: channel.id, of: user.id, using: &random)
            return try report(added, before: nil, of: user, in: chat).json
        },
        .changing(
            "groups.relays.setStatus", "Stores the next step of a relay in a channel. A relay goes forward only.",
            [groupRelay, status, link], result: changed, step),
        .service(
            "groups.relays.remove", .write,
            "Takes a relay out of a channel, or deletes an incomplete row after a backup of the store. Without a "
                + "fingerprint, shows the change.", [groupRelay, Fingerprint.parameter, RequestMethod.user],
            result: removed, remove),
    ]

    private static func remove(_ call: Call) throws -> JSONValue {
        let context = call.service.context
        func kept(_ backup: String?) -> KeptCopy {
            KeptCopy(backup: backup, in: context.location.backupsPath, of: context.location)
        }
        func planned(in chat: any ReadTransaction) throws -> GroupRelayRemovalReport {
            let user = try call.user(in: chat)
            let target = try removable(try call[groupRelay], of: user, in: chat)
            return GroupRelayRemovalReport(
                user: user, group: try GroupsRepo(chat).get(target.groupID, of: user.id), target: target, given: .none,
                purgedRelays: try target.purgeable(of: user.id, in: chat), kept: target.isBackedUp ? kept(nil) : nil)
        }
        return try call.store { store in
            let shown = try store.read { try planned(in: $0) }
            guard let fingerprint = try call[Fingerprint.parameter] else { return Fingerprint.shown(shown.json) }
            func confirmed(in chat: any ReadTransaction) throws -> GroupRelayRemovalReport {
                let now = try planned(in: chat)
                try Fingerprint.require(fingerprint, of: now.json)
                return now
            }
            if shown.kept == nil {
                return try store.write { chat in
                    Fingerprint.made(try confirmed(in: chat).made(in: chat, keeping: nil).json)
                }
            }
            return try store.writeBoth(committing: .chatFirst) { chat, _ in
                let now = try confirmed(in: chat)
                // Inside both transactions: no other program can write between the backup and the change.
                let backup = try context.backUp(reusesEqual: true).path
                return Fingerprint.made(try now.made(in: chat, keeping: kept(backup)).json)
            }
        }
    }

    private static let removed = Shape.members([
        "user": Shapes.profile, "group": Shapes.group,
        "relay": relay(memberStatus: .nullable(.text)).and(["missing?": missing]), "from": .nullable(.text),
        "endsMembership?": .flag, "purgedRelays?": .integer, "newerRow?": channelRelay,
        "consequence": .nullable(.text), "kept": Shapes.kept, "applied": .flag, "fingerprint": .nullable(.text),
    ])

    /// The relay or the incomplete row with a number.
    private static func removable(
        _ id: GroupRelayID, of user: User, in chat: any ReadTransaction
    ) throws -> GroupRelayRemovalReport.Target {
        let relays = GroupRelaysRepo(chat)
        if let row = try relays.incomplete(ofEach: [user.id]).first(where: { $0.groupRelay.id == id }) {
            return .row(row)
        }
        let relay = try relays.get(id, of: user.id)
        let member = try GroupMembersRepo(chat).get(relay.groupRelay.memberID, of: user.id)
        if member.status.isHistory { throw GroupsError.memberGone(member) }
        if let old = try OldRelayRow(relay, of: user.id, in: chat) { return .oldRow(old) }
        return .relay(relay)
    }

    private static func step(_ call: Call, _ user: User, _ chat: any WriteTransaction) throws -> JSONValue {
        let old = try GroupRelaysRepo(chat).get(try call[groupRelay], of: user.id)
        let (id, writer) = (old.groupRelay.id, GroupRelaysWriter(chat))
        let new: ChannelRelay
        switch try call[status] {
        case .invited: new = try writer.invite(id, of: user.id)
        case .accepted:
            guard let link = try call[link] else {
                throw RequestError(
                    code: .invalidParameters,
                    message: "the parameter \"relayLink\" is missing: an accepted relay has one",
                    data: [.init("parameter", "relayLink")])
            }
            new = try writer.accept(id, link: link, of: user.id)
        case .acknowledged: new = try writer.acknowledge(id, of: user.id)
        case .active: new = try writer.activate(id, of: user.id)
        case .inactive: new = try writer.deactivate(id, of: user.id)
        case .rejected: new = try writer.reject(id, of: user.id)
        }
        return try report(new, before: old, of: user, in: chat).json
    }

    private static func report(
        _ relay: ChannelRelay, before: ChannelRelay?, of user: User, in chat: any ReadTransaction
    ) throws -> GroupRelayReport {
        GroupRelayReport(
            user: user, group: try GroupsRepo(chat).get(relay.groupRelay.groupID, of: user.id), relay: relay,
            before: before, given: .none)
    }

    /// The information page of a group.
    static func show(_ id: GroupID, of user: User, in chat: any ReadTransaction) throws -> GroupShowReport {
        let groups = GroupsRepo(chat)
        let info = try groups.info(of: id, of: user.id)
        let unfinished = info.summary.group.isCreating ? try groups.unfinished(of: user.id) : []
        // A request reads one database, and so finds only the connections that the chat database lost.
        let lost = try? chat.attempt { () throws(StoreError) in
            try LostRelayConnections(of: id, of: user, chat: chat, agent: nil)
        }
        return GroupShowReport(
            (
                user, info, unfinished.first { $0.summary.group.id == id }?.missing ?? [],
                try GroupRelaying(of: id, of: user.id, in: chat)
            ), lostConnections: lost ?? LostRelayConnections())
    }

    /// Throws unless the profile is in the group as an owner.
    static func requireOwner(of group: Group) throws(GroupsError) {
        guard group.membership?.role == .owner else { throw .notOwner(group) }
        guard group.isCurrent else { throw .notInGroup(group) }
    }
}
