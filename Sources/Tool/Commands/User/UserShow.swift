import ArgumentParser
import ChatDBKit

struct UserShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the settings of a profile, and the number of its contacts and other entries.",
        discussion: """
            Examples:
              chatdb user show
              chatdb user show work --format json
              printf %s "$PASSWORD" | chatdb user show secret --password-stdin
            """)

    @Argument(help: "The profile, by name or id (default: the active one).")
    var user: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if user != nil, profile.user != nil {
            throw ValidationError("name the profile once, as an argument or with --user")
        }
    }

    func run() throws {
        let report = try StoreSession.read(profile.store, output.output()) { store in
            try store.read { chat in try UserShowReport(of: profile.profile(orNamed: user, in: chat), in: chat) }
        }
        try output.write(report)
    }
}

/// One profile.
struct UserShowReport: Report {
    let user: User
    let unread: Int
    let chatItemTTL: Int64?
    let contents: UserContents

    init(of user: User, in chat: any ReadTransaction) throws {
        self.user = user
        let users = UsersRepo(chat)
        unread = try ChatItemsRepo(chat).unread(of: user.id).items
        chatItemTTL = try SettingsRepo(chat).chatItemTTL(of: user.id)
        contents = try users.contents(of: user.id, hidden: .shown)
    }

    var json: JSONValue {
        [
            "user": user.json,
            "settings": [
                "showNtfs": .bool(user.showsNotifications), "sendRcptsContacts": .bool(user.sendsReceiptsToContacts),
                "sendRcptsSmallGroups": .bool(user.sendsReceiptsToSmallGroups), "chatItemTtl": JSONValue(chatItemTTL),
            ],
            "unread": JSONValue(unread), "contents": contents.json,
        ]
    }

    var document: Document {
        [.fields(identity), .heading("Settings"), .fields(settings), .heading("Contents"), .fields(has)]
    }

    private var identity: [Field] {
        [
            Field("Id", key: "userId", .number(user.id.rawValue)), Field("Name", .text(user.name, .strong)),
            Field("Active", .yesNo(user.isActive)), Field("Hidden", .yesNo(user.isHidden)),
            Field("Id in the agent database", key: "agentUserId", .number(user.agentUserID.rawValue)),
        ]
    }

    private var settings: [Field] {
        [
            Field("Notifications", key: "showNtfs", .yesNo(user.showsNotifications)),
            Field("Receipts to contacts", key: "sendRcptsContacts", .yesNo(user.sendsReceiptsToContacts)),
            Field("Receipts in small groups", key: "sendRcptsSmallGroups", .yesNo(user.sendsReceiptsToSmallGroups)),
            Field(
                "Messages are kept", key: "chatItemTtl",
                .text(chatItemTTL.map { "\(CellText.grouped($0)) seconds" } ?? "always")),
        ]
    }

    private var has: [Field] { [Field("Unread", .count(unread))] + contents.fields }

    var csvTable: Table {
        let columns: [(String, Cell)] =
            [
                ("userId", .number(user.id.rawValue)), ("name", .text(user.name)), ("active", .yesNo(user.isActive)),
                ("hidden", .yesNo(user.isHidden)), ("agentUserId", .number(user.agentUserID.rawValue)),
                ("showNtfs", .yesNo(user.showsNotifications)),
                ("sendRcptsContacts", .yesNo(user.sendsReceiptsToContacts)),
                ("sendRcptsSmallGroups", .yesNo(user.sendsReceiptsToSmallGroups)),
                ("chatItemTtl", .number(chatItemTTL)),
            ] + has.map { ($0.key, $0.cell) }
        return Table(
            columns.map { Column($0.0, key: $0.0) }, rows: [columns.map(\.1)], whenEmpty: "")
    }
}

extension ProfileOptions {
    /// The profile that an argument names, or else the options.
    func profile(orNamed given: String?, in chat: any ReadTransaction) throws -> User {
        guard let given else { return try profile(in: chat) }
        return try ProfileFinder.find(given, hidden: try hidden.choice(in: chat), in: chat)
    }
}
