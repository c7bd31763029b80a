import ChatDBKit
import Foundation

/// The messages in the chats of the profile.
struct Messages {
    let store: Store
    let user: User

    /// Stores messages of a channel's owner. The network may deliver a message twice; it is stored once.
    func receive(_ texts: [String], in channel: Group) throws {
        let owner = try findOrAddOwner(of: channel)
        for (number, text) in texts.enumerated() {
            // The content is a JSON document, so the text has to be encoded.
            let content = String(decoding: try JSONEncoder().encode(["text": text]), as: UTF8.self)
            var new = NewChatItem(.received, at: .now(), ChatItemContent(content, text: text))
            new.memberID = owner
            new.sharedMessageID = "message \(number)"
            do {
                let item = try store.write { try ChatItemsWriter($0).add(new, to: .group(channel.id), of: user.id) }
                print("Received: \(item.text)")
            } catch ChatsError.duplicateChatItem {
                print("Received before: \(text)")
            }
        }
    }

    /// Prints the list of chats, newest first, with their unread messages.
    func list() throws {
        let chats = try store.read { try ChatListRepo($0).page(of: user.id, limit: 20) }
        for chat in chats {
            print("- \(chat.name): \(chat.unread.items) unread, last: \(chat.lastItem?.text ?? "nothing")")
        }
        let read = try store.write { chat in
            var count = 0
            for line in chats {
                // Requests and connections are in the list too, and have no messages.
                guard case .chat(let id) = line.entry else { continue }
                count += try ChatItemsWriter(chat).markRead(in: id, of: user.id)
            }
            return count
        }
        print("Marked as read: \(read).")
    }

    /// Finds messages by their words.
    func search(_ words: String) throws {
        let items = try store.read { try ChatItemsRepo($0).search(words, in: .profile, of: user.id, limit: 10) }
        for found in items {
            let shown = found.snippet.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
            print("Found: \(shown)")
        }
    }

    private func findOrAddOwner(of channel: Group) throws -> GroupMemberID {
        try store.write { chat in
            if let owner = try GroupMembersRepo(chat).owners(of: channel.id, of: user.id).first { return owner.id }
            let owner = NewMember(name: "olga", memberID: "b2xnYQ==", role: .owner, category: .host, status: .connected)
            return try GroupMembersWriter(chat).add(owner, to: channel.id, of: user.id).id
        }
    }
}
