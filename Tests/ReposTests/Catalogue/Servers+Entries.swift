import ChatDBKit

extension RepositoryCatalogue {
    static let servers: [CatalogueEntry] = [
        CatalogueEntry("ServersRepo.all(of:)") { try ServersRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("ServersRepo.all(_:of:)") { try ServersRepo($0.chat).all(.smp, of: $0.user) },
        CatalogueEntry("ServersRepo.find(_:of:)") {
            try ServersRepo($0.chat).find($0.things.smpServer, of: $0.user) as Any
        },
        CatalogueEntry("ServersRepo.get(_:of:)") { try ServersRepo($0.chat).get($0.things.smpServer, of: $0.user) },
        CatalogueEntry("ServersRepo.find(like:of:)") {
            try ServersRepo($0.chat).find(
                like: ServerAddress(ReposTests.server("smp.\($0.things.name).example")), of: $0.user) as Any
        },
        CatalogueEntry("ServersRepo.grouped(of:)") { try ServersRepo($0.chat).grouped(of: $0.user) },
        CatalogueEntry("ServersRepo.usable(for:_:of:)") { call in
            try ServerRole.allCases.map { try ServersRepo(call.chat).usable(for: $0, .smp, of: call.user) }
        },
        CatalogueEntry("ServersRepo.validation(of:hidden:)") { call in
            try [HiddenProfiles.leftOut, .shown].map {
                try ServersRepo(call.chat).validation(of: call.user, hidden: $0)
            }
        },
        CatalogueEntry("ServersWriter.add(_:of:)") {
            try ServersWriter($0.chat).add("smp://\(key(1)):password@new.example:5224", of: $0.user)
        },
        CatalogueEntry("ServersWriter.update(_:address:of:)") {
            try ServersWriter($0.chat).update(
                $0.things.smpServer, address: ReposTests.server("new.example"), of: $0.user)
        },
        CatalogueEntry("ServersWriter.setTested(_:_:of:)") {
            try ServersWriter($0.chat).setTested($0.things.smpServer, true, of: $0.user)
        },
        CatalogueEntry("ServersWriter.setEnabled(_:_:of:)") {
            try ServersWriter($0.chat).setEnabled($0.things.smpServer, false, of: $0.user)
        },
        CatalogueEntry("ServersWriter.setRoles(_:_:of:)") {
            let roles = ServerRoleChoices(storage: false, proxy: false, names: false)
            return try ServersWriter($0.chat).setRoles($0.things.smpServer, roles, of: $0.user)
        },
        CatalogueEntry("ServersWriter.delete(_:of:)") {
            try ServersWriter($0.chat).delete($0.things.xftpServer, of: $0.user)
        },
        CatalogueEntry("ServersWriter.set(_:of:)") { call in
            let things = call.things
            func server(_ host: String) throws -> UserServersChanges.ServerEntry {
                UserServersChanges.ServerEntry(address: try ServerAddress(ReposTests.server(host)))
            }
            func relay(_ host: String) throws -> UserServersChanges.RelayEntry {
                UserServersChanges.RelayEntry(
                    address: try RelayAddress(ReposTests.relay(host)), isEnabled: false, tested: true)
            }
            let changes = [
                UserServersChanges(
                    servers: [try .add(server("a.example")), try .change(things.smpServer, server("b.example"))],
                    relays: [try .add(relay("a.example")), try .change(things.spareRelay, relay("b.example"))]),
                UserServersChanges(
                    servers: [.delete(things.smpServer)], relays: [.delete(things.relay), .delete(things.spareRelay)]),
            ]
            return try changes.map { try ServersWriter(call.chat).set($0, of: call.user) }
        },
    ]
}
