import ChatDBKit

/// Ctrl-C at a question: no answer, but the end.
struct StoppedOnRequest: Reportable {
    /// Throws when the user has asked to stop.
    static func check() throws {
        if Signals.cancellation.isRequested { throw StoppedOnRequest() }
    }

    var report: ErrorReport {
        ErrorReport("interrupted", "stopped on request", state: "Nothing was done.", exit: .interrupted)
    }
}
