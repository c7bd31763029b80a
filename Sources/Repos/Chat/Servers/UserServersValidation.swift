import ChatDBReposKit
public import ChatDBSchema

/// A problem of the servers and relays of a profile: SimpleX Chat's `UserServersError` and `UserServersWarning`. Rule:
/// docs/domain.md, "Validation of servers".
public enum UserServersProblem: Sendable, Hashable {
    /// No server of the protocol is enabled, of an operator that is on.
    case noServers(ServerProtocol)
    /// No enabled server has the role storage.
    case storageMissing(ServerProtocol)
    /// No enabled server has the role proxy.
    case proxyMissing(ServerProtocol)
    /// A host of the server (by its address, without its password) is a host of another of the same protocol.
    case duplicateServer(ServerProtocol, address: String, host: String)
    /// Another relay has the name.
    case duplicateChatRelayName(String)
    /// Another entry is the same relay.
    case duplicateChatRelayAddress(name: String, address: String)
    /// No relay is enabled, of an operator that is on.
    case noChatRelays
    /// No SMP server that may be used looks up names.
    case noNamesServers

    /// Whether it is only a warning.
    public var isWarning: Bool {
        switch self {
        case .noChatRelays, .noNamesServers: true
        default: false
        }
    }

    /// A stable word, SimpleX Chat's.
    public var code: String {
        switch self {
        case .noServers: "noServers"
        case .storageMissing: "storageMissing"
        case .proxyMissing: "proxyMissing"
        case .duplicateServer: "duplicateServer"
        case .duplicateChatRelayName: "duplicateChatRelayName"
        case .duplicateChatRelayAddress: "duplicateChatRelayAddress"
        case .noChatRelays: "noChatRelays"
        case .noNamesServers: "noNamesServers"
        }
    }

    /// A clause, without the profile; of relays the app's own sentence.
    public var message: String {
        switch self {
        case .noServers(let serverProtocol): "no \(serverProtocol.shownName) server is enabled"
        case .storageMissing(let serverProtocol):
            "no enabled \(serverProtocol.shownName) server has the role storage"
        case .proxyMissing(let serverProtocol):
            "no enabled \(serverProtocol.shownName) server has the role proxy"
        case .duplicateServer(let serverProtocol, let address, let host):
            "the host \(host) of \(address) occurs twice among the \(serverProtocol.shownName) servers"
        case .duplicateChatRelayName(let name): "two relays have the name \"\(name)\""
        case .duplicateChatRelayAddress(let name, let address):
            "the relay \(name.isEmpty ? address : "\"\(name)\" at \(address)") occurs twice"
        case .noChatRelays: "No chat relays enabled. Channels require at least one relay."
        case .noNamesServers: "no enabled SMP server has the role names"
        }
    }
}

/// The servers and relays of one profile, for the validation of all.
public struct ProfileServers: Sendable, Hashable {
    /// The profile.
    public let user: User
    /// Its servers and relays by operator.
    public let groups: [UserOperatorServers]

    package init(user: User, groups: [UserOperatorServers]) {
        self.user = user
        self.groups = groups
    }
}

/// The problems of the servers and relays of a profile, and of the other profiles, which share its operators. A pure
/// function of the servers and relays. Rule: docs/domain.md, "Validation of servers".
public struct UserServersValidation: Sendable, Hashable {
    /// A problem, and the profile that has it.
    public struct Finding: Sendable, Hashable {
        /// The other profile; nil for the validated profile itself.
        public let other: User?
        /// The problem.
        public let problem: UserServersProblem

        /// The problem; another profile's name before it.
        public var message: String { other.map { "\($0.name): \(problem.message)" } ?? problem.message }
    }

    /// The errors, those of the profile first, then by profile.
    public let errors: [Finding]
    /// The warnings, in the same order.
    public let warnings: [Finding]
    /// The number of hidden profiles with errors. They are not named.
    public let hiddenWithErrors: Int
    /// The number of hidden profiles with warnings.
    public let hiddenWithWarnings: Int

    /// Whether there are no errors.
    public var isValid: Bool { errors.isEmpty && hiddenWithErrors == 0 }

    /// The errors as sentences, hidden profiles as a number.
    public var errorTexts: [String] { Self.texts(errors, hidden: hiddenWithErrors) }

    /// The warnings as sentences, hidden profiles as a number.
    public var warningTexts: [String] { Self.texts(warnings, hidden: hiddenWithWarnings) }

    private static func texts(_ findings: [Finding], hidden: Int) -> [String] {
        findings.map(\.message)
            + (hidden == 0 ? [] : ["and \(hidden) hidden profile\(hidden == 1 ? "" : "s")"])
    }
}

extension UserServersValidation {
    /// Validates the servers and relays of a profile. Of other profiles, errors of roles and all warnings count. Of
    /// hidden profiles only their number counts, unless they are to be shown.
    public init(of groups: [UserOperatorServers], others: [ProfileServers], hidden: HiddenProfiles = .leftOut) {
        self.init(
            own: UserServersProblem.all(of: groups),
            others: others.map { ($0.user, UserServersProblem.shared(of: $0.groups)) }, hidden: hidden)
    }

