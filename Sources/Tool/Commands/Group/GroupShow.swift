import ArgumentParser
import ChatDBKit

struct GroupShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a group or channel: link, owners, subscribers, relays, permitted actions.",
        discussion: """
            For owners and admins, chatdb counts the subscribers. For others, it shows the number that the channel \
            publishes. A QR code is that of the link, or else of the link by which the group was prepared.

            Examples:
              chatdb group show news
              chatdb group show id:3 --user alice --format json
              chatdb group show news --qr
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try GroupInfoReader.report(of: group, output.output()) {
            GroupShowReport($0, group.profile.repeated)
        }
        let shown = report.content.info.summary.group
        try output.write(
            QRReport(report, shown.link ?? shown.linkToConnect?.text, qr, of: group.profile.store.location()))
    }
}

/// Reads a group for an answer.
enum GroupInfoReader {
    typealias Answer = (user: User, info: ChannelInfo, missing: [GroupsError.MissingPart], relaying: GroupRelaying)

    static func report<Content: Report>(
        of group: GroupArgument, _ output: Output, _ make: (Answer) -> Content
    ) throws -> ListedReport<Content> {
        try StoreSession(group.profile.store, output).list { chat in
            let user = try group.profile.profile(in: chat)
            let found = try GroupFinder.find(group.group, of: user, in: chat)
            let (id, groups) = (found.group.id, GroupsRepo(chat))
            let unfinished = found.group.isCreating ? try groups.unfinished(of: user.id) : []
            return make(
                (
                    user, try groups.info(of: id, of: user.id),
                    unfinished.first { $0.summary.group.id == id }?.missing ?? [],
                    try GroupRelaying(of: id, of: user.id, in: chat)
                ))
        }
    }
}

/// All properties of a group or channel.
struct GroupShowReport: Report {
    let user: User
    let info: ChannelInfo
    /// What the channel lacks before its creation can be finished.
    let missing: [GroupsError.MissingPart]
    /// What the profile does there as a relay.
    let relaying: GroupRelaying
    /// The options for the next command.
    let given: GivenOptions

    init(
        _ read: (user: User, info: ChannelInfo, missing: [GroupsError.MissingPart], relaying: GroupRelaying),
        _ given: GivenOptions = .none
    ) {
        (user, info, missing, relaying) = read
        self.given = given
    }

    private var group: Group { info.summary.group }

    var json: JSONValue {
        [
            "user": user.reference, "group": info.summary.json,
            "profile": [
                "displayName": .string(info.profile.displayName), "fullName": .string(info.profile.fullName),
                "shortDescr": JSONValue(info.profile.shortDescription), "description": JSONValue(info.profile.welcome),
            ],
            "preparedGroup": group.preparedJSON, "owners": .array(info.owners.map(\.json)),
            "subscribers": info.subscribers.map { JSONValue($0) } ?? .null,
            "relays": .array(ChannelRelayRow.rows(of: info).map(\.json)),
            "progress": info.summary.progress.json,
            "mayLeave": .bool(info.mayLeave), "mayDelete": .bool(info.mayDelete),
            "relayService": relaying.json, "delivery": relaying.deliveryJSON,
        ]
    }

    var document: Document {
        var blocks: [Block] = [
            .heading(group.calledName),
            .fields(
                fields(membership: group.isPrepared ? group.shownMembership : group.membership?.status.text)),
        ]
        if let text = info.profile.welcome {
            blocks += [.heading("Welcome text"), .verbatim(text, language: "text")]
        }
        let relays = ChannelRelayRow.rows(of: info)
        if group.isChannel {
            blocks.append(.heading("Relays"))
            blocks.append(.table(ChannelRelayRow.listed.table(relays, whenEmpty: "no relays known")))
        }
        blocks += relaying.blocks
        if group.nextConnectPrepared {
            blocks.append(.notes([.note(given.text("not joined yet: \(.groupStart, "id:\(group.id)")"))]))
        }
        if group.isCreating {
            blocks.append(.notes([.note(given.text("creation not finished: \(nextSteps)"))]))
        }
        return Document(blocks)
    }

    private var nextSteps: Hint {
        let id = "id:\(group.id)"
        if missing.contains(.relay) { return "\(.groupCancel, id) deletes the channel, because it has no relay" }
        return missing.contains(.link)
            ? "\(.groupFinish, id, "--link", "LINK") or \(.groupCancel, id)"
            : "\(.groupFinish, id) or \(.groupCancel, id)"
    }

    var csvTable: Table {
        let welcome = Field("Welcome text", key: "description", .text(info.profile.welcome))
        let own = Field("Own status as a relay", key: "relayOwnStatus", .text(relaying.group?.status.text))
        return Document([.fields(fields(membership: group.membership?.status.text) + [welcome, own])]).csvTable
    }

    /// - Parameter membership: in formats for programs the stored text.
    private func fields(membership: String?) -> [Field] {
        var fields = [
            Field("Id", key: "groupId", .number(group.id.rawValue)), Field("Kind", .text(group.kind)),
            Field("Name", .text(group.displayName)),
        ]
        if !info.profile.fullName.isEmpty { fields.append(Field("Full name", .text(info.profile.fullName))) }
        if let line = info.profile.shortDescription { fields.append(Field("About", key: "shortDescr", .text(line))) }
        fields.append(Field("Link", .text(group.link)))
        if let link = group.linkToConnect {
            fields.append(Field("Link to connect", key: "linkToConnect", .text(link.text)))
        }
        fields += [
            Field("Your role", key: "role", .text(group.membership?.role.text)),
            Field("Membership", .text(membership)),
            Field("Owners", .text(owners)),
            Field(group.isChannel ? "Subscribers" : "Other members", key: "subscribers", .count(info.subscribers)),
        ]
        if group.isChannel {
            let progress = info.lacksRelayRows ? "unknown" : info.summary.progressText
            fields.append(Field("Active relays", key: "progress", .text(progress)))
        }
        if group.isCreating { fields.append(Field("Creation", key: "creatingInProgress", .text("not finished"))) }
        fields += [
            Field("May leave", .yesNo(info.mayLeave)), Field("May delete", .yesNo(info.mayDelete)),
            Field("Last chat", key: "chatTs", .time(group.chatTime.date)),
        ]
        return fields
    }

    private var owners: String? {
        let names = info.owners.map { $0.isOwn ? "\($0.localDisplayName) (you)" : $0.localDisplayName }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

extension Group {
    /// The profile's membership for people: the stored status, which is meaningless before the profile joins and while
    /// the channel is being created.
    var shownMembership: String? {
        if nextConnectPrepared { return "not joined" }
        if isPrepared, membership?.status == .unknownMember { return "connecting" }
        return isCreating && isCurrent ? "not finished" : membership?.status.text
    }

    /// The state of a group that was prepared from a link; null for any other.
    var preparedJSON: JSONValue {
        guard let link = linkToConnect else { return .null }
        return [
            "connFullLink": JSONValue(link.full), "connShortLink": JSONValue(link.short),
            "connLinkStartedConnection": .bool(isStarted),
        ]
    }
}
