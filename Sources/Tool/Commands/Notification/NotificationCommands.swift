import ArgumentParser
import ChatDBKit
import Foundation

/// Notifications.
struct NotificationCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification", abstract: "Find what a notification is about.",
        discussion: """
            A notification names a queue by its server and by a notifier id.

            Examples:
              chatdb notification target smp.example.org/bm90aWZpZXI
            """,
        subcommands: [NotificationTargetCommand.self])
}

/// A queue on the command line: `smp://KEYHASH@HOST:PORT/ID`, or `HOST:PORT/ID`.
struct QueueArgument {
    let host: String
    /// The port; nil if it was not given.
    let port: String?
    /// The id as it was given.
    let id: String

    /// Throws for a text without a host or an id.
    static func parse(_ argument: String) throws -> QueueArgument {
        guard let queue = QueueArgument(argument) else {
            throw ValidationError("\"\(TextEscaping.line(argument))\" is no queue; expected HOST:PORT/ID")
        }
        return queue
    }

    private init?(_ argument: String) {
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
    var addresses: [QueueAddress] {
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
