import Engine
import Schema

/// Carries a plan out.
struct PresetApplier {
    let chat: any WriteTransaction
    let clock: StoreClock
    let user: UserID

    /// All steps, those that make room first; otherwise in their order.
    func apply(_ plan: PresetPlan) throws(PresetError) {
        for phase in 0...2 {
            for step in plan.steps where step.phase == phase {
                try PresetError.from { try apply(step) }
            }
        }
    }

    private func apply(_ step: PresetStep) throws {
        let operators = OperatorsWriter(chat, clock: clock)
        let servers = ServersWriter(chat, clock: clock)
        let relays = ChatRelaysWriter(chat, clock: clock)
        switch step {
        case .removeRelay(let relay):
            _ = try relays.remove(relay)
        case .removeServer(let id):
            try servers.remove(id, of: user)
        case .updateOperator(let id, let preset):
            try operators.follow(
                id, tradeName: preset.tradeName, legalName: preset.legalName, domains: preset.domains)
        case .updateRelay(let id, let relay):
            try relays.follow(id, of: user, address: relay.address, name: relay.name, domains: relay.domains)
        case .updateServer(let id, let address):
            try servers.follow(address, server: id, of: user)
        case .addOperator(let preset):
            try operators.insert(
                tag: preset.tag, tradeName: preset.tradeName, legalName: preset.legalName, domains: preset.domains,
                isEnabled: preset.isEnabled, smpRoles: preset.smpRoles, xftpRoles: preset.xftpRoles)
        case .enableOperator(let id, let isEnabled):
            try operators.setEnabled(id, isEnabled)
        case .setOperatorRoles(let id, let smp, let xftp):
            try operators.setRoles(id, .smp, smp)
            try operators.setRoles(id, .xftp, xftp)
        case .enableRelay(let id, let isEnabled):
            try relays.setEnabled(id, isEnabled, of: user)
        case .enableServer(let id, let isEnabled):
            try servers.setEnabled(id, isEnabled, of: user)
        case .setServerRoles(let id, let roles):
            try servers.setRoles(id, roles, of: user)
        case .restoreRelay(let id, let relay, let isPreset, let isEnabled):
            try relays.restore(
                id, of: user, address: relay.address, name: relay.name, domains: relay.domains, isPreset: isPreset,
                isEnabled: isEnabled)
            if let tested = relay.tested { try relays.setTested(id, tested, of: user) }
        case .addRelay(let relay, let isPreset, let isEnabled):
            try relays.insert(relay, of: user, isPreset: isPreset, isEnabled: isEnabled)
        case .addServer(let server, let isPreset, let isEnabled):
            _ = try servers.insert(
                server.address, of: user, isPreset: isPreset, isEnabled: isEnabled, roles: server.roles,
                tested: server.tested)
        }
    }
}
