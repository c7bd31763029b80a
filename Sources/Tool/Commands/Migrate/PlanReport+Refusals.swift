import ChatDBKit

extension PlanReport {
    /// The exit status of a run with this consent if it is known beforehand to be refused; nil if not. Without consent
    /// (nil), the answer does not depend on the consent.
    func refusal(_ mode: ConfirmationMode?) -> ExitStatus? {
        if !lost.isEmpty { return .wrongVersion }
        let isCovered =
            switch mode {
            case .error: plan.creates || plan.ups.isEmpty && plan.downs.isEmpty
            case .yesUp: plan.downs.isEmpty
            case .yesUpDown, .console, nil: true
            }
        if !isCovered { return .wrongVersion }
        if let error = errors.first { return ErrorReport(error).exit }
        return plan.databases.values.allSatisfy(\.undeclaredLosses.isEmpty) ? nil : .invalidData
    }
}
