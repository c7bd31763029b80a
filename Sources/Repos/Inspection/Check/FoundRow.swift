import ChatDBEngine
public import ChatDBSchema

/// A row that a check found, as numbers and names of this build. Other than a sample, it has no text of the file, so a
/// bundle may have it.
public struct FoundRow: Sendable, Hashable {
    /// The database of the row.
    public let database: DatabaseName
    /// The table, which this build knows.
    public let table: String
    /// The number of the row; in a table without row ids its place in the order of the primary key.
    public let row: Int64
    /// The profile to which the row belongs. It is nil for a hidden profile, and for a row without a profile.
    public let userID: Int64?
    /// The group or channel of a row of `groups`, `group_relays` or `group_members`, and of the connection of a member.
    public let groupID: Int64?
    /// The relay of a row of `group_relays`; nil if the list of the profile does not have it, or if it is soft-deleted or
    /// disabled, or of an operator that is off. Of a channel without rows of relays and without lost members, one that it can
    /// use.
    package let chatRelayID: Int64?
    /// The id of the relay that a row of `group_relays` refers to, and that is missing; nil for any other row.
    package let lostRelayID: Int64?
    /// What an unfinished channel lacks before it can be finished: `link`, `relay`. In `chatDanglingReference`, what a
    /// row of `group_relays` refers to that is missing: `relay`, `member`; what a group or channel has lost: `group` for
    /// the row itself, `groupProfile`, `profile`; `name` for an entry whose name is not reserved. `owner` for a
    /// connection whose contact, member or link is missing. Empty for other rows.
    public let missing: [String]
    /// The relay of a channel that the profile owns, for the connection with it; nil for any other row.
    package let ownRelay: OwnRelay?
    /// For a channel without an active relay, whether an app connects to one of its relays: it is new, invited or
    /// accepted. For a lost relay, whether its channel has another one that is neither inactive nor rejected, by the
    /// status that counts. False for other rows.
    package let hasUsableRelay: Bool
    /// The relays that are only members of the channel, because their rows are lost: all of a channel without any row,
    /// or the member of a row of `group_members`. Empty for other rows.
    package let lostMembers: [LostMember]
    /// The word for the missing owner of a connection.
    package static let owner = "owner"

    package init(
        _ table: String, _ row: Int64, in database: DatabaseName = .chat, of user: Int64?, group: Int64? = nil,
        chatRelay: Int64? = nil, lostRelay: Int64? = nil, missing: [String] = [], ownRelay: OwnRelay? = nil,
        hasUsableRelay: Bool = false, lostMembers: [LostMember] = []
    ) {
        self.database = database
        self.table = table
        self.row = row
        userID = user
        groupID = table == "groups" ? row : group
        chatRelayID = chatRelay
        lostRelayID = lostRelay
        self.missing = missing
        self.ownRelay = ownRelay
        self.hasUsableRelay = hasUsableRelay
        self.lostMembers = lostMembers
    }

    /// A relay of a channel that the profile owns.
    package struct OwnRelay: Sendable, Hashable {
        /// The number of its row of `group_relays`.
        package let row: Int64
        /// The relay; nil if the list of the profile does not have it, or if it is soft-deleted or disabled, or of an
        /// operator that is off.
        package let chatRelayID: Int64?
        /// Whether its membership in the channel has ended, so that nothing uses the connection with it.
        package let hasEnded: Bool
    }

    /// The row in a text: `display_names 7 (profile 1)`, `relay row 3 of group 2 (profile 1)`, `profile 2`.
    public var name: String { name(with: []) }

    /// The same with clauses about the row behind the profile.
    package func name(with clauses: [String]) -> String {
        let profile = userID.flatMap { table == "users" ? nil : "profile \($0)" }
        let details = [profile].compactMap(\.self) + clauses
        return subject + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
    }

    private var subject: String {
        if database == .agent { return "agent: \(table) \(row)" }
        switch table {
        case "users": return "profile \(row)"
        case "groups": return "group \(row)"
        case "contacts": return "contact \(row)"
        case "connections": return "connection \(row)" + (relayName.map { " of \($0)" } ?? "")
        case "group_members": return groupID.map { "member \(row) of group \($0)" } ?? "group_members \(row)"
        case "group_relays": return "relay row \(row)" + (groupID.map { " of group \($0)" } ?? "")
        default: return "\(table) \(row)"
        }
    }

    /// The relay of a connection as ``name`` has it, for the owner of the channel: `relay row 3 of group 2`.
    package var relayName: String? {
        guard let ownRelay, let groupID else { return nil }
        return "relay row \(ownRelay.row) of group \(groupID)"
    }
}

