package import ChatDBKit
import Foundation

/// A queue on the command line: `smp://KEYHASH@HOST:PORT/ID`, or `HOST:PORT/ID`.
package struct NotificationQueue {
    package let host: String
    /// The port; nil if it was not given.
    package let port: String?
    /// The id as it was given.
    package let id: String

    package init?(_ argument: String) {
        guard let slash = argument.lastIndex(of: "/") else { return nil }
        id = String(argument[argument.index(after: slash)...])
        var server = argument[..<slash]
        if let scheme = server.range(of: "://") { server = server[scheme.upperBound...] }
        if let at = server.lastIndex(of: "@") { server = server[server.index(after: at)...] }
        let colon = server.lastIndex(of: ":")
        let digits = colon.map { server[server.index(after: $0)...] }
        if let colon, let digits, !digits.isEmpty, digits.allSatisfy(\.isASCII), digits.allSatisfy(\.isNumber) {
            (host, port) = (String(server[..<colon]), String(digits))
        } else {
            (host, port) = (String(server), nil)
        }
        if host.isEmpty || id.isEmpty { return nil }
    }

    /// The addresses that it may mean: an id is base64url of the bytes, as apps write it, or is stored as its text. The
    /// agent stores a default port as an empty text or as 5223.
    package var addresses: [QueueAddress] {
        let ids = [bytes, Array(id.utf8)].compactMap { $0 }.map { QueueID(bytes: $0) }
        return (port.flatMap { $0 == "5223" ? nil : [$0] } ?? ["", "5223"]).flatMap { port in
            ids.map { QueueAddress(server: AgentServerID(host: host, port: port), id: $0) }
        }
    }

    /// The bytes of the id in base64url, with or without its padding; nil if it is something else.
    private var bytes: [UInt8]? {
        let bare = id.replacing("-", with: "+").replacing("_", with: "/").filter { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - bare.count % 4) % 4)
        return Data(base64Encoded: bare + padding).map(Array.init)
    }
}
