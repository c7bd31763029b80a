import ChatDBKit

extension RepositoryCatalogue {
    private static let noon = StoredTime(text: "2026-07-25 12:00:00.000") ?? StoredTime(microseconds: 0)

    static let chatItems: [CatalogueEntry] = [
        CatalogueEntry("ChatItemsRepo.find(_:of:)") {
            try ChatItemsRepo($0.chat).find($0.things.contactItem, of: $0.user) as Any
        },
        CatalogueEntry("ChatItemsRepo.get(_:of:)") {
            try ChatItemsRepo($0.chat).get($0.things.contactItem, of: $0.user)
        },
        CatalogueEntry("ChatItemsRepo.find(sharedID:from:in:of:)") { call in
            try call.things.chats.flatMap { chat in
                try [nil, call.things.member].map { member in
                    try ChatItemsRepo(call.chat).find(
                        sharedID: "\(call.things.name)-shared-1", from: member, in: chat, of: call.user)
                }
            }
        },
        CatalogueEntry("ChatItemsRepo.versions(of:of:)") {
            try ChatItemsRepo($0.chat).versions(of: $0.things.groupItem, of: $0.user)
        },
        CatalogueEntry("ChatItemsRepo.unread(in:scope:of:)") { call in
            try call.things.scopes.map { try ChatItemsRepo(call.chat).unread(in: $0, scope: $1, of: call.user) }
        },
        CatalogueEntry("ChatItemsRepo.unread(of:)") { try ChatItemsRepo($0.chat).unread(of: $0.user) },
        CatalogueEntry("ChatItemsRepo.last(_:in:scope:of:includingDeleted:)") { call in
            try call.things.scopes.flatMap { chat, scope in
                try [false, true].map {
                    try ChatItemsRepo(call.chat).last(9, in: chat, scope: scope, of: call.user, includingDeleted: $0)
                }
            }
        },
        CatalogueEntry("ChatItemsRepo.before(_:limit:in:of:includingDeleted:)") {
            try ChatItemsRepo($0.chat).before(
                $0.things.groupItem, limit: 9, in: .group($0.things.group), of: $0.user)
        },
        CatalogueEntry("ChatItemsRepo.after(_:limit:in:of:includingDeleted:)") {
            try ChatItemsRepo($0.chat).after(
                $0.things.groupItem, limit: 9, in: .group($0.things.group), of: $0.user, includingDeleted: true)
        },
        CatalogueEntry("ChatItemsRepo.around(_:limit:in:of:includingDeleted:)") {
            try ChatItemsRepo($0.chat).around(
                $0.things.contactItem, limit: 9, in: .contact($0.things.friend), of: $0.user)
        },
        CatalogueEntry("ChatItemsRepo.kinds(in:of:)") { call in
            try call.things.chats.map { try ChatItemsRepo(call.chat).kinds(in: $0, of: call.user) }
        },
        CatalogueEntry("ChatItemsRepo.ofKind(_:in:before:of:limit:)") { call in
            let items = ChatItemsRepo(call.chat)
            return try call.things.chats.map { try items.ofKind(.image, in: $0, of: call.user, limit: 9) }
                + [
                    items.ofKind(
                        .text, in: .group(call.things.group), before: call.things.groupItem, of: call.user, limit: 9)
                ]
        },
        CatalogueEntry("ChatItemsRepo.live(in:of:)") { call in
            try call.things.chats.map { try ChatItemsRepo(call.chat).live(in: $0, of: call.user) }
        },
        CatalogueEntry("ChatItemsRepo.supportChats(in:of:)") {
            try ChatItemsRepo($0.chat).supportChats(in: $0.things.group, of: $0.user)
        },
        CatalogueEntry("ChatItemsRepo.reactions(to:of:)") {
            try ChatItemsRepo($0.chat).reactions(to: [$0.things.groupItem], of: $0.user)
        },
        CatalogueEntry("ChatItemsRepo.mentions(in:of:)") {
            try ChatItemsRepo($0.chat).mentions(in: [$0.things.groupItem], of: $0.user)
        },
        CatalogueEntry("ChatItemsRepo.search(_:in:of:limit:offset:)") { call in
            let scopes = [SearchScope.profile] + call.things.chats.map { .chat($0) }
            return try scopes.map {
                try ChatItemsRepo(call.chat).search(call.things.name, in: $0, of: call.user, limit: 9)
            }
        },
    ]

