public import Engine
public import Schema

/// Changes to the operators; each is one for every profile of the store. Rule: docs/domain.md, "Operators and servers".
public struct OperatorsWriter: Writer {
    typealias Failure = OperatorsError
    let tx: any WriteTransaction
    let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds an operator, last in the order. Throws `duplicateOperatorTag`; operators without a tag may be alike.
    @discardableResult
    public func add(
        tag: OperatorTag?, tradeName: String, legalName: String?, domains: [String], isEnabled: Bool,
        smpRoles: ServerRoles, xftpRoles: ServerRoles
    ) throws(OperatorsError) -> ServerOperator {
        let operators = OperatorsRepo(tx)
        if let tag, try operators.find(tag: tag) != nil { throw .duplicateOperatorTag(tag) }
        let id = ServerOperatorID(
            try insert(
                """
                INSERT INTO server_operators (
                    server_operator_tag, trade_name, legal_name, server_domains, enabled,
                    smp_role_storage, smp_role_proxy, smp_role_names, xftp_role_storage, xftp_role_proxy,
                    created_at, updated_at)
                VALUES (
                    \(tag), \(tradeName), \(legalName), \(OperatorDomains.text(domains)), \(isEnabled),
                    \(smpRoles.storage), \(smpRoles.proxy), \(smpRoles.names), \(xftpRoles.storage),
                    \(xftpRoles.proxy), \(now), \(now))
                """, returning: "server_operator_id"))
        return try operators.get(id)
    }

    /// Gives an operator other names and domains. Throws `operatorNotFound`.
    public func update(
        _ id: ServerOperatorID, tradeName: String, legalName: String?, domains: [String]
    ) throws(OperatorsError) {
        let changed = try run(
            """
            UPDATE server_operators
            SET trade_name = \(tradeName), legal_name = \(legalName),
                server_domains = \(OperatorDomains.text(domains)), updated_at = \(now)
            WHERE server_operator_id = \(id)
            """)
        if changed == 0 { throw .operatorNotFound(.id(id)) }
    }

    /// Switches an operator on or off, for every profile. Throws `operatorNotFound`.
    public func setEnabled(_ id: ServerOperatorID, _ isEnabled: Bool) throws(OperatorsError) {
        let changed = try run(
            """
            UPDATE server_operators SET enabled = \(isEnabled), updated_at = \(now) WHERE server_operator_id = \(id)
            """)
        if changed == 0 { throw .operatorNotFound(.id(id)) }
    }
}
