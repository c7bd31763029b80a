import ArgumentParser
import ChatDBKit

struct ConditionsAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept the current conditions of use for operators.",
        discussion: """
            Without an operator, accepts them for every operator that is enabled and needs it. Asks for confirmation, \
            because the record of an acceptance stays in the store. The command sends nothing to the operator.

            Examples:
              chatdb conditions accept
              chatdb conditions accept flux --dry-run
              chatdb conditions accept simplex flux --yes --format json
            """)

    @Argument(help: ArgumentHelp("Operators, by name, tag or id.", valueName: "operator"))
    var operators: [String] = []

    @OptionGroup var store: StoreOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let report = try StoreSession(store, output).confirm(
            consent, output, plan: { try planned(in: $0) },
            question: { planned in
                let names = (planned.accepted ?? []).map(\.tradeName).joined(separator: ", ")
                let commit = planned.conditions.current?.commit ?? ""
                return names.isEmpty ? nil : .init(text: "Accept the conditions of use (\(commit)) for \(names)?")
            },
            make: { planned, chat in
                let now = try self.planned(in: chat)
                guard let current = now.conditions.current, current == planned.conditions.current,
                    now.accepted == planned.accepted
                else { throw PlanOutdated() }
                for accepting in now.accepted ?? [] { try OperatorsWriter(chat).accept(current.id, for: accepting.id) }
                return ConditionsReport(
                    conditions: try OperatorsRepo(chat).conditions(), accepted: now.accepted, isApplied: true)
            })
        try output.write(report)
    }

    private func planned(in chat: any ReadTransaction) throws -> ConditionsReport {
        let conditions = try OperatorsRepo(chat).conditions()
        guard conditions.current != nil else { throw NoConditions() }
        let named = Set(try operators.map { try OperatorFinder.find($0, in: chat).id })
        let accepted = conditions.operators.filter { standing in
            !standing.acceptance.isAccepted
                && (named.isEmpty ? standing.operator.isEnabled : named.contains(standing.operator.id))
        }
        return ConditionsReport(conditions: conditions, accepted: accepted.map(\.operator))
    }
}

/// The store has no conditions of use that could be accepted.
struct NoConditions: Reportable {
    var report: ErrorReport {
        ErrorReport(
            "noConditions", "the store has no conditions of use; an app stores them", state: "Nothing was changed.",
            exit: .no)
    }
}