    static let chatItemsWriter: [CatalogueEntry] = [
        CatalogueEntry("ChatItemsWriter.add(_:to:of:)") { call in
            try call.things.chats.map { chat in
                var new = NewChatItem(.received, at: noon, ChatItemContent("{}", text: "new"))
                new.sharedMessageID = "new"
                new.messageID = chat == .contact(call.things.friend) ? call.things.message : nil
                new.memberID = chat == .group(call.things.group) ? call.things.member : nil
                new.scope = chat == .group(call.things.group) ? .support(call.things.member) : nil
                new.forwardedFrom = ForwardedFrom(.contact)
                new.forwardedFrom?.contactID = call.things.friend
                new.forwardedFrom?.groupID = call.things.group
                new.forwardedFrom?.itemID = call.things.groupItem
                return try ChatItemsWriter(call.chat).add(new, to: chat, of: call.user)
            }
        },
        CatalogueEntry("ChatItemsWriter.edit(_:to:at:of:)") {
            let new = ChatItemContent(
                "{}", text: "new", mentions: [ChatItemMention(memberID: "m", name: "n")], mentionsUser: true)
            return try ChatItemsWriter($0.chat).edit($0.things.groupItem, to: new, at: noon, of: $0.user)
        },
        CatalogueEntry("ChatItemsWriter.setStatus(_:of:of:)") {
            try ChatItemsWriter($0.chat).setStatus(.sndSent, of: $0.things.groupItem, of: $0.user)
        },
        CatalogueEntry("ChatItemsWriter.markDeleted(_:at:of:)") {
            try ChatItemsWriter($0.chat).markDeleted($0.things.contactItem, at: noon, of: $0.user)
        },
        CatalogueEntry("ChatItemsWriter.moderate(_:by:at:of:)") {
            try ChatItemsWriter($0.chat).moderate(
                $0.things.groupItem, by: $0.things.member, at: noon, of: $0.user)
        },
        CatalogueEntry("ChatItemsWriter.delete(_:at:of:)") { call in
            try [call.things.groupItem, call.things.contactItem].map {
                try ChatItemsWriter(call.chat).delete($0, at: noon, of: call.user)
            }
        },
        CatalogueEntry("ChatItemsWriter.markRead(_:in:scope:of:)") { call in
            try call.things.scopes.flatMap { chat, scope in
                try [call.things.contactItem...call.things.contactItem, nil].map {
                    try ChatItemsWriter(call.chat).markRead($0, in: chat, scope: scope, of: call.user)
                }
            }
        },
        CatalogueEntry("ChatItemsWriter.endLive(_:in:of:)") { call in
            try call.things.chats.flatMap { chat in
                try [[call.things.contactItem], nil].map {
                    try ChatItemsWriter(call.chat).endLive($0, in: chat, of: call.user)
                }
            }
        },
        CatalogueEntry("ChatItemsWriter.clear(_:of:)") { call in
            try call.things.chats.map { try ChatItemsWriter(call.chat).clear($0, of: call.user) }
        },
        CatalogueEntry("ChatItemsWriter.react(_:to:by:at:of:)") { call in
            try [Reactor.user, .member(call.things.member)].map {
                try ChatItemsWriter(call.chat).react(
                    "+", to: call.things.groupItem, by: $0, at: noon, of: call.user)
            }
        },
        CatalogueEntry("ChatItemsWriter.unreact(_:to:by:of:)") { call in
            try [Reactor.user, .member(call.things.member)].map {
                try ChatItemsWriter(call.chat).unreact("+", to: call.things.groupItem, by: $0, of: call.user)
            }
        },
        CatalogueEntry("ChatItemsWriter.expire(at:of:)") {
            try ChatItemsWriter($0.chat).expire(at: StoredTime.now(), of: $0.user)
        },
        .store("ChatItemsWriter.forgetDeletedWords()") { try ChatItemsWriter($0.chat).forgetDeletedWords() },
    ]

