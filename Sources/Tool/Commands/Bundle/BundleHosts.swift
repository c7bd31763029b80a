import ChatDBKit

/// Which hosts a bundle tells: those that this build ships, which everybody knows; others when they are asked for.
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

    /// The host as it may be told; nil for one that may not, and for a text that is none.
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
