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
        let report = try StoreSession(profile.store, output.output()).list { chat in
            try UserShowReport(of: profile.profile(orNamed: user, in: chat), in: chat)
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
    /// What the profile does as a chat relay; nil if it is not a chat relay and relays nothing.
    let relayService: RelayServiceCounts?

    init(of user: User, in chat: any ReadTransaction) throws {
        self.user = user
        let users = UsersRepo(chat)
        unread = try ChatItemsRepo(chat).unread(of: user.id).items
        chatItemTTL = try SettingsRepo(chat).chatItemTTL(of: user.id)
        contents = try users.contents(of: user.id, hidden: .shown)
        let counts = try RelayedGroupsRepo(chat).counts(of: user.id)
        relayService = user.isChatRelay || !counts.isEmpty ? counts : nil
    }

    var json: JSONValue {
        [
            "user": user.json, "settings": Self.settings.json(self), "unread": JSONValue(unread),
            "contents": contents.json, "relayService": relayService?.json ?? .null,
        ]
    }

    var document: Document {
        let blocks: [Block] = [
            .fields(Self.identity.fields(self)), .heading("Settings"), .fields(Self.settings.fields(self)),
            .heading("Contents"), .fields(Self.has.fields(self)),
        ]
        return Document(blocks + (relayService.map { [.heading("Chat relay"), .fields($0.fields)] } ?? []))
    }

    var csvTable: Table { (Self.identity + Self.settings + Self.has).csv([self]) }

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

extension ProfileOptions {
    /// The profile that the argument names, or else the options.
    func profile(orNamed given: String?, in chat: any ReadTransaction) throws -> User {
        guard let given else { return try profile(in: chat) }
        return try ProfileFinder.find(given, hidden: try hidden.choice(in: chat), in: chat)
    }
}
