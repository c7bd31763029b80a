import ChatDBKit
import Foundation

/// How an app keeps its chats with these libraries: one life of a store, in the order in which it happens.
///
///     swift run example FOLDER
///
/// Each step is a file of its own, to be read in this order. Run it twice with the same folder: a step that finds what
/// it would make says so and goes on, as an app does each time it starts.
@main
struct Example {
    static func main() {
        guard CommandLine.arguments.count == 2 else { return print("Usage: example FOLDER") }
        do {
            try live(in: CommandLine.arguments[1])
        } catch let failure as MigrationFailure {
            // It says in what state the store is, too: an app decides by that what to offer.
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

        // Profile.swift: somebody to write as, with the relays and servers that ship with the library.
        let alice = try Profile.findOrMake("alice", in: store)

        // Channel.swift: a channel over two relays, and what becomes of it when one of them is deleted.
        let channel = try Channel(store: store, user: alice)
        let relay = try channel.addRelay()
        let news = try channel.findOrMake("news", over: relay)
        try channel.letRelaysAnswer(in: news)
        try channel.delete(relay, usedBy: news)

        // Joining.swift: somebody else's channel, from its link.
        let talk = try Joining(store: store, user: alice).join("talk")

        // Messages.swift: what is written there, and how it is found again.
        let messages = Messages(store: store, user: alice)
        try messages.receive(["the quick brown fox", "jumps over the lazy dog"], in: talk)
        try messages.list()
        try messages.search("fox")
    }
}
