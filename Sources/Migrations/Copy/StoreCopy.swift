import ChatDBEngine
import ChatDBSchema

/// Copies a store from files to a PostgreSQL server, or back, and proves that nothing was lost.
///
/// A copy is a pipeline:
///
/// 1. ``CopySource`` takes the source as it is at one moment. A source that moves is locked against writers until the
///    end.
/// 2. ``CopyCheck`` finds what the target cannot hold: texts with NUL or bytes that are not UTF-8, and references to
///    missing rows. It refuses them by table, column and key, before the target has anything that others see.
/// 3. ``StoreCreation`` makes the databases of the target by this build's migrations, with the ledger, the id of the
///    store and a raised generation.
/// 4. ``CopyFilling`` removes the indexes in which rows will be, references and triggers, inserts all rows, makes the
///    index of the search, the indexes and the references, and sets the next numbers. Then it compares the number and
///    the sum of the rows of each table with those that were read. A server computes them itself.
/// 5. The source gets its mark, and the target is committed, in one transaction on a server; then the mark is.
///
/// If the program ends between these two commits, the next copy to the same place finds a complete copy:
/// ``CopyCompletion`` compares all rows, and sets the mark.
///
/// Rule: docs/copying.md.
///
/// ```swift
/// let files = StoreContext(engine: SQLiteEngine(), location: location, build: build)
/// let server = StoreContext(engine: PostgresEngine(there), location: StoreLocation(server: there), build: postgres)
/// let report = try StoreCopy(from: files, to: server).run()
/// print("\(report.rows) rows were copied.")
/// ```
public struct StoreCopy: Sendable {
    /// The store that is copied.
    public let source: StoreContext
    /// The place of the copy, with the migrations for its engine.
    public let target: StoreContext
    /// How to copy.
    public var options: CopyOptions

    /// A copy. Opens nothing.
    public init(from source: StoreContext, to target: StoreContext, options: CopyOptions = CopyOptions()) {
        self.source = source
        self.target = target
        self.options = options
    }

    /// Looks for what the target could not hold, and counts the rows. Changes nothing.
    ///
    /// Throws as ``run()`` does.
    public func check() throws -> CopyReport {
        try requireTarget()
        if try isThere() { return try completion.run(marks: false) }
        let taken = try CopySource(source, .look, passesMoved: options.keepsBoth)
        let check = CopyCheck(taken, options, source)
        try check.run()
        let tables = try taken.counts()
        try taken.requireUnchanged()
        return CopyReport(
            from: source.location, to: target.location, identity: taken.identity.raised, tables: tables,
            replacedTexts: check.badTexts, hasMoved: false)
    }

    /// Copies the store. Throws a `CopyError`, a `MigrationError` or a `MigrationFailure`; the target then has nothing
    /// of the store, unless the error says otherwise.
    public func run() throws -> CopyReport {
        try requireTarget()
        let lock = try target.takeLock(.alone)
        defer { withExtendedLifetime(lock) {} }
        do {
            return try copy()
        } catch {
            // The place is left as it was.
            let isEmpty = (try? target.existing().isEmpty) == true && !IntentRecord.isThere(target.location)
            if isEmpty { lock?.removeIfNew() }
            throw error
        }
    }

    private func copy() throws -> CopyReport {
        try clearUp()
        if try !target.existing().isEmpty {
            guard try completion.isPossible() else { throw CopyError.targetExists(target.location.prefix) }
            return try completion.run()
        }
        let taken = try CopySource(source, options.keepsBoth ? .stay : .move, passesMoved: options.keepsBoth)
        let check = try beginCheck(taken)
        defer { _ = try? check.wait() }
        var (tables, replaced): ([CopyReport.Table], Int) = ([], 0)
        var creation = StoreCreation(target, MigrationOptions())
        creation.identity = taken.identity.raised
        creation.copiedFrom = source.location.prefix
        creation.filling = { made in
            try check.wait()
            for part in made {
                var filling = try CopyFilling(part, from: taken, options, target)
                try MigrationError.naming(part.database, part.path) {
                    try target.cancellation.whileRegistered(part.connection.interrupt) {
                        try filling.run()
                    }
                }
                tables += filling.tables
                replaced += filling.replacedTexts
            }
            try taken.mark(movedTo: target.location)
        }
        // A server has them since its rows were there. SQLite computes them after a migration too.
        creation.finishing = { made in
            for part in made where target.location.server == nil {
                let tables = (try? part.connection.ordinaryTables().subtracting(Ledger.tables)) ?? []
                try? part.connection.refreshStatistics(of: tables)
            }
        }
        _ = try creation.make()
        try taken.commitMark(after: target.location)
        return CopyReport(
            from: source.location, to: target.location, identity: creation.identity, tables: tables,
            replacedTexts: replaced, hasMoved: !options.keepsBoth)
    }

    /// Begins the check of the source. A server makes the tables meanwhile, in the transaction of the copy. Files are
    /// made after the check.
    private func beginCheck(_ taken: CopySource) throws -> BesideWork<Void> {
        // The thread of the copy reads the source only after the check.
        nonisolated(unsafe) let taken = taken
        let check = BesideWork { try CopyCheck(taken, options, source).run() }
        if target.location.server == nil { try check.wait() }
        return check
    }

    /// Throws when the target cannot become a copy of the source.
    private func requireTarget() throws {
        guard (source.location.server == nil) != (target.location.server == nil) else {
            throw CopyError.sameKind(source.location.prefix, target.location.prefix)
        }
        for context in [source, target] where context.only != nil {
            throw CopyError.notAPair(context.location.prefix)
        }
        try RestoreRecord.refuse(at: target.location)
        // Removing what a copy of another store left would leave that store without its mark.
        if let record = try IntentRecord.read(at: target.location), record.copiedFrom != nil,
            try !completion.isOfSource(record)
        {
            try record.refuseCopy()
        }
        let isFree = try isUnfinished() || target.existing().isEmpty || completion.isPossible()
        guard isFree else { throw CopyError.targetExists(target.location.prefix) }
        if try !isThere() {
            try MigrationError.naming(.agent, target.location.path(of: .agent)) {
                try target.engine.requireRightToCreate(target.location)
            }
        }
        if target.location.server == nil, FileState(at: target.location.folder) != .notRegular(.directory) {
            throw MigrationError.noFolder(path: target.location.folder)
        }
    }

    private var completion: CopyCompletion { CopyCompletion(from: source, to: target, options) }

    /// Whether the creation of a store at the target was interrupted.
    private func isUnfinished() throws -> Bool { try IntentRecord.read(at: target.location)?.creates == true }

    /// Whether the target has a complete copy already.
    private func isThere() throws -> Bool { try !isUnfinished() && !target.existing().isEmpty }

    /// Removes what an interrupted creation left at the target.
    private func clearUp() throws {
        guard let record = try IntentRecord.read(at: target.location), record.creates else { return }
        try StoreCreation(target, MigrationOptions()).clearUp(after: record)
    }
}

/// How a store is copied.
public struct CopyOptions: Sendable, Hashable {
    /// Leaves the source as it is. Otherwise it is marked as moved, and chatdb only reads it from then on. A source that
    /// has the mark already can be copied only in this way: the copy has no mark.
    public var keepsBoth = false
    /// Writes U+FFFD in the place of NUL and of bytes that are not UTF-8. Otherwise such texts stop the copy.
    public var replacesBadText = false

    /// A copy of a store that moves, without any change of its rows.
    public init() {}
}
