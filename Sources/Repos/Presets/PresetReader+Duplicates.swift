import Schema

extension PresetReader {
    /// Reports what is there twice in the whole file: operators, servers, relays, names of relays. The place is that of
    /// the second, and the message tells the first.
    mutating func findDuplicates(in file: PresetFile) {
        var operators: [OperatorKey: String] = [:]
        var servers: [ServerKey: String] = [:]
        var relays: [String: String] = [:]
        var names: [String: String] = [:]
        for (index, preset) in file.operators.enumerated() {
            let path = "operators[\(index)]"
            note(OperatorKey(preset), at: path, "operator", in: &operators)
            note(preset.entries, at: path, &servers, &relays, &names)
        }
        note(file.custom, at: "custom", &servers, &relays, &names)
    }

    private mutating func note(
        _ entries: PresetEntries, at path: String, _ servers: inout [ServerKey: String],
        _ relays: inout [String: String], _ names: inout [String: String]
    ) {
        for (index, server) in entries.smpServers.enumerated() {
            note(server.address.key, at: "\(path).smpServers[\(index)].address", "server", in: &servers)
        }
        for (index, server) in entries.xftpServers.enumerated() {
            note(server.address.key, at: "\(path).xftpServers[\(index)].address", "server", in: &servers)
        }
        for (index, relay) in entries.relays.enumerated() {
            let place = "\(path).relays[\(index)]"
            note(relay.address.addressKey, at: "\(place).address", "relay", in: &relays)
            if !relay.name.isEmpty { note(NameRule.key(relay.name), at: "\(place).name", "name", in: &names) }
        }
    }

    private mutating func note<Key: Hashable>(
        _ key: Key, at path: String, _ what: String, in seen: inout [Key: String]
    ) {
        if let first = seen[key] {
            report(path, "the same \(what) as \(first)")
        } else {
            seen[key] = path
        }
    }
}

/// What two operators of a preset have in common when they are the same: the tag; without one, domains and trade name.
struct OperatorKey: Hashable {
    private let tag: String?
    private let domains: [String]
    private let tradeName: String

    init(_ preset: PresetOperator) {
        tag = preset.tag?.text
        domains = preset.tag == nil ? preset.domains : []
        tradeName = preset.tag == nil ? preset.tradeName : ""
    }
}
