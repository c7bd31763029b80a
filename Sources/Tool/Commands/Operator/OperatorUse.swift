import ChatDBKit

/// A profile's use of an operator: the numbers of enabled entries and of all, by kind.
struct OperatorUse {
    struct Count {
        let enabled: Int
        let total: Int

        init(_ switches: [Bool]) {
            enabled = switches.count { $0 }
            total = switches.count
        }

        var json: JSONValue { ["total": JSONValue(total), "enabled": JSONValue(enabled)] }
        var cell: Cell { .text("\(enabled) of \(total)") }
    }

    let smpServers: Count
    let xftpServers: Count
    let relays: Count

    init(_ id: ServerOperatorID, in groups: [UserOperatorServers]) {
        let group = groups.first { $0.operator?.id == id }
        smpServers = Count(group?.smpServers.map(\.isEnabled) ?? [])
        xftpServers = Count(group?.xftpServers.map(\.isEnabled) ?? [])
        relays = Count(group?.chatRelays.map(\.isEnabled) ?? [])
    }

    var members: [JSONValue.Member] {
        [
            .init("smpServers", smpServers.json), .init("xftpServers", xftpServers.json), .init("relays", relays.json),
        ]
    }

    /// Whether an entry is enabled.
    private var hasEnabled: Bool { smpServers.enabled + xftpServers.enabled + relays.enabled > 0 }

    /// Says of a disabled operator that its enabled entries are not used.
    static func notes(_ owner: ServerOperator, _ uses: [OperatorUse]) -> [Note] {
        if owner.isEnabled || !uses.contains(where: \.hasEnabled) { return [] }
        return [.note("no profile uses the enabled entries of \(owner.tradeName) while that operator is disabled")]
    }

    static let columns = [
        Column("SMP servers", key: "smpServers", alignment: .right),
        Column("XFTP servers", key: "xftpServers", alignment: .right), Column("Relays", alignment: .right),
    ]

    var cells: [Cell] { [smpServers.cell, xftpServers.cell, relays.cell] }
}
