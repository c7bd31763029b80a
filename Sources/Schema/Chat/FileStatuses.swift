/// The way in which a file is transferred.
public enum FileProtocol: StoredText {
    /// Transfer in chunks, over file servers.
    case xftp
    /// Transfer in messages; only in old stores.
    case smp
    /// No transfer: the file is in the profile's own notes.
    case local
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<FileProtocol> = [
        .xftp: "xftp",
        .smp: "smp",
        .local: "local",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The state of a transfer to one recipient, or to the profile: `file_status` of `snd_files` and `rcv_files`.
/// Rule: docs/domain.md, "Files".
public enum FileStatus: StoredText {
    /// The sender offers the file.
    case new
    /// The recipient accepted the file.
    case accepted
    /// The transfer is in progress.
    case connected
    /// The transfer is complete.
    case complete
    /// The sender or the recipient cancelled the transfer.
    case cancelled
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order in which a transfer goes through them.
    public static let texts: StoredTexts<FileStatus> = [
        .new: "new",
        .accepted: "accepted",
        .connected: "connected",
        .complete: "complete",
        .cancelled: "cancelled",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }

    /// Whether the transfer is over: complete or cancelled.
    public var isEnded: Bool { self == .complete || self == .cancelled }

    /// Whether this status may be followed by another: by a later one, not after an end; steps may be skipped. From a
    /// status that this build does not know only `cancelled` can be reached.
    public func canBecome(_ next: FileStatus) -> Bool {
        if next == .cancelled { return !isEnded }
        guard !isEnded, let from = Self.known.firstIndex(of: self), let to = Self.known.firstIndex(of: next) else {
            return false
        }
        return from < to
    }
}

/// The state of a file, as its item shows it: `ci_file_status`. Rule: docs/domain.md, "Files".
public enum FileTransferStatus: StoredText {
    /// The file is on this device and is to be sent.
    case sendStored
    /// The number of bytes uploaded to the servers, and of all bytes.
    case sendTransfer(done: Int64, of: Int64)
    /// The profile cancelled sending, or deleted the file after sending it.
    case sendCancelled
    /// The whole file is on the servers.
    case sendComplete
    /// Sending failed; the reason as the app wrote it, may be empty.
    case sendError(String)
    /// Sending is delayed; the reason as the app wrote it, may be empty.
    case sendWarning(String)
    /// Another person offers the file to the profile.
    case receiveInvitation
    /// The profile accepted the file.
    case receiveAccepted
    /// The number of bytes received, and of all bytes.
    case receiveTransfer(done: Int64, of: Int64)
    /// Stopped before it began, because the profile has not agreed to its servers. It can be accepted again.
    case receiveAborted
    /// The whole file is on this device.
    case receiveComplete
    /// The sender or the recipient cancelled the transfer.
    case receiveCancelled
    /// Receiving failed; the reason as the app wrote it, may be empty.
    case receiveError(String)
    /// Receiving is delayed; the reason as the app wrote it, may be empty.
    case receiveWarning(String)
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts in the order of a transfer, sent before received. Numbers are 0 and reasons empty here.
    public static let texts: StoredTexts<FileTransferStatus> = [
        .sendStored: "snd_stored",
        .sendTransfer(done: 0, of: 0): "snd_transfer 0 0",
        .sendWarning(""): "snd_warning",
        .sendComplete: "snd_complete",
        .sendCancelled: "snd_cancelled",
        .sendError(""): "snd_error",
        .receiveInvitation: "rcv_invitation",
        .receiveAborted: "rcv_aborted",
        .receiveAccepted: "rcv_accepted",
        .receiveTransfer(done: 0, of: 0): "rcv_transfer 0 0",
        .receiveWarning(""): "rcv_warning",
        .receiveComplete: "rcv_complete",
        .receiveCancelled: "rcv_cancelled",
        .receiveError(""): "rcv_error",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }

    /// Reads a stored text; every text has a value.
    public init(text: String) {
        let value = Self.texts.value(of: text) ?? Self.withNumbers(text) ?? Self.withReason(text)
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

    /// The text as it is stored: a word, and the numbers or the reason after it.
    public var text: String {
        switch self {
        case .sendTransfer(let done, let all): "snd_transfer \(done) \(all)"
        case .receiveTransfer(let done, let all): "rcv_transfer \(done) \(all)"
        case .sendError(let reason): Self.text("snd_error", reason)
        case .sendWarning(let reason): Self.text("snd_warning", reason)
        case .receiveError(let reason): Self.text("rcv_error", reason)
        case .receiveWarning(let reason): Self.text("rcv_warning", reason)
        default: knownText
        }
    }

    private static func text(_ word: String, _ reason: String) -> String {
        reason.isEmpty ? word : word + " " + reason
    }
}

extension FileTransferStatus {
    /// The direction of the transfer; nil for an unknown text.
    public var direction: MessageDirection? {
        switch self {
        case .sendStored, .sendTransfer, .sendCancelled, .sendComplete, .sendError, .sendWarning: .sent
        case .receiveInvitation, .receiveAccepted, .receiveTransfer, .receiveAborted, .receiveComplete,
            .receiveCancelled, .receiveError, .receiveWarning:
            .received
        case .unknown: nil
        }
    }

    /// Whether the transfer is over: complete, cancelled, or failed.
    public var isEnded: Bool {
        switch self {
        case .sendCancelled, .sendComplete, .sendError, .receiveComplete, .receiveCancelled, .receiveError: true
        case .sendStored, .sendTransfer, .sendWarning, .receiveInvitation, .receiveAccepted, .receiveTransfer,
            .receiveAborted, .receiveWarning, .unknown:
            false
        }
    }

    /// Whether this status may be followed by another. Steps of a transfer lead forward, and nothing follows an end,
    /// except that a sent file can be cancelled. Progress may restart, because a lost chunk is sent again.
    ///
    /// From an unknown text only the ends can be reached. Rule: docs/domain.md, "Files".
    public func canBecome(_ next: FileTransferStatus) -> Bool {
        switch (self, next) {
        case (.sendComplete, .sendCancelled): true
        case _ where isEnded: false
        case (.unknown, _): next.isEnded
        case _ where direction != next.direction: false
        case (.sendStored, .sendTransfer), (.sendStored, .sendComplete),
            (.sendTransfer, .sendTransfer), (.sendTransfer, .sendComplete),
            (.sendWarning, .sendTransfer), (.sendWarning, .sendComplete), (.sendWarning, .sendWarning),
            (.receiveInvitation, .receiveAccepted), (.receiveAborted, .receiveAccepted),
            (.receiveAccepted, .receiveTransfer), (.receiveAccepted, .receiveComplete),
            (.receiveAccepted, .receiveAborted),
            (.receiveTransfer, .receiveTransfer), (.receiveTransfer, .receiveComplete),
            (.receiveTransfer, .receiveAborted),
            (.receiveWarning, .receiveTransfer), (.receiveWarning, .receiveComplete),
            (.receiveWarning, .receiveWarning), (.receiveWarning, .receiveAborted):
            true
        case (.sendStored, .sendWarning), (.sendTransfer, .sendWarning),
            (.receiveAccepted, .receiveWarning), (.receiveTransfer, .receiveWarning):
            true
        case (_, .sendCancelled), (_, .sendError), (_, .receiveCancelled), (_, .receiveError): true
        default: false
        }
    }

    /// The status of the transfer to the profile in `rcv_files`; nil for a file that is sent.
    package var received: FileStatus? {
        switch self {
        case .receiveInvitation, .receiveAborted: .new
        case .receiveAccepted: .accepted
        case .receiveTransfer, .receiveWarning: .connected
        case .receiveComplete: .complete
        case .receiveCancelled, .receiveError: .cancelled
        case .sendStored, .sendTransfer, .sendCancelled, .sendComplete, .sendError, .sendWarning, .unknown: nil
        }
    }
}
