package import ChatDBKit

/// The contents of a chat database, for one page. A row that cannot be read is left out and noted. A store of another
/// version may lack the data of a section, and in a damaged one it may be unreadable: then the section is nil, and a
/// note gives the reason.
package struct InspectContents {
    package struct Profile {
        package let user: User
        package var relays: [RelayRow]?
        /// Soft-deleted ones, to which channels still refer.
        package var deletedRelays: [RelayRow]?
        package var readiness: ChannelReadiness?
        package var servers: [ProtocolServer]?
        package var channels: [GroupSummary]?
        /// Relays that are not active in channels the profile is in.
        package var waiting: [WaitingRelay]?
        /// Relays of the channels the profile is in that no new channel can choose.
        package var relaysOff: [ChannelRelay]?
        /// Rows of its channels that lack their relay or their member.
        package var incompleteRelays: [IncompleteGroupRelay]?
        /// Groups and channels that the profile never joined.
        package var prepared: [GroupSummary]?
        /// Channels whose creation is not finished.
        package var unfinished: [UnfinishedChannel]?
        /// What it does as a chat relay; nil if it relays nothing, or if that cannot be read.
        package var relayService: RelayServiceCounts?
        /// Whether ``relayService`` could be read.
        package var isRelayServiceRead = true
        package var contacts: Int?
        package var groups: Int?
    }

    package private(set) var profiles: [Profile]?
    package private(set) var operators: [ServerOperator] = []
    package private(set) var hiddenProfiles: Int?
    /// Whether the store has no profile, and rows of profiles that it lost.
    package private(set) var hasLostProfiles = false
    package private(set) var warnings: [StoreWarning] = []
    /// Connections with relays that may be lost, without a proof.
    package private(set) var unproven: [StoreWarning] = []
    /// When messages were last received and sent. It is nil if the messages cannot be read.
    package private(set) var activity: ChatActivity?
    /// A section that the store has and that cannot be read.
    package struct Failure {
        /// The plural of the rows: `relays`.
        package let section: String
        package let error: StoreError

        package init(section: String, error: StoreError) {
            self.section = section
            self.error = error
        }

        /// For people: the message may have a text of the file.
        package var text: String { "the \(section) are not shown: \(error.message)" }
        /// For a bundle: the code alone.
        package var publicText: String { "the \(section) are not shown: the error is \(error.info.code)" }
    }

    package private(set) var failures: [Failure] = []
    /// The rows that are left out because a value cannot be read.
    package private(set) var leftOut = LeftOutRows()
    /// The missing sections, with the reasons.
    package private(set) var notes: [String] = []

    /// - Parameters:
    ///   - lacking: what the version of the store lacks.
    ///   - agent: the agent database, for warnings about both; nil without one.
    package init(
        of chat: any ReadTransaction, hidden: HiddenProfiles, lacking: [String] = [],
        agent: (any StorageConnection)? = nil
    ) {
        let listing = ListingTransaction(chat)
        do throws(StoreError) {
            self.init(try chat.attempt { () throws(StoreError) in try StoreFacts(of: listing, hidden: hidden) })
        } catch {
            // Something cannot be read: reads section by section.
            self.init(sectionsOf: listing, hidden: hidden)
        }
        leftOut = listing.leftOut
        notes += lacking
        activity = try? chat.attempt { try ChatActivity(of: chat) }
        let missing = try? chat.attempt { () throws(StoreError) in try StoreWarning.lostRows(in: chat) }
        warnings = StoreWarning.sorted(warnings + (missing ?? []))
        if let agent, let users = profiles?.map(\.user) {
            let lost = try? chat.attempt {
                try agent.read { try StoreWarning.lostRelays(of: users, chat: chat, agent: $0) }
            }
            warnings = StoreWarning.sorted(warnings + (lost?.proven ?? []))
            unproven = lost?.unproven ?? []
        }
        if profiles?.isEmpty == true, hiddenProfiles == 0 {
            let lost = try? chat.attempt { () throws(StoreError) in try NumberedTable.users.lostNumbers(in: chat) }
            hasLostProfiles = lost?.isEmpty == false
        }
    }

    /// The channels with a relay with which the chat database has no connection, proven or not.
    package var unreached: Set<GroupID> {
        Set((warnings.filter { $0.kind == .relaysWithoutConnection } + unproven).flatMap(\.channels))
    }

    private init(_ facts: StoreFacts) {
        profiles = facts.profiles.map { profile in
            let row = { (usage: RelayWithUse) in RelayRow(usage.relay, usage.use, among: facts.operators) }
            return Profile(
                user: profile.user, relays: profile.relays.map(row), deletedRelays: profile.deletedRelays.map(row),
                readiness: profile.readiness, servers: profile.servers, channels: profile.channels,
                waiting: profile.waitingRelays, relaysOff: profile.relaysOff,
                incompleteRelays: profile.incompleteRelays, prepared: profile.prepared,
                unfinished: profile.unfinished, relayService: profile.relayService, contacts: profile.contacts,
                groups: profile.groups)
        }
        operators = facts.operators
        hiddenProfiles = facts.hiddenProfiles
        warnings = facts.warnings
    }

    private init(sectionsOf chat: any ReadTransaction, hidden: HiddenProfiles) {
        let users = section("profiles", in: chat) { try UsersRepo(chat).all(hidden: hidden) }
        guard let users else { return }
        hiddenProfiles = section("hidden profiles", in: chat) {
            try UsersRepo(chat).hiddenCount() - users.count(where: \.isHidden)
        }
        let operators = section("operators", in: chat) { try OperatorsRepo(chat).all() } ?? []
        self.operators = operators
        let relays = section("relays", in: chat) {
            try users.map { user in
                try ChatRelaysRepo(chat).usage(of: user.id, includingDeleted: true).map {
                    RelayRow($0.relay, $0.use, among: operators)
                }
            }
        }
        let servers = section("servers", in: chat) { try users.map { try ServersRepo(chat).all(of: $0.id) } }
        let channels = section("channels", in: chat) {
            try users.map { try GroupsRepo(chat).all(of: $0.id).filter(\.group.isChannel) }
        }
        let unfinished = section("unfinished channels", in: chat) {
            try users.map { try GroupsRepo(chat).unfinished(of: $0.id) }
        }
        let relaying = section("relayed groups", in: chat) {
            try users.map { try RelayedGroupsRepo(chat).counts(of: $0.id) }
        }
        profiles = users.enumerated().map { index, user in
            let relays = relays?[index]
            return Profile(
                user: user, relays: relays?.filter { !$0.relay.isDeleted },
                deletedRelays: relays?.filter(\.relay.isDeleted),
                readiness: relays.map { ChannelReadiness(relays: $0.map(\.relay), among: operators) },
                servers: servers?[index], channels: channels?[index],
                prepared: channels?[index].filter(\.group.nextConnectPrepared),
                unfinished: unfinished?[index],
                relayService: relaying.flatMap { $0[index].isEmpty ? nil : $0[index] },
                isRelayServiceRead: relaying != nil)
        }
    }

    private mutating func section<T>(
        _ name: String, in chat: any ReadTransaction, _ read: () throws -> T
    ) -> T? {
        do {
            return try chat.attempt(read)
        } catch {
            if let cause = (error as? any RuleViolation)?.storeError, cause.kind != .sql, cause.kind != .unexpectedRow {
                failures.append(Failure(section: name, error: cause))
            } else {
                notes.append(
                    "the \(name) are not shown: this build cannot read them in this store; chatdb check shows more"
                )
            }
            return nil
        }
    }
}
