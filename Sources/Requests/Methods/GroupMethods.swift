import ChatDBKit
import ChatDBReports

/// `groups`: groups and channels of a profile.
enum GroupMethods {
    static let group = Parameter<GroupID>.id("groupId", "The group or channel.")
    private static let link = Parameter.text("link", "The link, in any spelling.")
    private static let newLink = Parameter.text("link", "The link; null leaves the group without one.").optional
    private static let name = Parameter.text("name", "The name: 1 to 200 characters.")
    private static let channel = Parameter.flag(
        "channel", "Whether the link is one of a channel. Links with /c# always are."
    ).or(false)
    private static let relayLinks = Parameter.texts("relayLinks", "The links of the relays that the link advertises.")
        .or([])
    private static let relays = Parameter<[ChatRelayID]>.ids("chatRelayIds", "The relays of the channel.")
    private static let after = Parameter<GroupMemberID>.id("after", "The last member of the last page: its `next`.")
        .optional
    private static let past = Parameter.flag("past", "Whether members who left are listed too.").or(false)

    private static let change = Shape.members([
        "outcome": .text, "user": Shapes.profile, "group": Shapes.group,
    ])

    static let all: [RequestMethod] = [
        .ofProfile(
            "groups.list", "Lists the groups and channels of a profile, the newest chat first.",
            result: .members([
                "user": Shapes.profile,
                "groups": .array(Shapes.group.and(["relays": .array(GroupRelayMethods.channelRelay)])),
                "warnings": .array(.text),
            ])
        ) { _, user, chat in
            let groups = try GroupsRepo(chat).all(of: user.id)
            return GroupListReport(
                user: user, groups: groups,
                unfinished: try GroupsRepo(chat).unfinished(of: user.id),
                relays: try ChannelRelayRow.rows(of: groups, of: user.id, in: chat),
                lost: LostGroupWarnings(of: user.id, in: chat), given: .none)
        },
        .ofProfile(
            "groups.show", "Shows a group or channel: link, owners, subscribers, relays with their status.", [group],
            result: GroupRelayMethods.information
        ) { call, user, chat in try GroupRelayMethods.show(try call[group], of: user, in: chat) },
        .ofProfile(
            "groups.members", "Lists the members of a group.", [group, past, after, ChatMethods.limit],
            result: .members([
                "user": Shapes.profile, "group": Shapes.group, "members": .array(GroupRelayMethods.member),
                "next": .nullable(.integer),
            ])
        ) { call, user, chat in
            let id = try call[group]
            return GroupMembersReport(
                user: user, group: try GroupsRepo(chat).get(id, of: user.id),
                page: try GroupMembersRepo(chat).page(
                    of: id, of: user.id, includingPast: try call[past], after: try call[after],
                    limit: try call[ChatMethods.limit]))
        },
        .ofProfile(
            "groups.plan", "Says what a link means for a profile: nothing known, its own, or a group that it has.",
            [link],
            result: .members([
                "plan": .word(["ok", "ownLink", "known", "connecting", "prepared", "ownAddress"]),
                "user": Shapes.profile, "group": .nullable(Shapes.group),
            ])
        ) { call, user, chat in
            let (word, group): (String, GroupSummary?) =
                switch try GroupsRepo(chat).plan(for: try call.link(link), of: user.id) {
                case .ok: ("ok", nil)
                case .ownLink(let group): ("ownLink", group)
                case .known(let group): ("known", group)
                case .connecting(let group): ("connecting", group)
                case .prepared(let group): ("prepared", group)
                case .ownAddress: ("ownAddress", nil)
                }
            return PlainAnswer([
                "plan": .string(word), "user": user.reference, "group": group.map(\.json) ?? .null,
            ])
        },
        .changing(
            "groups.prepare",
            "Creates a group from its link, to join later. Answers with the group that is there already.",
            [link, name, channel, relayLinks],
            result: .members([
                "outcome": .word(["prepared", "existing"]), "user": Shapes.profile, "group": Shapes.group,
                "preparedGroup": .nullable(GroupRelayMethods.preparedGroup), "relayHosts": .array(.text),
            ])
        ) { call, user, chat in
            let link = try call.link(link)
            var random = SystemRandomNumberGenerator()
            let prepared = try GroupsWriter(chat).prepare(
                link, profile: GroupProfile(displayName: try call[name]),
                throughRelays: try call[channel] || link.isOfChannel, groupRelays: try call[relayLinks],
                of: user.id, using: &random)
            return GroupPrepareReport(user: user, prepared: prepared, given: .none).json
        },
        .changing("groups.join", "Stores that joining a prepared group has started.", [group], result: change) {
            call, user, chat in
            let group = try GroupsWriter(chat).start(try call[group], of: user.id)
            return GroupChangeReport(user: user, group: group, outcome: "started", sentence: "").json
        },
        .changing(
            "groups.createChannel", "Creates a channel with relays of the profile.", [name, relays],
            result: .members([
                "user": Shapes.profile, "group": Shapes.group, "relays": .array(GroupRelayMethods.channelRelay),
            ])
        ) { call, user, chat in
            // Other people see the ids of members: they come from the system's random numbers.
            var random = SystemRandomNumberGenerator()
            let group = try GroupsWriter(chat).createChannel(
                named: try call[name], relays: try call[relays], of: user.id, using: &random)
            let relays = try GroupRelaysRepo(chat).all(of: group.group.id, of: user.id)
            return ["user": user.reference, "group": group.json, "relays": .array(relays.map(\.json))]
        },
        .changing(
            "groups.finish", "Finishes the creation of a channel.", [group], result: change
        ) { call, user, chat in
            let group = try GroupsWriter(chat).finishCreation(try call[group], of: user.id)
            return GroupChangeReport(user: user, group: group, outcome: "finished", sentence: "").json
        },
        .changing(
            "groups.setLink", "Sets the link that a group of the profile publishes.", [group, newLink],
            result: .members([
                "user": Shapes.profile, "group": Shapes.group, "changed": .flag, "fields": Shapes.changedFields,
                "applied": .flag,
            ])
        ) { call, user, chat in
            let old = try GroupsRepo(chat).get(try call[group], of: user.id)
            try GroupRelayMethods.requireOwner(of: old.group)
            let link = try call[newLink]
            if let link { try GroupsRepo(chat).requirePublishable(link, for: old.group) }
            let formerKey = try GroupsRepo(chat).linkKey(of: old.group.id)
            let new = try GroupsWriter(chat).setLink(old.group.id, to: link, of: user.id)
            return GroupLinkReport(
                user: user, group: new, link: new.group.link, from: old.group.link, formerKey: formerKey,
                isApplied: true
            ).json
        },
        .changing(
            "groups.leave", "Leaves a group and keeps its messages. Without a fingerprint, shows the change.",
            [group, Fingerprint.parameter], result: change.and(Shapes.consent)
        ) { call, user, chat in
            let found = try GroupsRepo(chat).get(try call[group], of: user.id)
            if let reason = try GroupMembersRepo(chat).reasonToStay(in: found.group) { throw reason }
            let shown = GroupLeaveReport(user: user, group: found, isApplied: false).json
            guard let fingerprint = try call[Fingerprint.parameter] else { return Fingerprint.shown(shown) }
            try Fingerprint.require(fingerprint, of: shown)
            let left = try GroupsWriter(chat).leave(found.group.id, of: user.id)
            return Fingerprint.made(GroupLeaveReport(user: user, group: left, isApplied: true).json)
        },
        .service(
            "groups.delete", .write,
            "Deletes a group and everything in it, after a backup of the store. Without a fingerprint, shows the change.",
            [group, Fingerprint.parameter, RequestMethod.user],
            result: .members([
                "outcome": .word(["deleted", "cancelled"]), "user": Shapes.profile, "group": Shapes.group,
                "contents": .members(["chatItems": .integer, "unread": .integer, "files": .integer]),
                "subscribers": .nullable(.integer), "purgedRelays": .integer, "backup": .nullable(.text),
                "kept": Shapes.kept,
            ]).and(Shapes.consent), delete),
    ]

