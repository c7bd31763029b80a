import ChatDBEngine
package import ChatDBSchema

extension StoreCheck {
    /// The files, as the engine sees them.
    static let ofFiles: [StoreCheck] =
        [
            given(
                foreignLog, .error, "write-ahead logs that belong to another database, or to another time of this one",
                DatabaseName.allCases),
            given(orphanLog, .warning, "write-ahead logs whose database is missing", DatabaseName.allCases),
            given(uselessLog, .info, "write-ahead logs without a committed change", DatabaseName.allCases),
        ]
        + DatabaseName.allCases.flatMap { database in
            [damage(of: database), damagedPages(of: database), danglingReferences(in: database)]
        }

    /// The ids of the checks of logs, for the caller that finds them.
    package static let foreignLog = "foreignLog"
    package static let orphanLog = "orphanLog"
    package static let uselessLog = "uselessLog"

    /// The id of the check of a whole file. A repair does not begin when this check has found something.
    package static func damageID(_ database: DatabaseName) -> String { "\(database)Damaged" }

    private static func damage(of database: DatabaseName) -> StoreCheck {
        StoreCheck(
            id: damageID(database), severity: .error,
            sentence: "damaged parts of the file of the \(database) database", databases: [database],
            isGeneral: true,
            question: .file { connection, found in
                // A part is a table, an index, the schema or the free pages; its sentence has no value of a row.
                do throws(StoreError) {
                    let parts = try connection.damage()
                    for damage in parts { found.add(damage) }
                    found.detail = chat(of: parts, in: connection)
                } catch {
                    // Damage that ends the integrity check itself.
                    if error.kind != .damaged { throw error }
                    found.add(error.message)
                }
            }, repair: nil)
    }

    /// The chat of all messages that an index of chat items lacks: `the rows belong to contact 237`. It is nil for other
    /// damage, for rows of several chats, and if more rows may be concerned than are named. Only SQLite has such
    /// damage.
    private static func chat(of parts: [DatabaseDamage], in connection: any StorageConnection) -> String? {
        guard let part = parts.first, parts.count == 1, part.lacksEntries, part.table == "chat_items",
            part.differing.count < DatabaseDamage.most
        else { return nil }
        let rows = try? connection.read {
            try $0.rows(
                """
                SELECT DISTINCT contact_id, group_id FROM \($0.dialect.ofFile("chat_items")) NOT INDEXED
                WHERE chat_item_id IN (\(list: part.differing))
                """)
        }
        guard let row = rows?.first, rows?.count == 1 else { return nil }
        if let contact = (try? row.get("contact_id") as Int64?) ?? nil {
            return "the rows belong to contact \(contact)"
        }
        return ((try? row.get("group_id") as Int64?) ?? nil).map { "the rows belong to group \($0)" }
    }

    /// The id of the check of all pages of an encrypted file.
    package static func damagedPageID(_ database: DatabaseName) -> String { "\(database)DamagedPage" }

    /// SQLite finds only the damaged pages that it reads, stops at the first, and takes a page of zeros for content.
    private static func damagedPages(of database: DatabaseName) -> StoreCheck {
        StoreCheck(
            id: damagedPageID(database), severity: .error,
            sentence: "pages of the \(database) database that were changed or overwritten with zeros",
            databases: [database], isGeneral: true,
            question: .file { connection, found in
                let damaged = try connection.damagedPages()
                for page in damaged.first {
                    if page.isZeroed { found.add("\(page.number) (zeros)") } else { found.add(page.number) }
                }
                for _ in damaged.first.count..<damaged.count { found.countOnly() }
            }, repair: nil)
    }

    private static func danglingReferences(in database: DatabaseName) -> StoreCheck {
        StoreCheck(
            id: "\(database)DanglingReference", severity: .error,
            sentence: "rows of the \(database) database that refer to a missing row",
            databases: [database], isGeneral: true,
            question: .file { connection, found in
                try connection.forEachDanglingReference { found.add($0) }
                let clauses = [
                    database == .chat ? LostGroups.add(in: connection, &found) : nil,
                    addLostRelays(in: connection, &found), LostNames.add(in: connection, &found),
                ].compactMap(\.self)
                if !clauses.isEmpty { found.detail = clauses.joined(separator: "; ") }
            }, repair: database == .chat ? LostNames.repair : nil)
    }

