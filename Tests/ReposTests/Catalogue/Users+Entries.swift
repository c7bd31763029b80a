import ChatDBKit

extension RepositoryCatalogue {
    static let users: [CatalogueEntry] = [
        .store("UsersRepo.all(hidden:)") { call in try ways.map { try UsersRepo(call.chat).all(hidden: $0) } },
        .store("UsersRepo.infos(hidden:)") { call in try ways.map { try UsersRepo(call.chat).infos(hidden: $0) } },
        .store("UsersRepo.hiddenCount()") { try UsersRepo($0.chat).hiddenCount() },
        .store("UsersRepo.active(hidden:)") { try UsersRepo($0.chat).active() as Any },
        .store("UsersRepo.find(_:hidden:)") { try UsersRepo($0.chat).find($0.user) as Any },
        .store("UsersRepo.find(named:hidden:)") { try UsersRepo($0.chat).find(named: $0.things.name) as Any },
        .store("UsersRepo.get(_:hidden:)") { try UsersRepo($0.chat).get($0.user) },
        .store("UsersRepo.contents(of:hidden:)") { try UsersRepo($0.chat).contents(of: $0.user) },
        .store("UsersRepo.profile(of:hidden:)") { try UsersRepo($0.chat).profile(of: $0.user) },
        .store("UsersRepo.profiles(hidden:)") { call in
            try ways.map { try UsersRepo(call.chat).profiles(hidden: $0) }
        },
        .store("UsersRepo.themes(of:hidden:)") { try UsersRepo($0.chat).themes(of: $0.user) as Any },
        .store("UsersWriter.setProfile(_:of:hidden:)") {
            try UsersWriter($0.chat).setProfile(ProfileDetails(fullName: "new"), of: $0.user)
        },
        .store("UsersWriter.setThemes(_:of:hidden:)") { try UsersWriter($0.chat).setThemes("{}", of: $0.user) },
        .store("UsersRepo.find(agentUser:)") { try UsersRepo($0.chat).find(agentUser: $0.things.agentUser) as Any },
        .store("UsersRepo.find(agentConnection:)") {
            try UsersRepo($0.chat).find(agentConnection: $0.things.agentConnection) as Any
        },
        .store("UsersRepo.find(contact:)") { try UsersRepo($0.chat).find(contact: $0.things.friend) as Any },
        .store("UsersRepo.find(group:)") { try UsersRepo($0.chat).find(group: $0.things.channel) as Any },
        .store("UsersRepo.find(file:)") { try UsersRepo($0.chat).find(file: $0.things.sentFile) as Any },
        .store("UsersRepo.unlocked(by:)") { call in
            try hide(call)
            return try UsersRepo(call.chat).unlocked(by: "secret")
        },
        .store("UsersRepo.verify(_:of:)") { call in
            try hide(call)
            return try UsersRepo(call.chat).verify("secret", of: call.user)
        },
        .store("UsersRepo.hideable(_:hidden:)") { call in
            _ = try UsersWriter(call.chat).create("carol", agent: call.agent)
            return try UsersRepo(call.chat).hideable(call.user)
        },
        .store("UsersWriter.create(_:agent:)") { try UsersWriter($0.chat).create("carol", agent: $0.agent) },
        .store("UsersWriter.create(_:startingWith:seed:agent:)") {
            try UsersWriter($0.chat).create(
                "carol", startingWith: BundledPresets.preset(), seed: 1, agent: $0.agent)
        },
        .store("UsersWriter.create(_:like:agent:)") {
            try UsersWriter($0.chat).create("carol", like: $0.user, agent: $0.agent)
        },
        .store("UsersWriter.activate(_:hidden:)") { try UsersWriter($0.chat).activate($0.user) },
        .store("UsersWriter.rename(_:to:hidden:)") { try UsersWriter($0.chat).rename($0.user, to: "carol") },
        .store("UsersWriter.hide(_:password:hidden:)") { try hide($0) },
        .store("UsersWriter.unhide(_:password:)") { call in
            try hide(call)
            return try UsersWriter(call.chat).unhide(call.user, password: "secret")
        },
        .store("UsersWriter.setNotifications(_:of:hidden:)") {
            try UsersWriter($0.chat).setNotifications(false, of: $0.user)
        },
        .store("UsersWriter.setReceiptsToContacts(_:of:clearingOverrides:hidden:)") {
            try UsersWriter($0.chat).setReceiptsToContacts(true, of: $0.user, clearingOverrides: true)
        },
        .store("UsersWriter.setReceiptsToSmallGroups(_:of:clearingOverrides:hidden:)") {
            try UsersWriter($0.chat).setReceiptsToSmallGroups(true, of: $0.user, clearingOverrides: true)
        },
        .store("UsersWriter.setAcceptsGroupInvitations(_:of:hidden:)") {
            try UsersWriter($0.chat).setAcceptsGroupInvitations(true, of: $0.user)
        },
        .store("UsersRepo.chatRelay()") { try UsersRepo($0.chat).chatRelay() as Any },
        .store("UsersWriter.setChatRelay(_:of:hidden:)") { call in
            let users = UsersWriter(call.chat)
            let carol = try users.create("carol", agent: call.agent)
            try call.chat.run("UPDATE users SET is_user_chat_relay = 0")
            return try [users.setChatRelay(true, of: carol.id), users.setChatRelay(false, of: carol.id)]
        },
        .store("UsersWriter.delete(_:agent:hidden:)") {
            try UsersWriter($0.chat).delete($0.user, agent: $0.agent)
        },
    ]

    private static let ways = [HiddenProfiles.leftOut, .unlocked([UserID(1)]), .shown]

    /// Hides the profile asking, beside one that is active.
    @discardableResult
    private static func hide(_ call: Call) throws -> User {
        let users = UsersWriter(call.chat)
        _ = try users.create("carol", agent: call.agent)
        return try users.hide(call.user, password: "secret")
    }
}
