import ChatDBKit

/// The answer to a change of relays, servers or operators, with the problems since then: programs read them in the
/// answer, and people on standard error.
struct ConfigChange<Answer: Report>: Report {
    let answer: Answer
    /// The problems that validation finds now and did not find before, errors first; for a plan, those it would find.
    let warnings: [String]
    /// What SimpleX Chat does with the change; nil for chatdb's own stores.
    var simplex: SimplexEffect?
    private let isPlan: Bool

    /// Makes a change, with the validation of all profiles before and after it.
    init(
        for user: User?, hidden: HiddenProfiles, in chat: any WriteTransaction, _ change: () throws -> Answer
    ) throws {
        let before = try UserServersValidation.now(asking: user?.id, hidden: hidden, in: chat)
        answer = try change()
        warnings = try UserServersValidation.now(asking: user?.id, hidden: hidden, in: chat).newTexts(since: before)
        isPlan = false
    }

    /// The plan of a change, with the problems that validation would find after it.
    init(
        planned answer: Answer, for user: User, hidden: HiddenProfiles, in chat: any ReadTransaction,
        _ change: ([ProfileServers]) -> [ProfileServers]
    ) throws {
        let profiles = try ServersRepo(chat).allProfiles()
        self.answer = answer
        warnings = UserServersValidation(of: change(profiles), asking: user.id, hidden: hidden)
            .newTexts(since: UserServersValidation(of: profiles, asking: user.id, hidden: hidden))
        isPlan = true
    }

    var json: JSONValue {
        .object((answer.json.members ?? []) + [.init("warnings", JSONValue(warnings))] + simplex.members)
    }

    var document: Document { Document(answer.document.blocks + simplex.blocks) }
    var csvTable: Table { answer.csvTable }

    func write(to output: Output) throws {
        try output.write(self)
        simplex?.note(to: output)
        for warning in warnings { output.warn(isPlan ? "afterwards: \(warning)" : warning) }
    }
}

extension [ProfileServers] {
    func without(relay id: ChatRelayID) -> Self { filtered(isRelayKept: { $0.id != id }) }

    func without(server id: ProtocolServerID) -> Self { filtered(isServerKept: { $0.id != id }) }

    /// With another state of a server, which may belong to another operator by its new hosts.
    func replacing(_ server: ProtocolServer) -> Self {
        map { profile in
            guard profile.user.id == server.userID else { return profile }
            let servers = profile.groups.flatMap { $0.smpServers + $0.xftpServers }
            return ProfileServers(
                user: profile.user,
                groups: UserOperatorServers.grouped(
                    profile.groups.compactMap(\.operator), servers: servers.map { $0.id == server.id ? server : $0 },
                    relays: profile.groups.flatMap(\.chatRelays)))
        }
    }

    private func filtered(
        isRelayKept: (ChatRelay) -> Bool = { _ in true }, isServerKept: (ProtocolServer) -> Bool = { _ in true }
    ) -> Self {
        map { profile in
            ProfileServers(
                user: profile.user,
                groups: profile.groups.map { group in
                    UserOperatorServers(
                        operator: group.operator, smpServers: group.smpServers.filter(isServerKept),
                        xftpServers: group.xftpServers.filter(isServerKept),
                        chatRelays: group.chatRelays.filter(isRelayKept))
                })
        }
    }
}

extension UserServersValidation {
    /// Validates all profiles in their current state, on behalf of one of them or of none.
    static func now(
        asking user: UserID?, hidden: HiddenProfiles, in chat: any ReadTransaction
    ) throws -> UserServersValidation {
        UserServersValidation(of: try ServersRepo(chat).allProfiles(), asking: user, hidden: hidden)
    }

    /// The new problems as sentences; for hidden profiles, the number of further ones.
    func newTexts(
        since before: UserServersValidation, _ isNews: (UserServersProblem) -> Bool = { _ in true }
    ) -> [String] {
        // A profile stays the same profile when it stops being the active one.
        struct Known: Hashable {
            let user: UserID?
            let problem: UserServersProblem

            init(_ finding: Finding) { (user, problem) = (finding.other?.id, finding.problem) }

            init(_ user: UserID?, _ problem: UserServersProblem) { (self.user, self.problem) = (user, problem) }

            /// Whether the same problem, or a worse one, existed before: without a server no role can be missing.
            func isOld(in known: Set<Known>) -> Bool {
                switch problem {
                case .storageMissing(let servers), .proxyMissing(let servers):
                    known.contains(self) || known.contains(Known(user, .noServers(servers)))
                default: known.contains(self)
                }
            }
        }
        let known = Set((before.errors + before.warnings).map { Known($0) })
        let findings = (errors + warnings).filter { !Known($0).isOld(in: known) && isNews($0.problem) }
        let hidden = max(hiddenWithErrors - before.hiddenWithErrors, hiddenWithWarnings - before.hiddenWithWarnings)
        return findings.map(\.message)
            + (hidden <= 0
                ? [] : ["the change causes problems with the servers of \(counted(hidden, "hidden profile"))"])
    }
}

extension ProfileOptions {
    /// The other profiles that an answer names; all share the operators. A password reveals only the named profile.
    var others: HiddenProfiles { hidden.showHidden ? .shown : .leftOut }

    /// The named or active profile; nil if there is neither.
    func profileIfAny(in chat: any ReadTransaction) throws -> User? {
        do {
            return try profile(in: chat)
        } catch is NoActiveProfile {
            return nil
        }
    }

    /// Makes a change to a profile and writes the answer.
    /// - Parameter simplex: the permission to make it in a store of SimpleX Chat too.
    func change<Answer: Report>(
        _ options: OutputOptions, simplex: SimplexWriting? = nil,
        _ body: (User, any WriteTransaction) throws -> Answer
    ) throws {
        let output = try options.output()
        let session = try StoreSession(store, output, simplex: simplex)
        var change = try session.write { store in
            try store.write { chat in
                let user = try profile(in: chat)
                return try ConfigChange(for: user, hidden: others, in: chat) { try body(user, chat) }
            }
        }
        change.simplex = session.effect
        try change.write(to: output)
    }
}
