import ChatDBEngine
public import ChatDBSchema

extension FilesError {
    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .fileNotFound(let id):
            .refused("chatFileNotFound", "the profile has no file \(id)", ["file": .integer(id.rawValue)])
        case .chatNotFound(let chat):
            .refused("chatNotFound", "the profile has no \(chat.phrase)", ["chat": .string(chat.phrase)])
        case .chatItemNotFound(let id):
            .refused("chatItemNotFound", "the profile has no chat item \(id)", ["chatItem": .integer(id.rawValue)])
        case .memberNotFound(let id):
            .refused("memberNotFound", "the profile has no member \(id)", ["member": .integer(id.rawValue)])
        case .recipientNotFound(let connection, let file):
            .refused(
                "recipientNotFound", "the file \(file) has no recipient at the connection \(connection)",
                ["file": .integer(file.rawValue), "connection": .integer(connection.rawValue)])
        case .wrongDirection(let id, let direction):
            .refused(
                "wrongFileDirection",
                "the file \(id) is \(direction); this is for files that are "
                    + "\(MessageDirection(isSent: !direction.isSent))", ["file": .integer(id.rawValue)])
        case .invalidFileStep(let id, let from, let to):
            .invalid(
                "invalidFileStep", "the file \(id) cannot become \(to.word): it is \(from?.word ?? "without a status")",
                ["file": .integer(id.rawValue), "from": JSONValue(from?.word), "to": .string(to.word)])
        case .invalidRecipientStep(let id, let connection, let from, let to):
            .invalid(
                "invalidRecipientStep",
                "the file \(id) cannot become \(to) for the connection \(connection): it is \(from)",
                [
                    "file": .integer(id.rawValue), "connection": .integer(connection.rawValue),
                    "from": .string(from.text), "to": .string(to.text),
                ])
        case .fileAlreadyEnded(let id, let status):
            .refused(
                "fileAlreadyEnded", "the file \(id) cannot be cancelled: it has ended (\(status?.word ?? "cancelled"))",
                ["file": .integer(id.rawValue), "status": JSONValue(status?.word)])
        case .duplicateRecipient(let connection, let file):
            .refused(
                "duplicateRecipient", "the file \(file) is sent over the connection \(connection) already",
                ["file": .integer(file.rawValue), "connection": .integer(connection.rawValue)])
        case .invalidDescriptionPart(let id, let part, let expected):
            .invalid(
                "invalidDescriptionPart",
                "part \(part) of the description of the file \(id) cannot be added: "
                    + (expected.map { "part \($0) comes next" } ?? "the description is complete"),
                ["file": .integer(id.rawValue), "part": .integer(Int64(part)), "expected": JSONValue(expected)])
        case .invalidFile(let problem): .invalid("invalidFile", "the file \(problem)")
        case .users(let error): error.info
        case .store(let error): error.info
        }
    }
}

extension FileTransferStatus {
    /// The first word of the stored text: what an app wrote as a reason is not ours to print.
    fileprivate var word: String { String(text.prefix { $0 != " " }) }
}

extension FileChat {
    /// The kind of the thing, with its number.
    fileprivate var phrase: String {
        switch self {
        case .contact(let id): "contact \(id)"
        case .group(let id): "group \(id)"
        case .notes(let id): "note folder \(id)"
        }
    }
}
