import ChatDBKit

extension RepositoryCatalogue {
    static let contacts: [CatalogueEntry] = [
        CatalogueEntry("ContactsRepo.find(_:of:includingDeleted:)") { call in
            try [false, true].map {
                try ContactsRepo(call.chat).find(call.things.friend, of: call.user, includingDeleted: $0)
            }
        },
        CatalogueEntry("ContactsRepo.get(_:of:includingDeleted:)") {
            try ContactsRepo($0.chat).get($0.things.friend, of: $0.user)
        },
        CatalogueEntry("ContactsRepo.find(named:of:includingDeleted:)") {
            try ContactsRepo($0.chat).find(named: "\($0.things.name)-friend", of: $0.user) as Any
        },
        CatalogueEntry("ContactsRepo.all(link:of:)") {
            try ContactsRepo($0.chat).all(link: "\($0.things.name)-contact-link", of: $0.user)
        },
        CatalogueEntry("ContactsRepo.incognitoProfile(for:of:)") {
            try ContactsRepo($0.chat).incognitoProfile(for: $0.things.friend, of: $0.user) as Any
        },
        CatalogueEntry("ContactsRepo.profile(of:of:)") {
            try ContactsRepo($0.chat).profile(of: $0.things.friend, of: $0.user)
        },
        CatalogueEntry("ContactsRepo.preferences(for:of:)") {
            try ContactsRepo($0.chat).preferences(for: $0.things.friend, of: $0.user) as Any
        },
        CatalogueEntry("ContactsRepo.verifiedCode(of:of:)") {
            try ContactsRepo($0.chat).verifiedCode(of: $0.things.friend, of: $0.user) as Any
        },
        CatalogueEntry("ContactsWriter.setPreferences(_:for:of:)") {
            try ContactsWriter($0.chat).setPreferences("{}", for: $0.things.friend, of: $0.user)
        },
        CatalogueEntry("ContactsWriter.setVerifiedCode(_:of:of:)") { call in
            try ["12345", nil].map {
                try ContactsWriter(call.chat).setVerifiedCode($0, of: call.things.friend, of: call.user)
            }
        },
        CatalogueEntry("ContactsWriter.create(fromMember:of:)") {
            try ContactsWriter($0.chat).create(fromMember: $0.things.member, of: $0.user)
        },
        CatalogueEntry("ContactsWriter.invitationSent(to:of:)") {
            let contacts = ContactsWriter($0.chat)
            let contact = try contacts.create(fromMember: $0.things.member, of: $0.user)
            return try contacts.invitationSent(to: contact.id, of: $0.user)
        },
        CatalogueEntry("ContactsWriter.connected(_:of:)") {
            try ContactsWriter($0.chat).connected($0.things.friend, of: $0.user)
        },
        CatalogueEntry("ContactsRepo.page(of:after:limit:)") { call in
            let contacts = ContactsRepo(call.chat)
            _ = try ContactsWriter(call.chat).create(person("new"), of: call.user)
            let first = try contacts.page(of: call.user, limit: 1)
            return [first, try contacts.page(of: call.user, after: first.next)]
        },
        CatalogueEntry("ContactsRepo.favourites(of:)") { try ContactsRepo($0.chat).favourites(of: $0.user) },
        CatalogueEntry("ContactsRepo.search(_:of:limit:)") {
            try ContactsRepo($0.chat).search($0.things.name, of: $0.user)
        },
        CatalogueEntry("ContactsWriter.create(_:of:)") {
            try ContactsWriter($0.chat).create(person("new"), of: $0.user)
        },
        CatalogueEntry("ContactsWriter.createIncognitoProfile(_:of:)") {
            try ContactsWriter($0.chat).createIncognitoProfile(person("new"), of: $0.user)
        },
        CatalogueEntry("ContactsWriter.update(_:profile:of:)") {
            let profile = ContactProfileContent(
                displayName: "new", fullName: "new friend", shortDescription: "a line", description: "more lines",
                image: "data:image/png;base64,AA==", contactLink: "new", preferences: "{}", peerType: .bot)
            return try ContactsWriter($0.chat).update($0.things.friend, profile: profile, of: $0.user)
        },
        CatalogueEntry("ContactsWriter.setAlias(_:of:of:)") {
            try ContactsWriter($0.chat).setAlias("new", of: $0.things.friend, of: $0.user)
        },
        CatalogueEntry("ContactsWriter.setFavourite(_:_:of:)") {
            try ContactsWriter($0.chat).setFavourite(true, $0.things.friend, of: $0.user)
        },
        CatalogueEntry("ContactsWriter.setStatus(_:of:of:)") {
            try ContactsWriter($0.chat).setStatus(.deleted, of: $0.things.friend, of: $0.user)
        },
        CatalogueEntry("ContactsWriter.delete(_:of:)") { call in
            let contacts = ContactsWriter(call.chat)
            _ = try contacts.delete(contacts.create(person("new"), of: call.user).id, of: call.user)
            // First soft-deleted, then gone.
            return try (1...2).map { _ in try ContactsWriter(call.chat).delete(call.things.friend, of: call.user) }
        },
    ]

