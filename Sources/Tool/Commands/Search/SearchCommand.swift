import ArgumentParser
import ChatDBKit

struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find messages by their words, best matches first.",
        discussion: """
            A message matches when it contains all words, in any order. Case and accents make no difference, and there \
            are no operators. The last word also matches words that begin with it. The answer has ids and times; \
            --show personal adds names of chats and the text around the words.

            Examples:
              chatdb search holiday photos
              chatdb search invoice --contact bob --show personal
              chatdb search meeting --group news --limit 20 --offset 20
            """)

    @Argument(help: ArgumentHelp("The words.", valueName: "word"))
    var words: [String]

    @Option(help: ArgumentHelp("Search the chat with this contact, by name or id.", valueName: "contact"))
    var contact: String?

    @Option(help: ArgumentHelp("Search this group or channel, by name or id.", valueName: "group"))
    var group: String?

    @Option(help: ArgumentHelp("Show texts and names too: personal.", valueName: "class"))
    var show: ShownClass?

    @Option(help: ArgumentHelp("Maximum number of messages.", valueName: "n"))
    var limit = 50

    @Option(help: ArgumentHelp("Number of better matches to skip.", valueName: "n"))
    var offset = 0

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if contact != nil, group != nil { throw ValidationError("--contact and --group cannot be used together") }
        // One more is read than is shown.
        if !(1..<PageSize.largest).contains(limit) {
            throw ValidationError("--limit must be between 1 and \(PageSize.largest - 1)")
        }
        if offset < 0 { throw ValidationError("--offset must be at least 0") }
    }

    func run() throws {
        let output = try output.output()
        let report = try StoreSession(profile.store, output).list { chat in
            let user = try profile.profile(in: chat)
            // One more than is shown, to know whether more follow. Items that cannot be read are left out, and counted.
            let before = Self.leftOut(of: chat)
            let found = try found(limit: limit + 1, of: user, in: chat)
            let matches = found.count + Self.leftOut(of: chat) - before
            let shown = Array(found.prefix(limit))
            return SearchReport(
                user: user, found: shown, next: matches > limit ? offset + limit : nil,
                names: show == nil ? nil : try SearchReport.names(of: shown, of: user, in: chat))
        }
        try output.write(report)
    }

    private static func leftOut(of chat: any ReadTransaction) -> Int {
        (chat as? ListingTransaction)?.leftOut.rows.count ?? 0
    }

    private func found(limit: Int, of user: User, in chat: any ReadTransaction) throws -> [FoundItem] {
        let scope = try scope(of: user, in: chat)
        do throws(ChatsError) {
            return try ChatItemsRepo(chat).search(
                words.joined(separator: " "), in: scope, of: user.id, limit: limit, offset: offset)
        } catch .store(let error) where error.kind == .sql {
            // A view stands for the table of the index, and cannot be searched.
            throw NoSearchIndex()
        }
    }

    private func scope(of user: User, in chat: any ReadTransaction) throws -> SearchScope {
        if let contact { return .chat(.contact(try ContactFinder.find(contact, of: user, in: chat).id)) }
        if let group { return .chat(.group(try GroupFinder.find(group, of: user, in: chat).group.id)) }
        return .profile
    }
}

/// The store was made by another app, or by an older version, and has no index of its texts.
struct NoSearchIndex: Reportable {
    var report: ErrorReport {
        ErrorReport("noSearchIndex", "this store has no index of the words of its messages", exit: .no)
    }
}
