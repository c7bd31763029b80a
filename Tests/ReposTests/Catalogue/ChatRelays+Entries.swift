import ChatDBKit

extension RepositoryCatalogue {
    static let chatRelays: [CatalogueEntry] = [
        CatalogueEntry("ChatRelaysRepo.all(of:includingDeleted:)") { call in
            try [false, true].map { try ChatRelaysRepo(call.chat).all(of: call.user, includingDeleted: $0) }
        },
        CatalogueEntry("ChatRelaysRepo.find(_:of:includingDeleted:)") { call in
            try [false, true].map {
                try ChatRelaysRepo(call.chat).find(call.things.relay, of: call.user, includingDeleted: $0)
            }
        },
        CatalogueEntry("ChatRelaysRepo.get(_:of:includingDeleted:)") {
            try ChatRelaysRepo($0.chat).get($0.things.relay, of: $0.user)
        },
        CatalogueEntry("ChatRelaysRepo.find(sameAs:of:)") {
            try ChatRelaysRepo($0.chat).find(sameAs: RelayAddress($0.things.relayAddress), of: $0.user) as Any
        },
        CatalogueEntry("ChatRelaysRepo.find(named:of:)") {
            try ChatRelaysRepo($0.chat).find(named: "\($0.things.name) relay", of: $0.user)
        },
        CatalogueEntry("ChatRelaysRepo.enabled(of:)") { try ChatRelaysRepo($0.chat).enabled(of: $0.user) },
        CatalogueEntry("ChatRelaysRepo.testable(of:)") { try ChatRelaysRepo($0.chat).testable(of: $0.user) },
        CatalogueEntry("ChatRelaysRepo.choosable(of:)") { try ChatRelaysRepo($0.chat).choosable(of: $0.user) },
        CatalogueEntry("ChatRelaysRepo.choose(_:of:using:)") { call in
            var random = SplitMix64(seed: 1)
            return try ChatRelaysRepo(call.chat).choose(1, of: call.user, using: &random)
        },
        CatalogueEntry("ChatRelaysRepo.usage(of:includingDeleted:)") { call in
            try [false, true].map { try ChatRelaysRepo(call.chat).usage(of: call.user, includingDeleted: $0) }
        },
        CatalogueEntry("ChatRelaysRepo.use(of:of:)") {
            try ChatRelaysRepo($0.chat).use(of: $0.things.relay, of: $0.user)
        },
        CatalogueEntry("ChatRelaysRepo.usedBy(_:of:)") {
            try ChatRelaysRepo($0.chat).usedBy($0.things.relay, of: $0.user)
        },
        CatalogueEntry("ChatRelaysRepo.otherChannels(_:of:)") {
            try ChatRelaysRepo($0.chat).otherChannels($0.things.relay, of: $0.user)
        },
        CatalogueEntry("ChatRelaysWriter.add(_:name:domains:of:)") {
            try ChatRelaysWriter($0.chat).add(relay("new.example"), name: "new", of: $0.user)
        },
        CatalogueEntry("ChatRelaysWriter.edit(_:address:name:domains:of:)") {
            try ChatRelaysWriter($0.chat).edit(
                $0.things.spareRelay, address: relay("new.example"), name: "new", domains: ["new.example"], of: $0.user)
        },
        CatalogueEntry("ChatRelaysWriter.setEnabled(_:_:of:)") {
            try ChatRelaysWriter($0.chat).setEnabled($0.things.relay, false, of: $0.user)
        },
        CatalogueEntry("ChatRelaysWriter.setTested(_:_:of:)") {
            try ChatRelaysWriter($0.chat).setTested($0.things.relay, true, of: $0.user)
        },
        CatalogueEntry("ChatRelaysWriter.delete(_:of:)") { call in
            // The one in use is soft-deleted, the other is not there any more.
            try [call.things.relay, call.things.spareRelay].map {
                try ChatRelaysWriter(call.chat).delete($0, of: call.user)
            }
        },
        CatalogueEntry("ChatRelaysWriter.purgeUnreferenced(of:)") {
            try ChatRelaysWriter($0.chat).purgeUnreferenced(of: $0.user)
        },
    ]
}
