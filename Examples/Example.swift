import ChatDBKit
import Foundation

/// An app that keeps its chats with this library: the steps of using a store, in their order.
///
///     swift run example FOLDER
///
/// Each step is a file of its own, to be read in this order. Run it twice with the same folder: a step that finds its
/// result already there says so and goes on, as an app does at each start.
@main
struct Example {
    static func main() {
        guard CommandLine.arguments.count == 2 else { return print("Usage: example FOLDER") }
        do {
            try live(in: CommandLine.arguments[1])
        } catch let failure as MigrationFailure {
            // The error also has the state of the store, which an app needs to decide what to offer.
            print("The store cannot be opened: \(failure.error.message).")
            exit(1)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static func live(in folder: String) throws {
        // Opening.swift: the two databases, brought to this build's version.
        let opened = try OpenedStore(at: folder + "/example")
        defer { opened.close() }
        let store = opened.store

        // Profile.swift: a profile, with the relays and servers that ship with the library.
        let alice = try Profile.findOrMake("alice", in: store)

        // Channel.swift: a channel with two relays, and the deletion of one of them.
        let channel = try Channel(store: store, user: alice)
        let relay = try channel.addRelay()
        let news = try channel.findOrMake("news", over: relay)
        try channel.letRelaysAnswer(in: news)
        try channel.delete(relay, usedBy: news)

        // Joining.swift: another person's channel, from its link.
        let talk = try Joining(store: store, user: alice).join("talk")

        // Messages.swift: messages in that channel, and a search.
        let messages = Messages(store: store, user: alice)
        try messages.receive(["the quick brown fox", "jumps over the lazy dog"], in: talk)
        try messages.list()
        try messages.search("fox")
    }
}
