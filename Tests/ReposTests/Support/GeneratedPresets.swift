import ChatDBKit

/// What generated presets draw from: few names and few addresses, so that one preset's are those of another, on other
/// entries. In one preset each comes once.
private struct PresetPools {
    /// Names that clash by case, by number and by how letters are composed, that are too long to get a number as they
    /// are, and that mean something to a shell, to SQL, to YAML or to JSON.
    private static let names = [
        "a", "B", "b 2", "b 3", "Ä", "a\u{308} 2", "é", "e\u{301} 2", "İ", "ß", "Ω\u{200D}🙂", "no", "- x: [1]",
        "Tom &Jerry", "*best*", "'; DROP TABLE chat_relays; --", "\"q\" \\", "$(reboot) %s", "=1+1",
        String(repeating: "x", count: 200), String(repeating: "x", count: 192) + " 2",
        String(repeating: "ä", count: 199) + "🙂",
    ]

    var names: [String]
    var relays: [Int]
    var servers: [ServerProtocol: [Int]]

    init(_ random: inout SplitMix64) {
        names = Self.names.shuffled(using: &random)
        relays = Array(1...16).shuffled(using: &random)
        servers = [
            .smp: Array(1...20).shuffled(using: &random), .xftp: Array(1...20).shuffled(using: &random),
        ]
    }
}

extension SplitMix64 {
    /// A valid preset: nothing in it twice.
    mutating func preset() throws -> PresetFile {
        var pools = PresetPools(&self)
        let operators = try (0..<Int.random(in: 0...3, using: &self)).map { index in
            let domains = (0..<Int.random(in: 0...2, using: &self)).map { "op\(index)-\($0).example" }
            return PresetOperator(
                tag: Bool.random(using: &self) ? OperatorTag(text: "tag\(index)") : nil, tradeName: "Operator \(index)",
                legalName: Bool.random(using: &self) ? "Legal “\(index)” \\ \"&\"" : nil,
                domains: domains, isEnabled: Bool.random(using: &self),
                smpRoles: roles(names: Bool.random(using: &self)),
                xftpRoles: roles(names: false), use: use(),
                entries: try entries(&pools, domains: domains))
        }
        return PresetFile(
            exportedAt: Bool.random(using: &self) ? StoredTime(text: "2026-07-20 09:05:00.120") : nil,
            profile: Bool.random(using: &self) ? "älice 🙂" : nil, operators: operators,
            custom: try entries(&pools, domains: []))
    }

    private mutating func roles(names: Bool) -> ServerRoles {
        ServerRoles(storage: Bool.random(using: &self), proxy: Bool.random(using: &self), names: names)
    }

    private mutating func use() -> PresetUse? {
        guard Bool.random(using: &self) else { return nil }
        return PresetUse(
            smp: Int.random(in: 0...4, using: &self), xftp: Int.random(in: 0...4, using: &self),
            relays: Int.random(in: 0...4, using: &self))
    }

    private mutating func entries(_ pools: inout PresetPools, domains: [String]) throws -> PresetEntries {
        PresetEntries(
            smpServers: try servers(.smp, &pools, domains), xftpServers: try servers(.xftp, &pools, domains),
            relays: try (0..<Int.random(in: 0...4, using: &self)).map { _ in
                PresetRelay(
                    name: Int.random(in: 0...3, using: &self) > 0 ? pools.names.popLast() ?? "" : "",
                    address: try relayAddress(pools.relays.popLast() ?? 0),
                    domains: Bool.random(using: &self) ? domains : [], isEnabled: Bool.random(using: &self),
                    tested: maybe())
            })
    }

    /// One of the texts of a relay's address.
    private mutating func relayAddress(_ number: Int) throws -> RelayAddress {
        let host = "r\(number).example"
        let texts = [
            relay(host, key: number), relay(host.uppercased(), key: number),
            relay(host, key: number) + "?h=b\(number).onion&p=\(number)", "simplex:/r#\(key(number))?h=\(host)",
        ]
        return try RelayAddress(texts[Int.random(in: 0..<texts.count, using: &self)])
    }

    private mutating func servers(
        _ serverProtocol: ServerProtocol, _ pools: inout PresetPools, _ domains: [String]
    ) throws -> [PresetServer] {
        try (0..<Int.random(in: 0...4, using: &self)).map { _ in
            let number = pools.servers[serverProtocol]?.popLast() ?? 0
            let hasPassword = Bool.random(using: &self)
            let domain = domains.randomElement(using: &self) ?? "example"
            let keyHash = key(Int.random(in: 0...9, using: &self) == 0 ? 9 : 7)
            let text =
                "\(serverProtocol)://\(keyHash)=\(hasPassword ? ":p\(number)" : "")@s\(number).\(domain)"
                + (Bool.random(using: &self) ? ",b\(number).onion" : "") + (number % 3 == 0 ? ":\(number)" : "")
            return PresetServer(
                address: try ServerAddress(text), isPasswordOmitted: !hasPassword && Bool.random(using: &self),
                isEnabled: Bool.random(using: &self),
                roles: ServerRoleChoices(
                    storage: maybe(), proxy: maybe(), names: serverProtocol == .smp ? maybe() : nil),
                tested: maybe())
        }
    }

    private mutating func maybe() -> Bool? {
        Bool.random(using: &self) ? Bool.random(using: &self) : nil
    }
}
