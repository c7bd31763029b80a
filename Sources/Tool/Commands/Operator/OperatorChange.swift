import ChatDBKit

extension ProfileOptions {
    /// Changes an operator, which needs no profile, and reports the effect on all profiles.
    func changeOperator(
        _ given: String, _ options: OutputOptions, simplex: SimplexWriting? = nil,
        clause: (ServerOperator, ServerOperator) -> String,
        _ body: (ServerOperator, OperatorsWriter) throws -> Void
    ) throws {
        let output = try options.output()
        let session = try StoreSession(store, output, simplex: simplex)
        var change = try session.write { store in
            try store.write { chat in
                let user = try profileIfAny(in: chat)
                return try ConfigChange(for: user, hidden: others, in: chat) {
                    let old = try OperatorFinder.find(given, in: chat)
                    try body(old, OperatorsWriter(chat))
                    return try OperatorChangeReport(old, of: user, hidden: others, in: chat, clause: clause)
                }
            }
        }
        change.simplex = session.effect
        try change.write(to: output)
    }
}
