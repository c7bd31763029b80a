public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The result of running all checks on a store once. Checking changes nothing in the store. docs/checks.md lists the
/// checks.
///
/// ```swift
/// let store = try Store.openForReading(location, with: SQLiteEngine())
/// let result = try CheckResult(of: store)
/// for finding in result.findings { print("\(finding.id): \(finding.count)") }
/// print(result.isOK ? "No errors." : "There are errors.")
/// ```
public struct CheckResult: Sendable, Hashable {
    /// The findings, the most severe first, and then in the order of ``StoreCheck/all``; empty when nothing was found.
    public let findings: [Finding]
    /// The checks that could not run, or not on all rows, or that could not decide about some rows, in their order.
    public let leftOut: [LeftOut]

    /// Whether nothing is an error.
    public var isOK: Bool { !findings.contains { $0.severity == .error } }

    /// A check that could not run, or not on all rows, or that could not decide about some rows.
    public struct LeftOut: Sendable, Hashable {
        /// Why.
        public enum Reason: Sendable, Hashable {
            /// One of its databases is missing.
            case missing(DatabaseName)
            /// One of its databases cannot be read.
            case unreadable(DatabaseName)
            /// The version of the store does not have what the check reads.
            case otherVersion
            /// The rule holds for stores that chatdb made, and another program made this one.
            case otherProgram
            /// The check reads chatdb's own tables, and the store has those of other migrations.
            case otherMigrations
            /// The two databases do not belong together, and the findings of the check would follow from the mismatch.
            case mismatchedPair
            /// The check writes texts of the database into a private copy, and the database is encrypted.
            case encrypted
            /// The database failed, in its words.
            case failed(String)
            /// The check ran without some rows or tables, which cannot be read. It may have a finding about the others.
            case partly(without: [String])
            /// The check ran, and the store has no proof for or against these rows. It may have a finding about others. The
            /// check ran without some rows too, unless the list is empty.
            case unproven([FoundRow], without: [String])
        }

        /// The check's id.
        public let id: String
        /// The reason why it did not run, or not on all rows, or did not decide about some.
        public let reason: Reason
    }

    /// The progress of a check of a store: the id of the next check, the number of checks done, and the number of all.
    public typealias Progress = (_ id: String, _ done: Int, _ all: Int) -> Void

    /// Runs all checks on an open store. One of the two databases may be missing: checks that read it are left out.
    ///
    /// - Parameters:
    ///   - isOurs: whether chatdb made the store. For a store of another program, only the checks run that hold for
    ///     every store.
    ///   - knowsTables: whether the tables are those of this build, or of SimpleX Chat. Otherwise no rows are checked.
    ///   - viewed: the same store, if another program made it, shown with the tables of this build. The checks of rows
    ///     read it.
    ///   - given: what the caller found when it opened the store, names by the id of the check.
    ///   - givenRows: the rows that these names stand for, by the id of the check.
    ///   - unreadable: the databases that were left out when the store was opened because they cannot be read.
    ///   - damage: the damaged parts because of which the caller could not open a database.
    ///   - unknown: what the caller could not find out, reasons by the id of the check.
    ///   - progress: called before each check.
    ///   - cancellation: read between checks; the error is `interrupted`.
    public init(
        of store: Store, isOurs: Bool = true, knowsTables: Bool = true, viewed: Store? = nil,
        given: [String: [String]] = [:], givenRows: [String: [FoundRow]] = [:],
        unreadable: [DatabaseName] = [], damage: [DatabaseName: DatabaseDamage] = [:],
        unknown: [String: LeftOut.Reason] = [:], cancellation: Cancellation = Cancellation(),
        progress: @escaping Progress = { _, _, _ in }
    ) throws(StoreError) {
        var asking = Asking(
            isOurs: isOurs, knowsTables: knowsTables, given: given, givenRows: givenRows, unreadable: unreadable,
            cancellation: cancellation, progress: progress)
        for (database, part) in damage { asking.add(part, of: database) }
        try asking.files(of: store)
        do throws(StoreError) {
            let structures = try Self.structures(of: store)
            try Self.reading(viewed ?? store, structures) { rows throws(StoreError) in try asking.rows(rows) }
        } catch {
            // In a damaged database, even the end of a transaction may fail; earlier findings stay.
            if error.kind != .damaged { throw error }
            asking.leaveOutRest(error)
        }
        for (id, reason) in unknown where asking.found[id]?.count ?? 0 == 0 { asking.leaveOut(id, reason) }
        // A repair writes, and chatdb writes neither to a damaged file, nor to half a store, nor to another program's,
        // nor to a store whose tables or migrations are not known.
        let isUnknownVersion = [StoreCheck.lostMigrations, StoreCheck.otherHistory].contains {
            asking.found[$0]?.count ?? 0 > 0
        }
        let isRepairable =
            isOurs && knowsTables && !asking.isDamaged(DatabaseName.allCases) && store.missing.isEmpty
            && !isUnknownVersion
        let hasLost = StoreCheck.ofLoss.contains { asking.found[$0]?.count ?? 0 > 0 }
        // Stable, so that the order of the checks stays within a severity.
        let all: [Finding] = StoreCheck.all.compactMap { check in
            let isSafe = isRepairable && !(hasLost && check.isRepairRemoval)
            return asking.found[check.id].flatMap { Finding(check, $0, isRepairable: isSafe) }
        }
        findings = CheckSeverity.allCases.flatMap { severity in all.filter { $0.severity == severity } }
        leftOut = StoreCheck.all.compactMap { check in
            asking.leftOut[check.id].map { LeftOut(id: check.id, reason: $0) }
        }
    }

