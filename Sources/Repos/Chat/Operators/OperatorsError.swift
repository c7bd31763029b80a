public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on an operator. Rule: docs/domain.md, "Operators and servers" and "Conditions of use".
public enum OperatorsError: RuleViolation, Hashable {
    /// No such operator exists.
    case operatorNotFound(Named<ServerOperatorID>)
    /// Another operator has the tag.
    case duplicateOperatorTag(OperatorTag)
    /// The text is no name.
    case invalidOperatorName(NameProblem)
    /// One of the texts is no domain.
    case invalidOperatorDomain
    /// XFTP servers look up no names.
    case noNamesRole(ServerProtocol)
    /// No such version of the conditions of use exists.
    case conditionsNotFound(UsageConditionsID)
    /// The store has this version of the conditions.
    case duplicateConditions(String)
    /// The text cannot be a commit.
    case invalidConditionsCommit(NameProblem)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .operatorNotFound(let named):
            .refused("operatorNotFound", "there is no operator \(named) in this store", ["operator": named.json])
        case .duplicateOperatorTag(let tag):
            .refused(
                "duplicateOperatorTag", "the operator \"\(tag)\" cannot be added: the store has one with this tag",
                ["tag": .string(tag.text)])
        case .invalidOperatorName(let problem):
            .invalid("invalidOperatorName", "the name of the operator \(problem.message)")
        case .invalidOperatorDomain:
            .invalid(
                "invalidOperatorDomain",
                "a domain of the operator is not valid; expected letters, digits, hyphens and dots, as in relay.example"
            )
        case .noNamesRole(let serverProtocol):
            .refused(
                "noNamesRole",
                "\(serverProtocol.shownName) servers cannot have the role names; only SMP servers look up names",
                ["protocol": .string(serverProtocol.text)])
        case .conditionsNotFound(let id):
            .refused(
                "conditionsNotFound", "there is no version \(id) of the conditions in this store",
                ["conditions": .integer(id.rawValue)])
        case .duplicateConditions(let commit):
            .refused(
                "duplicateConditions",
                "the conditions \"\(commit)\" cannot be added: the store has this version already",
                ["commit": .string(commit)])
        case .invalidConditionsCommit(let problem):
            .invalid("invalidConditionsCommit", "the commit of the conditions \(problem.message)")
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
