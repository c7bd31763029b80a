import ChatDBKit

extension Things {
    /// The message that brought `contactItem`.
    var message: MessageID { MessageID(10 + number) }
    var delivery: MessageDeliveryID { MessageDeliveryID(10 + number) }
    var settableChats: [ChatID] { [.contact(friend), .group(group)] }
    var chats: [ChatID] { [.contact(friend), .group(group), .notes(noteFolder)] }
}
