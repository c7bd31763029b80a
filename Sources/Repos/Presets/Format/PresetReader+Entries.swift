import ChatDBSchema

extension PresetReader {
    static let entryNames = PresetEntries.List.allCases.map(\.rawValue)

    mutating func presetOperator(_ value: JSONValue, at path: JSONPath) -> PresetOperator? {
        let fields = object(
            value, at: path,
            allowed: ["tag", "tradeName", "legalName", "domains", "enabled", "roles", "use"] + Self.entryNames)
        if value.members != nil, fields["tradeName"] == nil { report(path["tradeName"], "it is missing") }
        let roles = fields["roles"].map { object($0, at: path["roles"], allowed: ["smp", "xftp"]) } ?? [:]
        let tag = name(fields["tag"], at: path["tag"])
        let tradeName = name(fields["tradeName"], at: path["tradeName"])
        let legalName = name(fields["legalName"], at: path["legalName"])
        let domains = domains(fields["domains"], at: path["domains"])
        let enabled = flag(fields["enabled"], at: path["enabled"])
        let smpRoles = self.roles(roles["smp"], at: path["roles"]["smp"], allowsNames: true)
        let xftpRoles = self.roles(roles["xftp"], at: path["roles"]["xftp"], allowsNames: false)
        let use = fields["use"].map { self.use($0, at: path["use"]) }
        let entries = entries(fields, at: path)
        guard let tradeName else { return nil }
        var preset = PresetOperator(
            tag: tag.map { OperatorTag(text: $0) }, tradeName: tradeName, legalName: legalName, domains: domains,
            isEnabled: enabled ?? true, smpRoles: smpRoles, xftpRoles: xftpRoles, use: use, entries: entries)
        preset.tellsRoles = fields["roles"] != nil
        report(duplicates.note(preset, at: path))
        return preset
    }

    private mutating func use(_ value: JSONValue, at path: JSONPath) -> PresetUse {
        let fields = object(value, at: path, allowed: ["smp", "xftp", "relays"])
        return PresetUse(
            smp: number(fields["smp"], at: path["smp"]), xftp: number(fields["xftp"], at: path["xftp"]),
            relays: number(fields["relays"], at: path["relays"]))
    }

    private mutating func roles(_ value: JSONValue?, at path: JSONPath, allowsNames: Bool) -> ServerRoles {
        let choices = value.map { roleChoices($0, at: path, allowsNames: allowsNames) } ?? ServerRoleChoices()
        return ServerRoles(
            storage: choices.storage ?? true, proxy: choices.proxy ?? true, names: choices.names ?? false)
    }

    private mutating func roleChoices(_ value: JSONValue, at path: JSONPath, allowsNames: Bool) -> ServerRoleChoices {
        let fields = object(value, at: path, allowed: ["storage", "proxy"] + (allowsNames ? ["names"] : []))
        return ServerRoleChoices(
            storage: flag(fields["storage"], at: path["storage"]),
            proxy: flag(fields["proxy"], at: path["proxy"]),
            names: allowsNames ? flag(fields["names"], at: path["names"]) : nil)
    }

    /// The lists of servers and relays among the fields of an object.
    mutating func entries(_ fields: JSONValue, at path: JSONPath) -> PresetEntries {
        let smp = list(fields["smpServers"], at: path["smpServers"])
        let xftp = list(fields["xftpServers"], at: path["xftpServers"])
        let relays = list(fields["relays"], at: path["relays"])
        var entries = PresetEntries(
            smpServers: smp.compactMap { server($0.value, .smp, at: $0.path) },
            xftpServers: xftp.compactMap { server($0.value, .xftp, at: $0.path) },
            relays: relays.compactMap { relay($0.value, at: $0.path) })
        entries.lists = Set(PresetEntries.List.allCases.filter { fields[$0.rawValue] != nil })
        return entries
    }

    private mutating func server(_ value: JSONValue, _ expected: ServerProtocol, at path: JSONPath) -> PresetServer? {
        let fields = object(value, at: path, allowed: ["address", "password", "enabled", "tested", "roles"])
        let enabled = flag(fields["enabled"], at: path["enabled"])
        let tested = flag(fields["tested"], at: path["tested"])
        let roles = fields["roles"].map { roleChoices($0, at: path["roles"], allowsNames: expected == .smp) }
        let mark = text(fields["password"], at: path["password"])
        if let mark, mark != "omitted" { report(path["password"], "expected \"omitted\", or no such field") }
        guard let address = serverAddress(fields["address"], of: value, at: path["address"]) else { return nil }
        if address.serverProtocol != expected {
            report(path["address"], address.otherProtocol(than: expected))
        }
        if mark != nil, address.password != nil {
            report(path["password"], "the address has a password; expected it there or \"omitted\", not both")
        }
        let server = PresetServer(
            address: address, isPasswordOmitted: mark != nil, isEnabled: enabled ?? true,
            roles: roles ?? ServerRoleChoices(), tested: tested)
        report(duplicates.note(server, at: path["address"]))
        return server
    }

    /// The address of a server, which every server must have.
    mutating func serverAddress(
        _ field: JSONValue?, of entry: JSONValue, at path: @autoclosure () -> JSONPath
    ) -> ServerAddress? {
        guard let given = address(field, of: entry, at: path()) else { return nil }
        do throws(ServerAddressError) {
            return try ServerAddress(given)
        } catch {
            report(path(), error.message)
            return nil
        }
    }

    private mutating func relay(_ value: JSONValue, at path: JSONPath) -> PresetRelay? {
        let fields = object(value, at: path, allowed: ["name", "address", "domains", "enabled", "tested"])
        let given = fields["name"]
        let name = given == nil || given == "" ? "" : name(given, at: path["name"])
        let domains = domains(fields["domains"], at: path["domains"])
        let enabled = flag(fields["enabled"], at: path["enabled"])
        let tested = flag(fields["tested"], at: path["tested"])
        guard let address = relayAddress(fields["address"], of: value, at: path["address"]) else { return nil }
        let relay = PresetRelay(
            name: name ?? "", address: address, domains: domains, isEnabled: enabled ?? true, tested: tested)
        report(duplicates.note(relay, at: path["address"], name: path["name"]))
        return relay
    }

    /// The address of a relay, which every relay must have.
    mutating func relayAddress(
        _ field: JSONValue?, of entry: JSONValue, at path: @autoclosure () -> JSONPath
    ) -> RelayAddress? {
        guard let given = address(field, of: entry, at: path()) else { return nil }
        do throws(RelayAddressError) {
            return try RelayAddress(given)
        } catch {
            report(path(), error.message)
            return nil
        }
    }

    /// The text of an address, which every entry must have.
    private mutating func address(
        _ field: JSONValue?, of entry: JSONValue, at path: @autoclosure () -> JSONPath
    ) -> String? {
        if field == nil, entry.members != nil { report(path(), "it is missing") }
        return text(field, at: path())
    }
}
