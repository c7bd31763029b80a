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
        let values = values
        var last: UInt8 = 0
        var count = 0
        for byte in bytes {
            count += 1
            let value = values[Int(byte)]
            if value == none { throw .character(position: count) }
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

    /// What no character of base64url stands for.
    private static let none: UInt8 = 0xFF

    /// What each byte stands for.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, letter) in letters.utf8.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()
}
