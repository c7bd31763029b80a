/// The host to show for a link: the host of an `https` link without its port, the first of `h=` of a `simplex:` link,
/// or the first after the `@` of a server address. Returns any other text unchanged.
///
/// Use it for display only: it accepts links that ``RelayAddress`` and ``ServerAddress`` refuse.
/// Rule: docs/domain.md, "Relay addresses" and "Server addresses".
public func linkHost(_ link: String) -> String {
    let text = AddressText.trimmed(link)
    let lower = text.prefix(9).lowercased()
    let host: Substring
    if lower.hasPrefix("https://") {
        let authority = text.dropFirst(8).prefix { !"/?#".contains($0) }
        host = withoutPort(
            authority[(authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...])
    } else if lower.hasPrefix("simplex:/"), !text.dropFirst(9).hasPrefix("/") {
        host = hostParameter(of: text) ?? ""
    } else if let at = text.lastIndex(of: "@"), text[..<at].contains("://") {
        host = withoutPort(text[text.index(after: at)...].prefix { !",/?#".contains($0) })
    } else {
        host = ""
    }
    return host.isEmpty ? link : String(host)
}

private func hostParameter(of link: String) -> Substring? {
    guard let question = link.firstIndex(of: "?") else { return nil }
    for parameter in link[link.index(after: question)...].split(separator: "&") where parameter.hasPrefix("h=") {
        guard let hosts = AddressText.percentDecoded(parameter.dropFirst(2)) else { return nil }
        return hosts[...].prefix { $0 != "," }
    }
    return nil
}

private func withoutPort(_ host: Substring) -> Substring {
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return host[...end] }
    return host.prefix { $0 != ":" }
}

/// The domains of an operator or a relay, stored as one comma-separated text, and the test for an operator's servers.
/// Rule: docs/domain.md, "Operators and servers".
public enum OperatorDomains {
    /// Splits a stored text, without white space around the domains and without empty ones.
    public static func list(_ text: String) -> [String] {
        let comma = UInt8(ascii: ",")
        // Most relays have one domain or none. An export of many reads them faster without the split.
        if text.isEmpty { return [] }
        guard text.utf8.contains(comma) else {
            let domain = AddressText.trimmed(text)
            return domain.isEmpty ? [] : [domain]
        }
        return text.utf8.split(separator: comma).map { AddressText.trimmed(String(Substring($0))) }
            .filter { !$0.isEmpty }
    }

    /// Joins domains to the stored text; empty for no domains.
    public static func text(_ domains: [String]) -> String {
        domains.joined(separator: ",")
    }

    /// Whether a server belongs to an operator: one of its hosts is a domain of the operator, or a subdomain of one.
    /// So `smp8.simplex.im` belongs to `simplex.im`, and `evilsimplex.im` does not. Ignores case.
    public static func ownServer(hosts: [String], domains: [String]) -> Bool {
        hosts.contains { host in domains.contains { isSuffix($0, of: host) } }
    }

    /// Whether a relay belongs to an operator: one of its domains is equal to one of the operator's.
    /// Ignores case.
    public static func ownRelay(relayDomains: [String], domains: [String]) -> Bool {
        relayDomains.contains { mine in
            !mine.isEmpty && domains.contains { $0.lowercased() == mine.lowercased() }
        }
    }

    /// Whether the host is the domain or a subdomain of it. Ignores case.
    public static func isSuffix(_ domain: String, of host: String) -> Bool {
        let domain = Array(domain.lowercased().utf8)
        let host = Array(host.lowercased().utf8)
        guard !domain.isEmpty, host.count >= domain.count, host.suffix(domain.count).elementsEqual(domain) else {
            return false
        }
        return host.count == domain.count || host[host.count - domain.count - 1] == UInt8(ascii: ".")
    }
}