    private static func delete(_ call: Call) throws -> JSONValue {
        let location = call.service.context.location
        func planned(in chat: any ReadTransaction) throws -> GroupDeleteReport {
            let user = try call.user(in: chat)
            let id = try call[group]
            let summary = try GroupsRepo(chat).deletable(id, of: user.id)
            return GroupDeleteReport(
                user: user, group: summary, contents: try GroupsRepo(chat).contents(of: id, of: user.id),
                subscribers: summary.group.isChannel
                    ? try GroupsRepo(chat).info(of: id, of: user.id).subscribers : nil,
                purgedRelays: try ChatRelaysRepo(chat).purgeable(without: .group(id), of: user.id), outcome: .deletion,
                backup: nil, kept: KeptCopy(backup: nil, in: location.backupsPath, of: location), isApplied: false)
        }
        return try call.store { store in
            guard let fingerprint = try call[Fingerprint.parameter] else {
                return try store.read { Fingerprint.shown(try planned(in: $0).json) }
            }
            // The chat database first: a crash in between leaves connections of the agent that nothing refers to.
            return try store.writeBoth(committing: .chatFirst) { chat, agent in
                let shown = try planned(in: chat)
                try Fingerprint.require(fingerprint, of: shown.json)
                // Inside both transactions: no other program can write between the backup and the deletion.
                let backup = try call.service.context.backUp(reusesEqual: true).path
                let deleted = try CrossStoreWriter(chat: chat, agent: agent)
                    .deleteGroup(shown.group.group.id, of: shown.user.id)
                return Fingerprint.made(
                    GroupDeleteReport(
                        user: shown.user, group: deleted.group, contents: deleted.contents,
                        subscribers: shown.subscribers, purgedRelays: deleted.purgedRelays, outcome: .deletion,
                        backup: backup, kept: KeptCopy(backup: backup, in: location.backupsPath, of: location),
                        isApplied: true
                    ).json)
            }
        }
    }
}

extension Call {
    /// The link of a parameter. Throws `invalidGroupLink` for a text that is not a link.
    fileprivate func link(_ parameter: Parameter<String>) throws -> GroupLink {
        let text = try self[parameter]
        do throws(GroupLinkError) {
            return try GroupLink(text)
        } catch {
            throw GroupsError.invalidGroupLink(error)
        }
    }
}
