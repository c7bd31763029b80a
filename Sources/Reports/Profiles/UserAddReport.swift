package import ChatDBKit

/// The created profile, and its first relays and servers.
package struct UserAddReport: Report {
    package let user: User
    package let relays: [ChatRelay]
    package let servers: [ProtocolServer]
    /// The seed of the choice; nil without a preset.
    package let seed: UInt64?
    /// Notes, a clause each.
    package let notes: [String]
    /// The problems that validation finds since, errors first.
    package var warnings: [String]
    /// Whether the relays and servers are those that ship with chatdb.
    package var isBundled = false
    /// The profile from which it has everything, with the settings that were taken; nil without `--like`.
    package var like: (other: User, settings: ProfileSettings)?

    package init(
        user: User, relays: [ChatRelay], servers: [ProtocolServer], seed: UInt64?, notes: [String], warnings: [String],
        like: (other: User, settings: ProfileSettings)? = nil
    ) {
        self.user = user
        self.relays = relays
        self.servers = servers
        self.seed = seed
        self.notes = notes
        self.warnings = warnings
        self.like = like
    }

    /// Kinds of entries, with the numbers of enabled ones and of all.
    private var kinds: [(key: String, title: String, enabled: Int, total: Int)] {
        let smp = servers.filter { $0.serverProtocol == .smp }
        let xftp = servers.filter { $0.serverProtocol == .xftp }
        return [
            ("relays", "relays", relays.count(where: \.isEnabled), relays.count),
            ("smpServers", "SMP servers", smp.count(where: \.isEnabled), smp.count),
            ("xftpServers", "XFTP servers", xftp.count(where: \.isEnabled), xftp.count),
        ]
    }

    package var json: JSONValue {
        let counts = kinds.map { kind in
            JSONValue.Member(kind.key, ["total": JSONValue(kind.total), "enabled": JSONValue(kind.enabled)])
        }
        return .object(
            [.init("user", user.json)] + counts + [
                .init("seed", seed.map { .integer(Int64(clamping: $0)) } ?? .null), .init("notes", JSONValue(notes)),
                .init("warnings", JSONValue(warnings)), .init("like", like?.other.reference ?? .null),
            ])
    }

    package var document: Document {
        [
            .paragraph(
                "The profile \(user.name) was created and is active."
                    + (like.map { " It has relays, servers and settings of \($0.other.name)." } ?? "") + choice),
            .table(table),
            .fields(enabledNames + settings),
            .notes(notes.map { .note($0) }),
        ]
    }

    package var csvTable: Table { table }

    /// What the enabled relays and servers are, and how to get the same ones again.
    private var choice: String {
        guard isBundled, let seed else { return "" }
        return " The enabled relays and servers are a random choice of those that ship with chatdb; --seed \(seed) "
            + "repeats it."
    }

    private var table: Table {
        Table(
            [
                Column("Starts with"), Column("Enabled", alignment: .right),
                Column("Of", key: "total", alignment: .right),
            ],
            rows: kinds.map { [.text($0.title), .count($0.enabled), .count($0.total)] }, whenEmpty: "")
    }

    /// The settings that were taken.
    private var settings: [Field] {
        guard let like else { return [] }
        return SettingName.allCases.filter { $0 != .appSettings }.map {
            Field($0.rawValue, key: $0.rawValue, .text(like.settings.text($0)))
        }
    }

    private var enabledNames: [Field] {
        let names = relays.filter(\.isEnabled).map(\.calledName)
        return names.isEmpty ? [] : [Field("Relays enabled", .text(names.joined(separator: ", ")))]
    }
}
