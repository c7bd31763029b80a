import ChatDBKit
import ChatDBReports

/// `files`: the files of chats, without their keys.
enum FileMethods {
    private static let file = Parameter<FileID>.id("fileId", "The file.")

    static let all: [RequestMethod] = [
        .ofProfile("files.show", "Shows a file.", [file], result: Shapes.file) { call, user, chat in
            PlainAnswer(json(try FilesRepo(chat).get(try call[file], of: user.id)))
        },
        .ofProfile(
            "files.toReceive", "Lists files that are accepted and not received yet.", [ChatMethods.limit],
            result: .members(["user": Shapes.profile, "files": .array(Shapes.file)])
        ) { call, user, chat in
            let files = try FilesRepo(chat).toReceive(of: user.id, limit: try call[ChatMethods.limit])
            return PlainAnswer(["user": user.reference, "files": .array(files.map(json))])
        },
        .changing("files.cancel", "Cancels the transfer of a file.", [file], result: Shapes.file) {
            call, user, chat in
            let id = try call[file]
            _ = try FilesWriter(chat).cancel(id, of: user.id)
            return json(try FilesRepo(chat).get(id, of: user.id))
        },
    ]

    private static func json(_ file: ChatFile) -> JSONValue {
        [
            "fileId": .integer(file.id.rawValue), "chatItemId": JSONValue(file.itemID?.rawValue),
            "name": .string(file.name), "path": JSONValue(file.path), "size": .integer(file.size),
            "direction": .string(file.direction.rawValue), "status": JSONValue(file.status?.text),
            "cancelled": .bool(file.isCancelled),
        ]
    }
}
