import ChatDBSchema

/// Reads the JSON in which SimpleX Chat gives and accepts the servers of a profile: the list alone, the answer around
/// it, and that answer in a `result` or `resp`. Ids in it are those of another store and are ignored. So are entries
/// that are marked as deleted, and fields of a newer app. Rule: docs/presets.md, "SimpleX Chat's JSON".
enum SimplexServersReader {
    /// Whether a document is one of these forms.
    static func recognizes(_ document: JSONValue) -> Bool {
        document.arrayValue != nil || (document["format"] == nil && groups(document) != nil)
    }

    /// The entries that came with an operator are its preset; all others are the user's own.
    static func file(_ document: JSONValue, with reader: inout PresetReader) -> PresetFile {
        guard let (groups, path) = groups(document) else {
            reader.report(.root, "expected an array of servers by operator, or the app's response with \"userServers\"")
            return PresetFile()
        }
        var file = PresetFile()
        file.custom.lists = []
        for (group, path) in reader.list(groups, at: path) {
            guard group.members != nil else {
                reader.report(path, "it is \(group.typeName); expected an object")
                continue
            }
            var (entries, own) = (PresetEntries(), PresetEntries())
            // Only what is listed is reported: a group may lack a list, and older apps have no relays.
            entries.lists = lists(group)
            file.custom.lists.formUnion(entries.lists)
            for serverProtocol in ServerProtocol.allCases {
                let name = "\(serverProtocol.text)Servers"
                for (value, path) in reader.list(group[name], at: path[name]) where !isDeleted(value) {
                    guard let server = server(value, serverProtocol, at: path, with: &reader) else { continue }
                    if value["preset"] == true { entries.append(server) } else { own.append(server) }
                }
            }
            for (value, path) in reader.list(group["chatRelays"], at: path["chatRelays"]) where !isDeleted(value) {
                guard let relay = relay(value, at: path, with: &reader) else { continue }
                if value["preset"] == true { entries.relays.append(relay) } else { own.relays.append(relay) }
            }
            if let value = group["operator"], value != .null {
                if let found = preset(operator: value, entries, at: path["operator"], with: &reader) {
                    file.operators.append(found)
                }
            } else {
                own.append(entries)
            }
            file.custom.append(own)
        }
        return file
    }

    private static func groups(_ document: JSONValue) -> (JSONValue, JSONPath)? {
        if document.arrayValue != nil { return (document, .root) }
        if let groups = document["userServers"] { return (groups, .root["userServers"]) }
        for name in ["result", "resp"] {
            if let groups = document[name]?["userServers"] { return (groups, .root[name]["userServers"]) }
        }
        return nil
    }

    private static func lists(_ group: JSONValue) -> Set<PresetEntries.List> {
        var lists = Set(
            ServerProtocol.allCases.filter { group["\($0.text)Servers"] != nil }.map(PresetEntries.List.init))
        if group["chatRelays"] != nil { lists.insert(.relays) }
        return lists
    }

    private static func isDeleted(_ entry: JSONValue) -> Bool { entry["deleted"] == true }

    private static func preset(
        operator value: JSONValue, _ entries: PresetEntries, at path: JSONPath, with reader: inout PresetReader
    ) -> PresetOperator? {
        guard value.members != nil else {
            reader.report(path, "it is \(value.typeName); expected an object")
            return nil
        }
        if value["tradeName"] == nil { reader.report(path["tradeName"], "it is missing") }
        guard let tradeName = reader.name(value["tradeName"], at: path["tradeName"]) else { return nil }
        let preset = PresetOperator(
            tag: reader.name(present(value["operatorTag"]), at: path["operatorTag"]).map { OperatorTag(text: $0) },
            tradeName: tradeName,
            legalName: reader.name(present(value["legalName"]), at: path["legalName"]),
            domains: reader.domains(value["serverDomains"], at: path["serverDomains"]),
            isEnabled: reader.flag(value["enabled"], at: path["enabled"]) ?? true,
            smpRoles: roles(value["smpRoles"], of: .smp, at: path["smpRoles"], with: &reader),
            xftpRoles: roles(value["xftpRoles"], of: .xftp, at: path["xftpRoles"], with: &reader), entries: entries)
        reader.report(reader.duplicates.note(preset, at: path))
        return preset
    }

    private static func roles(
        _ value: JSONValue?, of serverProtocol: ServerProtocol, at path: JSONPath, with reader: inout PresetReader
    ) -> ServerRoles {
        let choices = choices(value, of: serverProtocol, at: path, with: &reader)
        return ServerRoles(
            storage: choices.storage ?? true, proxy: choices.proxy ?? true, names: choices.names ?? false)
    }

    /// XFTP servers have no role for names. A value in the file is ignored.
    private static func choices(
        _ value: JSONValue?, of serverProtocol: ServerProtocol, at path: JSONPath, with reader: inout PresetReader
    ) -> ServerRoleChoices {
        guard let value = present(value) else { return ServerRoleChoices() }
        if value.members == nil { reader.report(path, "it is \(value.typeName); expected an object") }
        let names = reader.flag(present(value["names"]), at: path["names"])
        return ServerRoleChoices(
            storage: reader.flag(present(value["storage"]), at: path["storage"]),
            proxy: reader.flag(present(value["proxy"]), at: path["proxy"]),
            names: serverProtocol == .smp ? names : nil)
    }

    private static func server(
        _ value: JSONValue, _ expected: ServerProtocol, at path: JSONPath, with reader: inout PresetReader
    ) -> PresetServer? {
        guard let address = reader.serverAddress(value["server"], of: value, at: path["server"]) else { return nil }
        if address.serverProtocol != expected {
            reader.report(path["server"], address.otherProtocol(than: expected))
        }
        let server = PresetServer(
            address: address, isEnabled: reader.flag(value["enabled"], at: path["enabled"]) ?? true,
            roles: choices(value["roles"], of: expected, at: path["roles"], with: &reader),
            tested: reader.flag(present(value["tested"]), at: path["tested"]))
        reader.report(reader.duplicates.note(server, at: path["server"]))
        return server
    }

    /// The name is in the relay's profile; in an earlier form it was beside it.
    private static func relay(_ value: JSONValue, at path: JSONPath, with reader: inout PresetReader) -> PresetRelay? {
        guard let address = reader.relayAddress(value["address"], of: value, at: path["address"]) else { return nil }
        let profile = present(value["relayProfile"])
        let namePath = profile == nil ? path["name"] : path["relayProfile"]["displayName"]
        let given = present(profile == nil ? value["name"] : profile?["displayName"])
        let relay = PresetRelay(
            name: given == nil || given == "" ? "" : reader.name(given, at: namePath) ?? "", address: address,
            domains: reader.domains(present(value["domains"]), at: path["domains"]),
            isEnabled: reader.flag(value["enabled"], at: path["enabled"]) ?? true,
            tested: reader.flag(present(value["tested"]), at: path["tested"]))
        reader.report(reader.duplicates.note(relay, at: path["address"], name: namePath))
        return relay
    }

    /// The app leaves out what has no value; others write `null`.
    private static func present(_ value: JSONValue?) -> JSONValue? { value == .null ? nil : value }
}

extension PresetEntries {
    /// Puts a server behind those of its protocol.
    mutating func append(_ server: PresetServer) {
        switch server.address.serverProtocol {
        case .smp: smpServers.append(server)
        case .xftp: xftpServers.append(server)
        }
    }

    fileprivate mutating func append(_ other: PresetEntries) {
        smpServers += other.smpServers
        xftpServers += other.xftpServers
        relays += other.relays
    }
}
