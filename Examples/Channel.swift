import ChatDBKit

/// A channel of the profile's own, and its relays.
struct Channel {
    let store: Store
    let user: User

    init(store: Store, user: User) throws {
        self.store = store
        self.user = user
        // Every query takes the profile. A row of another profile is not found.
        let stranger = UserID(user.id.rawValue + 1)
        do {
            _ = try store.read { try ChatRelaysRepo($0).get(ChatRelayID(1), of: stranger) }
        } catch ChatRelaysError.relayNotFound {
            print("A relay of \(user.name) is not found for anybody else.")
        }
    }

    /// Adds a relay of the user's own.
    func addRelay() throws -> ChatRelay {
        let address = "https://relay.example.org/r#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"
        let added = try store.write { try ChatRelaysWriter($0).add(address, name: "my relay", of: user.id) }
        switch added.outcome {
        case .added: print("The relay \(added.relay.name) was added.")
        case .restored: print("The relay \(added.relay.name) was soft-deleted and is back, with its channels.")
        case .enabled: print("The preset relay \(added.relay.name) was disabled and is enabled.")
        }
        // An error is a sentence for the user, with the names in it, and a code for the program.
        do {
            _ = try store.write { try ChatRelaysWriter($0).add(address, of: user.id) }
        } catch let error as ChatRelaysError {
            print("Adding it once more is refused (\(error.code)): \(error.message).")
        }
        return added.relay
    }

    /// Finds the channel with this name, or creates one with this relay and another.
    func findOrMake(_ name: String, over relay: ChatRelay) throws -> Group {
        let existing = try store.read { try GroupsRepo($0).find(named: name, of: user.id) }
        if let channel = existing {
            print("The channel \(name) is there, with \(channel.progress.active) of its relays active.")
            return channel.group
        }
        // One transaction: either the channel exists with its relays, or nothing changed.
        let channel = try store.write { chat in
            var random = SystemRandomNumberGenerator()
            let preset = try ChatRelaysRepo(chat).choosable(of: user.id).filter(\.isPreset).prefix(1)
            let groups = GroupsWriter(chat)
            let made = try groups.createChannel(
                named: name, relays: [relay.id] + preset.map(\.id), of: user.id, using: &random)
            // The network makes the link. A channel is finished when it has a link and a relay.
            try groups.setLink(
                made.group.id, to: "https://smp.example.org/c#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ", of: user.id)
            return try groups.finishCreation(made.group.id, of: user.id)
        }
        print(
            "The channel \(name) was made; \(channel.progress.active) of \(channel.progress.total) relays are active.")
        return channel.group
    }

    /// Does the work of the network: each relay is invited, accepts with a link for the channel, and becomes active.
    func letRelaysAnswer(in channel: Group) throws {
        try store.write { chat in
            let steps = GroupRelaysWriter(chat)
            for relay in try GroupRelaysRepo(chat).all(of: channel.id, of: user.id)
            where relay.groupRelay.status == .new {
                let id = relay.groupRelay.id
                let link = "https://\(relay.host)/c#8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM"
                try steps.invite(id, of: user.id)
                try steps.accept(id, link: link, of: user.id)
                let active = try steps.activate(id, of: user.id)
                print("The relay at \(active.host) is \(active.groupRelay.status.shownName.lowercased()).")
            }
        }
    }

    /// A relay that a channel uses is soft-deleted: no new channel gets it, and the old ones keep it.
    func delete(_ relay: ChatRelay, usedBy channel: Group) throws {
        let deleted = try store.write { try ChatRelaysWriter($0).delete(relay.id, of: user.id) }
        switch deleted.outcome {
        case .deleted: print("The relay \(relay.name) was deleted.")
        case .softDeleted: print("The relay \(relay.name) was soft-deleted: \(deleted.channelsUsing) channel uses it.")
        }
        let (isListed, isShown) = try store.read { chat in
            (
                try ChatRelaysRepo(chat).all(of: user.id).contains { $0.id == relay.id },
                try GroupRelaysRepo(chat).all(of: channel.id, of: user.id).contains { $0.relay.id == relay.id }
            )
        }
        print("It is \(isListed ? "" : "not ")in the list, and \(isShown ? "" : "not ")in the channel.")
    }
}
