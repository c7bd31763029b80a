/// The key of a link: a text that is the same for all spellings of one link.
///
/// - short link: `<type>#<key>@<first host>`, as the key of a relay address
/// - full link: `smp#<queue id>@<first host>`, of the first `smp` queue
///
/// The host is in lower case, and an IPv6 address in its shortest form. The scheme, further hosts, the port and the key hash make no difference. The site of the
/// app, `simplex.chat`, is not a server: the host of such a link is the one in its parameters.
///
/// The store keeps the keys, so their form never changes. The migration that adds them computes the same texts in SQL,
/// or leaves NULL. Rule: docs/domain.md, "Prepared groups".
package enum LinkKey {
    /// The key of a link of any kind; nil for a text that has none. Links without a key are compared by their texts.
    package static func of(_ link: String) -> String? {
        let text = AddressText.trimmed(link)
        guard text.utf8.count <= longest, AddressText.foreignScalar(in: text) == nil else { return nil }
        guard let (site, rest) = path(of: text[...]), let hash = rest.firstIndex(of: "#") else { return nil }
        let fragment = rest[rest.index(after: hash)...]
        return switch rest[..<hash] {
        case "contact", "contact/": fullKey(fragment)
        case "c", "g", "a", "r": shortKey(type: rest[..<hash], fragment, site: site)
        default: nil
        }
    }

    /// The short link that has the key, with its first host and without a port; nil for the key of a full link, and for a
    /// text that is no key.
    package static func shortLink(of key: String) -> String? {
        guard let at = key.lastIndex(of: "@") else { return nil }
        let link = "https://\(key[key.index(after: at)...])/\(key[..<at])"
        return of(link) == key ? link : nil
    }

    /// The keys of the links that have one, each once.
    static func all(of links: [String]) -> [String] {
        links.compactMap(of).reduce(into: []) { keys, key in if !keys.contains(key) { keys.append(key) } }
    }

    /// The beginning of the key of a full link.
    static let fullPrefix = "smp#"

    /// A full link carries keys and hosts of several queues: it may be longer than an address.
    private static let longest = 16_384

    /// The pages of the app: links to them name the server in their parameters.
    private static let sites: Set<String> = ["simplex.chat", "www.simplex.chat"]

    /// The host of an `https` link, nil for the app's scheme, and the rest after the slash.
    private static func path(of text: Substring) -> (site: Substring?, rest: Substring)? {
        let lower = text.prefix(9).lowercased()
        if lower == "simplex:/" { return (nil, text.dropFirst(9)) }
        guard lower.hasPrefix("https://") else { return nil }
        let rest = text.dropFirst(8)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        return (rest[..<slash], rest[rest.index(after: slash)...])
    }

    private static func shortKey(type: Substring, _ fragment: Substring, site: Substring?) -> String? {
        let key = fragment.prefix { $0 != "?" }
        guard (try? KeyText.check(key)) != nil else { return nil }
        let server = site.flatMap { sites.contains($0.lowercased()) ? nil : String($0) }
        let hosts = server ?? parameter("h", of: fragment)
        guard let host = hosts.flatMap({ host($0.prefix { $0 != "," }) }) else { return nil }
        return "\(type)#\(key)@\(host)"
    }

    private static func fullKey(_ fragment: Substring) -> String? {
        guard let queue = parameter("smp", of: fragment), queue.prefix(6).lowercased() == "smp://",
            let at = queue.firstIndex(of: "@")
        else { return nil }
        let server = queue[queue.index(after: at)...]
        guard let slash = server.firstIndex(of: "/"), let host = host(withoutPort(server[..<slash])) else { return nil }
        let end = server[server.index(after: slash)...].prefix { !"#/?&;".contains($0) }
        let id = end.prefix { $0 != "=" }
        guard !id.isEmpty, id.utf8.allSatisfy(isOfID), end[id.endIndex...].allSatisfy({ $0 == "=" }) else { return nil }
        return "\(fullPrefix)\(id)@\(host)"
    }

    /// The first parameter of a name, decoded.
    private static func parameter(_ name: String, of fragment: Substring) -> String? {
        guard let question = fragment.firstIndex(of: "?") else { return nil }
        let parameters = fragment[fragment.index(after: question)...].split(separator: "&")
        guard let found = parameters.first(where: { $0.hasPrefix(name + "=") }) else { return nil }
        return AddressText.percentDecoded(found.dropFirst(name.count + 1))
    }

    private static func withoutPort(_ hosts: Substring) -> Substring {
        let first = hosts.prefix { $0 != "," }
        if first.hasPrefix("["), let end = first.firstIndex(of: "]") { return first[...end] }
        return first.prefix { $0 != ":" }
    }

    /// The host in lower case, an IPv6 address in its shortest form; nil for what is no host.
    private static func host(_ text: Substring) -> String? {
        if (try? HostText.check(text)) == nil { return nil }
        return HostText.shortestIPv6(text) ?? text.lowercased()
    }

    private static func isOfID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x30...0x39,
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
