import ChatDBKit

/// The profile of the user.
enum Profile {
    /// Finds the profile with this name and updates it from the preset, or creates a new one.
    static func findOrMake(_ name: String, in store: Store) throws -> User {
        let preset = try BundledPresets.preset()
        // The same seed makes the same choices. An app uses another seed for each user.
        let seed: UInt64 = 7

        let existing = try store.read { try UsersRepo($0).find(named: name) }
        if let user = existing {
            let plan = try store.write { try PresetSync.apply(preset, to: user.id, in: $0, seed: seed) }
            print("The profile \(user.name) is there; the preset changed \(plan.changes.count) of its entries.")
            return user
        }

        // A profile has rows in both databases. A creation is committed in the agent database first. A crash between
        // the two commits then leaves an unused row there, and not a profile without its keys.
        let user = try store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat).create(name, startingWith: preset, seed: seed, agent: agent)
        }
        // Both repositories read in one transaction, so their results are of the same moment.
        let (relays, servers) = try store.read { chat in
            (try ChatRelaysRepo(chat).all(of: user.id), try ServersRepo(chat).all(of: user.id))
        }
        print(
            """
            The profile \(user.name) was made, with \(relays.count) relays (\(relays.count(where: \.isEnabled)) enabled) \
            and \(servers.count) servers (\(servers.count(where: \.isEnabled)) enabled).
            """)
        return user
    }
}
