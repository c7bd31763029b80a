import ChatDBReposChat
import ChatDBReposKit
import ChatDBSchema

/// What a file has listed so far: operators, servers, relays, names of relays. A second one is told, with the place of
/// the first.
struct PresetDuplicates {
    /// Something that was there already: its place, and the sentence about it.
    typealias Finding = (path: JSONPath, message: String)

    private var operators: [OperatorKey: JSONPath] = [:]
    private var servers: [ServerKey: JSONPath] = [:]
    private var relays: [String: JSONPath] = [:]
    private var names: [String: JSONPath] = [:]

    mutating func note(_ preset: PresetOperator, at path: JSONPath) -> [Finding] {
        Self.note(OperatorKey(preset), at: path, "operator", in: &operators)
    }

    mutating func note(_ server: PresetServer, at path: JSONPath) -> [Finding] {
        Self.note(server.address.key, at: path, "server", in: &servers)
    }

    /// The name belongs to the relay; an empty one is none.
    mutating func note(_ relay: PresetRelay, at path: JSONPath, name namePath: JSONPath? = nil) -> [Finding] {
        let address = Self.note(relay.address.addressKey, at: path, "relay", in: &relays)
        guard let namePath, !relay.name.isEmpty else { return address }
        return address + Self.note(NameRule.key(relay.name), at: namePath, "name", in: &names)
    }

    private static func note<Key: Hashable>(
        _ key: Key, at path: JSONPath, _ what: String, in seen: inout [Key: JSONPath]
    ) -> [Finding] {
        if let first = seen[key] { return [(path, "the same \(what) as \(first)")] }
        seen[key] = path
        return []
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
