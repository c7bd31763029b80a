/// The usual link of a relay, `https://<host>/<t>#<key>` in lower case with nothing after the key, read in one pass.
/// An export checks each of very many addresses; the parser that says what is wrong takes five times as long.
enum PlainRelayLink {
    private static let scheme = Array("https://".utf8)
    /// The slash, the type, the `#` and the key.
    private static let tail = 3 + KeyText.length

    /// Nil for every other link, right or wrong. What is read here, `RelayAddressParser` reads to the same parts; a
    /// test compares the two.
    static func parts(of text: String) -> RelayAddress.Parts? {
        guard let type = text.utf8.withContiguousStorageIfAvailable({ read($0) }) ?? nil else { return nil }
        return RelayAddress.Parts(
            text: text, scheme: .https, linkType: type, addressKey: nil, listedHosts: [], port: nil, keyHash: nil)
    }

    /// The address key of such a link. It is not stored with the parts: an export does not need it.
    static func addressKey(of text: String) -> String {
        let (host, end) = (text.utf8.dropFirst(scheme.count).dropLast(tail), text.utf8.suffix(tail - 1))
        return String(decoding: Array(end) + [UInt8(ascii: "@")] + host, as: UTF8.self)
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> RelayAddress.LinkType? {
        let end = bytes.count - tail
        guard end > scheme.count, end - scheme.count <= 253, bytes.starts(with: scheme),
            bytes[end] == UInt8(ascii: "/"), let type = type(bytes[end + 1]), bytes[end + 2] == UInt8(ascii: "#")
        else { return nil }
        let host = UnsafeBufferPointer(rebasing: bytes[scheme.count..<end])
        let key = UnsafeBufferPointer(rebasing: bytes[(end + 3)...])
        return isName(host) && (try? KeyText.check(bytes: key)) != nil ? type : nil
    }

    private static func type(_ byte: UInt8) -> RelayAddress.LinkType? {
        switch byte {
        case UInt8(ascii: "r"): .relay
        case UInt8(ascii: "a"): .contact
        default: nil
        }
    }

    /// Whether it is a host name in lower case: labels of 1 to 63 letters, digits and inner hyphens, the last of which
    /// is no number.
    private static func isName(_ host: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = 0
        var isNumber = true
        for (place, byte) in host.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"): isNumber = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "."):
                guard isLabel(host, start, place) else { return false }
                start = place + 1
                isNumber = true
            default: return false
            }
        }
        return !isNumber && isLabel(host, start, host.count)
    }

    private static func isLabel(_ host: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        (1...63).contains(end - start) && host[start] != UInt8(ascii: "-") && host[end - 1] != UInt8(ascii: "-")
    }
}
