import ChatDBKit

extension Things {
    /// The message that brought `contactItem`.
    var message: MessageID { MessageID(10 + number) }
    var delivery: MessageDeliveryID { MessageDeliveryID(10 + number) }
    var settableChats: [ChatID] { [.contact(friend), .group(group)] }
    /// The chats, and the support chats of `group`.
    var scopes: [(ChatID, GroupScope?)] {
        chats.map { ($0, nil) } + [(.group(group), .support(member)), (.group(group), .support(nil))]
    }
    var chats: [ChatID] { [.contact(friend), .group(group), .notes(noteFolder)] }
}
