extension Consent {
    /// The same as `require`; Ctrl-C at the question is no answer but the end.
    func requireUnlessStopped(_ question: String) throws {
        let isAgreed = try ask(question)
        try StoppedOnRequest.check()
        if !isAgreed { throw ConsentError.declined }
    }
}

/// Between the plan and its execution somebody else changed the profile.
struct PlanOutdated: Reportable {
    var report: ErrorReport {
        ErrorReport(
            "planOutdated", "the profile was changed by somebody else since the changes were shown",
            state: "Nothing was changed.", hint: "run the command again", exit: .tryAgain)
    }
}
