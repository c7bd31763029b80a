public import Engine
public import Schema

/// What the chat database of a store says about profiles, relays, servers and channels, for one page about it.
///
/// Files and versions are no part of it. Hidden profiles are counted and otherwise left out, unless they are shown.
public struct StoreFacts: Sendable, Hashable {
    /// The profiles, the one used last first.
    public let profiles: [ProfileFacts]
    /// How many profiles are left out because they are hidden.
    public let hiddenProfiles: Int
    /// The operators, in their order.
    public let operators: [ServerOperator]
    /// What the user should know, in the order of the profiles.
    public let warnings: [StoreWarning]

    /// Reads the facts: as many statements for a hundred profiles as for one.
    public init(of chat: any ReadTransaction, hidden: HiddenProfiles = .leftOut) throws(StoreError) {
        let hasActive: Bool
        let keepsRelays: Bool
        do {
            let users = try UsersRepo(chat).all(hidden: hidden)
            let ids = users.map(\.id)
            let relays = Dictionary(grouping: try ChatRelaysRepo(chat).usage(ofEach: ids), by: \.relay.userID)
            let servers = Dictionary(grouping: try ServersRepo(chat).all(ofEach: ids), by: \.userID)
            let channels = Dictionary(grouping: try GroupsRepo(chat).channels(ofEach: ids), by: \.group.userID)
            let contacts = try ProfileCounts.contacts(of: ids, in: chat)
            let groups = try ProfileCounts.groups(of: ids, in: chat)
            // A hidden profile may be the active one.
            hasActive = try UsersRepo(chat).active(hidden: .shown) != nil
            // The table itself, not what may stand for it: a version without relays does not need one.
            keepsRelays = try chat.first(chat.dialect.tableExists("chat_relays")) != nil
            operators = try OperatorsRepo(chat).all()
            hiddenProfiles = try UsersRepo(chat).hiddenCount() - users.count(where: \.isHidden)
            profiles = users.map { user in
                ProfileFacts(
                    user: user, relays: relays[user.id] ?? [], servers: servers[user.id] ?? [],
                    channels: channels[user.id] ?? [], contacts: contacts[user.id] ?? 0, groups: groups[user.id] ?? 0)
            }
        } catch let error as any RuleViolation {
            throw error.storeError ?? StoreError(.other, error.message)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.other, "unexpected failure (\(type(of: error)))")
        }
        warnings = StoreWarning.all(profiles: profiles, operators: operators, hasActive: hasActive).filter {
            keepsRelays || $0.kind != .noEnabledRelays
        }
    }
}

/// What a store has of one profile.
public struct ProfileFacts: Sendable, Hashable {
    /// The profile.
    public let user: User
    /// Its relays with their use, presets first.
    public let relays: [RelayUsage]
    /// Its servers, SMP before XFTP, presets first.
    public let servers: [ProtocolServer]
    /// Its channels with the progress of their relays, newest chat first.
    public let channels: [GroupSummary]
    /// How many contacts it has, without itself and without soft-deleted ones.
    public let contacts: Int
    /// How many groups it has, channels not among them.
    public let groups: Int
}

/// Something the user should know about a store.
public struct StoreWarning: Sendable, Hashable {
    /// Kinds of warnings.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// New channels have no relay to choose.
        case noEnabledRelays
        /// The profile has no server to receive messages with.
        case noEnabledSMPServers
        /// The profile has no server to send files with.
        case noEnabledXFTPServers
        /// No profile is active.
        case noActiveProfile
    }

    /// What it is about.
    public let kind: Kind
    /// The profile it is about; nil for the store.
    public let user: User?

    /// The sentence for people.
    public var message: String {
        switch kind {
        case .noEnabledRelays: "No chat relays enabled. Channels require at least one relay."
        case .noEnabledSMPServers: "No SMP servers enabled. Messages require at least one server."
        case .noEnabledXFTPServers: "No XFTP servers enabled. Files require at least one server."
        case .noActiveProfile: "No profile is active."
        }
    }

    /// The warnings, by profile. What belongs to an operator that is off counts as disabled.
    static func all(
        profiles: [ProfileFacts], operators: [ServerOperator], hasActive: Bool
    ) -> [StoreWarning] {
        var warnings: [StoreWarning] = []
        if !profiles.isEmpty, !hasActive {
            warnings.append(StoreWarning(kind: .noActiveProfile, user: nil))
        }
        for profile in profiles {
            let usesRelay = profile.relays.contains {
                $0.relay.isEnabled && operators.owner(of: $0.relay)?.isEnabled != false
            }
            if !usesRelay { warnings.append(StoreWarning(kind: .noEnabledRelays, user: profile.user)) }
            let used = profile.servers.filter { $0.isEnabled && operators.owner(of: $0)?.isEnabled != false }
            if !used.contains(where: { $0.serverProtocol == .smp }) {
                warnings.append(StoreWarning(kind: .noEnabledSMPServers, user: profile.user))
            }
            if !used.contains(where: { $0.serverProtocol == .xftp }) {
                warnings.append(StoreWarning(kind: .noEnabledXFTPServers, user: profile.user))
            }
        }
        return warnings
    }
}
