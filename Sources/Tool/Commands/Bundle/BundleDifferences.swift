import ChatDBKit

/// The differences of two bundles, value by value, in the order of their sections.
struct BundleDifferences {
    /// A value that differs.
    struct Entry {
        /// The section, and then the names that lead to the value: `rows`, `chat`, `users`.
        let path: [String]
        /// The value in the first bundle. It is nil if only the second bundle has the value.
        let before: JSONValue?
        /// The value in the second bundle. It is nil if only the first bundle has the value.
        let after: JSONValue?
    }

    private(set) var entries: [Entry] = []

    /// Compares all sections except the manifest, which is about the bundle and not about the store.
    init(from before: JSONValue, to after: JSONValue) {
        compare(Self.members(before), Self.members(after), [])
        entries.removeAll { $0.path.first == "manifest" }
    }

    private mutating func compare(_ before: JSONValue, _ after: JSONValue, _ path: [String]) {
        switch (before, after) {
        case (.object, .object): compare(Self.members(before), Self.members(after), path)
        case (.array(let old), .array(let new)): compare(Self.named(old), Self.named(new), path)
        default: if before != after { entries.append(Entry(path: path, before: before, after: after)) }
        }
    }

    private mutating func compare(
        _ before: [(name: String, value: JSONValue)], _ after: [(name: String, value: JSONValue)], _ path: [String]
    ) {
        let (old, new) = (Self.byName(before), Self.byName(after))
        for (name, value) in before {
            if let other = new[name] {
                compare(value, other, path + [name])
            } else {
                entries.append(Entry(path: path + [name], before: value, after: nil))
            }
        }
        for (name, value) in after where old[name] == nil {
            entries.append(Entry(path: path + [name], before: nil, after: value))
        }
    }

    private static func byName(_ values: [(name: String, value: JSONValue)]) -> [String: JSONValue] {
        Dictionary(values.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private static func members(_ value: JSONValue) -> [(name: String, value: JSONValue)] {
        (value.members ?? []).map { ($0.name, $0.value) }
    }

    /// The members that tell the objects of a list apart. Without them, elements would be compared by their place, and
    /// a new element would look like a change of all later ones.
    private static let identifying = [
        "database", "event", "object", "table", "row", "column", "name", "state", "kind", "userId", "chatRelayId",
        "serverId", "groupId", "userChatRelayId", "groupRelayId", "id", "known",
    ]

    /// The elements of a list, each with a name: the identifying members of an object, or the text itself. If two
    /// elements have the same name, the second one gets a number.
    private static func named(_ values: [JSONValue]) -> [(name: String, value: JSONValue)] {
        var counts: [String: Int] = [:]
        return values.map { value in
            let words = value.members.map { members in
                identifying.compactMap { key in members.first { $0.name == key }.flatMap { word($0.value, of: key) } }
            }
            let name = (words ?? [word(value, of: "") ?? ""]).joined(separator: " ")
            counts[name, default: 0] += 1
            let number = counts[name] ?? 1
            if name.isEmpty { return ("#\(number)", value) }
            return (number == 1 ? name : "\(name) #\(number)", value)
        }
    }

    /// What a number identifies, by its member.
    private static let nouns = [
        "userId": "profile ", "chatRelayId": "relay ", "serverId": "server ", "groupId": "group ",
        "userChatRelayId": "relay ", "groupRelayId": "row ",
    ]

    private static func word(_ value: JSONValue, of member: String) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): nouns[member, default: ""] + String(number)
        case .bool(let flag): String(flag)
        default: nil
        }
    }
}
