import ChatDBEngine
package import ChatDBSchema

extension FilesError {
    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .fileNotFound(let id): "the profile has no file \(id)"
        case .chatNotFound(let chat): "the profile has no \(chat.phrase)"
        case .chatItemNotFound(let id): "the profile has no chat item \(id)"
        case .memberNotFound(let id): "the profile has no member \(id)"
        case .recipientNotFound(let connection, let file):
            "the file \(file) has no recipient at the connection \(connection)"
        case .wrongDirection(let id, let direction):
            "the file \(id) is \(direction); this is for files that are "
                + "\(MessageDirection(isSent: !direction.isSent))"
        case .invalidFileStep(let id, let from, let to):
            "the file \(id) cannot become \(to.word): it is \(from?.word ?? "without a status")"
        case .invalidRecipientStep(let id, let connection, let from, let to):
            "the file \(id) cannot become \(to) for the connection \(connection): it is \(from)"
        case .fileAlreadyEnded(let id, let status):
            "the file \(id) cannot be cancelled: it is over (\(status?.word ?? "cancelled"))"
        case .duplicateRecipient(let connection, let file):
            "the file \(file) is sent over the connection \(connection) already"
        case .invalidDescriptionPart(let id, let part, let expected):
            "part \(part) of the description of the file \(id) cannot be added: "
                + (expected.map { "part \($0) comes next" } ?? "the description is complete")
        case .invalidFile(let problem): "the file \(problem)"
        case .users(let error): error.message
        case .store(let error): error.message
        }
    }

    package var details: JSONValue {
        switch self {
        case .fileNotFound(let id), .wrongDirection(let id, _): ["file": .integer(id.rawValue)]
        case .chatNotFound(let chat): ["chat": .string(chat.phrase)]
        case .chatItemNotFound(let id): ["chatItem": .integer(id.rawValue)]
        case .memberNotFound(let id): ["member": .integer(id.rawValue)]
        case .recipientNotFound(let connection, let file), .duplicateRecipient(let connection, let file):
            ["file": .integer(file.rawValue), "connection": .integer(connection.rawValue)]
        case .invalidFileStep(let id, let from, let to):
            ["file": .integer(id.rawValue), "from": JSONValue(from?.word), "to": .string(to.word)]
        case .invalidRecipientStep(let id, let connection, let from, let to):
            [
                "file": .integer(id.rawValue), "connection": .integer(connection.rawValue),
                "from": .string(from.text), "to": .string(to.text),
            ]
        case .fileAlreadyEnded(let id, let status):
            ["file": .integer(id.rawValue), "status": JSONValue(status?.word)]
        case .invalidDescriptionPart(let id, let part, let expected):
            ["file": .integer(id.rawValue), "part": .integer(Int64(part)), "expected": JSONValue(expected)]
        case .users(let error): error.details
        case .invalidFile, .store: [:]
        }
    }
}

extension FileTransferStatus {
    /// The first word of the stored text: what an app wrote as a reason is not ours to print.
    fileprivate var word: String { String(text.prefix { $0 != " " }) }
}

extension FileChat {
    /// What it is, with its number.
    fileprivate var phrase: String {
        switch self {
        case .contact(let id): "contact \(id)"
        case .group(let id): "group \(id)"
        case .notes(let id): "note folder \(id)"
        }
    }
}
