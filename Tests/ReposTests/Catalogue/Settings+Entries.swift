import ChatDBKit

extension RepositoryCatalogue {
    static let settings: [CatalogueEntry] = [
        CatalogueEntry("SettingsRepo.chatItemTTL(of:)") { try SettingsRepo($0.chat).chatItemTTL(of: $0.user) as Any },
        CatalogueEntry("SettingsWriter.setChatItemTTL(_:of:)") { call in
            try call.chat.run("DELETE FROM settings WHERE user_id = \(call.user)")
            return try [nil, 60].map { try SettingsWriter(call.chat).setChatItemTTL($0, of: call.user) }
        },
        .store("SettingsRepo.appSettings()") { try SettingsRepo($0.chat).appSettings() as Any },
        .store("SettingsWriter.setAppSettings(_:)") {
            try SettingsWriter($0.chat).setAppSettings(AppSettings(#"{"theme": "dark"}"#))
        },
        .store("SettingsWriter.setAppSettings(text:)") {
            try SettingsWriter($0.chat).setAppSettings(text: #"{"theme": "dark"}"#)
        },
        .store("SettingsWriter.removeAppSettings()") { try SettingsWriter($0.chat).removeAppSettings() },
    ]

    static let tags: [CatalogueEntry] = [
        CatalogueEntry("ChatTagsRepo.all(of:)") { try ChatTagsRepo($0.chat).all(of: $0.user) },
        CatalogueEntry("ChatTagsRepo.find(_:of:)") {
            try ChatTagsRepo($0.chat).find($0.things.tag, of: $0.user) as Any
        },
        CatalogueEntry("ChatTagsRepo.get(_:of:)") { try ChatTagsRepo($0.chat).get($0.things.tag, of: $0.user) },
        CatalogueEntry("ChatTagsRepo.all(on:of:)") { call in
            try chats(call).map { try ChatTagsRepo(call.chat).all(on: $0, of: call.user) }
        },
        CatalogueEntry("ChatTagsRepo.chats(with:of:)") {
            try ChatTagsRepo($0.chat).chats(with: $0.things.tag, of: $0.user)
        },
        CatalogueEntry("ChatTagsWriter.create(_:emoji:of:)") {
            try ChatTagsWriter($0.chat).create("new", emoji: "🐈", of: $0.user)
        },
        CatalogueEntry("ChatTagsWriter.update(_:text:emoji:of:)") {
            try ChatTagsWriter($0.chat).update($0.things.tag, text: "new", emoji: "🐈", of: $0.user)
        },
        CatalogueEntry("ChatTagsWriter.reorder(_:of:)") {
            try ChatTagsWriter($0.chat).reorder([$0.things.tag], of: $0.user)
        },
        CatalogueEntry("ChatTagsWriter.delete(_:of:)") {
            try ChatTagsWriter($0.chat).delete($0.things.tag, of: $0.user)
        },
        CatalogueEntry("ChatTagsWriter.tag(_:with:of:)") { call in
            let tag = try ownTag(call)
            return try chats(call).map { try ChatTagsWriter(call.chat).tag($0, with: tag, of: call.user) }
        },
        CatalogueEntry("ChatTagsWriter.untag(_:from:of:)") { call in
            let tag = try ownTag(call)
            return try chats(call).map { try ChatTagsWriter(call.chat).untag($0, from: tag, of: call.user) }
        },
        CatalogueEntry("ChatTagsWriter.setTags(_:on:of:)") { call in
            let tag = try ownTag(call)
            return try chats(call).map { try ChatTagsWriter(call.chat).setTags([tag], on: $0, of: call.user) }
        },
        CatalogueEntry("NoteFoldersRepo.find(of:)") { try NoteFoldersRepo($0.chat).find(of: $0.user) as Any },
        CatalogueEntry("NoteFoldersWriter.findOrCreate(of:)") { call in
            let folder = try NoteFoldersWriter(call.chat).findOrCreate(of: call.user)
            try call.chat.run("DELETE FROM note_folders WHERE user_id = \(call.user)")
            return [folder, try NoteFoldersWriter(call.chat).findOrCreate(of: call.user)]
        },
        CatalogueEntry("NoteFoldersWriter.setFavourite(_:of:)") {
            try NoteFoldersWriter($0.chat).setFavourite(true, of: $0.user)
        },
        CatalogueEntry("NoteFoldersWriter.setUnread(_:of:)") {
            try NoteFoldersWriter($0.chat).setUnread(true, of: $0.user)
        },
    ]

    private static func chats(_ call: Call) -> [TaggedChat] {
        [.contact(call.things.friend), .group(call.things.group)]
    }

    /// A tag of the profile asking, so that it is the chat that may belong to another.
    private static func ownTag(_ call: Call) throws -> ChatTagID {
        try ChatTagsWriter(call.chat).create("own", of: call.user).id
    }
}
