public import Engine
public import Schema

/// The servers and relays of a profile as a preset.
public struct PresetExport: Sendable, Hashable {
    /// The preset: operators as the store has them, with the profile's preset entries; all else as custom. Entries by
    /// address. Nothing in it depends on ids or times, so the same state gives the same preset.
    public let file: PresetFile
    /// What could not be exported, a clause each; empty for the usual case.
    public let notes: [String]

    /// Exports a profile. Soft-deleted relays are no part of it. An entry whose stored address is none, which only
    /// another app can have written, is left out and noted. Throws `profileNotFound`, and for hidden profiles too
    /// unless they are shown.
    public init(
        of user: UserID, in chat: any ReadTransaction, hidden: HiddenProfiles = .leftOut
    ) throws(PresetError) {
        _ = try PresetError.from { try UsersRepo(chat).get(user, hidden: hidden) }
        let operators = try PresetError.from { try OperatorsRepo(chat).all() }
        var entries: [ServerOperatorID?: PresetEntries] = [:]
        var notes: [String] = []
        for server in try PresetError.from({ try ServersRepo(chat).all(of: user) }) {
            guard let address = try? server.address() else {
                notes.append("the server \(server.id) is left out: its address is none")
                continue
            }
            let owner = server.isPreset ? operators.owner(of: server)?.id : nil
            let entry = PresetServer(
                address: address, isEnabled: server.isEnabled, roles: server.roles, tested: server.tested)
            switch server.serverProtocol {
            case .smp: entries[owner, default: PresetEntries()].smpServers.append(entry)
            case .xftp: entries[owner, default: PresetEntries()].xftpServers.append(entry)
            }
        }
        for relay in try PresetError.from({ try ChatRelaysRepo(chat).all(of: user) }) {
            guard let address = try? RelayAddress(relay.address) else {
                notes.append("the relay \(relay.label) is left out: its address is none")
                continue
            }
            let owner = relay.isPreset ? operators.owner(of: relay)?.id : nil
            entries[owner, default: PresetEntries()].relays.append(
                PresetRelay(
                    name: relay.name, address: address, domains: relay.domains, isEnabled: relay.isEnabled,
                    tested: relay.tested))
        }
        file = PresetFile(
            operators: operators.map { PresetOperator($0, entries: (entries[$0.id] ?? PresetEntries()).sorted()) },
            custom: (entries[nil] ?? PresetEntries()).sorted())
        self.notes = notes
    }
}

extension PresetOperator {
    /// What `use` was is not stored, and never exported.
    fileprivate init(_ stored: ServerOperator, entries: PresetEntries) {
        self.init(
            tag: stored.tag, tradeName: stored.tradeName, legalName: stored.legalName, domains: stored.domains,
            isEnabled: stored.isEnabled, smpRoles: stored.smpRoles, xftpRoles: stored.xftpRoles, entries: entries)
    }
}

extension PresetEntries {
    fileprivate func sorted() -> PresetEntries {
        PresetEntries(
            smpServers: smpServers.sorted { $0.address.description < $1.address.description },
            xftpServers: xftpServers.sorted { $0.address.description < $1.address.description },
            relays: relays.sorted { $0.address.text < $1.address.text })
    }
}
