public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Repairs the findings of checks that need no decision of a person.
public enum StoreRepair {
    /// The repair of one finding.
    public struct Repaired: Sendable, Hashable {
        /// The check's id.
        public let id: String
        /// The finding.
        public let sentence: String
        /// The repair, as a predicate: `removes them`.
        public let act: String
        /// The number of changed rows, without rows of other tables that were removed with them.
        public let changed: Int
    }

    /// The repairs of findings. Findings that only a person can repair are left out.
    public static func acts(on findings: [Finding]) -> [(finding: Finding, act: String)] {
        findings.filter(\.isFixable).compactMap { finding in
            StoreCheck.all.first { $0.id == finding.id }?.repairAct.map { (finding, $0) }
        }
    }

    /// Repairs the findings that can be repaired, in the order of the checks, in the transactions of the caller. Each
    /// repair looks up again what is wrong and changes nothing else. Take the chat database's transaction first: a
    /// profile that an app is making at this moment is in the agent database already.
    ///
    /// - Parameters:
    ///   - findings: what the checks found; those that cannot be repaired are skipped.
    ///   - lost: what the databases have lost of their schemas, as the caller found when it opened the store. Objects
    ///     that rows violated are tried too: a repair may have removed those rows.
    public static func repair(
        _ findings: [Finding], lost: [DatabaseName: [SchemaPart]] = [:], chat: any WriteTransaction,
        agent: any WriteTransaction, clock: StoreClock = .system
    ) throws(StoreError) -> [Repaired] {
        let ids = Set(findings.filter(\.isFixable).map(\.id))
        let lostIDs = Set(lost.filter { !$0.value.isEmpty }.keys.map(StoreCheck.schemaLost))
        let rows = RepairContext(chat: chat, agent: agent, clock: clock, lost: lost)
        var repaired: [Repaired] = []
        for check in StoreCheck.all where ids.contains(check.id) || lostIDs.contains(check.id) {
            guard let repair = check.repair else { continue }
            do {
                let changed = try repair.work(rows)
                guard ids.contains(check.id) || changed > 0 else { continue }
                repaired.append(Repaired(id: check.id, sentence: check.sentence, act: repair.act, changed: changed))
            } catch {
                throw StoreError(checking: error)
            }
        }
        return repaired
    }
}
