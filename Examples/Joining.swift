import ChatDBKit

/// Joining another person's channel by its link.
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

        // The channel exists before it is joined, so that the user can look at it.
        let prepared = try store.write { chat in
            var random = SystemRandomNumberGenerator()
            return try GroupsWriter(chat).prepare(
                link, profile: GroupProfile(displayName: name, welcome: "Be kind."), throughRelays: true, of: user.id,
                using: &random)
        }
        print(
            "The channel \(name) was prepared; the next step is to join: \(prepared.group.group.nextConnectPrepared).")

        // Joining starts once. When the network has accepted the profile, the own membership changes its status.
        let joined = try store.write { chat in
            let started = try GroupsWriter(chat).start(prepared.group.group.id, of: user.id)
            guard let own = started.group.membership else { return started }
            try GroupMembersWriter(chat).setStatus(.connected, of: own.memberID, of: user.id)
            return try GroupsRepo(chat).get(started.group.id, of: user.id)
        }
        print("The channel \(name) was joined: \(joined.group.isCurrent).")
        return joined.group
    }
}