    static let contactRequests: [CatalogueEntry] = [
        CatalogueEntry("ContactRequestsRepo.all(of:)") { try ContactRequestsRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("ContactRequestsRepo.find(_:of:)") {
            try ContactRequestsRepo($0.chat).find($0.things.request, of: $0.user) as Any
        },
        CatalogueEntry("ContactRequestsRepo.get(_:of:)") {
            try ContactRequestsRepo($0.chat).get($0.things.request, of: $0.user)
        },
        CatalogueEntry("ContactRequestsWriter.receive(_:of:)") { call in
            // A new one, the one there is with another name, and one that cannot be known by an id of its own.
            try ["new", "\(call.things.name)-xcontact", nil].map { id in
                try ContactRequestsWriter(call.chat).receive(
                    NewContactRequest(
                        linkID: call.things.address, agentInvitationID: InvitationID("i"), xContactID: id,
                        profile: person("new")),
                    of: call.user)
            }
        },
        CatalogueEntry("ContactRequestsWriter.accept(_:of:)") {
            try ContactRequestsWriter($0.chat).accept($0.things.request, of: $0.user)
        },
        CatalogueEntry("ContactRequestsWriter.reject(_:of:)") {
            try ContactRequestsWriter($0.chat).reject($0.things.request, of: $0.user)
        },
    ]

    static let userContactLinks: [CatalogueEntry] = [
        CatalogueEntry("UserContactLinksRepo.all(of:)") { try UserContactLinksRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("UserContactLinksRepo.find(_:of:)") {
            try UserContactLinksRepo($0.chat).find($0.things.address, of: $0.user) as Any
        },
        CatalogueEntry("UserContactLinksRepo.get(_:of:)") {
            try UserContactLinksRepo($0.chat).get($0.things.address, of: $0.user)
        },
        CatalogueEntry("UserContactLinksRepo.find(text:of:)") {
            try UserContactLinksRepo($0.chat).find(text: "\($0.things.name)-short-address", of: $0.user) as Any
        },
        CatalogueEntry("UserContactLinksRepo.address(of:)") {
            try UserContactLinksRepo($0.chat).address(of: $0.user) as Any
        },
        CatalogueEntry("UserContactLinksRepo.groupLink(of:of:)") {
            try UserContactLinksRepo($0.chat).groupLink(of: $0.things.group, of: $0.user) as Any
        },
        CatalogueEntry("UserContactLinksWriter.createAddress(_:short:of:)") {
            try UserContactLinksWriter($0.chat).deleteAddress(of: $0.user)
            return try UserContactLinksWriter($0.chat).createAddress(
                "simplex:/contact#/?v=2-7&smp=smp://k@new.example/new", short: "https://new.example/a#\(key(99))",
                of: $0.user)
        },
        CatalogueEntry("UserContactLinksWriter.setAutoAccept(_:of:)") {
            try UserContactLinksWriter($0.chat).setAutoAccept(
                AutoAccept(isOn: true, isIncognito: true, reply: "hello"), of: $0.user)
        },
        CatalogueEntry("UserContactLinksWriter.setBusinessAddress(_:of:)") {
            try UserContactLinksWriter($0.chat).setBusinessAddress(true, of: $0.user)
        },
        CatalogueEntry("UserContactLinksWriter.deleteAddress(of:)") {
            try UserContactLinksWriter($0.chat).deleteAddress(of: $0.user)
        },
        CatalogueEntry("UserContactLinksWriter.createGroupLink(_:short:id:role:to:of:)") {
            try UserContactLinksWriter($0.chat).createGroupLink(
                "new", id: "new", to: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("UserContactLinksWriter.setRole(_:ofLinkTo:of:)") {
            try UserContactLinksWriter($0.chat).setRole(.observer, ofLinkTo: $0.things.group, of: $0.user)
        },
        CatalogueEntry("UserContactLinksWriter.deleteGroupLink(to:of:)") {
            try UserContactLinksWriter($0.chat).deleteGroupLink(to: $0.things.group, of: $0.user)
        },
        CatalogueEntry("UserContactLinksWriter.setShortLink(_:of:of:)") {
            try UserContactLinksWriter($0.chat).setShortLink("new", of: $0.things.groupLink, of: $0.user)
        },
    ]

    private static func person(_ name: String) -> ContactProfileContent { ContactProfileContent(displayName: name) }
}
