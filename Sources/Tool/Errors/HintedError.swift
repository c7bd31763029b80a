/// An error with a replaced hint, and perhaps another message or state.
struct HintedError: Reportable {
    let report: ErrorReport

    init(_ error: any Reportable, message: String? = nil, state: String? = nil, hint: Hint?) {
        let own = error.report
        report = ErrorReport(
            own.code, message ?? own.message, lines: own.lines, state: state ?? own.state, hint: hint ?? own.hint,
            details: own.details, exit: own.exit)
    }
}
