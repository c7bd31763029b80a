import ChatDBEngine
import ChatDBSchema

/// A link that is lost, and whose key is left: the key may be all that is left of the link, so it is removed only if
/// another group has the link. Rule: docs/checks.md.
struct LostLink {
    let link: StoredLink
    /// The group of the link, or else the row of the link.
    let row: FoundRow
    let rescue: Rescue

    /// What a repair does.
    enum Rescue {
        /// Writes the link that the key has.
        case writing(String)
        /// Removes the key: another group of the profile has the link.
        case removingKey
        /// Nothing: the key has no whole link, or a text that is no link is in its place.
        case nothing
    }

    init(_ link: StoredLink, in chat: any ReadTransaction) throws {
        let (table, group) = (link.column.table, link.column.group)
        let query: Query = """
            SELECT \(identifier: table).user_id AS owner, users.user_id AS visible_owner, \(group) AS owned_group
            FROM \(identifier: table)
            LEFT JOIN users ON users.user_id = \(identifier: table).user_id AND users.view_pwd_hash IS NULL
            WHERE \(identifier: link.column.id) = \(link.row)
            """
        guard let owner = try chat.first(query) else { throw StoreError(.missing, "the row of a link is missing") }
        let user: Int64? = try owner.get("owner")
        let visible: Int64? = try owner.get("visible_owner")
        let ownGroup: Int64? = try owner.get("owned_group")
        self.link = link
        row = ownGroup.map { FoundRow("groups", $0, of: visible) } ?? FoundRow(table, link.row, of: visible)
        let key = link.stored ?? ""
        if let user, try Self.isElsewhere(key, of: user, besides: ownGroup, in: chat) {
            rescue = .removingKey
        } else if link.isBlank, let short = LinkKey.shortLink(of: key), link.column.takes(short) {
            rescue = .writing(short)
        } else {
            rescue = .nothing
        }
    }

    /// Whether another group of the profile, or its address, has the link. A group that the profile left does not count, and
    /// neither does a text that is not this link.
    private static func isElsewhere(
        _ key: String, of user: Int64, besides group: Int64?, in chat: any ReadTransaction
    ) throws -> Bool {
        var isFound = false
        for column in StoredLink.columns {
            try chat.forEach(
                """
                SELECT \(identifier: column.name) AS link FROM \(identifier: column.table)
                WHERE \(identifier: column.table).user_id = \(user) AND \(identifier: column.key) = \(key)
                    AND \(identifier: column.name) <> '' AND coalesce(\(column.group), 0) <> \(group ?? 0)
                    AND NOT \(StoreCheck.isFormer(column.group))
                """
            ) { row in
                if LinkKey.of(try row.get("link")) == key { isFound = true }
            }
        }
        return isFound
    }

    /// What a repair does, for the example of the finding: `group_link can be made from its key`.
    var clause: String {
        switch rescue {
        case .writing: "\(link.column.name) can be made from its key"
        case .removingKey: "\(link.column.name) is the link of another group"
        case .nothing: "\(link.column.name) cannot be made from its key"
        }
    }

    /// Returns the number of changed rows.
    func repair(_ rows: RepairContext) throws -> Int {
        switch rescue {
        case .writing(let short): try link.update(link.column.name, to: short, rows)
        case .removingKey: try link.update(link.column.key, to: nil, rows)
        case .nothing: 0
        }
    }
}

extension StoreCheck {
    static let lostLink = StoreCheck(
        "lostLink", .warning, "links that are lost, and whose keys are left",
        repair: Repair(act: "writes the links that their keys have, and removes the keys of links of other groups") {
            rows in
            // One after the other, because two of them may be the same link.
            try lostLinks(in: rows.chat).reduce(0) { try $0 + LostLink($1, in: rows.chat).repair(rows) }
        }
    ) { checked, found in
        let chat = try checked.transaction(.chat)
        found.isRepairable = false
        for link in try lostLinks(in: chat) {
            let lost = try LostLink(link, in: chat)
            found.add(lost.row, with: [lost.clause])
            if case .nothing = lost.rescue { continue }
            found.isRepairable = true
        }
    }

    private static func lostLinks(in chat: any ReadTransaction) throws -> [StoredLink] {
        var links: [StoredLink] = []
        try StoredLink.forEach(.lost, in: chat) { links.append($0) }
        return links
    }
}
