public import ChatDBEngine
public import ChatDBReposChat
import ChatDBReposKit
public import ChatDBSchema

/// The facts of a chat database about profiles, relays, servers and channels, for one page about the store.
///
/// Files and versions are no part of it. Hidden profiles are counted and otherwise left out, unless they are shown.
public struct StoreFacts: Sendable, Hashable {
    /// The profiles, the one used last first.
    public let profiles: [ProfileFacts]
    /// The number of profiles that are left out because they are hidden.
    public let hiddenProfiles: Int
    /// The operators, in their order.
    public let operators: [ServerOperator]
    /// The warnings for the user, the most severe first, and then in the order of the profiles.
    public let warnings: [StoreWarning]
    /// The kinds of warnings that are unknown, because a ``ListingTransaction`` left out rows of the tables that they
    /// come from. ``warnings`` has none of them.
    package let unknownWarnings: Set<StoreWarning.Kind>

    /// Reads the facts: as many statements for a hundred profiles as for one.
    public init(of chat: any ReadTransaction, hidden: HiddenProfiles = .leftOut) throws(StoreError) {
        let active: Int
        let kept: KeptTables
        do {
            let users = try UsersRepo(chat).all(hidden: hidden)
            let ids = users.map(\.id)
            let relays = Dictionary(
                grouping: try ChatRelaysRepo(chat).usage(ofEach: ids, includingDeleted: true), by: \.relay.userID)
            let servers = Dictionary(grouping: try ServersRepo(chat).all(ofEach: ids), by: \.userID)
            let channels = Dictionary(grouping: try GroupsRepo(chat).channels(ofEach: ids), by: \.group.userID)
            let waiting = Dictionary(grouping: try GroupRelaysRepo(chat).waiting(ofEach: ids), by: \.userID)
            let operators = try OperatorsRepo(chat).all()
            let off = relays.values.flatMap { $0 }.filter { $0.isReferenced && !operators.offer($0.relay) }
            let relaysOff = Dictionary(
                grouping: try GroupRelaysRepo(chat).current(ofRelays: off.map(\.relay.id).sorted()), by: \.relay.userID)
            let incomplete = Dictionary(grouping: try GroupRelaysRepo(chat).incomplete(ofEach: ids), by: \.userID)
            let prepared = Dictionary(grouping: try GroupsRepo(chat).prepared(ofEach: ids), by: \.group.userID)
            let unfinished = Dictionary(
                grouping: try GroupsRepo(chat).unfinished(ofEach: ids), by: \.summary.group.userID)
            let relaying = try RelayedGroupsRepo(chat).counts(ofEach: ids)
            let contacts = try ProfileCounts.contacts(of: ids, in: chat)
            let groups = try ProfileCounts.groups(of: ids, in: chat)
            // A hidden profile may be the active one.
            active = try UsersRepo(chat).activeCount()
            kept = try KeptTables(in: chat)
            self.operators = operators
            hiddenProfiles = try UsersRepo(chat).hiddenCount() - users.count(where: \.isHidden)
            profiles = users.map { user in
                let own = relays[user.id] ?? []
                return ProfileFacts(
                    user: user, relays: own.filter { !$0.relay.isDeleted },
                    deletedRelays: own.filter(\.relay.isDeleted),
                    readiness: ChannelReadiness(relays: own.map(\.relay), among: operators),
                    servers: servers[user.id] ?? [], channels: channels[user.id] ?? [],
                    waitingRelays: waiting[user.id] ?? [], relaysOff: relaysOff[user.id] ?? [],
                    incompleteRelays: incomplete[user.id] ?? [], prepared: prepared[user.id] ?? [],
                    unfinished: unfinished[user.id] ?? [], relayService: relaying[user.id],
                    contacts: contacts[user.id] ?? 0, groups: groups[user.id] ?? 0)
            }
        } catch let error as any RuleViolation {
            throw error.storeError ?? StoreError(.other, error.message)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.other, "unexpected failure (\(type(of: error)))")
        }
        let leftOut = (chat as? ListingTransaction)?.leftOut.rows ?? []
        let unknown = Set(StoreWarning.Kind.allCases.filter { kind in leftOut.contains(where: kind.mayComeFrom) })
        unknownWarnings = unknown
        warnings = StoreWarning.all(profiles: profiles, operators: operators, active: active).filter {
            switch $0.kind {
            case _ where unknown.contains($0.kind): false
            case .noEnabledRelays, .channelsWithoutRelayRows, .channelsWithoutRelay: kept.relays
            case .noEnabledSMPServers, .noEnabledXFTPServers: kept.servers
            default: true
            }
        }
    }
}

/// The subjects that the version of a chat database has. In a version without relays, missing relays are no reason to
/// warn.
public struct KeptTables: Sendable, Hashable {
    /// Whether it knows relays.
    public let relays: Bool
    /// Whether it knows servers.
    public let servers: Bool