    /// The statuses of relays that neither serve a channel nor are on their way to. A status of a newer app is not among
    /// them.
    private static let failedStatuses = RelayStatus.known.filter { !$0.isCurrent }.map(\.text)

    /// The statuses of members that are no longer in a channel. A relay that the channel has just asked is still a
    /// member that is invited.
    private static let endedStatuses = GroupMemberStatus.known.filter(\.isHistory).map(\.text)

    /// Adds the rows of channels that refer to missing relays or members, which are in the sample already, with their
    /// channels and profiles, and returns a clause about lost relays; nil if there are none. A channel that lost the
    /// membership of the profile too has lost more than a relay.
    private static func addLostRelays(in connection: any StorageConnection, _ found: inout FoundRows) -> String? {
        let parents = ["chat_relays", "group_members"]
        guard found.references.contains(where: { $0.table == "group_relays" && parents.contains($0.parent) }) else {
            return nil
        }
        let rows = try? connection.read { chat in
            let file = chat.dialect.ofFile
            return try chat.rows(
                """
                SELECT group_relay_id, group_id, chat_relay_id, visible_user_id, lacks_relay, lacks_member, has_others
                FROM (
                    SELECT parts.group_relay_id, parts.group_id, parts.chat_relay_id,
                        profiles.user_id AS visible_user_id,
                        CASE WHEN parts.chat_relay_id IS NULL OR EXISTS (
                            SELECT 1 FROM \(file("chat_relays")) AS relays
                            WHERE relays.chat_relay_id = parts.chat_relay_id) THEN 0 ELSE 1 END AS lacks_relay,
                        CASE WHEN NOT EXISTS (
                            SELECT 1 FROM \(file("group_members")) AS members
                            WHERE members.group_member_id = parts.group_member_id)
                        AND EXISTS (
                            SELECT 1 FROM \(file("group_members")) AS own
                            WHERE own.group_id = parts.group_id AND own.member_category = 'user')
                        THEN 1 ELSE 0 END AS lacks_member,
                        CASE WHEN EXISTS (
                            SELECT 1 FROM \(file("group_relays")) AS others
                            JOIN \(file("chat_relays")) AS kept ON kept.chat_relay_id = others.chat_relay_id
                                AND kept.user_id = channels.user_id
                            JOIN \(file("group_members")) AS member ON member.group_id = others.group_id
                                AND member.group_member_id = others.group_member_id AND member.member_role = 'relay'
                            WHERE others.group_id = parts.group_id
                                AND others.relay_status NOT IN (\(list: failedStatuses))
                                AND member.member_status NOT IN (\(list: endedStatuses)))
                        THEN 1 ELSE 0 END AS has_others
                    FROM \(file("group_relays")) AS parts
                    LEFT JOIN \(file("groups")) AS channels ON channels.group_id = parts.group_id
                    LEFT JOIN \(file("users")) AS profiles
                        ON profiles.user_id = channels.user_id AND profiles.view_pwd_hash IS NULL
                ) AS lost
                WHERE lacks_relay = 1 OR lacks_member = 1
                ORDER BY group_relay_id LIMIT \(number: FoundRows.most)
                """
            ).map { row in
                let (relay, member): (Bool, Bool) = (try row.get("lacks_relay"), try row.get("lacks_member"))
                let others: Bool = try row.get("has_others")
                return try FoundRow(
                    "group_relays", row.get("group_relay_id"), of: row.get("visible_user_id"),
                    group: row.get("group_id"), lostRelay: relay ? row.get("chat_relay_id") : nil,
                    missing: (relay ? ["relay"] : []) + (member ? ["member"] : []), hasUsableRelay: others)
            }
        }
        guard let rows, !rows.isEmpty else { return nil }
        for row in rows { found.add(row) }
        var names: [String] = []
        for row in rows where row.missing.contains("relay") {
            guard let group = row.groupID else { continue }
            let name = FoundRow("groups", group, of: row.userID).name
            if !names.contains(name) { names.append(name) }
        }
        if names.isEmpty { return nil }
        let most = FoundRows.mostShown
        return "relays of \(names.prefix(most).joined(separator: ", "))\(names.count > most ? ", …" : "") are lost"
    }
}
