import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit
import ChatDBSchema

/// Rule: docs/domain.md, "Operators and servers" and "Settings and tags".
extension StoreCheck {
    static let ofServersAndSettings = [
        StoreCheck(
            "duplicateServer", .error, "servers that a profile has twice", isGeneral: true,
            rows: [
                """
                SELECT smp_server_id FROM (
                    SELECT smp_server_id, row_number() OVER (
                        PARTITION BY user_id, protocol, lower(substr(host, 1, instr(host || ',', ',') - 1)), port
                        ORDER BY smp_server_id) AS place
                    FROM protocol_servers)
                WHERE place > 1 ORDER BY smp_server_id
                """
            ]),
        StoreCheck(
            "unknownServerProtocol", .info, "servers of a protocol that this version does not know", isGeneral: true,
            rows: [
                "SELECT smp_server_id FROM protocol_servers WHERE NOT \(ProtocolServer.isKnown) ORDER BY smp_server_id"
            ]),
        StoreCheck(
            "sharedOperatorDomain", .warning, "operators that have a domain of another operator", isGeneral: true,
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

    /// Reports the operators of a domain together: `1 and 2`. Servers and relays of the domain belong to the first.
    private static func sharedDomains(_ checked: CheckContext, _ found: inout FoundRows) throws {
        var owners: [String: [Int64]] = [:]
        try checked.transaction(.chat).forEach(
            "SELECT server_operator_id, server_domains FROM server_operators ORDER BY server_operator_id"
        ) { row in
            let id: Int64 = try row.get("server_operator_id")
            let domains: String = try row.get("server_domains")
            let names = domains.split(separator: ",").map { NameRule.key(String($0)) }.filter { !$0.isEmpty }
            for name in Set(names) { owners[name, default: []].append(id) }
        }
        let shared = Set(owners.values.filter { $0.count > 1 })
        for ids in shared.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            found.add(ids.prefix(FoundRows.most).map(String.init).joined(separator: " and "))
        }
    }
}