    /// Reads the names of the tables themselves, not of the views that replace them in a store of another version.
    public init(in chat: any ReadTransaction) throws(StoreError) {
        relays = try chat.first(chat.dialect.tableExists("chat_relays")) != nil
        servers = try chat.first(chat.dialect.tableExists("protocol_servers")) != nil
    }
}

/// The facts about one profile.
public struct ProfileFacts: Sendable, Hashable {
    /// The profile.
    public let user: User
    /// Its relays with their use, presets first.
    public let relays: [RelayWithUse]
    /// Its soft-deleted relays with their use, in the same order. They are kept because channels refer to them.
    public let deletedRelays: [RelayWithUse]
    /// Whether it can create a channel now.
    public let readiness: ChannelReadiness
    /// Its servers, SMP before XFTP, presets first.
    public let servers: [ProtocolServer]
    /// Its channels with the progress of their relays, newest chat first.
    public let channels: [GroupSummary]
    /// The relays of the channels it is in that are not active, newest chat first.
    public let waitingRelays: [WaitingRelay]
    /// The relays of the channels it is in that no new channel can choose, because they are soft-deleted, disabled, of
    /// an operator that is off, or have an address that is not valid; newest chat first.
    public let relaysOff: [ChannelRelay]
    /// The rows of its channels that lack their relay or their member, by channel and number.
    package let incompleteRelays: [IncompleteGroupRelay]
    /// Its groups and channels that were prepared and never joined, newest chat first.
    public let prepared: [GroupSummary]
    /// Its channels whose creation is not finished, the oldest first.
    public let unfinished: [UnfinishedChannel]
    /// What it has to do and has done as a chat relay; nil for a profile that relays nothing and was never asked to.
    public let relayService: RelayServiceCounts?
    /// The number of its contacts, without its own and without soft-deleted ones.
    public let contacts: Int
    /// The number of its groups, without channels.
    public let groups: Int
}

extension [ServerOperator] {
    /// Whether the operator of a relay is on. The user's own relays have none.
    fileprivate func isOn(_ relay: ChatRelay) -> Bool { owner(of: relay)?.isEnabled != false }

    /// Whether a new channel can choose a relay. Rule: docs/domain.md, "Choosing relays".
    fileprivate func offer(_ relay: ChatRelay) -> Bool {
        relay.isChoosable(isOperatorOff: !isOn(relay))
    }
}

/// Whether a profile can create a channel now, and the reasons why a channel cannot choose some relays. Rule:
/// docs/domain.md, "Choosing relays".
public struct ChannelReadiness: Sendable, Hashable {
    /// Relays that a new channel may choose.
    public let choosable: Int
    /// Relays among them whose last test failed.
    public let failedTest: Int
    /// Relays that are switched off.
    public let disabled: Int
    /// Enabled relays of operators that are off.
    public let operatorOff: Int
    /// The trade names of these operators, in their order.
    public let operatorsOff: [String]
    /// Enabled relays of no operator that is off, whose address is not valid.
    public let invalidAddress: Int
    /// Soft-deleted relays, which their channels still use.
    public let deleted: Int

    /// Whether there is a relay to choose.
    public var isPossible: Bool { choosable > 0 }

    /// The reasons why relays cannot be chosen, a clause each; empty when all can be.
    public var reasons: [String] {
        var reasons: [String] = []
        if choosable + disabled + operatorOff + invalidAddress + deleted == 0 {
            reasons.append("the profile has no relays")
        }
        if disabled > 0 { reasons.append("\(disabled) disabled") }
        if operatorOff > 0 {
            reasons.append("\(operatorOff) of a disabled operator (\(operatorsOff.joined(separator: ", ")))")
        }
        if invalidAddress > 0 { reasons.append("\(invalidAddress) with an invalid address") }
        if deleted > 0 { reasons.append("\(deleted) soft-deleted") }
        if failedTest > 0 { reasons.append("\(failedTest) choosable, but failed the last test") }
        return reasons
    }

    /// Looks at the relays of one profile, soft-deleted ones too.
    public init(relays: [ChatRelay], among operators: [ServerOperator]) {
        let kept = relays.filter { !$0.isDeleted }
        let enabled = kept.filter(\.isEnabled)
        let usable = enabled.filter { operators.offer($0) }
        choosable = usable.count
        failedTest = usable.count { $0.tested == false }
        disabled = kept.count - enabled.count
        operatorOff = enabled.count { !operators.isOn($0) }
        invalidAddress = enabled.count - usable.count - operatorOff
        let off = Set(
            enabled.compactMap { relay in operators.owner(of: relay).flatMap { $0.isEnabled ? nil : $0.id } })
        operatorsOff = operators.filter { off.contains($0.id) }.map(\.tradeName)
        deleted = relays.count - kept.count
    }
}