    /// The same result with one more finding of a check that the caller makes.
    package func adding(_ id: String, _ names: [String]) -> CheckResult {
        guard let check = StoreCheck.all.first(where: { $0.id == id }) else { return self }
        var rows = FoundRows()
        for name in names { rows.add(name) }
        guard let finding = Finding(check, rows, isRepairable: false) else { return self }
        let ids = StoreCheck.all.map(\.id)
        func place(_ finding: Finding) -> (CheckSeverity, Int) {
            (finding.severity, ids.firstIndex(of: finding.id) ?? ids.count)
        }
        let others = findings.filter { $0.id != id } + [finding]
        return CheckResult(findings: others.sorted { place($0) < place($1) }, leftOut: leftOut)
    }

    /// The same result without the checks of databases that the store does not have by its nature.
    package func without(_ databases: [DatabaseName]) -> CheckResult {
        CheckResult(
            findings: findings,
            leftOut: leftOut.filter { part in !databases.contains { part.reason == .missing($0) } })
    }

    private init(findings: [Finding], leftOut: [LeftOut]) {
        self.findings = findings
        self.leftOut = leftOut
    }

    /// Runs one transaction of each existing database, so that all findings are of one moment.
    private static func reading(
        _ store: Store, _ structures: [DatabaseName: DatabaseStructure],
        _ body: (CheckContext) throws(StoreError) -> Void
    ) throws(StoreError) {
        do {
            if store.missing.contains(.agent) {
                try store.read(.chat) { try body(CheckContext(chat: $0, agent: nil, structures: structures)) }
            } else if store.missing.contains(.chat) {
                try store.read(.agent) { try body(CheckContext(chat: nil, agent: $0, structures: structures)) }
            } else {
                try store.readBoth { try body(CheckContext(chat: $0, agent: $1, structures: structures)) }
            }
        } catch {
            throw StoreError(checking: error)
        }
    }

    /// The schemas of the files. One that cannot be read is left out, and so are the checks that need it.
    private static func structures(of store: Store) throws(StoreError) -> [DatabaseName: DatabaseStructure] {
        var structures: [DatabaseName: DatabaseStructure] = [:]
        for name in DatabaseName.allCases {
            do throws(StoreError) {
                structures[name] = try store.connection(name).structure()
            } catch {
                if error.endsReading { throw error }
            }
        }
        return structures
    }
}

