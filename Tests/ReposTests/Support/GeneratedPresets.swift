import Repos
import Schema

extension SplitMix64 {
    /// A valid preset: nothing in it twice.
    mutating func preset() throws -> PresetFile {
        var number = 0
        let operators = try (0..<Int.random(in: 0...3, using: &self)).map { index in
            let domains = (0..<Int.random(in: 0...2, using: &self)).map { "op\(index)-\($0).example" }
            return PresetOperator(
                tag: Bool.random(using: &self) ? OperatorTag(text: "tag\(index)") : nil, tradeName: "Operator \(index)",
                legalName: Bool.random(using: &self) ? "Legal “\(index)” \\ \"&\"" : nil,
                domains: domains, isEnabled: Bool.random(using: &self),
                smpRoles: roles(names: Bool.random(using: &self)),
                xftpRoles: roles(names: false), use: use(),
                entries: try entries(&number, domains: domains))
        }
        return PresetFile(
            exportedAt: Bool.random(using: &self) ? StoredTime(text: "2026-07-20 09:05:00.120") : nil,
            profile: Bool.random(using: &self) ? "älice 🙂" : nil, operators: operators,
            custom: try entries(&number, domains: []))
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

    private mutating func entries(_ number: inout Int, domains: [String]) throws -> PresetEntries {
        PresetEntries(
            smpServers: try servers(.smp, &number, domains), xftpServers: try servers(.xftp, &number, domains),
            relays: try (0..<Int.random(in: 0...4, using: &self)).map { _ in
                number += 1
                return PresetRelay(
                    name: Bool.random(using: &self) ? "Relay \(number)" : "",
                    address: try RelayAddress(relay("r\(number).example", key: number)),
                    domains: Bool.random(using: &self) ? domains : [], isEnabled: Bool.random(using: &self),
                    tested: maybe())
            })
    }

    private mutating func servers(
        _ serverProtocol: ServerProtocol, _ number: inout Int, _ domains: [String]
    ) throws -> [PresetServer] {
        try (0..<Int.random(in: 0...4, using: &self)).map { _ in
            number += 1
            let hasPassword = Bool.random(using: &self)
            let domain = domains.randomElement(using: &self) ?? "example"
            let text = server(
                "s\(number).\(domain)" + (Bool.random(using: &self) ? ",b\(number).onion" : "")
                    + (Bool.random(using: &self) ? ":\(number)" : ""),
                serverProtocol, password: hasPassword ? "p\(number)" : nil)
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
