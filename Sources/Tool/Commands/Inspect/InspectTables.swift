import Repos
import Schema

/// The tables of the page about a store.
enum InspectTables {
    static func profiles(_ profiles: [InspectContents.Profile]) -> Table {
        Table(
            [
                Column("Id", key: "userId", alignment: .right), Column("Profile", key: "name", shrinking: .end),
                Column("Active"), Column("Relays"), Column("SMP"), Column("XFTP"),
                Column("Channels", alignment: .right), Column("Contacts", alignment: .right),
            ],
            rows: profiles.map { profile in
                [
                    .number(profile.user.id.rawValue), .text(profile.user.name), .yesNo(profile.user.isActive),
                    .text(profile.relays.map { share($0.map(\.relay.isEnabled)) }),
                    .text(profile.servers(.smp).map { share($0.map(\.isEnabled)) }),
                    .text(profile.servers(.xftp).map { share($0.map(\.isEnabled)) }),
                    .count(profile.channels?.count), .count(profile.contacts),
                ]
            }, whenEmpty: "no profiles")
    }

    /// How many of them are enabled.
    private static func share(_ enabled: [Bool]) -> String { "\(enabled.count { $0 }) of \(enabled.count)" }

    static func relays(_ profiles: [InspectContents.Profile]) -> Table {
        Table(
            [
                Column("Profile", shrinking: .end), Column("Relay", shrinking: .end),
                Column("Host", shrinking: .middle),
                Column("Kind"), Column("State"), Column("Channels", alignment: .right),
                Column("Active", alignment: .right),
            ],
            rows: profiles.flatMap { profile in
                (profile.relays ?? []).map { row in
                    [
                        .text(profile.user.name), .text(row.relay.calledName), .text(row.relay.host),
                        .text(row.relay.isPreset ? "preset" : "custom"), row.state, .count(row.use.using),
                        .count(row.use.active),
                    ]
                }
            }, whenEmpty: "none")
    }

    static func channels(_ profiles: [InspectContents.Profile]) -> Table {
        Table(
            [
                Column("Profile", shrinking: .end), Column("Channel", key: "name", shrinking: .end), Column("Role"),
                Column("Membership"), Column("Relays active", key: "progress"),
            ],
            rows: profiles.flatMap { profile in
                (profile.channels ?? []).map { channel in
                    [
                        .text(profile.user.name), .text(channel.group.displayName),
                        .text(channel.group.membership?.role.text), .text(channel.group.membership?.status.text),
                        .text(channel.progressText),
                    ]
                }
            }, whenEmpty: "none")
    }
}

extension InspectContents.Profile {
    /// The servers of one protocol; nil when servers could not be read.
    func servers(_ kind: ServerProtocol) -> [ProtocolServer]? { servers?.filter { $0.serverProtocol == kind } }

    /// The profile as programs are told of it.
    var json: JSONValue {
        [
            "userId": .integer(user.id.rawValue), "name": .string(user.name), "active": .bool(user.isActive),
            "hidden": .bool(user.isHidden), "relays": Self.counts(relays?.map(\.relay.isEnabled)),
            "smpServers": Self.counts(servers(.smp)?.map(\.isEnabled)),
            "xftpServers": Self.counts(servers(.xftp)?.map(\.isEnabled)),
            "channels": JSONValue(channels?.count), "groups": JSONValue(groups), "contacts": JSONValue(contacts),
        ]
    }

    private static func counts(_ enabled: [Bool]?) -> JSONValue {
        guard let enabled else { return .null }
        return ["total": JSONValue(enabled.count), "enabled": JSONValue(enabled.count { $0 })]
    }
}
