import ArgumentParser
import ChatDBKit

struct GroupCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a channel that uses relays.",
        discussion: """
            Name the relays with --relay, or use --relays N to choose N enabled relays at random. Without either, \
            chatdb chooses two relays, or one if only one is enabled.

            Examples:
              chatdb group create news
              chatdb group create news --relay 'my relay' --relay smp5.simplex.im
              chatdb group create news --relays 3 --seed 7
            """)

    /// The default number of relays of a channel.
    private static let usual = 2

    @Argument(help: "The channel's name: 1 to 200 characters.")
    var name: String

    @Option(
        name: .customLong("relay"),
        help: ArgumentHelp(
            "A relay, by name, id, address or host. May be repeated.", valueName: "relay"))
    var named: [String] = []

    @Option(name: .customLong("relays"), help: ArgumentHelp("Number of relays to choose.", valueName: "n"))
    var wanted: Int?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var seed: SeedOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if wanted != nil, !named.isEmpty { throw ValidationError("--relay and --relays cannot be used together") }
        if let wanted, wanted < 1 { throw ValidationError("--relays must be at least 1") }
    }

    func run() throws {
        let answer = try output.output()
        let seed = seed.value(answer)
        let report = try StoreSession(profile.store, answer).write { store in
            try store.write { chat in
                let user = try profile.profile(in: chat)
                var generator = SplitMix64(seed: seed)
                let relays = try chosenRelays(of: user, in: chat, using: &generator)
                // Other people see the ids of members: they come from the system's random numbers, and not from the
                // seed.
                var random = SystemRandomNumberGenerator()
                let group = try GroupsWriter(chat).createChannel(
                    named: name, relays: relays.map(\.id), of: user.id, using: &random)
                return GroupCreateReport(
                    user: user, channel: group, relays: try GroupRelaysRepo(chat).all(of: group.group.id, of: user.id),
                    given: profile.repeated(for: user))
            }
        }
        try answer.write(report)
        if answer.format == .csv { for notice in report.notices { answer.note(notice) } }
    }

    private func chosenRelays(
        of user: User, in chat: any ReadTransaction, using generator: inout SplitMix64
    ) throws -> [ChatRelay] {
        if !named.isEmpty { return try named.map { try RelayFinder.find($0, of: user, in: chat) } }
        let relays = ChatRelaysRepo(chat)
        let count = try wanted ?? min(Self.usual, max(1, relays.choosable(of: user.id).count))
        return try relays.choose(count, of: user.id, using: &generator)
    }
}

/// The created channel, with its relays.
struct GroupCreateReport: Report {
    let user: User
    let channel: GroupSummary
    let relays: [ChannelRelay]
    /// The options for the next command.
    let given: GivenOptions

    var json: JSONValue {
        [
            "user": user.reference, "group": channel.json, "relays": .array(relays.map(\.json)),
            "notes": JSONValue(notices),
        ]
    }

    /// The notice that another group, contact or member has the name already, so that the channel has a unique name in
    /// the lists of the profile. Empty for a name that was free.
    var notices: [String] {
        let (given, called) = (channel.group.displayName, channel.group.calledName)
        return given == called ? [] : ["the name \(given) is taken, so lists and commands call this channel \(called)"]
    }

    private var next: Note {
        let finish = HintedCommand(.groupFinish, ["id:\(channel.group.id)", "--link", "LINK"]).text(given)
        return .note("once the app has made the channel's link LINK, \(finish) finishes the creation")
    }

    var document: Document {
        let created = "The channel \(channel.group.calledName) was created for \(user.name) (id \(channel.group.id))."
        let sentences = [created] + notices.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }
        return [
            .paragraph(sentences.joined(separator: " ")),
            .table(
                Table(
                    [
                        Column("Row", key: "groupRelayId", alignment: .right),
                        Column("Relay", key: "name", shrinking: .end), Column("Host", shrinking: .middle),
                        Column("Status", key: "relayStatus"),
                    ],
                    rows: relays.map { relay in
                        [
                            .number(relay.groupRelay.id.rawValue), .text(relay.relay.calledName), .text(relay.host),
                            .text(relay.groupRelay.status.shownName),
                        ]
                    }, whenEmpty: "no relays")),
            .notes([next]),
        ]
    }
}
