import ChatDBKit
import ChatDBReports

/// `servers`: the SMP and XFTP servers of a profile. No answer has a password.
enum ServerMethods {
    private static let server = Parameter<ProtocolServerID>.id("serverId", "The server.")
    private static let only = Parameter<ServerProtocol>.word("protocol", "List the servers of this protocol only.")
        .optional
    private static let address = Parameter.text("address", "The address: PROTOCOL://KEYHASH@HOST.")
    private static let passed = Parameter.flag(
        "passed", "Whether the test was passed; null for a server that is not tested."
    )
    .optional

    private static let changed = Shape.members([
        "user": Shapes.profile, "changed": .flag, "fields": Shapes.changedFields, "server": Shapes.server,
        "warnings": .array(.text),
    ])

    static let all: [RequestMethod] = [
        .ofProfile(
            "servers.list", "Lists the servers of a profile, with the problems that validation finds.", [only],
            result: .members([
                "user": Shapes.profile, "servers": .array(Shapes.server), "errors": .array(.text),
                "warnings": .array(.text),
            ])
        ) { call, user, chat in
            let servers = ServersRepo(chat)
            return ServerListReport(
                user: user, groups: try servers.grouped(of: user.id), only: try call[only],
                validation: try servers.validation(of: user.id, hidden: call.hidden), given: .none)
        },
        .ofProfile(
            "servers.show", "Shows a server.", [server],
            result: .members([
                "user": Shapes.profile, "server": Shapes.server, "hosts": .array(.text), "ownRoles": Shapes.ownRoles,
            ])
        ) { call, user, chat in
            let found = try ServersRepo(chat).get(try call[server], of: user.id)
            return ServerShowReport(user: user, row: try ServerRow(found, in: chat))
        },
        .changing(
            "servers.add", "Adds a custom server.", [address],
            result: .members([
                "outcome": .word(["added"]), "user": Shapes.profile, "server": Shapes.server,
                "servers": .array(Shapes.server), "warnings": .array(.text),
            ])
        ) { call, user, chat in
            try call.changingServers(of: user, in: chat) {
                let added = try ServersWriter(chat).add(try call[address], of: user.id)
                return ServerAddReport(user: user, rows: [try ServerRow(added, in: chat)])
            }
        },
        .changing("servers.edit", "Changes the address of a custom server.", [server, address], result: changed) {
            call, user, chat in
            let address = try call[address]
            return try change(call, user, chat) { _ = try $1.update($0, address: address, of: user.id) }
        },
        .changing("servers.enable", "Enables a server.", [server], result: changed) { call, user, chat in
            try change(call, user, chat) { try $1.setEnabled($0, true, of: user.id) }
        },
        .changing("servers.disable", "Disables a server.", [server], result: changed) { call, user, chat in
            try change(call, user, chat) { try $1.setEnabled($0, false, of: user.id) }
        },
        .changing("servers.setTested", "Stores the result of a test of a server.", [server, passed], result: changed) {
            call, user, chat in
            let passed = try call[passed]
            return try change(call, user, chat) { try $1.setTested($0, passed, of: user.id) }
        },
        .changing(
            "servers.delete", "Deletes a custom server with its password. Without a fingerprint, shows the change.",
            [server, Fingerprint.parameter],
            result: .members(["outcome": .word(["deleted"]), "user": Shapes.profile, "server": Shapes.server])
                .and(Shapes.consent)
        ) { call, user, chat in
            let found = try ServersRepo(chat).get(try call[server], of: user.id)
            if found.isPreset { throw ServersError.presetServerCannotBeDeleted(found) }
            let row = try ServerRow(found, in: chat)
            func shown(_ isApplied: Bool) -> JSONValue {
                ["outcome": "deleted", "user": user.reference, "server": row.json, "applied": .bool(isApplied)]
            }
            guard let fingerprint = try call[Fingerprint.parameter] else { return Fingerprint.shown(shown(false)) }
            try Fingerprint.require(fingerprint, of: shown(false))
            try ServersWriter(chat).delete(found.id, of: user.id)
            return Fingerprint.made(shown(true))
        },
    ]

    private static func change(
        _ call: Call, _ user: User, _ chat: any WriteTransaction,
        _ body: (ProtocolServerID, ServersWriter) throws -> Void
    ) throws -> JSONValue {
        try call.changingServers(of: user, in: chat) {
            let before = try ServersRepo(chat).get(try call[server], of: user.id)
            try body(before.id, ServersWriter(chat))
            return try ServerChangeReport(before, of: user, in: chat, clause: "was changed")
        }
    }
}
