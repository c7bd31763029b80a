import Schema

extension PresetReader {
    static let entryNames = ["smpServers", "xftpServers", "relays"]

    mutating func presetOperator(_ value: JSONValue, at path: String) -> PresetOperator? {
        let fields = object(
            value, at: path,
            allowed: ["tag", "tradeName", "legalName", "domains", "enabled", "roles", "use"] + Self.entryNames)
        if value.members != nil, fields["tradeName"] == nil { report("\(path).tradeName", "it is missing") }
        let roles = fields["roles"].map { object($0, at: "\(path).roles", allowed: ["smp", "xftp"]) } ?? [:]
        let tag = name(fields["tag"], at: "\(path).tag")
        let tradeName = name(fields["tradeName"], at: "\(path).tradeName")
        let legalName = name(fields["legalName"], at: "\(path).legalName")
        let domains = domains(fields["domains"], at: "\(path).domains")
        let enabled = flag(fields["enabled"], at: "\(path).enabled")
        let smpRoles = self.roles(roles["smp"], at: "\(path).roles.smp", allowsNames: true)
        let xftpRoles = self.roles(roles["xftp"], at: "\(path).roles.xftp", allowsNames: false)
        let use = fields["use"].map { self.use($0, at: "\(path).use") }
        let entries = entries(fields, at: "\(path).")
        guard let tradeName else { return nil }
        return PresetOperator(
            tag: tag.map { OperatorTag(text: $0) }, tradeName: tradeName, legalName: legalName, domains: domains,
            isEnabled: enabled ?? true, smpRoles: smpRoles, xftpRoles: xftpRoles, use: use, entries: entries)
    }

    private mutating func use(_ value: JSONValue, at path: String) -> PresetUse {
        let fields = object(value, at: path, allowed: ["smp", "xftp", "relays"])
        return PresetUse(
            smp: number(fields["smp"], at: "\(path).smp"), xftp: number(fields["xftp"], at: "\(path).xftp"),
            relays: number(fields["relays"], at: "\(path).relays"))
    }

    private mutating func roles(_ value: JSONValue?, at path: String, allowsNames: Bool) -> ServerRoles {
        let choices = value.map { roleChoices($0, at: path, allowsNames: allowsNames) } ?? ServerRoleChoices()
        return ServerRoles(
            storage: choices.storage ?? true, proxy: choices.proxy ?? true, names: choices.names ?? false)
    }

    private mutating func roleChoices(_ value: JSONValue, at path: String, allowsNames: Bool) -> ServerRoleChoices {
        let fields = object(value, at: path, allowed: ["storage", "proxy"] + (allowsNames ? ["names"] : []))
        return ServerRoleChoices(
            storage: flag(fields["storage"], at: "\(path).storage"),
            proxy: flag(fields["proxy"], at: "\(path).proxy"),
            names: allowsNames ? flag(fields["names"], at: "\(path).names") : nil)
    }

    /// The lists of servers and relays among the fields; `prefix` is their path with its point.
    mutating func entries(_ fields: [String: JSONValue], at prefix: String) -> PresetEntries {
        let smp = list(fields["smpServers"], at: "\(prefix)smpServers")
        let xftp = list(fields["xftpServers"], at: "\(prefix)xftpServers")
        let relays = list(fields["relays"], at: "\(prefix)relays")
        return PresetEntries(
            smpServers: smp.compactMap { server($0.value, .smp, at: $0.path) },
            xftpServers: xftp.compactMap { server($0.value, .xftp, at: $0.path) },
            relays: relays.compactMap { relay($0.value, at: $0.path) })
    }

    private mutating func server(_ value: JSONValue, _ expected: ServerProtocol, at path: String) -> PresetServer? {
        let fields = object(value, at: path, allowed: ["address", "password", "enabled", "tested", "roles"])
        let enabled = flag(fields["enabled"], at: "\(path).enabled")
        let tested = flag(fields["tested"], at: "\(path).tested")
        let roles = fields["roles"].map { roleChoices($0, at: "\(path).roles", allowsNames: expected == .smp) }
        let mark = text(fields["password"], at: "\(path).password")
        if let mark, mark != "omitted" { report("\(path).password", "expected \"omitted\", or no such field") }
        guard let address = serverAddress(fields["address"], of: value, at: "\(path).address") else { return nil }
        if address.serverProtocol != expected {
            report("\(path).address", "it is the address of an \(address.serverProtocol.shownName) server")
        }
        if mark != nil, address.password != nil {
            report("\(path).password", "the address has a password; expected it there or \"omitted\", not both")
        }
        return PresetServer(
            address: address, isPasswordOmitted: mark != nil, isEnabled: enabled ?? true,
            roles: roles ?? ServerRoleChoices(), tested: tested)
    }

    private mutating func serverAddress(_ field: JSONValue?, of entry: JSONValue, at path: String) -> ServerAddress? {
        guard let given = address(field, of: entry, at: path) else { return nil }
        do throws(ServerAddressError) {
            return try ServerAddress(given)
        } catch {
            report(path, error.message)
            return nil
        }
    }

    private mutating func relay(_ value: JSONValue, at path: String) -> PresetRelay? {
        let fields = object(value, at: path, allowed: ["name", "address", "domains", "enabled", "tested"])
        let isNamed = fields["name"] != nil && fields["name"] != ""
        let name = isNamed ? name(fields["name"], at: "\(path).name") : ""
        let domains = domains(fields["domains"], at: "\(path).domains")
        let enabled = flag(fields["enabled"], at: "\(path).enabled")
        let tested = flag(fields["tested"], at: "\(path).tested")
        guard let given = address(fields["address"], of: value, at: "\(path).address") else { return nil }
        do throws(RelayAddressError) {
            return PresetRelay(
                name: name ?? "", address: try RelayAddress(given), domains: domains, isEnabled: enabled ?? true,
                tested: tested)
        } catch {
            report("\(path).address", error.message)
            return nil
        }
    }

    /// The text of an address, which every entry must have.
    private mutating func address(_ field: JSONValue?, of entry: JSONValue, at path: String) -> String? {
        if field == nil, entry.members != nil { report(path, "it is missing") }
        return text(field, at: path)
    }
}
