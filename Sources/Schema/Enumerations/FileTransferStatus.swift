/// How far a file is, as its item shows it: `ci_file_status`. Rule: docs/domain.md, "Files".
public enum FileTransferStatus: StoredText {
    /// To be sent: it is on this device and nothing has gone yet.
    case sendStored
    /// So many bytes of so many have gone to the servers.
    case sendTransfer(done: Int64, of: Int64)
    /// The profile has given up, or has taken the file back.
    case sendCancelled
    /// It is on the servers.
    case sendComplete
    /// It cannot be sent; why, as the app wrote it, or an empty text.
    case sendError(String)
    /// Sending is held up; why, as the app wrote it, or an empty text.
    case sendWarning(String)
    /// Offered to the profile.
    case receiveInvitation
    /// The profile wants it.
    case receiveAccepted
    /// So many bytes of so many have come.
    case receiveTransfer(done: Int64, of: Int64)
    /// Stopped before it began, for the profile has not agreed to its servers; it can be accepted again.
    case receiveAborted
    /// It is on this device.
    case receiveComplete
    /// One of the two has given up.
    case receiveCancelled
    /// It cannot be received; why, as the app wrote it, or an empty text.
    case receiveError(String)
    /// Receiving is held up; why, as the app wrote it, or an empty text.
    case receiveWarning(String)
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order a file goes through them, sent before received; of those with numbers or a reason, the one without.
    public static let known: [FileTransferStatus] = [
        .sendStored, .sendTransfer(done: 0, of: 0), .sendWarning(""), .sendComplete, .sendCancelled, .sendError(""),
        .receiveInvitation, .receiveAborted, .receiveAccepted, .receiveTransfer(done: 0, of: 0), .receiveWarning(""),
        .receiveComplete, .receiveCancelled, .receiveError(""),
    ]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        let value = Self.known(text) ?? Self.withNumbers(text) ?? Self.withReason(text)
        // Only what is written back byte for byte is taken for a value.
        self = if let value, value.text.utf8.elementsEqual(text.utf8) { value } else { .unknown(text) }
    }

    private static func withNumbers(_ text: String) -> FileTransferStatus? {
        let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, let done = words[1].flatMap(Int64.init), let all = words[2].flatMap(Int64.init),
            done >= 0, all >= 0
        else { return nil }
        switch words[0] {
        case "snd_transfer": return .sendTransfer(done: done, of: all)
        case "rcv_transfer": return .receiveTransfer(done: done, of: all)
        default: return nil
        }
    }

    private static func withReason(_ text: String) -> FileTransferStatus? {
        // By scalars: a combining mark after the blank belongs to the reason.
        let scalars = text.unicodeScalars
        guard let blank = scalars.firstIndex(of: " ") else { return nil }
        let reason = String(scalars[scalars.index(after: blank)...])
        switch String(scalars[..<blank]) {
        case "snd_error": return .sendError(reason)
        case "snd_warning": return .sendWarning(reason)
        case "rcv_error": return .receiveError(reason)
        case "rcv_warning": return .receiveWarning(reason)
        default: return nil
        }
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .sendStored: "snd_stored"
        case .sendTransfer(let done, let all): "snd_transfer \(done) \(all)"
        case .sendCancelled: "snd_cancelled"
        case .sendComplete: "snd_complete"
        case .sendError(let reason): Self.text("snd_error", reason)
        case .sendWarning(let reason): Self.text("snd_warning", reason)
        case .receiveInvitation: "rcv_invitation"
        case .receiveAccepted: "rcv_accepted"
        case .receiveTransfer(let done, let all): "rcv_transfer \(done) \(all)"
        case .receiveAborted: "rcv_aborted"
        case .receiveComplete: "rcv_complete"
        case .receiveCancelled: "rcv_cancelled"
        case .receiveError(let reason): Self.text("rcv_error", reason)
        case .receiveWarning(let reason): Self.text("rcv_warning", reason)
        case .unknown(let text): text
        }
    }

    private static func text(_ word: String, _ reason: String) -> String {
        reason.isEmpty ? word : word + " " + reason
    }
}
