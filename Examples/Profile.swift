import ChatDBKit

/// The profile that the user writes as.
enum Profile {
    /// The profile of that name: the one there is, with its preset brought up to date, or a new one.
    static func findOrMake(_ name: String, in store: Store) throws -> User {
        let preset = try BundledPresets.preset()
        // The same seed makes the same choices. An app takes one of its own for each user.
        let seed: UInt64 = 7

        let existing = try store.read { try UsersRepo($0).find(named: name) }
        if let user = existing {
            let plan = try store.write { try PresetSync.apply(preset, to: user.id, in: $0, seed: seed) }
            print("The profile \(user.name) is there; the preset changed \(plan.changes.count) of its entries.")
            return user
        }

        // A profile is rows in both databases. What is made is committed in the agent's first: a crash in between leaves
        // a row there that nobody refers to, and not a profile without its keys.
        let user = try store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat).create(name, startingWith: preset, seed: seed, agent: agent)
        }
        // A repository is a view of one transaction, so what is read together belongs together.
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
