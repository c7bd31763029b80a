import ChatDBKit

/// Finds operators by trade name, legal name, tag, id, or the beginning of a name.
enum OperatorFinder {
    static func find(_ given: String, in chat: any ReadTransaction) throws -> ServerOperator {
        let named = NameOrID(given)
        let all = try OperatorsRepo(chat).all()
        let name = named.name.map(NameRule.key)
        let ways: [(ServerOperator) -> Bool] = [
            { one in name == NameRule.key(one.tradeName) },
            { one in one.tag.map { name == NameRule.key($0.text) } ?? false },
            { one in one.legalName.map { name == NameRule.key($0) } ?? false },
            { one in named.id == one.id.rawValue }, { one in named.isBeginning(of: one.names) },
        ]
        if !named.text.isEmpty, let found = try NameMatcher.one(all, by: ways, what: "operator", given) { return found }
        throw NameError.notFound(
            code: "operatorNotFound", what: "operator", name: named.text,
            candidates: all.flatMap(\.names),
            list: HintedCommand(.operatorList))
    }
}

extension ServerOperator: Candidate {
    /// All its names; one that differs from the trade name only in case is left out.
    fileprivate var names: [String] {
        [tradeName]
            + [tag?.text, legalName].compactMap { $0 }.filter { NameRule.key($0) != NameRule.key(tradeName) }
    }

    var candidate: String { "id:\(id) (\(tradeName))" }
}