/// The work of checking a store.
private struct Asking {
    let isOurs: Bool
    let knowsTables: Bool
    let given: [String: [String]]
    let givenRows: [String: [FoundRow]]
    let unreadable: [DatabaseName]
    let cancellation: Cancellation
    let progress: CheckResult.Progress
    var found: [String: FoundRows] = [:]
    var leftOut: [String: CheckResult.LeftOut.Reason] = [:]
    private var done = 0

    init(
        isOurs: Bool, knowsTables: Bool, given: [String: [String]], givenRows: [String: [FoundRow]],
        unreadable: [DatabaseName], cancellation: Cancellation, progress: @escaping CheckResult.Progress
    ) {
        self.isOurs = isOurs
        self.knowsTables = knowsTables
        self.given = given
        self.givenRows = givenRows
        self.unreadable = unreadable
        self.cancellation = cancellation
        self.progress = progress
    }

    /// The damage that the caller found when it opened the store.
    mutating func add(_ part: DatabaseDamage, of database: DatabaseName) {
        found[StoreCheck.damageID(database), default: FoundRows()].add(part)
    }

    /// The checks that run outside transactions.
    mutating func files(of store: Store) throws(StoreError) {
        for check in StoreCheck.all {
            switch check.question {
            case .given:
                var rows = FoundRows()
                for name in given[check.id] ?? [] { rows.add(name) }
                for row in givenRows[check.id] ?? [] { rows.add(row) }
                found[check.id] = rows
                done += 1
            case .file where given[check.id] != nil:
                // The file cannot be opened, and the caller has found out why.
                var rows = FoundRows()
                for name in given[check.id] ?? [] {
                    if let number = Int64(name) { rows.add(number) } else { rows.add(name) }
                }
                found[check.id] = rows
                done += 1
            case .file
            where check.repair != nil && !StoreCheck.ofLoss.contains(check.id) && isDamaged(check.databases)
                && (isOurs || check.isGeneral):
                // In a damaged file, the result of this check would mean nothing. Lost rows are a finding there too.
                leftOut[check.id] = .failed("the file is damaged")
                done += 1
            case .file where found[check.id] != nil: done += 1
            case .file(let ask):
                try self.ask(check, missing: store.missing) { rows in
                    for name in check.databases { try ask(store.connection(name), &rows) }
                }
            case .rows: break
            }
        }
    }

    /// The checks of rows.
    mutating func rows(_ given: CheckContext) throws(StoreError) {
        var rows = given
        for database in DatabaseName.allCases {
            let parts = found[StoreCheck.damageID(database)]?.damage ?? []
            rows.forbidding[database] = Set(parts.filter(\.hasForbiddenValues).compactMap(\.table))
        }
        let context = rows
        let missing = DatabaseName.allCases.filter { (try? rows.transaction($0)) == nil }
        if !isOurs, knowsTables, missing.isEmpty { try agreement(rows) }
        let isMismatched = found[StoreCheck.mismatchedPair]?.count ?? 0 > 0
        for check in StoreCheck.all {
            guard case .rows(let ask) = check.question else { continue }
            if isMismatched, missing.isEmpty, check.isOfPairedRows, isOurs || check.isGeneral {
                leftOut[check.id] = .mismatchedPair
                done += 1
                continue
            }
            try self.ask(check, missing: missing) { rows in
                try context.attempt {
                    try ask(context, &rows)
                    try rows.describe(check, context)
                }
            }
        }
    }

    /// Adds the reasons in the rows why the two databases of another program do not belong together. chatdb's own
    /// databases have the id of their store instead.
    private mutating func agreement(_ rows: CheckContext) throws(StoreError) {
        do {
            let agreement = try rows.attempt { try PairAgreement(rows) }
            for reason in agreement.reasons { found[StoreCheck.mismatchedPair]?.add(reason) }
        } catch {
            // The tables have another form, or are damaged.
            let reason = try reason(of: StoreError(checking: error))
            if found[StoreCheck.mismatchedPair]?.count ?? 0 == 0 { leaveOut(StoreCheck.mismatchedPair, reason) }
        }
    }

