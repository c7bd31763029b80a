package import ChatDBSchema

/// The rule for names of profiles, relays and groups: 1 to 200 characters, without control and bidirectional
/// characters.
package enum NameRule {
    package static let longest = 200

    /// The name without blanks at both ends. Throws when nothing is left, when it is too long, or when it has a
    /// control or bidirectional character.
    package static func checked(_ given: String, longest: Int = NameRule.longest) throws(NameProblem) -> String {
        let name = trimmed(given)
        if name.isEmpty { throw .empty }
        let count = name.unicodeScalars.count
        if count > longest { throw .tooLong(count, longest: longest) }
        if let scalar = name.unicodeScalars.first(where: UnsafeScalars.contains) {
            let hex = String(scalar.value, radix: 16, uppercase: true)
            throw .character("U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex)
        }
        return name
    }

    /// The name, or the first with a number behind it whose key is not taken.
    package static func free(_ name: String, besides taken: Set<String>) -> String {
        // Room for a number.
        let name = String(name.prefix(longest - 10))
        var (free, number) = (name, 2)
        while taken.contains(key(free)) { (free, number) = ("\(name) \(number)", number + 1) }
        return free
    }

    /// The form in which names are compared: trimmed, without case.
    package static func key(_ name: String) -> String { trimmed(name).lowercased() }

    /// By scalars, because CR LF is a single `Character`.
    package static func trimmed(_ text: String) -> String {
        // The usual case: nothing to drop.
        if let first = text.utf8.first, let last = text.utf8.last, isVisible(first), isVisible(last) { return text }
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}

/// Why a text is no name.
public enum NameProblem: Error, Sendable, Hashable {
    /// Nothing, or blanks only.
    case empty
    /// The number of characters, and the number that is allowed.
    case tooLong(Int, longest: Int = 200)
    /// A control or bidirectional character, by its number, `U+202E`.
    case character(String)

    /// A clause that follows "the name".
    public var message: String {
        switch self {
        case .empty: "is empty; expected 1 to \(NameRule.longest) characters"
        case .tooLong(let count, let longest): "has \(count) characters; expected at most \(longest)"
        case .character(let name): "has the character \(name); expected no control and no bidirectional characters"
        }
    }
}

/// The way in which a caller named the row to find: by number or by name.
public enum Named<ID: RawRepresentable<Int64> & Hashable & Sendable>: Sendable, Hashable, CustomStringConvertible {
    /// By its number.
    case id(ID)
    /// By its name.
    case name(String)

    /// The number, or the name in quotes.
    public var description: String {
        switch self {
        case .id(let id): "\(id)"
        case .name(let name): "\"\(name)\""
        }
    }

    package var json: JSONValue {
        switch self {
        case .id(let id): .integer(id.rawValue)
        case .name(let name): .string(name)
        }
    }
}