    static let messages: [CatalogueEntry] = [
        CatalogueEntry("MessagesRepo.find(_:of:)") {
            try MessagesRepo($0.chat).find($0.things.message, of: $0.user) as Any
        },
        CatalogueEntry("MessagesRepo.get(_:of:)") { try MessagesRepo($0.chat).get($0.things.message, of: $0.user) },
        CatalogueEntry("MessagesRepo.all(sharedID:on:of:)") { call in
            try [MessageRoute.connection(call.things.contactConnection), .group(call.things.group)].map {
                try MessagesRepo(call.chat).all(sharedID: "\(call.things.name)-shared-1", on: $0, of: call.user)
            }
        },
        CatalogueEntry("MessagesRepo.deliveries(of:of:)") {
            try MessagesRepo($0.chat).deliveries(of: $0.things.message, of: $0.user)
        },
        CatalogueEntry("MessagesRepo.deliveries(ofAgentMessage:on:of:)") {
            try MessagesRepo($0.chat).deliveries(
                ofAgentMessage: AgentMessageID(1), on: $0.things.contactConnection, of: $0.user)
        },
        CatalogueEntry("MessagesWriter.add(_:deliveries:of:)") {
            var new = NewMessage(.sent, event: "x.msg.new", body: "{}")
            new.groupID = $0.things.group
            new.authorID = $0.things.member
            return try MessagesWriter($0.chat).add(
                new, deliveries: [NewDelivery(on: $0.things.memberConnection, status: .sndPending)], of: $0.user)
        },
        CatalogueEntry("MessagesWriter.setStatus(_:agentMessage:of:of:)") {
            try MessagesWriter($0.chat).setStatus(
                .sndSent, agentMessage: AgentMessageID(2), of: $0.things.delivery, of: $0.user)
        },
        CatalogueEntry("MessagesWriter.delete(storedBefore:of:)") {
            try MessagesWriter($0.chat).delete(storedBefore: StoredTime.now(), of: $0.user)
        },
    ]

    static let chatList: [CatalogueEntry] = [
        CatalogueEntry("ChatListRepo.page(of:filter:after:limit:)") { call in
            let list = ChatListRepo(call.chat)
            var pages = [try list.page(of: call.user, limit: 2)]
            pages.append(try list.page(of: call.user, after: pages[0].last?.position, limit: 9))
            let text = ChatListFilter(onlyUnread: true, onlyFavorites: true, text: call.things.name)
            for filter in [text, ChatListFilter(tag: call.things.tag)] {
                pages.append(try list.page(of: call.user, filter: filter, limit: 9))
            }
            // The pages of the profile that asks are its own; those of the other would tell its name.
            return pages
        },
        CatalogueEntry("ChatListRepo.preview(of:of:)") { call in
            try call.things.chats.map { try ChatListRepo(call.chat).preview(of: $0, of: call.user) }
        },
        CatalogueEntry("ChatListRepo.settings(of:of:)") { call in
            try call.things.chats.map { try ChatListRepo(call.chat).settings(of: $0, of: call.user) }
        },
        CatalogueEntry("ChatListRepo.themes(of:of:)") { call in
            try call.things.chats.map { try ChatListRepo(call.chat).themes(of: $0, of: call.user) }
        },
        CatalogueEntry("ChatListWriter.setThemes(_:of:of:)") { call in
            try call.things.settableChats.map { try ChatListWriter(call.chat).setThemes("{}", of: $0, of: call.user) }
        },
        CatalogueEntry("ChatListWriter.setNotifications(_:of:of:)") { call in
            try call.things.settableChats.map {
                try ChatListWriter(call.chat).setNotifications(.none, of: $0, of: call.user)
            }
        },
        CatalogueEntry("ChatListWriter.setReceipts(_:of:of:)") { call in
            try call.things.settableChats.map { try ChatListWriter(call.chat).setReceipts(true, of: $0, of: call.user) }
        },
        CatalogueEntry("ChatListWriter.setTimeToLive(_:of:of:)") { call in
            try call.things.settableChats.map { try ChatListWriter(call.chat).setTimeToLive(60, of: $0, of: call.user) }
        },
        CatalogueEntry("ChatListWriter.setFavourite(_:_:of:)") { call in
            try call.things.chats.map { try ChatListWriter(call.chat).setFavourite($0, true, of: call.user) }
        },
        CatalogueEntry("ChatListWriter.setUnread(_:_:of:)") { call in
            try call.things.chats.map { try ChatListWriter(call.chat).setUnread($0, true, of: call.user) }
        },
    ]
}
