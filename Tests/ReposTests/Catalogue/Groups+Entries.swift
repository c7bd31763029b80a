import Repos
import Schema

extension RepositoryCatalogue {
    static let groups: [CatalogueEntry] = [
        CatalogueEntry("GroupsRepo.all(of:)") { try GroupsRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("GroupsRepo.find(_:of:)") {
            try GroupsRepo($0.chat).find($0.things.channel, of: $0.user) as Any
        },
        CatalogueEntry("GroupsRepo.get(_:of:)") { try GroupsRepo($0.chat).get($0.things.channel, of: $0.user) },
        CatalogueEntry("GroupsRepo.find(named:of:)") {
            try GroupsRepo($0.chat).find(named: "\($0.things.name)-channel", of: $0.user) as Any
        },
        CatalogueEntry("GroupsWriter.createChannel(named:relays:of:using:)") { call in
            var random = SplitMix64(seed: 1)
            return try GroupsWriter(call.chat).createChannel(
                named: "new", relays: [call.things.relay], of: call.user, using: &random)
        },
    ]

    static let groupRelays: [CatalogueEntry] = [
        CatalogueEntry("GroupRelaysRepo.all(of:of:)") {
            try GroupRelaysRepo($0.chat).all(of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupRelaysRepo.all(of:)") { try GroupRelaysRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("GroupRelaysRepo.progress(of:)") { try GroupRelaysRepo($0.chat).progress(of: $0.user) },
    ]

    static let groupMembers: [CatalogueEntry] = [
        CatalogueEntry("GroupMembersRepo.all(with:in:of:)") {
            try GroupMembersRepo($0.chat).all(with: .relay, in: $0.things.channel, of: $0.user)
        }
    ]
}
