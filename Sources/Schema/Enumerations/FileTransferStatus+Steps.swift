extension FileTransferStatus {
    /// Which way the file goes; nil for a text from a newer app.
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

    /// Whether the step is allowed. A transfer goes forward, and nothing comes after an end, but that a file which
    /// was sent can be taken back. Progress may start anew, since a chunk that was lost is sent again.
    ///
    /// From a text of a newer app only the ends can be reached. Rule: docs/domain.md, "Files".
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

    /// What the status means for the one transfer to the profile, in `rcv_files`; nil for a file that is sent.
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
