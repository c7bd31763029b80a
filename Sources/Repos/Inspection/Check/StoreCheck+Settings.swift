import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit
import ChatDBSchema

/// Rule: docs/domain.md, "Operators and servers" and "Settings and tags".
extension StoreCheck {
    static let ofServersAndSettings = [
        StoreCheck(
            "duplicateServer", .error, "servers that a profile has twice", isGeneral: true
        ) { checked, found in
            let chat = try checked.transaction(.chat)
            let end = chat.dialect.position("','", "host || ','")
            try found.add(
                """
                SELECT smp_server_id FROM (
                    SELECT smp_server_id, row_number() OVER (
                        PARTITION BY user_id, protocol, lower(substr(host, 1, \(end) - 1)), port
                        ORDER BY smp_server_id) AS place
                    FROM protocol_servers) AS servers
                WHERE place > 1 ORDER BY smp_server_id
                """, in: chat)
        },
        StoreCheck(
            "unknownServerProtocol", .info, "servers of a protocol that this version does not know", isGeneral: true,
            rows: [
                "SELECT smp_server_id FROM protocol_servers WHERE NOT \(ProtocolServer.isKnown) ORDER BY smp_server_id"
            ]),
        StoreCheck(
            "sharedOperatorDomain", .warning, "operators that have a domain of another operator, or one within it",
            isGeneral: true,
            walk: sharedDomains),
        StoreCheck(
            "duplicateTag", .warning, "tags with the same text as another tag of the profile"
        ) { checked, found in
            var texts: Set<NameInProfile> = []
            try checked.transaction(.chat).forEach(
                "SELECT chat_tag_id, user_id, chat_tag_text FROM chat_tags ORDER BY chat_tag_id"
            ) { row in
                let text = NameInProfile(user: try row.get("user_id"), key: NameRule.key(try row.get("chat_tag_text")))
                if !texts.insert(text).inserted { found.add(try row.get("chat_tag_id") as Int64) }
            }
        },
        StoreCheck(
            "invalidAppSettings", .warning, "settings of the app that are not a JSON object", isGeneral: true
        ) { checked, found in
            try checked.transaction(.chat).forEach("SELECT app_settings_id, app_settings FROM app_settings") { row in
                if (try? AppSettings(try row.get("app_settings"))) == nil {
                    found.add(try row.get("app_settings_id") as Int64)
                }
            }
        },
    ]

    /// The longest name of a host. Longer texts are no domains, and are compared as they are.
    private static let longestHost = 253

    /// Reports the operators together whose domains cover one server: `operators 1 and 2`. Such a server belongs to the
    /// first.
    private static func sharedDomains(_ checked: CheckContext, _ found: inout FoundRows) throws {
        // The lowest numbers of each domain: a sample has no more of them.
        var owners: [String: [Int64]] = [:]
        try checked.transaction(.chat).forEach(
            "SELECT server_operator_id, server_domains FROM server_operators ORDER BY server_operator_id"
        ) { row in
            let id: Int64 = try row.get("server_operator_id")
            for domain in Set(OperatorDomains.list(try row.get("server_domains")).map { $0.lowercased() })
            where owners[domain]?.count ?? 0 < FoundRows.mostShown {
                owners[domain, default: []].append(id)
            }
        }
        let all = owners.keys.map { domain in
            Set(covering(domain).flatMap { owners[$0] ?? [] }).sorted().prefix(FoundRows.mostShown)
        }
        let shared = Set(all.filter { $0.count > 1 }.map(Array.init))
        for ids in shared.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            found.add("operators " + ids.map(String.init).joined(separator: " and "))
        }
    }

    /// The domains that cover a host: the host itself, and what follows each of its dots.
    private static func covering(_ host: String) -> [String] {
        if host.utf8.count > longestHost { return [host] }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }
}
