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
            // server delete refuses a preset, so the finding is about the other one.
            try found.add(
                """
                SELECT smp_server_id FROM (
                    SELECT smp_server_id, row_number() OVER (
                        PARTITION BY user_id, protocol, lower(substr(host, 1, \(end) - 1)), port
                        ORDER BY preset DESC, smp_server_id) AS place
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
            "presetWithoutOperator", .warning, "preset relays and servers that belong to no operator",
            walk: presetsWithoutOperator),
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

    /// Reports the presets whose operator is missing. Without the row of the operator, they look like the user's own.
    private static func presetsWithoutOperator(_ checked: CheckContext, _ found: inout FoundRows) throws {
        // Older versions have presets and no operators.
        guard checked.structures[.chat]?.tables["server_operators"] != nil else { return }
        var operators: [[String]] = []
        try checked.forEach("SELECT server_operator_id, server_domains FROM server_operators", &found) { row, _ in
            operators.append(OperatorDomains.list(try row.get("server_domains")))
        }
        // A row that cannot be read may be the missing one.
        if !found.skipped.isEmpty { return }
        try checked.forEach(
            """
            SELECT chat_relay_id, domains, visible.user_id AS visible_user_id FROM chat_relays
            LEFT JOIN users visible ON visible.user_id = chat_relays.user_id AND visible.view_pwd_hash IS NULL
            WHERE preset = 1 AND deleted = 0 ORDER BY chat_relay_id
            """, &found
        ) { row, found in
            let own = OperatorDomains.list(try row.get("domains"))
            if operators.contains(where: { OperatorDomains.ownRelay(relayDomains: own, domains: $0) }) { return }
            try found.add(FoundRow("chat_relays", row.get("chat_relay_id"), of: row.get("visible_user_id")), with: [])
        }
        try checked.forEach(
            """
            SELECT smp_server_id, host, visible.user_id AS visible_user_id FROM protocol_servers
            LEFT JOIN users visible ON visible.user_id = protocol_servers.user_id AND visible.view_pwd_hash IS NULL
            WHERE preset = 1 ORDER BY smp_server_id
            """, &found
        ) { row, found in
            let host: String = try row.get("host")
            let hosts = host.split(separator: ",").map(String.init)
            if operators.contains(where: { OperatorDomains.ownServer(hosts: hosts, domains: $0) }) { return }
            try found.add(
                FoundRow("protocol_servers", row.get("smp_server_id"), of: row.get("visible_user_id")), with: [])
        }
    }

    /// The domains that cover a host: the host itself, and what follows each of its dots.
    private static func covering(_ host: String) -> [String] {
        if host.utf8.count > longestHost { return [host] }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }
}
