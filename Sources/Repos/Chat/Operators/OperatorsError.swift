public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with an operator.
/// Rule: docs/domain.md, "Operators and servers" and "Conditions of use".
public enum OperatorsError: RuleViolation, Hashable {
    /// There is no such operator.
    case operatorNotFound(Named<ServerOperatorID>)
    /// Another operator has the tag.
    case duplicateOperatorTag(OperatorTag)
    /// The text is no name.
    case invalidOperatorName(NameProblem)
    /// One of the texts is no domain.
    case invalidOperatorDomain
    /// XFTP servers look up no names.
    case noNamesRole(ServerProtocol)
    /// There is no such version of the conditions of use.
    case conditionsNotFound(UsageConditionsID)
    /// The store has this version of the conditions.
    case duplicateConditions(String)
    /// The text cannot be a commit.
    case invalidConditionsCommit(NameProblem)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .operatorNotFound: "operatorNotFound"
        case .duplicateOperatorTag: "duplicateOperatorTag"
        case .invalidOperatorName: "invalidOperatorName"
        case .invalidOperatorDomain: "invalidOperatorDomain"
        case .noNamesRole: "noNamesRole"
        case .conditionsNotFound: "conditionsNotFound"
        case .duplicateConditions: "duplicateConditions"
        case .invalidConditionsCommit: "invalidConditionsCommit"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .operatorNotFound(let named): "there is no operator \(named) in this store"
        case .duplicateOperatorTag(let tag): "the operator \"\(tag)\" cannot be added: the store has one with this tag"
        case .invalidOperatorName(let problem): "the name of the operator \(problem.message)"
        case .invalidOperatorDomain:
            "a domain of the operator is none; expected letters, digits, hyphens and dots, as in relay.example"
        case .noNamesRole(let serverProtocol):
            "\(serverProtocol.shownName) servers cannot have the role names; only SMP servers look up names"
        case .conditionsNotFound(let id): "there is no version \(id) of the conditions in this store"
        case .duplicateConditions(let commit):
            "the conditions \"\(commit)\" cannot be added: the store has this version already"
        case .invalidConditionsCommit(let problem): "the commit of the conditions \(problem.message)"
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .operatorNotFound: "chatdb operator list"
        default: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .operatorNotFound(let named): ["operator": named.json]
        case .duplicateOperatorTag(let tag): ["tag": .string(tag.text)]
        case .noNamesRole(let serverProtocol): ["protocol": .string(serverProtocol.text)]
        case .conditionsNotFound(let id): ["conditions": .integer(id.rawValue)]
        case .duplicateConditions(let commit): ["commit": .string(commit)]
        case .invalidOperatorName, .invalidOperatorDomain, .invalidConditionsCommit, .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
