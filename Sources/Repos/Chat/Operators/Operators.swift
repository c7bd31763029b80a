public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The operators, which all profiles of a store share. Rule: docs/domain.md, "Operators and servers".
public struct OperatorsRepo: Repository {
    package typealias Failure = OperatorsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All operators by number. The first that matches a server is its operator. The list is empty when there are none.
    public func all() throws(OperatorsError) -> [ServerOperator] {
        try all(ServerOperator.list)
    }

    /// The operator with a number, or nil.
    public func find(_ id: ServerOperatorID) throws(OperatorsError) -> ServerOperator? {
        try first("SELECT \(ServerOperator.columns) FROM server_operators WHERE server_operator_id = \(id)")
    }

    /// The operator with a tag, or nil.
    public func find(tag: OperatorTag) throws(OperatorsError) -> ServerOperator? {
        try first("SELECT \(ServerOperator.columns) FROM server_operators WHERE server_operator_tag = \(tag)")
    }

    /// The operator a server with this host belongs to: the first one of whose domains the host is in. Nil when it is
    /// the user's own. Rule: docs/domain.md, "Operators and servers", Whose is it?
    public func find(ofHost host: String) throws(OperatorsError) -> ServerOperator? {
        // In Swift, because the domains of an operator are one text.
        try all().owner(ofHosts: [host])
    }

    /// The operator with a number. Throws `operatorNotFound`.
    public func get(_ id: ServerOperatorID) throws(OperatorsError) -> ServerOperator {
        guard let found = try find(id) else { throw .operatorNotFound(.id(id)) }
        return found
    }
}

/// Changes to the operators, which hold for every profile of the store. Rule: docs/domain.md, "Operators and servers".
public struct OperatorsWriter: Writer {
    package typealias Failure = OperatorsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds an operator, last in the order. Domains are stored in lower case, each once. Throws `duplicateOperatorTag`,
    /// `invalidOperatorName`, `invalidOperatorDomain` and `noNamesRole` (of XFTP); operators without a tag may be
    /// alike.
    @discardableResult
    public func add(
        tag: OperatorTag?, tradeName: String, legalName: String?, domains: [String], isEnabled: Bool,
        smpRoles: ServerRoles, xftpRoles: ServerRoles
    ) throws(OperatorsError) -> ServerOperator {
        try check(xftpRoles, of: .xftp)
        return try insert(
            tag: tag, tradeName: checkedName(tradeName), legalName: checkedLegalName(legalName),
            domains: checkedDomains(domains), isEnabled: isEnabled, smpRoles: smpRoles, xftpRoles: xftpRoles)
    }

    /// Gives an operator other names and domains. Other domains may assign it other servers and relays. Domains are
    /// stored in lower case, each once. Throws `operatorNotFound`, `invalidOperatorName` and `invalidOperatorDomain`.
    public func update(
        _ id: ServerOperatorID, tradeName: String, legalName: String?, domains: [String]
    ) throws(OperatorsError) {
        try follow(
            id, tradeName: checkedName(tradeName), legalName: checkedLegalName(legalName),
            domains: checkedDomains(domains))
    }

    /// Switches an operator on or off, for every profile. Throws `operatorNotFound`.
    public func setEnabled(_ id: ServerOperatorID, _ isEnabled: Bool) throws(OperatorsError) {
        let changed = try run(
            """
            UPDATE server_operators SET enabled = \(isEnabled), updated_at = \(now) WHERE server_operator_id = \(id)
            """)
        if changed == 0 { throw .operatorNotFound(.id(id)) }
    }

    /// Sets the roles of an operator's servers of one protocol, for every profile. A server's own choices take
    /// precedence. Throws `operatorNotFound` and `noNamesRole` (of XFTP).
    public func setRoles(
        _ id: ServerOperatorID, _ serverProtocol: ServerProtocol, _ roles: ServerRoles
    ) throws(OperatorsError) {
        try check(roles, of: serverProtocol)
        let columns: Query =
            switch serverProtocol {
            case .smp:
                """
                smp_role_storage = \(roles.storage), smp_role_proxy = \(roles.proxy), smp_role_names = \(roles.names)
                """
            case .xftp: "xftp_role_storage = \(roles.storage), xftp_role_proxy = \(roles.proxy)"
            }
        let changed = try run(
            "UPDATE server_operators SET \(columns), updated_at = \(now) WHERE server_operator_id = \(id)")
        if changed == 0 { throw .operatorNotFound(.id(id)) }
    }
}

extension OperatorsWriter {
    /// Adds an operator whose names and domains have been checked.
    @discardableResult
    package func insert(
        tag: OperatorTag?, tradeName: String, legalName: String?, domains: [String], isEnabled: Bool,
        smpRoles: ServerRoles, xftpRoles: ServerRoles
    ) throws(OperatorsError) -> ServerOperator {
        let operators = OperatorsRepo(tx)
        if let tag, try operators.find(tag: tag) != nil { throw .duplicateOperatorTag(tag) }
        let number = newNumber(in: .operators)
        let id = ServerOperatorID(
            try insert(
                """
                INSERT INTO server_operators (
                    \(number.column)server_operator_tag, trade_name, legal_name, server_domains, enabled,
                    smp_role_storage, smp_role_proxy, smp_role_names, xftp_role_storage, xftp_role_proxy,
                    created_at, updated_at)
                VALUES (
                    \(number.value)\(tag), \(tradeName), \(legalName), \(OperatorDomains.text(domains)), \(isEnabled),
                    \(smpRoles.storage), \(smpRoles.proxy), \(smpRoles.names), \(xftpRoles.storage),
                    \(xftpRoles.proxy), \(now), \(now))
                """, returning: "server_operator_id"))
        return try operators.get(id)
    }

    /// Gives an operator names and domains that have been checked.
    package func follow(
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

    private func checkedName(_ given: String) throws(OperatorsError) -> String {
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            throw .invalidOperatorName(error)
        }
    }

    private func checkedLegalName(_ given: String?) throws(OperatorsError) -> String? {
        guard let given else { return nil }
        return try checkedName(given)
    }

    private func checkedDomains(_ given: [String]) throws(OperatorsError) -> [String] {
        do throws(InvalidDomain) {
            return try DomainRule.checked(given)
        } catch {
            throw .invalidOperatorDomain
        }
    }

    private func check(_ roles: ServerRoles, of serverProtocol: ServerProtocol) throws(OperatorsError) {
        if serverProtocol == .xftp, roles.names { throw .noNamesRole(serverProtocol) }
    }
}
