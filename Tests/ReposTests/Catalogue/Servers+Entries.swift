import Repos
import Schema

extension RepositoryCatalogue {
    static let servers: [CatalogueEntry] = [
        CatalogueEntry("ServersRepo.all(of:)") { try ServersRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("ServersRepo.find(_:of:)") {
            try ServersRepo($0.chat).find($0.things.smpServer, of: $0.user) as Any
        },
        CatalogueEntry("ServersRepo.get(_:of:)") { try ServersRepo($0.chat).get($0.things.smpServer, of: $0.user) },
        CatalogueEntry("ServersRepo.find(like:of:)") {
            try ServersRepo($0.chat).find(
                like: ServerAddress(ReposTests.server("smp.\($0.things.name).example")), of: $0.user) as Any
        },
        CatalogueEntry("ServersWriter.add(_:of:)") {
            try ServersWriter($0.chat).add(ReposTests.server("new.example"), of: $0.user)
        },
    ]
}
