import ChatDBKit

/// Joining another person's channel by its link, through two relays, one of which fails.
struct Joining {
    let store: Store
    let user: User

    /// Opens the link, joins, and returns the channel.
    func join(_ name: String) throws -> Group {
        let link = try GroupLink("https://relay.example.org/c#BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA")

        // The stored data about a link decide what the app offers.
        let plan = try store.read { try GroupsRepo($0).plan(for: link, of: user.id) }
        if case .known(let known) = plan {
            print("The link leads to \(known.group.localDisplayName), which \(user.name) is in.")
            return known.group
        }
        print("Nothing is known of the link.")

        // The channel exists before it is joined, so that the user can look at it, and at the relays that the link
        // advertises.
        let relays = ["one", "two"].map { "https://\($0).example.org/c#8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM" }
        let prepared = try store.write { chat in
            var random = SystemRandomNumberGenerator()
            return try GroupsWriter(chat).prepare(
                link, profile: GroupProfile(displayName: name, welcome: "Be kind."), throughRelays: true,
                groupRelays: relays, of: user.id, using: &random)
        }
        print(
            "The channel \(name) was prepared; the next step is to join: \(prepared.group.group.nextConnectPrepared).")
        print("It is to be joined through \(prepared.relayHosts.joined(separator: " and ")).")

        // Joining starts once. Each relay becomes a member, whose connection the agent makes.
        let channel = prepared.group.group.id
        let members = try store.write { chat in
            try GroupsWriter(chat).start(channel, of: user.id)
            var random = SystemRandomNumberGenerator()
            return try relays.map { link in
                try RelayMembersWriter(chat).begin(link, in: channel, of: user.id, using: &random).member.id
            }
        }

        // The first relay takes the profile in; the server of the second does not answer.
        let joined = try store.write { chat in
            try RelayMembersWriter(chat).connected(members[0], of: user.id)
            try RelayMembersWriter(chat).fail(members[1], reason: "the server does not answer", of: user.id)
            if let own = prepared.group.group.membership {
                try GroupMembersWriter(chat).setStatus(.connected, of: own.memberID, of: user.id)
            }
            try GroupsWriter(chat).setPublicMemberCount(1_200, of: channel, of: user.id)
            return try GroupsRepo(chat).info(of: channel, of: user.id)
        }
        let progress = joined.summary.progress
        print(
            "\(progress.active) of \(progress.total) relays are active, \(progress.failed) failed; done: \(progress.isDone)."
        )
        for relay in joined.relayMembers {
            print("\(relay.host ?? "?"): \(relay.state.text) \(relay.state.reason ?? "")")
        }
        print("The channel \(name) was joined: \(joined.summary.group.isCurrent).")
        return joined.summary.group
    }
}
