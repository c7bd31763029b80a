/// The address of a relay or server in a narrow table. Its hosts are always whole: the reader of a plan has to see to
/// whom an entry leads. Only its key is shortened. A list may also omit the further hosts of an address, or its key.
package enum ShownAddress {
    /// `https://relay.example/r#Fp5R…W0mw` for a relay, `smp://LcJU…wjI=@smp.example` for a server. A text of another
    /// form stays whole.
    package static func short(_ text: String) -> String {
        guard let key = key(of: text), key.count > 12, key.utf8.allSatisfy(isOfKey) else { return text }
        return text[..<key.startIndex] + key.prefix(4) + "…" + key.suffix(4) + text[key.endIndex...]
    }

    /// The address without its further hosts: `smp://LcJU…wjI=@smp.example,…`.
    package static func withPrimaryHost(_ text: String) -> String {
        guard let comma = text.firstIndex(of: ","), text.firstIndex(of: "@").map({ $0 < comma }) ?? text.contains("?h=")
        else { return text }
        let further = text[text.index(after: comma)...]
        let end = further.firstIndex(of: "&") ?? further.firstMatch(of: #/:[0-9]+$/#)?.range.lowerBound
        return text[...comma] + "…" + (end.map { further[$0...] } ?? "")
    }

    /// The primary host alone, with its port. A text of another form stays whole.
    package static func host(_ text: String) -> String {
        let address = withPrimaryHost(text).replacing(",…", with: "")
        guard let scheme = address.firstRange(of: "://") else {
            return address.firstMatch(of: #/\?h=([^&]+)/#).map { String($0.1) } ?? text
        }
        let rest = address[scheme.upperBound...]
        let host = rest.firstIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest.prefix { $0 != "/" }
        return host.isEmpty ? text : String(host)
    }

    /// The address in lines of at most `width` columns, broken between its parts. A longer part has its own line, so
    /// that no host is cut.
    package static func lines(_ text: String, to width: Int) -> [String] {
        parts(of: text).reduce(into: []) { lines, part in
            if let last = lines.last, DisplayWidth.of(last + part) <= width {
                lines[lines.count - 1] = last + part
            } else {
                lines.append(part)
            }
        }
    }

    /// The width of the widest part, the least width of the lines.
    package static func widestPart(of text: String) -> Int { parts(of: text).map(DisplayWidth.of).max() ?? 0 }

    /// The key of a relay follows `#`, that of a server stands before `@`.
    private static func key(of text: String) -> Substring? {
        if let hash = text.firstIndex(of: "#") {
            return text[text.index(after: hash)...].prefix { $0 != "?" }
        }
        guard let scheme = text.firstRange(of: "://"), let at = text.firstIndex(of: "@"), scheme.upperBound < at
        else { return nil }
        return text[scheme.upperBound..<at]
    }

    /// Letters and digits of base64url, and its padding. A host has a dot.
    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// A part ends with one of `@,?&`, or with the `/` after a host.
    private static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var part = ""
        for character in text {
            part.append(character)
            let endsHost = character == "/" && !part.hasSuffix(":/") && !part.hasSuffix("://")
            if endsHost || "@,?&".contains(character) {
                parts.append(part)
                part = ""
            }
        }
        return part.isEmpty ? parts : parts + [part]
    }
}
