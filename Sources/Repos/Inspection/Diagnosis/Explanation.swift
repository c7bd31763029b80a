import ChatDBEngine
import ChatDBSchema

/// What the checks of a store say about a message: the findings that explain it, and the checks that did not run.
package struct Explanation: Sendable, Hashable {
    /// A finding that explains the message, or may explain it.
    package struct Cause: Sendable, Hashable {
        package let finding: Finding
        /// Whether the finding explains the message. Otherwise it may explain it.
        package let isCertain: Bool
    }

    /// The checks of a store, for the explanation of messages.
    package enum Checks: Sendable {
        case done(CheckResult)
        /// The store could not be checked, for this reason.
        case failed(String)
    }

    /// The findings, those that explain the message first; empty if the checks found nothing that may explain it.
    package let causes: [Cause]
    /// The checks whose findings could explain the message, and that could not run; empty if all of them ran.
    package let leftOut: [CheckResult.LeftOut]

    /// - Parameter text: the text with the message. It is nil if any message of this kind is meant.
    package init(of message: KnownMessage, in text: MessageText? = nil, by checks: Checks) {
        switch checks {
        case .failed(let reason):
            causes = []
            leftOut = StoreCheck.all.filter { message.allFindings.contains($0.id) }
                .map { CheckResult.LeftOut(id: $0.id, reason: .failed(reason)) }
        case .done(let result):
            let names = text?.names(of: message) ?? []
            let rows = text?.rows ?? []
            let found = result.findings.compactMap { Self.cause($0, of: message, names, rows) }
            let order = message.allFindings
            // Findings that are not in the message's list keep the order of the checks.
            func place(_ index: Int) -> (Int, Int, Int) {
                let cause = found[index]
                return (cause.isCertain ? 0 : 1, order.firstIndex(of: cause.finding.id) ?? order.count, index)
            }
            causes = found.indices.sorted { place($0) < place($1) }.map { found[$0] }
            leftOut = result.leftOut.filter { one in
                // A rule that the store does not have to keep has nothing to say.
                one.reason != .otherProgram && order.contains(one.id) && !Self.isAboutOthers(one.id, than: names)
            }
        }
    }

    /// The cause that a finding is. It is nil for a finding that does not explain the message.
    private static func cause(
        _ finding: Finding, of message: KnownMessage, _ names: [SchemaName], _ rows: [RowName]
    ) -> Cause? {
        let isDirect = message.findings.contains(finding.id)
        guard isDirect || message.possible.contains(finding.id) || message.isOfFault(finding) else { return nil }
        guard message.mayCome(from: finding.references) else { return nil }
        let subject = FindingSubject(finding: finding)
        if !names.isEmpty {
            switch subject.relation(to: names) {
            case .same: return Cause(finding: finding, isCertain: true)
            case .other: return nil
            case .open: return Cause(finding: finding, isCertain: false)
            }
        }
        switch subject.relation(to: rows) {
        case .same: return Cause(finding: finding, isCertain: true)
        case .other: return Cause(finding: finding, isCertain: false)
        case .open: return Cause(finding: finding, isCertain: isDirect)
        }
    }

    /// Whether the rows of a check are of other tables than those that the message names.
    private static func isAboutOthers(_ id: String, than names: [SchemaName]) -> Bool {
        guard let tables = FindingSubject.tables[id], !names.isEmpty else { return false }
        return !names.contains { $0.table.map(tables.contains) ?? true }
    }
}

extension KnownMessage {
    /// The ids of the checks that are made for this message.
    package var allFindings: [String] { findings + possible }

    /// Whether references to missing rows may cause the message. It is true for a finding without any.
    fileprivate func mayCome(from references: [DanglingReference]) -> Bool {
        guard let tables = readTables, !references.isEmpty else { return true }
        return references.contains { reference in
            // A lost member, such as a relay, hides no group. Another check finds a lost own membership.
            let isOfMember = id == "groupNotFound" && reference.parent == "group_members"
            return tables.contains(reference.table) || (tables.contains(reference.parent) && !isOfMember)
        }
    }

    /// The tables that the app reads together before it shows the message. It is nil if any table may be meant.
    private var readTables: Set<String>? {
        switch id {
        case "chatUserNotFound": ["users", "contacts"]
        case "groupNotFound": ["groups", "group_members"]
        case "operatorNotFound": ["server_operators", "usage_conditions", "operator_usage_conditions"]
        default: table.map { [$0] }
        }
    }

    /// Whether a finding is about a database that the message is about, as a whole: its file is damaged, missing or
    /// another one, or the databases do not belong together. Such a finding may explain any message about rows.
    func isOfFault(_ finding: Finding) -> Bool {
        switch finding.id {
        case StoreCheck.mismatchedPair: !databases.isEmpty
        case StoreCheck.missingDatabase, StoreCheck.unreadableDatabase, StoreCheck.exchangedFiles,
            StoreCheck.copiedDatabase, StoreCheck.foreignLog:
            databases.contains { database in
                finding.sample.contains { $0.description.hasPrefix(database.rawValue) }
            }
        default:
            databases.contains {
                [StoreCheck.damageID($0), StoreCheck.damagedPageID($0)].contains(finding.id)
            }
        }
    }

    /// The ids of the checks for which ``isOfFault(_:)`` can hold.
    package static let faults: [String] =
        [
            StoreCheck.missingDatabase, StoreCheck.unreadableDatabase, StoreCheck.exchangedFiles,
            StoreCheck.copiedDatabase, StoreCheck.foreignLog, StoreCheck.mismatchedPair,
        ] + DatabaseName.allCases.flatMap { [StoreCheck.damageID($0), StoreCheck.damagedPageID($0)] }
}
