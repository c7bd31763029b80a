import ChatDBKit

// Changes of stores of SimpleX Chat.
extension StoreSession {
    /// Whether the command writes a store of SimpleX Chat. Known once the store was opened.
    var isSimplex: Bool { configuration != nil }

    /// Checks that the store of SimpleX Chat may be written. Throws `readOnlyStore` for one on a server.
    @discardableResult
    func openSimplex() throws -> SimplexConfiguration {
        if try context().location.server != nil { throw ReadOnlyStoreError.simplexOnServer }
        let found = SimplexConfiguration(
            context: try context(), engine: try options.fileEngine(), writing: simplex ?? SimplexWriting())
        try found.check()
        configuration = found
        return found
    }

    /// Tries a change of the chat database before the user is asked about it. For a store of SimpleX Chat, chatdb makes
    /// the change on a copy in memory, and refuses what it would refuse later. Returns what the app would do with the
    /// result; nil for chatdb's own stores.
    func rehearse(_ change: (any WriteTransaction) throws -> Void) throws -> SimplexEffect? {
        guard let configuration else { return nil }
        return simplexEffect(try configuration.rehearse(change), backup: nil, isWritten: false)
    }

    /// The part of an answer without a change; nil for chatdb's own stores.
    var nothingToWrite: SimplexEffect? { isSimplex ? simplexEffect(nil, backup: nil, isWritten: false) : nil }

    private func simplexEffect(
        _ effect: AppNextStart?, backup folder: String?, isWritten: Bool
    ) -> SimplexEffect {
        let backup =
            options.archive == nil && effect != nil
            ? KeptCopy(backup: folder, in: location.backupsPath, of: location, passphrase: .ofCommandLine) : nil
        let archive = options.archive.flatMap { original in
            simplex?.changedArchive.map {
                SimplexEffect.Archive(original: original, changed: $0, isWritten: isWritten && effect != nil)
            }
        }
        return SimplexEffect(effect: effect, backup: backup, archive: archive)
    }

    /// Writes a store of SimpleX Chat: the body changes a copy of its relays, servers and operators. Returns the answer
    /// with what the app does with the result.
    func writeSimplex<T>(_ body: (Store) throws -> T) throws -> T {
        mayBeCommitted = false
        var backup: String?
        do {
            let (answer, effect) = try openSimplex().write(
                body,
                backingUp: {
                    // An archive stays as it is.
                    if options.archive == nil { backup = try backUpBeforeChange() }
                },
                willCommit: {
                    try StoppedOnRequest.check()
                    // The database of an archive is a private copy.
                    mayBeCommitted = options.archive == nil
                })
            if effect != nil, let path = simplex?.changedArchive { try options.writeChangedArchive(to: path) }
            let found = simplexEffect(effect, backup: backup, isWritten: true)
            self.effect = found
            guard effect != nil else { return answer }
            CommittedChange.note()
            if let copy = found.backup { CommittedChange.keep(copy.whenReportIsLost) }
            return answer
        } catch {
            throw failure(error, backup: backup)
        }
    }

    private func backUpBeforeChange() throws -> String {
        do {
            return try options.backUp(to: nil, output)
        } catch MigrationError.noBackupFolder(let error) {
            throw MigrationHint.backupFailed(MigrationError.backupFailed(error), location.backupsPath)
        }
    }

    /// The error of a change of a store of SimpleX Chat, with the state that the store has after it.
    private func failure(_ error: any Error, backup: String?) -> any Error {
        let known = error is ErrorReport ? nil : report(of: error, location)
        if known == nil, backup == nil, options.archive == nil { return error }
        var report = known ?? ErrorReport(error)
        // SQLite writes no bytes after the commit, so a write that found no room was before it. It refuses a commit
        // while another program reads the database, and undoes the transaction.
        let isUnchanged =
            !mayBeCommitted || report.exit == .tryAgain || report.code == StoreError.Kind.diskFull.rawValue
        if isUnchanged {
            mayBeCommitted = false
            report.state = report.state ?? Self.unchanged
        } else if report.exit == .ioError {
            report.state = "chatdb cannot determine whether anything was changed."
        }
        if report.exit == .ioError { report.hint = report.hint ?? Self.diskHint }
        guard let backup else { return report }
        return KeptCopy(backup: backup, in: location.backupsPath, of: location, passphrase: .ofCommandLine)
            .named(in: report, isUnchanged: isUnchanged)
    }
}
