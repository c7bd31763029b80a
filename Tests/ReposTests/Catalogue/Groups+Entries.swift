import ChatDBKit

extension RepositoryCatalogue {
    static let groups: [CatalogueEntry] = [
        CatalogueEntry("GroupsRepo.all(of:)") { try GroupsRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("GroupsRepo.page(of:after:limit:)") { call in
            let first = try GroupsRepo(call.chat).page(of: call.user, limit: 1)
            return [first, try GroupsRepo(call.chat).page(of: call.user, after: first.next)]
        },
        CatalogueEntry("GroupsRepo.find(_:of:)") {
            try GroupsRepo($0.chat).find($0.things.channel, of: $0.user) as Any
        },
        CatalogueEntry("GroupsRepo.get(_:of:)") { try GroupsRepo($0.chat).get($0.things.channel, of: $0.user) },
        CatalogueEntry("GroupsRepo.find(named:of:)") {
            try GroupsRepo($0.chat).find(named: "\($0.things.name)-channel", of: $0.user) as Any
        },
        CatalogueEntry("GroupsRepo.counts(of:)") { try GroupsRepo($0.chat).counts(of: $0.user) },
        CatalogueEntry("GroupsRepo.unfinished(of:)") { try GroupsRepo($0.chat).unfinished(of: $0.user) },
        CatalogueEntry("GroupsRepo.contents(of:of:)") {
            try GroupsRepo($0.chat).contents(of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupsRepo.info(of:of:subscribers:)") {
            let groups = GroupsRepo($0.chat)
            return [
                try groups.info(of: $0.things.channel, of: $0.user),
                try groups.info(of: $0.things.prepared, of: $0.user),
            ]
        },
    ]

    static let groupChanges: [CatalogueEntry] = [
        CatalogueEntry("GroupsWriter.createGroup(_:of:using:)") { call in
            var random = SplitMix64(seed: 1)
            let profile = GroupProfile(
                displayName: "new", fullName: "new group", shortDescription: "a line", welcome: "hello",
                image: "data:image/png;base64,AA==", preferences: "{}")
            return try GroupsWriter(call.chat).createGroup(profile, of: call.user, using: &random)
        },
        CatalogueEntry("GroupsWriter.createChannel(_:relays:of:using:)") { call in
            var random = SplitMix64(seed: 1)
            return try GroupsWriter(call.chat).createChannel(
                GroupProfile(displayName: "new"), relays: [call.things.relay], of: call.user, using: &random)
        },
        CatalogueEntry("GroupsWriter.createChannel(named:relays:of:using:)") { call in
            var random = SplitMix64(seed: 1)
            return try GroupsWriter(call.chat).createChannel(
                named: "new", relays: [call.things.relay], of: call.user, using: &random)
        },
        CatalogueEntry("GroupsWriter.finishCreation(_:of:)") { call in
            try GroupsWriter(call.chat).setLink(call.things.draft, to: newLink, of: call.user)
            return try GroupsWriter(call.chat).finishCreation(call.things.draft, of: call.user)
        },
        CatalogueEntry("GroupsWriter.update(_:profile:of:)") {
            try GroupsWriter($0.chat).update(
                $0.things.channel, profile: GroupProfile(displayName: "other"), of: $0.user)
        },
        CatalogueEntry("GroupsWriter.setAlias(_:of:of:)") {
            try GroupsWriter($0.chat).setAlias("alias", of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupsWriter.setLink(_:to:of:)") {
            try GroupsWriter($0.chat).setLink($0.things.channel, to: newLink, of: $0.user)
        },
        CatalogueEntry("GroupsWriter.setPublicMemberCount(_:of:of:)") {
            try GroupsWriter($0.chat).setPublicMemberCount(5, of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupsRepo.find(businessRequest:of:)") {
            try GroupsRepo($0.chat).find(businessRequest: "\($0.things.name)-request", of: $0.user) as Any
        },
        CatalogueEntry("GroupsWriter.createBusinessChat(with:request:of:using:)") { call in
            var random = SplitMix64(seed: 1)
            return try GroupsWriter(call.chat).createBusinessChat(
                with: ContactProfileContent(displayName: "new"), request: "new", of: call.user, using: &random)
        },
        CatalogueEntry("GroupsWriter.setBusinessChat(_:of:of:)") {
            try GroupsWriter($0.chat).setBusinessChat(
                BusinessChat(.business, businessMemberID: "b", customerMemberID: "c"), of: $0.things.group,
                of: $0.user)
        },
        CatalogueEntry("GroupsRepo.publicGroup(of:of:)") {
            try GroupsRepo($0.chat).publicGroup(of: $0.things.channel, of: $0.user) as Any
        },
        CatalogueEntry("GroupsRepo.all(publicID:of:)") {
            try GroupsRepo($0.chat).all(publicID: "\($0.things.name)-public", of: $0.user)
        },
        CatalogueEntry("GroupsWriter.setPublicGroup(_:of:of:)") {
            try GroupsWriter($0.chat).setPublicGroup(
                PublicGroup(id: "new", kind: .group), of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupsWriter.leave(_:of:)") {
            try GroupsWriter($0.chat).leave($0.things.draft, of: $0.user)
        },
        CatalogueEntry("GroupsWriter.delete(_:of:)") { call in
            try [call.things.channel, call.things.group, call.things.draft].map {
                try GroupsWriter(call.chat).delete($0, of: call.user)
            }
        },
    ]

    static let preparedGroups: [CatalogueEntry] = [
        CatalogueEntry("GroupsRepo.all(link:of:)") {
            try GroupsRepo($0.chat).all(link: GroupLink($0.things.fullLink, $0.things.shortLink), of: $0.user)
        },
        CatalogueEntry("GroupsRepo.plan(for:of:)") { call in
            try [call.things.fullLink, call.things.shortLink, newLink].map {
                try GroupsRepo(call.chat).plan(for: GroupLink($0), of: call.user)
            }
        },
        CatalogueEntry("GroupsWriter.prepare(_:profile:throughRelays:groupRelays:welcomeMessage:of:using:)") { call in
            var random = SplitMix64(seed: 1)
            return try GroupsWriter(call.chat).prepare(
                GroupLink(newLink, newFullLink), profile: GroupProfile(displayName: "new"), throughRelays: true,
                welcomeMessage: "new", of: call.user, using: &random)
        },
        CatalogueEntry("GroupsWriter.start(_:requestMessage:incognito:of:)") {
            try GroupsWriter($0.chat).start(
                $0.things.prepared, requestMessage: "new", incognito: ContactProfileContent(displayName: "new"),
                of: $0.user)
        },
        CatalogueEntry("GroupsRepo.preparation(of:of:)") {
            try GroupsRepo($0.chat).preparation(of: $0.things.prepared, of: $0.user) as Any
        },
        CatalogueEntry("GroupsWriter.setIncognitoProfile(_:of:of:)") { call in
            try [ContactProfileContent(displayName: "new"), nil].map {
                try GroupsWriter(call.chat).setIncognitoProfile($0, of: call.things.prepared, of: call.user)
            }
        },
        CatalogueEntry("GroupsWriter.move(_:to:of:)") { call in
            let other = call.user == Things.alice.user ? Things.bob : .alice
            return try GroupsWriter(call.chat).move(call.things.prepared, to: other.user, of: call.user)
        },
        CatalogueEntry("GroupsWriter.cancel(_:of:)") {
            try GroupsWriter($0.chat).cancel($0.things.prepared, of: $0.user)
        },
    ]

    /// The link of a group that no profile has.
    private static let newLink = "https://new.example/c#\(key(99))"
    private static let newFullLink = "simplex:/contact#/?v=2-7&smp=smp://k@new.example/new"
}
