import ChatDBKit

extension RepositoryCatalogue {
    static let groupRelays: [CatalogueEntry] = [
        CatalogueEntry("GroupRelaysRepo.all(of:of:)") {
            try GroupRelaysRepo($0.chat).all(of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupRelaysRepo.all(of:)") { try GroupRelaysRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("GroupRelaysRepo.find(_:of:)") {
            try GroupRelaysRepo($0.chat).find($0.things.groupRelay, of: $0.user) as Any
        },
        CatalogueEntry("GroupRelaysRepo.get(_:of:)") {
            try GroupRelaysRepo($0.chat).get($0.things.groupRelay, of: $0.user)
        },
        CatalogueEntry("GroupRelaysRepo.find(member:of:)") {
            try GroupRelaysRepo($0.chat).find(member: $0.things.relayMember, of: $0.user) as Any
        },
        CatalogueEntry("GroupRelaysRepo.all(ofRelay:of:)") {
            try GroupRelaysRepo($0.chat).all(ofRelay: $0.things.relay, of: $0.user)
        },
        CatalogueEntry("GroupRelaysRepo.published(of:of:)") {
            try GroupRelaysRepo($0.chat).published(of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupRelaysRepo.progress(of:of:)") {
            try GroupRelaysRepo($0.chat).progress(of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupRelaysRepo.progress(of:)") { try GroupRelaysRepo($0.chat).progress(of: $0.user) },
    ]

    static let relayMembers: [CatalogueEntry] = [
        CatalogueEntry("RelayMembersRepo.all(of:of:)") {
            try RelayMembersRepo($0.chat).all(of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("RelayMembersRepo.find(_:of:)") {
            try RelayMembersRepo($0.chat).find($0.things.relayMember, of: $0.user) as Any
        },
        CatalogueEntry("RelayMembersRepo.get(_:of:)") {
            try RelayMembersRepo($0.chat).get($0.things.relayMember, of: $0.user)
        },
        CatalogueEntry("RelayMembersRepo.find(link:in:of:)") {
            try RelayMembersRepo($0.chat).find(link: "link", in: $0.things.channel, of: $0.user) as Any
        },
        CatalogueEntry("RelayMembersWriter.begin(_:in:of:using:)") { try begun($0) },
        CatalogueEntry("RelayMembersWriter.connected(_:of:)") {
            try RelayMembersWriter($0.chat).connected(begun($0).member.id, of: $0.user)
        },
        CatalogueEntry("RelayMembersWriter.fail(_:reason:of:)") {
            try RelayMembersWriter($0.chat).fail(begun($0).member.id, reason: "no answer", of: $0.user)
        },
    ]

    /// A relay through which the profile has begun to join its prepared channel.
    private static func begun(_ call: Call) throws -> RelayMember {
        try GroupsWriter(call.chat).start(call.things.prepared, of: call.user)
        var random = SplitMix64(seed: 1)
        return try RelayMembersWriter(call.chat).begin(
            relay("r.example", key: 1), in: call.things.prepared, of: call.user, using: &random)
    }

    static let groupRelaySteps: [CatalogueEntry] = [
        CatalogueEntry("GroupRelaysWriter.add(_:to:of:using:)") { call in
            var random = SplitMix64(seed: 1)
            return try GroupRelaysWriter(call.chat).add(
                call.things.spareRelay, to: call.things.channel, of: call.user, using: &random)
        },
        CatalogueEntry("GroupRelaysWriter.invite(_:of:)") {
            try GroupRelaysWriter($0.chat).invite($0.things.newGroupRelay, of: $0.user)
        },
        CatalogueEntry("GroupRelaysWriter.accept(_:link:of:)") {
            try GroupRelaysWriter($0.chat).accept(
                $0.things.invitedGroupRelay, link: relay("r.example", key: 1), of: $0.user)
        },
        CatalogueEntry("GroupRelaysWriter.acknowledge(_:of:)") {
            try GroupRelaysWriter($0.chat).acknowledge($0.things.acceptedGroupRelay, of: $0.user)
        },
        CatalogueEntry("GroupRelaysWriter.activate(_:of:)") {
            try GroupRelaysWriter($0.chat).activate($0.things.acceptedGroupRelay, of: $0.user)
        },
        CatalogueEntry("GroupRelaysWriter.reject(_:of:)") {
            try GroupRelaysWriter($0.chat).reject($0.things.invitedGroupRelay, of: $0.user)
        },
        CatalogueEntry("GroupRelaysWriter.deactivate(_:of:)") {
            try GroupRelaysWriter($0.chat).deactivate($0.things.groupRelay, of: $0.user)
        },
    ]

    static let groupMembers: [CatalogueEntry] = [
        CatalogueEntry("GroupMembersRepo.all(with:in:of:)") {
            try GroupMembersRepo($0.chat).all(with: .relay, in: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupMembersRepo.find(_:of:)") {
            try GroupMembersRepo($0.chat).find($0.things.member, of: $0.user) as Any
        },
        CatalogueEntry("GroupMembersRepo.get(_:of:)") {
            try GroupMembersRepo($0.chat).get($0.things.member, of: $0.user)
        },
        CatalogueEntry("GroupMembersRepo.find(memberID:in:of:)") {
            try GroupMembersRepo($0.chat).find(
                memberID: "\($0.things.name)-m5", in: $0.things.group, of: $0.user) as Any
        },
        CatalogueEntry("GroupMembersRepo.owners(of:of:)") {
            try GroupMembersRepo($0.chat).owners(of: $0.things.draft, of: $0.user)
        },
        CatalogueEntry("GroupMembersRepo.mayLeave(_:of:)") {
            try GroupMembersRepo($0.chat).mayLeave($0.things.draft, of: $0.user)
        },
        CatalogueEntry("GroupMembersRepo.page(of:of:roles:statuses:includingPast:after:limit:)") { call in
            let members = GroupMembersRepo(call.chat)
            let group = call.things.draft
            return try [
                members.page(of: group, of: call.user),
                members.page(of: group, of: call.user, roles: [.owner, .relay]),
                members.page(
                    of: group, of: call.user, statuses: [.connected], after: call.things.relayMember, limit: 1),
                members.page(of: group, of: call.user, roles: [.owner], statuses: [.connected, .creator]),
                members.page(of: group, of: call.user, roles: [.observer], includingPast: false),
            ]
        },
        CatalogueEntry("GroupMembersRepo.subscribers(of:of:after:limit:)") {
            try GroupMembersRepo($0.chat).subscribers(of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupMembersRepo.subscriberCount(of:of:)") {
            try GroupMembersRepo($0.chat).subscriberCount(of: $0.things.channel, of: $0.user)
        },
        CatalogueEntry("GroupMembersWriter.add(_:to:of:)") { call in
            let inviters: [MemberInviter?] = [
                nil, .user, .contact(call.things.friend), .member(call.things.member),
            ]
            return try inviters.enumerated().map { index, inviter in
                try GroupMembersWriter(call.chat).add(
                    NewMember(
                        name: "new", memberID: "new\(index)", role: .member, category: .post, status: .connected,
                        invitedBy: inviter),
                    to: call.things.group, of: call.user)
            }
        },
        CatalogueEntry("GroupMembersRepo.toCleanUp(in:of:limit:)") {
            try GroupMembersRepo($0.chat).toCleanUp(in: $0.things.group, of: $0.user)
        },
        CatalogueEntry("GroupMembersWriter.cleanUp(in:of:limit:)") {
            let members = GroupMembersWriter($0.chat)
            _ = try members.add(
                NewMember(name: "gone", memberID: "gone", role: .member, category: .post, status: .left),
                to: $0.things.group, of: $0.user)
            return try members.cleanUp(in: $0.things.group, of: $0.user)
        },
        CatalogueEntry("GroupMembersRepo.profile(of:of:)") {
            try GroupMembersRepo($0.chat).profile(of: $0.things.member, of: $0.user)
        },
        CatalogueEntry("GroupMembersRepo.profiles(of:of:)") {
            try GroupMembersRepo($0.chat).profiles(of: [$0.things.member, $0.things.relayMember], of: $0.user)
        },
        CatalogueEntry("GroupMembersRepo.verifiedCode(of:of:)") { call in
            try [call.things.member, call.things.subscriber].map {
                try GroupMembersRepo(call.chat).verifiedCode(of: $0, of: call.user)
            }
        },
        CatalogueEntry("GroupMembersWriter.setProfile(_:of:of:)") {
            try GroupMembersWriter($0.chat).setProfile(
                ContactProfileContent(displayName: "new"), of: $0.things.member, of: $0.user)
        },
        CatalogueEntry("GroupMembersWriter.setRestriction(_:of:of:)") {
            try GroupMembersWriter($0.chat).setRestriction(.blocked, of: $0.things.member, of: $0.user)
        },
        CatalogueEntry("GroupMembersWriter.setShowsMessages(_:of:of:)") {
            try GroupMembersWriter($0.chat).setShowsMessages(false, of: $0.things.member, of: $0.user)
        },
        CatalogueEntry("GroupMembersWriter.setVerifiedCode(_:of:of:)") { call in
            try [call.things.member, call.things.subscriber].map {
                try GroupMembersWriter(call.chat).setVerifiedCode("12345", of: $0, of: call.user)
            }
        },
        CatalogueEntry("GroupMembersWriter.setRole(_:of:of:)") {
            try GroupMembersWriter($0.chat).setRole(.admin, of: $0.things.member, of: $0.user)
        },
        CatalogueEntry("GroupMembersWriter.setStatus(_:of:of:)") {
            try GroupMembersWriter($0.chat).setStatus(.left, of: $0.things.relayMember, of: $0.user)
        },
        CatalogueEntry("GroupMembersWriter.remove(_:of:)") {
            try GroupMembersWriter($0.chat).remove($0.things.member, of: $0.user)
        },
    ]
}
