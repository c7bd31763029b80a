public import ChatDBSchema

/// A store on a PostgreSQL server: two schemas of one database. Rule: docs/postgresql.md, "Naming a store".
///
/// ```swift
/// let store = try ServerStore("postgres://ops@db.example/chats?store=main")
/// print(store.schema(of: .chat))  // main_chat
/// ```
public struct ServerStore: Sendable, Hashable {
    /// The connection URI for libpq, without the name of the store.
    public let uri: String
    /// The name of the store, with which its schemas begin.
    public let name: String
    /// The path with which the names of files begin that chatdb keeps for the store on this machine, such as backups;
    /// nil for a caller that names a folder each time.
    public var keptPrefix: String?

    /// The longest name. PostgreSQL cuts the name of a schema at 63 bytes, and two names that are cut could be the same.
    public static let longestName = 40

    /// Whether a text names a store on a server, and not a file.
    public static func isNamed(by text: String) -> Bool {
        ["postgres://", "postgresql://"].contains { text.hasPrefix($0) }
    }

    /// The store that a URI names: `postgres://user@host/database?store=NAME`, with any parameters of libpq.
    ///
    /// Throws `invalidServer` for a URI without a valid name, and for one with a password: other users of the machine
    /// can see the command line.
    public init(_ text: String) throws(StoreLocationError) {
        guard Self.isNamed(by: text) else { throw .invalidServer("it does not begin with postgres://") }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if Self.hasPassword(parts[0]) { throw .passwordInAddress }
        var parameters: [String] = []
        var name: String?
        for parameter in (parts.count > 1 ? parts[1] : "").split(separator: "&").map(String.init) {
            let key = parameter.prefix { $0 != "=" }
            switch key {
            case "store":
                if name != nil { throw .invalidServer("it has two parameters store") }
                name = String(parameter.dropFirst(key.utf8.count + 1))
            case "password", "sslpassword": throw .passwordInAddress
            default: parameters.append(parameter)
            }
        }
        guard let name, !name.isEmpty else {
            throw .invalidServer("it does not name the store; add ?store=NAME at its end")
        }
        let isValid = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
        }
        guard isValid, name.first?.isLetter == true, name.utf8.count <= Self.longestName else {
            throw .invalidServer(
                "the name of the store has at most \(Self.longestName) of a to z, 0 to 9 and _, and begins with a letter"
            )
        }
        // PostgreSQL keeps such names of schemas for itself.
        guard !name.hasPrefix("pg_") else { throw .invalidServer("the name of the store begins with pg_") }
        uri = parameters.isEmpty ? parts[0] : parts[0] + "?" + parameters.joined(separator: "&")
        self.name = name
    }

    /// Whether the part before the host has a password: `user:password@`.
    private static func hasPassword(_ address: String) -> Bool {
        let scheme = address.prefix { $0 != "/" }
        let authority = address.dropFirst(scheme.count + 2).prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return false }
        return authority[..<at].contains(":")
    }

    /// The name of the database as the URI writes it: its path, or the parameter `dbname`. Nil if the URI has none.
    package var database: String? {
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parameter = (parts.count > 1 ? parts[1] : "").split(separator: "&").last { $0.hasPrefix("dbname=") }
        if let parameter { return String(parameter.dropFirst("dbname=".count)) }
        let path = parts[0].split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return path.count > 3 && !path[3].isEmpty ? String(path[3]) : nil
    }

    /// The schema of a database.
    public func schema(of database: DatabaseName) -> String { "\(name)_\(database.rawValue)" }

    /// The schema of a database that SimpleX Chat has made with this name.
    public func appSchema(of database: DatabaseName) -> String { "\(name)_\(database.rawValue)_schema" }
}

extension ServerStore: CustomStringConvertible {
    /// The URI with the name of the store, as a command takes it.
    public var description: String { uri + (uri.contains("?") ? "&" : "?") + "store=" + name }
}
