/// The fault of a host name.
public enum HostProblem: Error, Hashable, Sendable {
    /// The host is empty, for example between two commas.
    case missing
    /// More than 253 characters.
    case tooLong(Int)
    /// The readable name of a character that no host name may have.
    case character(String)
    /// A part between dots is empty, longer than 63 characters, or begins or ends with a hyphen.
    case label
    /// Numbers and dots, but not an IPv4 address.
    case ipv4
    /// Square brackets without an IPv6 address in them.
    case ipv6
    /// More hosts than an address may have.
    case tooMany(Int)

    /// The second half of a sentence whose first half names the part.
    var message: String {
        switch self {
        case .missing: "is missing"
        case .tooLong(let count): "has \(count) characters, at most 253 are allowed"
        case .character(let name): "has the character \(name)"
        case .label: "has a part that is empty, longer than 63 characters, or begins or ends with a hyphen"
        case .ipv4: "is made of numbers and is no IPv4 address"
        case .ipv6: "is no IPv6 address in square brackets"
        case .tooMany(let count): "is one of \(count), at most \(HostText.most) are allowed"
        }
    }

    /// The expected form of a host, for the end of an error.
    static let expected = "expected a DNS or .onion name, an IPv4 address, or an IPv6 address in square brackets"
}

/// The text of a host: a DNS or .onion name, an IPv4 address, or an IPv6 address in square brackets.
enum HostText {
    /// The most host names of one address.
    static let most = 16

    /// The hosts of a comma-separated list, the first of them primary.
    static func list(_ text: some StringProtocol) throws(HostProblem) -> [String] {
        let hosts = text.split(separator: ",", omittingEmptySubsequences: false)
        if hosts.count > most { throw .tooMany(hosts.count) }
        for host in hosts { try check(host) }
        return hosts.map { String($0) }
    }

    static func check(_ host: some StringProtocol) throws(HostProblem) { try check(bytes: Array(host.utf8)[...]) }

    static func check(bytes host: ArraySlice<UInt8>) throws(HostProblem) {
        guard let first = host.first else { throw .missing }
        if host.count > 253 { throw .tooLong(host.count) }
        if first == UInt8(ascii: "[") {
            guard host.last == UInt8(ascii: "]"), isIPv6(string(host.dropFirst().dropLast())) else { throw .ipv6 }
            return
        }
        if let place = host.firstIndex(where: { !isOfName($0) }),
            let scalar = string(host[place...]).unicodeScalars.first
        {
            throw .character(AddressText.name(of: scalar))
        }
        try checkLabels(host)
    }

    /// Each part between dots has 1 to 63 characters, and no hyphen at its ends.
    private static func checkLabels(_ host: ArraySlice<UInt8>) throws(HostProblem) {
        var start = host.startIndex
        var last = host[start...]
        while true {
            last = host[start...].prefix { $0 != UInt8(ascii: ".") }
            guard (1...63).contains(last.count), last.first != UInt8(ascii: "-"), last.last != UInt8(ascii: "-") else {
                throw .label
            }
            if last.endIndex == host.endIndex { break }
            start = last.endIndex + 1
        }
        // A name whose last part is a number is never a DNS name: clients would read it as IPv4.
        if last.allSatisfy(isDigit), !isIPv4(string(host)) { throw .ipv4 }
    }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    static func isIPv4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy(isDigit)
                    && (part.count == 1 || !part.hasPrefix("0")) && UInt8(part) != nil
            }
    }

    /// Eight groups of up to four hexadecimal digits, one run of them as `::`, the last two also as IPv4.
    static func isIPv6(_ text: String) -> Bool {
        guard let gap = doubleColon(in: text) else {
            return groupCount(text[...], mayEndInIPv4: true) == 8
        }
        let before = text[..<gap.lowerBound]
        let after = text[gap.upperBound...]
        guard doubleColon(in: String(after)) == nil,
            let left = before.isEmpty ? 0 : groupCount(before, mayEndInIPv4: false),
            let right = after.isEmpty ? 0 : groupCount(after, mayEndInIPv4: true)
        else { return false }
        return left + right <= 7
    }

    /// The shortest form of an IPv6 address in square brackets (RFC 5952), the same for all its spellings; nil for
    /// another host. An IPv4 address at the end becomes two groups.
    static func shortestIPv6(_ host: some StringProtocol) -> String? {
        guard host.hasPrefix("["), host.hasSuffix("]") else { return nil }
        let text = String(host.dropFirst().dropLast())
        guard isIPv6(text) else { return nil }
        let gap = doubleColon(in: text)
        let left = groups(of: text[..<(gap?.lowerBound ?? text.endIndex)])
        let right = gap.map { groups(of: text[$0.upperBound...]) } ?? []
        let all = left + [UInt16](repeating: 0, count: max(0, 8 - left.count - right.count)) + right
        let longest = longestZeros(all)
        let words = all.map { String($0, radix: 16) }
        let colons = { (range: Range<Int>) in words[range].joined(separator: ":") }
        if longest.count < 2 { return "[\(colons(0..<8))]" }
        return "[\(colons(0..<longest.lowerBound))::\(colons(longest.upperBound..<8))]"
    }

    /// The numbers between the colons of a part of an IPv6 address.
    private static func groups(of text: Substring) -> [UInt16] {
        text.split(separator: ":").flatMap { group -> [UInt16] in
            if isIPv4(group) {
                let bytes = group.split(separator: ".").compactMap { UInt16($0) }
                return [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
            }
            return [UInt16(group, radix: 16) ?? 0]
        }
    }

    /// The first of the longest runs of zeros.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (place, group) in groups.enumerated() {
            if group != 0 {
                start = place + 1
            } else if place + 1 - start > longest.count {
                longest = start..<(place + 1)
            }
        }
        return longest
    }

    private static func doubleColon(in text: String) -> Range<String.Index>? {
        guard let first = text.indices.first(where: { text[$0...].hasPrefix("::") }) else { return nil }
        return first..<text.index(first, offsetBy: 2)
    }

    private static func groupCount(_ text: Substring, mayEndInIPv4: Bool) -> Int? {
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        for (position, group) in groups.enumerated() {
            if mayEndInIPv4, position == groups.count - 1, isIPv4(group) {
                count += 2
            } else if (1...4).contains(group.utf8.count), group.utf8.allSatisfy(isHexDigit) {
                count += 1
            } else {
                return nil
            }
        }
        return count
    }

    /// DNS host names have no underscores; private networks use them nevertheless.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
