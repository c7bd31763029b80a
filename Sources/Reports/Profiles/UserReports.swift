package import ChatDBKit

/// The profiles of a store.
package struct UserListReport: Report {
    package let users: [UserInfo]
    /// The number of omitted profiles.
    package let hidden: Int
    /// Whether the store has no profile, and rows of profiles that it lost.
    package let hasLostProfiles: Bool
    /// The options for the next command.
    package let given: GivenOptions
    /// Whether chatdb can change the profiles of the store.
    package let isWritable: Bool

    package init(
        users: [UserInfo], hidden: Int, hasLostProfiles: Bool, given: GivenOptions, isWritable: Bool = true
    ) {
        self.users = users
        self.hidden = hidden
        self.hasLostProfiles = hasLostProfiles
        self.given = given
        self.isWritable = isWritable
    }

    /// Looks for rows of lost profiles if there are no others.
    package static func hasLostProfiles(
        _ chat: any ReadTransaction, besides users: [UserInfo]
    ) throws(StoreError) -> Bool {
        users.isEmpty ? try !NumberedTable.users.lostNumbers(in: chat).isEmpty : false
    }

    package var json: JSONValue {
        ["users": .array(users.map { Self.fields.json($0) }), "hiddenUsers": JSONValue(hidden)]
    }

    private static var fields: [FieldSpec<UserInfo>] {
        [id, .text("name") { $0.user.name }, active, isHidden, .number("agentUserId") { $0.user.agentUserID.rawValue }]
            + [unread]
    }

    private static var listed: [FieldSpec<UserInfo>] {
        [
            id,
            FieldSpec("name", Column("Name", key: "name", shrinking: .end), json: nil, csv: nil) {
                .text($0.user.name, $0.user.isActive ? .strong : nil)
            }, active, isHidden, unread,
        ]
    }

    private static var id: FieldSpec<UserInfo> { .number("userId", "Id") { $0.user.id.rawValue } }
    private static var active: FieldSpec<UserInfo> { .flag("active", "Active") { $0.user.isActive } }
    private static var isHidden: FieldSpec<UserInfo> { .flag("hidden", "Hidden") { $0.user.isHidden } }
    private static var unread: FieldSpec<UserInfo> { .count("unread", "Unread") { $0.unread } }

    package var document: Document {
        let empty: Hint =
            hasLostProfiles
            ? "no profiles, but rows of lost ones; \(.check) shows them"
            : isWritable ? "no profiles; \(.userAdd, "NAME") creates one" : "no profiles"
        let table = Self.listed.table(users, whenEmpty: given.text(empty))
        let notes: [Note] = hidden == 0 ? [] : [.note("and \(hidden) hidden \(hidden == 1 ? "profile" : "profiles")")]
        return [.table(table), .notes(notes)]
    }
}

/// One profile.
package struct UserShowReport: Report {
    package let user: User
    package let unread: Int
    package let chatItemTTL: Int64?
    package let contents: UserContents
    /// What the profile does as a chat relay; nil if it is not a chat relay and relays nothing.
    package let relayService: RelayServiceCounts?

    package init(of user: User, in chat: any ReadTransaction) throws {
        self.user = user
        let users = UsersRepo(chat)
        unread = try ChatItemsRepo(chat).unread(of: user.id).items
        chatItemTTL = try SettingsRepo(chat).chatItemTTL(of: user.id)
        contents = try users.contents(of: user.id, hidden: .shown)
        let counts = try RelayedGroupsRepo(chat).counts(of: user.id)
        relayService = user.isChatRelay || !counts.isEmpty ? counts : nil
    }

    package var json: JSONValue {
        [
            "user": user.json, "settings": Self.settings.json(self), "unread": JSONValue(unread),
            "contents": contents.json, "relayService": relayService?.json ?? .null,
        ]
    }

    package var document: Document {
        let blocks: [Block] = [
            .fields(Self.identity.fields(self)), .heading("Settings"), .fields(Self.settings.fields(self)),
            .heading("Contents"), .fields(Self.has.fields(self)),
        ]
        return Document(blocks + (relayService.map { [.heading("Chat relay"), .fields($0.fields)] } ?? []))
    }

    package var csvTable: Table { (Self.identity + Self.settings + Self.has).csv([self]) }

    private typealias Spec = FieldSpec<UserShowReport>

    private static var identity: [FieldSpec<UserShowReport>] {
        [
            .number("userId", "Id") { $0.user.id.rawValue },
            Spec("name", Column("Name"), json: nil, csv: { .text($0.user.name) }) { .text($0.user.name, .strong) },
            .flag("active", "Active") { $0.user.isActive }, .flag("hidden", "Hidden") { $0.user.isHidden },
            .number("agentUserId", "Id in the agent database") { $0.user.agentUserID.rawValue },
        ]
    }

    private static var settings: [FieldSpec<UserShowReport>] {
        [
            .flag("showNtfs", "Notifications") { $0.user.showsNotifications },
            .flag("sendRcptsContacts", "Receipts to contacts") { $0.user.sendsReceiptsToContacts },
            .flag("sendRcptsSmallGroups", "Receipts in small groups") { $0.user.sendsReceiptsToSmallGroups },
            .flag("userChatRelay", "Chat relay") { $0.user.isChatRelay },
            Spec(
                "chatItemTtl", Column("Messages are kept", key: "chatItemTtl"), json: { JSONValue($0.chatItemTTL) },
                csv: { .number($0.chatItemTTL) },
                cell: { .text($0.chatItemTTL.map { "\(CellText.grouped($0)) seconds" } ?? "always") }),
        ]
    }

    private static var has: [FieldSpec<UserShowReport>] {
        [.count("unread", "Unread") { $0.unread }] + UserContents.fields { $0.contents }
    }
}
