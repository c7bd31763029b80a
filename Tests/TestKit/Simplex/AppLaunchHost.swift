import Foundation
import Synchronization

/// A host as the app decodes it: four alternatives, of which the first that fits the beginning is taken. Written after
/// the app's parser, apart from the code of chatdb that does the same.
package struct AppLaunchHost: Hashable {
    /// The text that the app encodes it to.
    let text: String
    /// Whether it is a name; only names belong to operators.
    let isName: Bool

    /// The answers so far: the presets have the same hosts at every start.
    private static let known = Mutex<[String: [AppLaunchHost]?]>([:])

    /// The hosts of a text; nil if something of it is left over, or nothing fits.
    static func list(_ text: String) -> [AppLaunchHost]? {
        if let known = known.withLock({ $0[text] }) { return known }
        let hosts = decoded(text)
        known.withLock { $0[text] = .some(hosts) }
        return hosts
    }

    private static func decoded(_ text: String) -> [AppLaunchHost]? {
        var rest = text[...]
        var hosts: [AppLaunchHost] = []
        repeat {
            if !hosts.isEmpty {
                guard rest.first == "," else { return nil }
                rest = rest.dropFirst()
            }
            guard let (host, length) = first(rest) else { return nil }
            hosts.append(host)
            rest = rest.dropFirst(length)
        } while !rest.isEmpty
        return hosts
    }

    /// The text that the app encodes the hosts of a text to; nil for a text that it cannot decode.
    package static func written(_ text: String) -> String? {
        list(text).map { $0.map(\.text).joined(separator: ",") }
    }

    private static func first(_ text: Substring) -> (AppLaunchHost, Int)? {
        if let match = text.prefixMatch(of: /([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)/),
            let a = UInt8(match.1), let b = UInt8(match.2), let c = UInt8(match.3), let d = UInt64(match.4)
        {
            return (AppLaunchHost(text: "\(a).\(b).\(c).\(d % 256)", isName: false), match.0.count)
        }
        if let match = text.prefixMatch(of: /\[([^\]]+)\]/), let address = ipv6(String(match.1)) {
            return (AppLaunchHost(text: address, isName: false), match.0.count)
        }
        if let match = text.prefixMatch(of: /[0-9a-fA-F:]+/), let address = ipv6(String(match.0)) {
            return (AppLaunchHost(text: address, isName: false), match.0.count)
        }
        if let match = text.prefixMatch(of: /[a-z0-9]*\.onion/) {
            return (AppLaunchHost(text: String(match.0), isName: false), match.0.count)
        }
        guard let match = text.prefixMatch(of: /[^:#,;\/ \n\r\t]+/), !match.0.hasSuffix(".onion") else { return nil }
        return (AppLaunchHost(text: String(match.0), isName: true), match.0.count)
    }

    /// The text of an IPv6 address that the C library writes.
    private static func ipv6(_ text: String) -> String? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The first host and the key of a link, which two texts of one link share.
    static func key(of link: String) -> String {
        let end = link.split(separator: "#").last ?? ""
        let host = link.prefixMatch(of: /https:\/\/([^\/]+)/)?.1 ?? end.firstMatch(of: /[?&]h=([^,&]+)/)?.1
        return "\(end.prefix { $0 != "?" })@\((host ?? "").lowercased())"
    }

    /// Whether the app can decode a link: a short link with hosts that it can decode, or a long link.
    static func isLink(_ text: String) -> Bool {
        guard let match = text.prefixMatch(of: /(simplex:|https:\/\/([^\/]+))\/([a-z]+)\/?#/) else { return false }
        if match.3 == "contact" { return true }
        guard match.3 == "r" || match.3 == "a" || match.3 == "c" || match.3 == "g" else { return false }
        let parameters = text.split(separator: "?").dropFirst().first?.split(separator: "&") ?? []
        let more = parameters.first { $0.hasPrefix("h=") }?.dropFirst(2).removingPercentEncoding
        let hosts = [match.2.map(String.init), more].compactMap(\.self).filter { !$0.isEmpty }
        return !hosts.isEmpty && list(hosts.joined(separator: ",")) != nil
    }
}
