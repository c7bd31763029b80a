public import ChatDBEngine
import ChatDBReposChat
public import ChatDBReposKit
public import ChatDBSchema

/// Carries a plan out.
struct PresetApplier {
    private let plan: PresetPlan
    private let user: UserID
    private let chat: any WriteTransaction
    private let clock: StoreClock

    /// Everything that is changed gets one time.
    init(
        of plan: PresetPlan, to user: UserID, in chat: any WriteTransaction, clock: StoreClock
    ) throws(PresetError) {
        self.plan = plan
        self.user = user
        self.chat = chat
        self.clock = try PresetError.from { try clock.stopped(in: chat) }
    }

    /// Takes all steps, those that make room first, otherwise in their order. Throws `presetConflicts` when entries
    /// conflict and the caller did not decide about conflicts; nothing has changed then. Throws `duplicateRelayName` if
    /// a relay would get the name of another, which no plan does.
    func apply() throws(PresetError) {
        // Removals come before all changes of operators, and need the operators as they were.
        let operators =
            plan.steps.contains { $0.phase == 0 } ? try PresetError.from { try OperatorsRepo(chat).all() } : []
        try apply(removingAmong: operators, changesOperators: true)
    }

    /// The same, where the operators before all changes are known, and may be changed already.
    func apply(removingAmong operators: [ServerOperator], changesOperators: Bool) throws(PresetError) {
        if !plan.blocking.isEmpty { throw .presetConflicts(plan.blocking) }
        for phase in 0...2 {
            for step in plan.steps where step.phase == phase && (changesOperators || !step.isOfOperator) {
                try PresetError.from { try apply(step, removingAmong: operators) }
            }
        }
        try PresetError.from { try checkNames(Set(plan.steps.compactMap(\.relayName).map(NameRule.key))) }
    }

    /// Throws if two relays have the same name. A database cannot check this, because it compares names in another way.
    private func checkNames(_ given: Set<String>) throws {
        if given.isEmpty { return }
        var holders: [String: ChatRelayID] = [:]
        let names: Query = """
            SELECT chat_relay_id, display_name FROM chat_relays
            WHERE user_id = \(user) AND deleted = 0 ORDER BY chat_relay_id
            """
        try chat.forEach(names) { row in
            let (id, name): (ChatRelayID, String) = (try row.get("chat_relay_id"), try row.get("display_name"))
            let key = NameRule.key(name)
            guard !key.isEmpty, given.contains(key) else { return }
            if let holder = holders.updateValue(id, forKey: key) {
                let existing = try ChatRelaysRepo(chat).get(holder, of: user)
                throw ChatRelaysError.duplicateRelayName(existing: existing, given: name)
            }
        }
    }

    private func apply(_ step: PresetStep, removingAmong old: [ServerOperator]) throws {
        let operators = OperatorsWriter(chat, clock: clock)
        let servers = ServersWriter(chat, clock: clock)
        let relays = ChatRelaysWriter(chat, clock: clock)
        switch step {
        case .removeRelay(let relay, let removal):
            _ = try relays.remove(relay, by: removal, among: old)
        case .removeServer(let server, let removal):
            try servers.remove(server, by: removal, among: old)
        case .updateOperator(let id, let preset):
            try operators.follow(
                id, tradeName: preset.tradeName, legalName: preset.legalName, domains: preset.domains)
        case .updateRelay(let relay, let old):
            try relays.write(relay, over: old, isTestedNow: false)
        case .updateServer(let server):
            try servers.write(server)
        case .addOperator(let preset):
            try operators.insert(
                tag: preset.tag, tradeName: preset.tradeName, legalName: preset.legalName, domains: preset.domains,
                isEnabled: preset.isEnabled, smpRoles: preset.smpRoles, xftpRoles: preset.xftpRoles)
        case .enableOperator(let id, let isEnabled):
            try operators.setEnabled(id, isEnabled)
        case .setOperatorRoles(let id, let smp, let xftp):
            try operators.setRoles(id, .smp, smp)
            try operators.setRoles(id, .xftp, xftp)
        case .restoreRelay(let id, let relay, let isPreset, let isEnabled, let keepsTest):
            try relays.restore(
                id, of: user, address: relay.address, name: relay.name, domains: relay.domains, isPreset: isPreset,
                isEnabled: isEnabled, keepsTest: keepsTest)
            if !keepsTest, let tested = relay.tested {
                try relays.set("tested = \(tested), tested_at = NULL", id, of: user)
            }
        case .addRelay(let relay, let isPreset, let isEnabled):
            let new = NewRelay(
                address: relay.address, name: relay.name, domains: relay.domains, tested: relay.tested)
            try relays.insert(new, of: user, isPreset: isPreset, isEnabled: isEnabled)
        case .addServer(let server, let isPreset, let isEnabled):
            _ = try servers.insert(
                server.address, of: user, isPreset: isPreset, isEnabled: isEnabled, roles: server.roles,
                tested: server.tested)
        }
    }
}

extension PresetStep {
    /// The name that a relay gets by it.
    fileprivate var relayName: String? {
        switch self {
        case .updateRelay(let relay, let old): relay.name == old.name ? nil : relay.name
        case .restoreRelay(_, let relay, _, _, _), .addRelay(let relay, _, _): relay.name
        default: nil
        }
    }
}

extension PresetPlan {
    /// Whether the profile, its store's operators and the use of its relays are as they were when the plan was made;
    /// the other profiles too, when it changes an operator. Throws `profileNotFound`.
    public func isCurrent(for user: UserID, in chat: any ReadTransaction) throws(PresetError) -> Bool {
        _ = try PresetError.from { try UsersRepo(chat).get(user, hidden: .shown) }
        let now = try PresetState(of: user, in: chat)
        return changes.contains { $0.kind == .operator } ? now == state : now.alone == state.alone
    }

    /// Carries out, in the caller's transaction, a plan that was made and shown before. Returns false, and changes
    /// nothing, when the plan is no longer current. Throws `presetConflicts` and `profileNotFound`.
    public func apply(
        to user: UserID, in chat: any WriteTransaction, clock: StoreClock = .system
    ) throws(PresetError) -> Bool {
        guard try isCurrent(for: user, in: chat) else { return false }
        try PresetApplier(of: self, to: user, in: chat, clock: clock).apply()
        return true
    }

    /// Carries out plans of several profiles that were made at one moment. The first changes the operators, which all
    /// share. Returns false, and changes nothing, when one of them is no longer current. Throws as `apply` does.
    package static func apply(
        _ plans: [(plan: PresetPlan, user: UserID)], in chat: any WriteTransaction, clock: StoreClock = .system
    ) throws(PresetError) -> Bool {
        for (plan, user) in plans where try !plan.isCurrent(for: user, in: chat) { return false }
        let operators = try PresetError.from { try OperatorsRepo(chat).all() }
        var isFirst = true
        for (plan, user) in plans {
            let applier = try PresetApplier(of: plan, to: user, in: chat, clock: clock)
            try applier.apply(removingAmong: operators, changesOperators: isFirst)
            isFirst = false
        }
        return true
    }
}
