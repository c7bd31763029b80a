import ChatDBKit
import Foundation

/// A server as the app decodes it, and encodes it again.
struct AppLaunchServer {
    let id: Int64
    let kind: String
    let hosts: [AppLaunchHost]
    let port: String
    let keyHash: String
    let password: String?
    let isPreset: Bool
    let isEnabled: Bool
    /// The server's own roles: all three, or none.
    let roles: [String: Bool]
    var isOfVersionWithRoles = false

    var host: String { hosts.map(\.text).joined(separator: ",") }

    /// The whole address, as in the presets.
    var address: String {
        "\(kind)://\(keyHash)\(password.map { ":\($0)" } ?? "")@\(host)\(port.isEmpty ? "" : ":\(port)")"
    }

    init(_ row: ResultRow, _ kind: String) throws {
        let values = Dictionary(zip(row.columns.names, row.values).map { ($0, $1) }, uniquingKeysWith: { $1 })
        guard let id = values["smp_server_id"]?.number, case .text(let host)? = values["host"],
            let hosts = AppLaunchHost.list(host), case .text(let port)? = values["port"],
            port.allSatisfy({ ("0"..."9").contains($0) }), case .blob(let bytes)? = values["key_hash"],
            let text = String(validating: bytes, as: UTF8.self), let keyHash = Self.key(text)
        else { throw AppLaunch.Undecodable(description: "a server") }
        (self.id, self.kind, self.hosts, self.port, self.keyHash) = (id, kind, hosts, port, keyHash)
        password = values["basic_auth"]?.string
        isPreset = try values.choice("preset")
        isEnabled = try values.choice("enabled")
        if values["tested"] != .null { _ = try values.choice("tested") }
        var roles: [String: Bool] = [:]
        for role in ["storage", "proxy", "names"] {
            guard let value = values["role_\(role)"] else { continue }
            isOfVersionWithRoles = true
            if value != .null { roles[role] = try values.choice("role_\(role)") }
        }
        self.roles = roles.count == 3 ? roles : [:]
    }

    init(text: String, isEnabled: Bool) throws {
        let parts = text.split(separator: "@")
        guard parts.count == 2, let scheme = parts[0].firstRange(of: "://") else {
            throw AppLaunch.Undecodable(description: text)
        }
        let key = parts[0][scheme.upperBound...].split(separator: ":")
        let place = parts[1].split(separator: ":")
        guard let hosts = AppLaunchHost.list(String(place[0])) else { throw AppLaunch.Undecodable(description: text) }
        (id, kind, roles, isPreset) = (0, String(parts[0][..<scheme.lowerBound]), [:], true)
        (self.isEnabled, self.hosts) = (isEnabled, hosts)
        keyHash = String(key[0])
        password = key.count > 1 ? String(key[1]) : nil
        port = place.count > 1 ? String(place[1]) : ""
    }

    /// Bytes in base64url, with or without `=`, as the app writes them; nil for another text.
    private static func key(_ text: String) -> String? {
        let padded = text + (text.contains("=") ? "" : String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
        let standard = padded.replacing("-", with: "+").replacing("_", with: "/")
        guard !text.contains("+"), !text.contains("/"), let bytes = Data(base64Encoded: standard), !bytes.isEmpty,
            bytes.base64EncodedString() == standard
        else { return nil }
        return padded
    }
}

extension [String: SQLValue] {
    /// A choice as the app reads it: 0 or 1, and nothing else.
    func choice(_ column: String) throws -> Bool {
        guard let number = self[column]?.number, number == 0 || number == 1 else {
            throw AppLaunch.Undecodable(description: column)
        }
        return number == 1
    }
}

extension SQLValue {
    /// A text, also one in bytes; nil for every other value.
    var string: String? {
        switch self {
        case .text(let text): text
        case .blob(let bytes): String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }

    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}
