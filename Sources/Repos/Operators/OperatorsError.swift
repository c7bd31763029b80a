public import Engine
public import Schema

/// Why something cannot be done with an operator.
public enum OperatorsError: RuleViolation, Hashable {
    /// There is no such operator.
    case operatorNotFound(Named<ServerOperatorID>)
    /// Another operator has the tag.
    case duplicateOperatorTag(OperatorTag)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .operatorNotFound: "operatorNotFound"
        case .duplicateOperatorTag: "duplicateOperatorTag"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .operatorNotFound(let named): "there is no operator \(named) in this store"
        case .duplicateOperatorTag(let tag): "the operator \"\(tag)\" cannot be added: the store has one with this tag"
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .operatorNotFound: "chatdb operator list"
        case .duplicateOperatorTag, .store: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .operatorNotFound(let named): ["operator": named.json]
        case .duplicateOperatorTag(let tag): ["tag": .string(tag.text)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
