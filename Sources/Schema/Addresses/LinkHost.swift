/// The host to show for a link: that of an `https` link without its port, the first of `h=` of a `simplex:` link,
/// the first after the `@` of a server address. Anything else is returned as it is.
///
/// For showing only; it accepts links that ``RelayAddress`` and ``ServerAddress`` refuse.
/// Rule: docs/domain.md, "Chat relays", Host.
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
