import ChatDBKit
import ChatDBReports

/// `relays`: the chat relays of a profile.
enum RelayMethods {
    private static let relay = Parameter<ChatRelayID>.id("chatRelayId", "The relay.")
    private static let deleted = Parameter.flag("deleted", "Whether soft-deleted relays are listed too.").or(false)
    private static let address = Parameter.text("address", "The address: a short link of a relay.")
    private static let newAddress = Parameter.text("address", "The new address.").optional
    private static let name = Parameter.text("name", "A name, unique among the relays of the profile.").optional
    private static let domains = Parameter.texts("domains", "The domains of the relay.").optional
    private static let passed = Parameter.flag(
        "passed", "Whether the test was passed; null for a relay that is not tested."
    )
    .optional

    private static let changed = Shape.members([
        "user": Shapes.profile, "changed": .flag, "fields": Shapes.changedFields, "relay": Shapes.relay,
        "warnings": .array(.text),
    ])

    static let all: [RequestMethod] = [
        .ofProfile(
            "relays.list", "Lists the relays of a profile, and how many channels use each.", [deleted],
            result: .members(["user": Shapes.profile, "relays": .array(Shapes.relay)])
        ) { call, user, chat in
            try RelayListReport(of: user, includingDeleted: try call[deleted], in: chat)
        },
        .ofProfile(
            "relays.show", "Shows a relay, soft-deleted or not, and the channels that refer to it.", [relay],
            result: .members([
                "user": Shapes.profile, "relay": Shapes.relay, "usedBy": .array(Shapes.relayChannel),
                "otherChannels": .array(Shapes.relayChannel),
                "uncountedRows": .array(
                    .members([
                        "groupRelayId": .integer, "groupId": .integer, "name": .nullable(.text),
                        "userId": .nullable(.integer), "relayStatus": .text,
                        "reason": .word(UncountedRelayRow.Reason.allCases.map(\.rawValue)),
                    ])),
                "channelsOfLostRows": .array(.members(["groupId": .integer, "localDisplayName": .text])),
            ])
        ) { call, user, chat in
            let (id, relays) = (try call[relay], ChatRelaysRepo(chat))
            let row = try RelayRow(id, of: user.id, in: chat)
            return RelayShowReport(
                user: user, row: row, operator: row.owner, channels: try relays.usedBy(id, of: user.id),
                others: try relays.otherChannels(id, of: user.id), uncounted: try relays.uncounted(id, of: user.id),
                lost: try relays.channelsOfLostRows(id, of: user.id))
        },
        .ofProfile(
            "relays.use", "Counts the channels that use a relay, and those in which it is active.", [relay],
            result: .members(["using": .integer, "active": .integer])
        ) { call, user, chat in
            let use = try ChatRelaysRepo(chat).use(of: try call[relay], of: user.id)
            return PlainAnswer(["using": JSONValue(use.using), "active": JSONValue(use.active)])
        },
        .changing(
            "relays.add", "Adds a relay, or restores a soft-deleted one.", [address, name, domains],
            result: .members([
                "outcome": .word(["added", "restored", "enabled"]), "user": Shapes.profile, "relay": Shapes.relay,
                "notes": .array(.text), "warnings": .array(.text),
            ])
        ) { call, user, chat in
            try call.changingServers(of: user, in: chat) {
                let added = try ChatRelaysWriter(chat).add(
                    try call[address], name: try call[name], domains: try call[domains], of: user.id)
                return RelayAddReport(
                    user: user, added: added, row: try RelayRow(added.relay.id, of: user.id, in: chat))
            }
        },
        .changing(
            "relays.edit", "Changes the address, name or domains of a custom relay.",
            [relay, newAddress, name, domains], result: changed
        ) { call, user, chat in
            let address = try call[newAddress]
            return try change(call, user, chat) { id, writer in
                try writer.edit(
                    id, address: address, name: try call[name], domains: try call[domains], of: user.id)
            }
        },
        .changing("relays.enable", "Enables a relay for new channels.", [relay], result: changed) { call, user, chat in
            try change(call, user, chat) { id, writer in try writer.setEnabled(id, true, of: user.id) }
        },
        .changing(
            "relays.disable", "Disables a relay for new channels. Channels that use it keep it.", [relay],
            result: changed
        ) { call, user, chat in
            try change(call, user, chat) { id, writer in try writer.setEnabled(id, false, of: user.id) }
        },
        .changing(
            "relays.setTested", "Stores the result of a test of a relay, and the time.", [relay, passed],
            result: changed
        ) { call, user, chat in
            let passed = try call[passed]
            return try change(call, user, chat) { id, writer in try writer.setTested(id, passed, of: user.id) }
        },
        .changing(
            "relays.delete",
            "Deletes a custom relay: softly if a channel refers to it. Without a fingerprint, shows the change.",
            [relay, Fingerprint.parameter],
            result: .members([
                "outcome": .word(["deleted", "softDeleted"]), "channelsUsing": .integer, "user": Shapes.profile,
                "relay": Shapes.relay,
            ]).and(Shapes.consent), delete),
    ]

    private static func change(
        _ call: Call, _ user: User, _ chat: any WriteTransaction,
        _ body: (ChatRelayID, ChatRelaysWriter) throws -> Void
    ) throws -> JSONValue {
        try call.changingServers(of: user, in: chat) {
            let before = try ChatRelaysRepo(chat).get(try call[relay], of: user.id)
            try body(before.id, ChatRelaysWriter(chat))
            return try RelayChangeReport(before, of: user, in: chat) { _ in "was changed" }
        }
    }

    private static func delete(_ call: Call, _ user: User, _ chat: any WriteTransaction) throws -> JSONValue {
        let id = try call[relay]
        let deletion = try ChatRelaysRepo(chat).deletion(of: id, of: user.id)
        let row = try RelayRow(id, of: user.id, in: chat)
        func shown(_ isApplied: Bool, _ row: RelayRow) -> JSONValue {
            [
                "outcome": .string(deletion.outcome.rawValue), "channelsUsing": JSONValue(deletion.channelsUsing),
                "user": user.reference, "relay": row.json, "applied": .bool(isApplied),
            ]
        }
        guard let fingerprint = try call[Fingerprint.parameter] else { return Fingerprint.shown(shown(false, row)) }
        try Fingerprint.require(fingerprint, of: shown(false, row))
        _ = try ChatRelaysWriter(chat).delete(id, of: user.id)
        // A soft-deleted relay keeps its row.
        let isKept = try ChatRelaysRepo(chat).find(id, of: user.id, includingDeleted: true) != nil
        return Fingerprint.made(shown(true, isKept ? try RelayRow(id, of: user.id, in: chat) : row))
    }
}
