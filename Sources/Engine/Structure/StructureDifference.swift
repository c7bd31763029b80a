/// One thing in which two schemas differ.
public struct StructureDifference: Sendable, Hashable, Comparable {
    /// What is different.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is expected and not there.
        case missing
        /// It is there and not expected.
        case extra
        /// It is there in another form.
        case different
    }

    /// What sort of thing it is.
    public enum Object: String, Sendable, Hashable, Codable, CaseIterable {
        /// A table.
        case table
        /// A column of a table.
        case column
        /// An index.
        case index
        /// A trigger.
        case trigger
        /// A view.
        case view
    }

    /// Missing, extra or different.
    public let kind: Kind
    /// What sort of thing.
    public let object: Object
    /// Its name; a column's with its table: `users.user_id`.
    public let name: String
    /// What was expected, nil when nothing.
    public let expected: String?
    /// What was found, nil when nothing.
    public let found: String?

    /// A difference.
    public init(_ kind: Kind, _ object: Object, _ name: String, expected: String? = nil, found: String? = nil) {
        self.kind = kind
        self.object = object
        self.name = name
        self.expected = expected
        self.found = found
    }

    /// Tables first, then by name.
    public static func < (first: StructureDifference, second: StructureDifference) -> Bool {
        let order = Object.allCases
        let ranks = (order.firstIndex(of: first.object) ?? 0, order.firstIndex(of: second.object) ?? 0)
        return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : first.name < second.name
    }
}