    /// Validates the servers and relays of all profiles: all problems of one profile, and of the others the problems
    /// that come from the shared operators. Without that one profile, all count as others.
    package init(of profiles: [ProfileServers], asking user: UserID?, hidden: HiddenProfiles = .leftOut) {
        self.init(
            own: profiles.first { $0.user.id == user }.map { UserServersProblem.all(of: $0.groups) } ?? [],
            others: profiles.filter { $0.user.id != user }.map { ($0.user, UserServersProblem.shared(of: $0.groups)) },
            hidden: hidden)
    }

    init(own: [UserServersProblem], others: [(user: User, problems: [UserServersProblem])], hidden: HiddenProfiles) {
        let named = others.filter { hidden.has($0.user) }
        let counted = others.filter { !hidden.has($0.user) }
        let findings =
            own.map { Finding(other: nil, problem: $0) }
            + named.flatMap { other in other.problems.map { Finding(other: other.user, problem: $0) } }
        errors = findings.filter { !$0.problem.isWarning }
        warnings = findings.filter(\.problem.isWarning)
        hiddenWithErrors = counted.count { $0.problems.contains { !$0.isWarning } }
        hiddenWithWarnings = counted.count { $0.problems.contains(where: \.isWarning) }
    }
}

extension UserServersProblem {
    /// All problems of one profile.
    static func all(of groups: [UserOperatorServers]) -> [UserServersProblem] {
        let shared = shared(of: groups)
        let duplicates =
            ServerProtocol.allCases.flatMap { duplicateServers($0, in: groups) } + duplicateRelays(in: groups)
        return shared.filter { !$0.isWarning } + duplicates + shared.filter(\.isWarning)
    }

    /// The problems that a profile can have because of the operators, which it shares with the others.
    static func shared(of groups: [UserOperatorServers]) -> [UserServersProblem] {
        ServerProtocol.allCases.flatMap { missing($0, in: groups) } + warnings(groups)
    }

    private static func missing(
        _ serverProtocol: ServerProtocol, in groups: [UserOperatorServers]
    ) -> [UserServersProblem] {
        let used = groups.flatMap { $0.usable(serverProtocol) }
        if used.isEmpty { return [.noServers(serverProtocol)] }
        var problems: [UserServersProblem] = []
        if !used.contains(where: \.roles.storage) { problems.append(.storageMissing(serverProtocol)) }
        if !used.contains(where: \.roles.proxy) { problems.append(.proxyMissing(serverProtocol)) }
        return problems
    }

    private static func warnings(_ groups: [UserOperatorServers]) -> [UserServersProblem] {
        var problems: [UserServersProblem] = []
        let relays = groups.filter(\.isOn).flatMap(\.chatRelays)
        if !relays.contains(where: { $0.isChoosable(isOperatorOff: false) }) { problems.append(.noChatRelays) }
        if !groups.contains(where: { $0.usable(.smp).contains(where: \.roles.names) }) {
            problems.append(.noNamesServers)
        }
        return problems
    }

    /// Every server with a host that occurs twice, whatever the ports. Servers of an operator that is off do not count.
    private static func duplicateServers(
        _ serverProtocol: ServerProtocol, in groups: [UserOperatorServers]
    ) -> [UserServersProblem] {
        let servers = groups.filter(\.isOn).flatMap { $0.servers(serverProtocol) }
        let hosts = repeated(servers.flatMap { $0.hosts.map { $0.lowercased() } })
        return servers.compactMap { server in
            server.hosts.first { hosts.contains($0.lowercased()) }
                .map { .duplicateServer(serverProtocol, address: server.addressText(), host: $0) }
        }
    }

    private static func duplicateRelays(in groups: [UserOperatorServers]) -> [UserServersProblem] {
        let relays = groups.flatMap(\.chatRelays).filter { !$0.isDeleted }
        let names = repeated(relays.map { NameRule.key($0.name) }.filter { !$0.isEmpty })
        let keys = repeated(relays.map(\.addressKey))
        return relays.flatMap { relay -> [UserServersProblem] in
            var problems: [UserServersProblem] = []
            if names.contains(NameRule.key(relay.name)) { problems.append(.duplicateChatRelayName(relay.name)) }
            if keys.contains(relay.addressKey) {
                problems.append(.duplicateChatRelayAddress(name: relay.name, address: relay.address))
            }
            return problems
        }
    }

    private static func repeated(_ texts: [String]) -> Set<String> {
        var (seen, twice): (Set<String>, Set<String>) = ([], [])
        for text in texts where !seen.insert(text).inserted { twice.insert(text) }
        return twice
    }
}

extension UserOperatorServers {
    /// The servers of one protocol that may be used, with what they are used for.
    func usable(_ serverProtocol: ServerProtocol) -> [(server: ProtocolServer, roles: ServerRoles)] {
        if !isOn { return [] }
        return servers(serverProtocol).filter(\.isEnabled).map { ($0, $0.roles(under: `operator`)) }
    }
}
