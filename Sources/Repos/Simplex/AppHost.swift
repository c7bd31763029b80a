/// A host of a server or relay as SimpleX Chat reads and writes it. The app tries the four forms in this order, takes
/// the first one that fits the beginning of the text, and cannot read a host of which something is left over.
package enum AppHost: Sendable, Hashable {
    case ipv4([UInt8])
    /// The shortest form, without square brackets.
    case ipv6(String)
    case onion(String)
    case name(String)

    /// The text that the app writes.
    package var text: String {
        switch self {
        case .ipv4(let numbers): numbers.map(String.init).joined(separator: ".")
        case .ipv6(let text), .onion(let text), .name(let text): text
        }
    }

    fileprivate var isIPv6: Bool { if case .ipv6 = self { true } else { false } }

    /// Whether the host belongs to an operator with a domain: the app compares the ends of the two texts, and takes
    /// only names.
    func isOf(_ domain: String) -> Bool {
        guard case .name(let name) = self else { return false }
        return name.utf8.reversed().starts(with: domain.utf8.reversed())
    }

    /// The hosts of a text with commas between them. It is nil for a text that the app cannot read, and for one that
    /// is not visible ASCII.
    package static func list(_ text: String) -> [AppHost]? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var rest = Array(text.utf8)[...]
        var hosts: [AppHost] = []
        while true {
            guard let (host, count) = first(of: rest) else { return nil }
            hosts.append(host)
            rest = rest.dropFirst(count)
            if rest.isEmpty { return hosts }
            guard rest.first == UInt8(ascii: ",") else { return nil }
            rest = rest.dropFirst()
        }
    }

    /// The host at the beginning of a text, and its length.
    private static func first(of text: ArraySlice<UInt8>) -> (AppHost, Int)? {
        ipv4(text) ?? ipv6(text) ?? onion(text) ?? name(text)
    }

    /// The first three numbers must be below 256; of the last one, the app takes the lowest eight bits.
    private static func ipv4(_ text: ArraySlice<UInt8>) -> (AppHost, Int)? {
        var numbers: [UInt8] = []
        var rest = text
        while true {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            let number = digits.reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 - 0x30) }
            if numbers.count == 3 {
                return (.ipv4(numbers + [UInt8(truncatingIfNeeded: number)]), text.count - rest.count)
            }
            guard number <= 255, rest.first == UInt8(ascii: ".") else { return nil }
            numbers.append(UInt8(number))
            rest = rest.dropFirst()
        }
    }

    private static func ipv6(_ text: ArraySlice<UInt8>) -> (AppHost, Int)? {
        let digits: ArraySlice<UInt8>
        let length: Int
        if text.first == UInt8(ascii: "[") {
            digits = text.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            length = digits.count + 2
            guard length <= text.count else { return nil }
        } else {
            digits = text.prefix { isHexDigit($0) || $0 == UInt8(ascii: ":") }
            length = digits.count
        }
        guard let address = AppIPv6(String(decoding: digits, as: UTF8.self)) else { return nil }
        return (.ipv6(address.text), length)
    }

    /// One label of lower-case letters and digits.
    private static func onion(_ text: ArraySlice<UInt8>) -> (AppHost, Int)? {
        let label = text.prefix { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
        guard text.dropFirst(label.count).starts(with: ".onion".utf8) else { return nil }
        let host = text.prefix(label.count + 6)
        return (.onion(String(decoding: host, as: UTF8.self)), host.count)
    }

    private static func name(_ text: ArraySlice<UInt8>) -> (AppHost, Int)? {
        let name = String(decoding: text.prefix { !":#,;/".utf8.contains($0) }, as: UTF8.self)
        return name.isEmpty || name.hasSuffix(".onion") ? nil : (.name(name), name.utf8.count)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// The two groups of an IPv6 address that an IPv4 address at its end stands for; nil for another text.
    fileprivate static func groups(ofIPv4 text: Substring) -> [UInt16]? {
        guard let (host, length) = ipv4(Array(text.utf8)[...]), length == text.utf8.count,
            case .ipv4(let numbers) = host
        else { return nil }
        return [UInt16(numbers[0]) << 8 | UInt16(numbers[1]), UInt16(numbers[2]) << 8 | UInt16(numbers[3])]
    }
}

/// An IPv6 address as SimpleX Chat reads and writes it.
private struct AppIPv6 {
    /// Eight numbers.
    private let groups: [UInt16]

    /// It is nil for a text that is no IPv6 address.
    init?(_ text: String) {
        let sides = text.split(separator: "::", omittingEmptySubsequences: false)
        guard sides.count <= 2, let last = sides.last,
            let end = Self.groups(of: last, mayEndInIPv4: true),
            let begin = sides.count == 1 ? [] : Self.groups(of: sides[0], mayEndInIPv4: false)
        else { return nil }
        let missing = 8 - begin.count - end.count
        guard sides.count == 1 ? missing == 0 : missing > 0 else { return nil }
        groups = begin + [UInt16](repeating: 0, count: missing) + end
    }

    private static func groups(of side: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        if side.isEmpty { return [] }
        let parts = side.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (place, part) in parts.enumerated() {
            if mayEndInIPv4, place == parts.count - 1, part.contains(".") {
                guard let two = AppHost.groups(ofIPv4: part) else { return nil }
                groups += two
            } else {
                guard (1...4).contains(part.utf8.count), part.first != "+", part.first != "-",
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    /// The shortest form (RFC 5952). Of the two kinds of addresses that contain an IPv4 address, that one is written as
    /// such; the app cannot read this form without square brackets.
    var text: String {
        let isMapped = groups.prefix(5).allSatisfy { $0 == 0 } && groups[5] == 0xFFFF
        if isMapped || groups.prefix(6).allSatisfy({ $0 == 0 }) && groups[6] != 0 {
            let bytes = groups.suffix(2).flatMap { [$0 >> 8, $0 & 0xFF] }
            return (isMapped ? "::ffff:" : "::") + bytes.map(String.init).joined(separator: ".")
        }
        let words = groups.map { String($0, radix: 16) }
        func joined(_ range: Range<Int>) -> String { words[range].joined(separator: ":") }
        guard let zeros = longestZeros else { return joined(0..<8) }
        return joined(0..<zeros.lowerBound) + "::" + joined(zeros.upperBound..<8)
    }

    /// The first of the longest runs of at least two zeros.
    private var longestZeros: Range<Int>? {
        var longest: Range<Int>?
        var start = 0
        for place in 0...8 where place == 8 || groups[place] != 0 {
            if place - start > (longest?.count ?? 1) { longest = start..<place }
            start = place + 1
        }
        return longest
    }
}

/// The hash of a server's certificate as SimpleX Chat reads and writes it: bytes in base64url.
enum AppKeyHash {
    /// The text that the app writes, with its `=`; nil for a text that the app cannot read, which may lack the `=`.
    static func written(_ text: String) -> String? {
        let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let numbers = body.compactMap(number)
        let padding = (4 - body.count % 4) % 4
        let given = text.utf8.count - body.count
        guard !body.isEmpty, numbers.count == body.count, padding < 3, given == 0 || given == padding,
            text.utf8.dropFirst(body.count).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        // Bits that belong to no byte are zero.
        let unused: UInt8 = padding == 0 ? 0 : padding == 1 ? 0b11 : 0b1111
        guard let last = numbers.last, last & unused == 0 else { return nil }
        return String(decoding: body, as: UTF8.self) + String(repeating: "=", count: padding)
    }

    private static func number(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// Why SimpleX Chat does not take a host.
package enum AppHostProblem: Sendable, Hashable {
    case unreadable
    case ipv6

    /// What is wrong with the hosts of a new server or relay, a text with commas between them; nil for hosts that the
    /// app reads, and writes again as they are. Of an IPv6 address it writes no square brackets, and then reads a port
    /// after it as a part of the address.
    package init?(of text: String) {
        guard let hosts = AppHost.list(text) else {
            self = .unreadable
            return
        }
        if hosts.contains(where: \.isIPv6) {
            self = .ipv6
        } else if hosts.map(\.text).joined(separator: ",") != text {
            self = .unreadable
        } else {
            return nil
        }
    }

    /// A clause.
    package var clause: String {
        switch self {
        case .unreadable: "SimpleX Chat cannot read this host, and would not start"
        case .ipv6:
            "SimpleX Chat writes IPv6 addresses without square brackets, and then reads a port as a part of the address"
        }
    }
}
