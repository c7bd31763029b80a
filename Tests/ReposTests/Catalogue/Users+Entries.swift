import Repos

extension RepositoryCatalogue {
    static let users: [CatalogueEntry] = [
        .store("UsersRepo.all(hidden:)") { call in
            try [HiddenProfiles.leftOut, .shown].map { try UsersRepo(call.chat).all(hidden: $0) }
        },
        .store("UsersRepo.hiddenCount()") { try UsersRepo($0.chat).hiddenCount() },
        .store("UsersRepo.active(hidden:)") { try UsersRepo($0.chat).active() as Any },
        .store("UsersRepo.find(_:hidden:)") { try UsersRepo($0.chat).find($0.user) as Any },
        .store("UsersRepo.find(named:hidden:)") { try UsersRepo($0.chat).find(named: $0.things.name) as Any },
        .store("UsersRepo.get(_:hidden:)") { try UsersRepo($0.chat).get($0.user) },
        .store("UsersWriter.create(_:agent:)") { try UsersWriter($0.chat).create("carol", agent: $0.agent) },
        .store("UsersWriter.activate(_:hidden:)") { try UsersWriter($0.chat).activate($0.user) },
    ]
}
