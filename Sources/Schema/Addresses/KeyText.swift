/// What is wrong with the text of a key or a key hash. It never carries the text.
public enum KeyProblem: Error, Hashable, Sendable {
    /// Nothing is there.
    case missing
    /// So many characters instead of the right number.
    case length(Int)
    /// The character at this position, counted from 1, is not of base64url.
    case character(position: Int)
    /// The last character says more than 32 bytes hold: something was changed or mistyped.
    case ending
    /// A key hash of a server address does not end with `=`.
    case padding

    /// What is wrong, as the second half of a sentence.
    var message: String {
        switch self {
        case .missing: "is missing"
        case .length(let count): "has \(count) characters"
        case .character(let position): "has a character that is not base64url at position \(position)"
        case .ending: "ends with a character that cannot end 32 bytes"
        case .padding: "does not end with one \"=\""
        }
    }
}

/// The text of 32 bytes in base64url: 43 characters, in server addresses with a `=` after them.
enum KeyText {
    static let length = 43

    static func check(_ text: some StringProtocol) throws(KeyProblem) { try check(bytes: text.utf8) }

    static func check(bytes: some Collection<UInt8>) throws(KeyProblem) {
        if bytes.isEmpty { throw .missing }
        var last: UInt8 = 0
        var count = 0
        for byte in bytes {
            count += 1
            guard let value = value(of: byte) else { throw .character(position: count) }
            last = value
        }
        if count != length { throw .length(count) }
        // 43 characters are 258 bits: the last two must be unused, or one key would have four texts.
        if last & 0b11 != 0 { throw .ending }
    }

    static func checkPadded(_ text: some StringProtocol) throws(KeyProblem) {
        if text.isEmpty { throw .missing }
        let count = text.utf8.count
        guard text.hasSuffix("=") else {
            try check(text)
            throw .padding
        }
        if count != length + 1 { throw .length(count) }
        try check(text.dropLast())
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