extension StoreCheck {
    /// The tables whose row numbers are the samples of checks, by the id of the check.
    static let tablesOfNumbers: [String: String] = [
        "severalActiveProfiles": "users", "profileWithoutOwnContact": "users", "sharedAgentProfile": "users",
        "ownNameDiffers": "users", "profileWithoutAgent": "users", "severalChatRelays": "users",
        "strayOwnContact": "contacts", "severalAddresses": "user_contact_links",
        "sharedDisplayName": "display_names", "displayNameForm": "display_names",
        "unusedDisplayName": "display_names",
        "duplicateRelay": "chat_relays", "duplicateRelayName": "chat_relays", "invalidRelayAddress": "chat_relays",
        "wrongAddressKey": "chat_relays", "deletedRelayWithoutReference": "chat_relays",
        "groupRelayOutsideChannel": "groups", "groupWithoutOwnMember": "groups", "startedWithoutLink": "groups",
        "joinedWithoutStart": "groups", "relayRequestIncomplete": "groups",
        "deliveryTaskWithoutMessage": "delivery_tasks", "deliveryJobWithoutBody": "delivery_jobs",
        "wrongConnectionType": "connections", "deletedConnectionSubscribed": "connections",
        "connectionWithoutAgent": "connections", "connectionDeletedOnOneSide": "connections",
        "transferWithoutAgentFile": "files",
        "duplicateServer": "protocol_servers", "unknownServerProtocol": "protocol_servers",
        "duplicateTag": "chat_tags", "invalidAppSettings": "app_settings",
        "unusedFileDescription": "xftp_file_descriptions", "unusedContactProfile": "contact_profiles",
        "unusedGroupProfile": "group_profiles",
    ]

    /// The same for tables of the agent database.
    static let tablesOfAgentNumbers: [String: String] = [
        "agentProfileWithoutProfile": "users", "agentConnectionWithoutConnection": "connections",
        "unusedMessageBody": "snd_message_bodies",
    ]
}

extension FoundRows {
    /// Says for the numbers in the sample of a check which rows they are, with the profiles that are not hidden.
    mutating func describe(_ check: StoreCheck, _ checked: CheckContext) throws {
        let numbers = sample.compactMap { if case .number(let number) = $0 { number } else { nil } }
        if numbers.isEmpty { return }
        if let table = StoreCheck.tablesOfAgentNumbers[check.id] {
            for number in numbers { add(FoundRow(table, number, in: .agent, of: nil)) }
        } else if StoreCheck.tablesOfNumbers[check.id] == "connections" {
            for row in try Self.connections(numbers, checked) { add(row) }
        } else if let table = StoreCheck.tablesOfNumbers[check.id] {
            let profiles = try Self.profiles(of: numbers, in: table, checked)
            for number in numbers { add(FoundRow(table, number, of: profiles[number])) }
        }
    }

    /// Connections of the chat database as rows: with the group of a member, and without an owner if it is missing.
    static func connections(_ numbers: [Int64], _ checked: CheckContext) throws -> [FoundRow] {
        if numbers.isEmpty { return [] }
        let profiles = try Self.profiles(of: numbers, in: "connections", checked)
        let ownerless = try OwnerlessConnections.among(numbers, checked)
        let members = try MemberConnections.among(numbers, checked)
        return numbers.map { number in
            FoundRow(
                "connections", number, of: profiles[number], group: members[number]?.group,
                missing: ownerless.contains(number) ? [FoundRow.owner] : [], ownRelay: members[number]?.relay)
        }
    }

    /// The profiles of rows, by the number of the row. Empty if the table has no profile, or cannot be read here: the
    /// finding then has the numbers alone.
    private static func profiles(
        of numbers: [Int64], in table: String, _ checked: CheckContext
    ) throws -> [Int64: Int64] {
        // The samples of this table leave hidden profiles out.
        if table == "users" { return Dictionary(numbers.map { ($0, $0) }) { first, _ in first } }
        guard let chat = checked.chat,
            checked.structures[.chat]?.tables[table]?.columnNames.contains("user_id") == true
        else { return [:] }
        var profiles: [Int64: Int64] = [:]
        do {
            let query: Query = """
                SELECT place, users.user_id FROM \(try checked.numbered(table))
                JOIN users ON users.user_id = \(identifier: table).user_id AND users.view_pwd_hash IS NULL
                WHERE place IN (\(list: numbers))
                """
            for row in try chat.attempt({ try chat.rows(query) }) {
                guard let number = try? row.get("place") as Int64, let user = try? row.get("user_id") as Int64 else {
                    continue
                }
                profiles[number] = user
            }
        } catch {
            let error = StoreError(checking: error)
            if error.endsReading { throw error }
        }
        return profiles
    }
}