    mutating func leaveOut(_ id: String, _ reason: CheckResult.LeftOut.Reason) {
        found[id] = nil
        leftOut[id] = reason
    }

    /// Whether the file of one of these databases is damaged.
    func isDamaged(_ databases: [DatabaseName]) -> Bool {
        databases.flatMap { [StoreCheck.damageID($0), StoreCheck.damagedPageID($0)] }.contains {
            found[$0]?.count ?? 0 > 0
        }
    }

    /// The checks that could not run because the transactions failed.
    mutating func leaveOutRest(_ error: StoreError) {
        for check in StoreCheck.all where found[check.id] == nil && leftOut[check.id] == nil {
            leftOut[check.id] = .failed(error.message)
        }
    }

    private mutating func ask(
        _ check: StoreCheck, missing: [DatabaseName], _ body: (inout FoundRows) throws -> Void
    ) throws(StoreError) {
        try cancellation.check()
        progress(check.id, done, StoreCheck.all.count)
        done += 1
        if !knowsTables, check.readsRows { return leftOut[check.id] = .otherMigrations }
        guard isOurs || check.isGeneral else { return leftOut[check.id] = .otherProgram }
        let absent = check.databases.filter(missing.contains)
        if let one = absent.first, !check.isOfEachDatabase || absent.count == check.databases.count {
            return leftOut[check.id] = unreadable.contains(one) ? .unreadable(one) : .missing(one)
        }
        var rows = FoundRows()
        do {
            try body(&rows)
            found[check.id] = rows
            if !rows.skipped.isEmpty { leftOut[check.id] = .partly(without: rows.skipped) }
            if !rows.unproven.isEmpty { leftOut[check.id] = .unproven(rows.unproven, without: rows.skipped) }
        } catch {
            leftOut[check.id] = try reason(of: StoreError(checking: error))
        }
    }

    /// The reason why a check is left out that ended with an error. Throws the errors that end the whole check of the
    /// store.
    private func reason(of error: StoreError) throws(StoreError) -> CheckResult.LeftOut.Reason {
        if error.endsReading { throw error }
        return switch error.kind {
        case .encryptedUnsupported: .encrypted
        // The error of a missing table or column. There is no other SQL error: a test runs all checks on every
        // version.
        case .sql: .otherVersion
        default: .failed(error.message)
        }
    }
}

extension Finding {
    /// The finding of a check; nil when it found nothing.
    fileprivate init?(_ check: StoreCheck, _ rows: FoundRows, isRepairable: Bool) {
        if rows.count == 0 { return nil }
        let severity = rows.needsNoAction(check) ? CheckSeverity.info : rows.severity ?? check.severity
        self.init(
            id: check.id, severity: severity, sentence: check.sentence, count: rows.count, sample: rows.sample,
            detail: rows.detail, damage: rows.damage,
            isFixable: check.repair != nil && isRepairable && rows.isRepairable,
            hasRepair: check.repair != nil && rows.isRepairable, references: rows.references, rows: rows.rows)
    }
}

extension FoundRows {
    /// Whether nothing uses the rows: each is the connection with a relay that is no longer in the channel of its
    /// profile. A clause about all rows, that the agent's file is older, is about more than these.
    fileprivate func needsNoAction(_ check: StoreCheck) -> Bool {
        check.id == "connectionWithoutAgent" && detail == nil && rows.count == count
            && rows.allSatisfy { $0.ownRelay?.hasEnded == true }
    }
}

extension StoreError {
    /// Whether the error says nothing about the content of the database, so that reading further is of no use: the
    /// user stopped it, memory or the disk failed, or another program writes the database, whose pages are then of two
    /// states.
    package var endsReading: Bool {
        [.interrupted, .outOfMemory, .inUse].contains(kind) || isOfDisk || isOfEncryptedLog
    }

    /// The error that a check or its repair throws.
    init(checking error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as any RuleViolation: self = error.storeError ?? StoreError(.other, error.message)
        default: self = StoreError(.other, "unexpected failure (\(type(of: error)))")
        }
    }
}
