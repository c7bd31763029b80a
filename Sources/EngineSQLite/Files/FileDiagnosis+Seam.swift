import ChatDBEngine

extension FileDiagnosis {
    /// What stands in the way of opening the file, in the seam's words; nil for a database, and for what may be one
    /// again: a power cut can tear the first page too, and then the journal or the log beside it has it whole.
    var problem: StoreError? {
        if let problem = sideProblem { return problem }
        guard let code, !mayBeRecovered else { return nil }
        let kind: StoreError.Kind =
            switch code {
            case .notADatabase: .notADatabase
            case .encrypted: .encrypted
            case .truncated: .truncated
            case .damaged: .damaged
            case .notAFile: .notAFile
            case .missing: .missing
            case .notReadable: .inputOutput
            }
        return StoreError(kind, message)
    }

    /// SQLite opens what lies beside a database without looking what it is: a FIFO would keep it waiting for ever.
    private var sideProblem: StoreError? {
        for (suffix, state) in [("-wal", side.wal), ("-shm", side.shm), ("-journal", side.journal)] {
            guard case .notRegular(let kind) = state else { continue }
            return StoreError(.notAFile, "\(path)\(suffix) is \(kind.shownName), not a file; move it away")
        }
        // SQLite would believe the log, and take the database for one of other pages: for damaged, when it is not.
        for case .foreignWAL(let size) in warnings {
            let why = "has pages of \(size) bytes, as the database has not"
            return StoreError(.damaged, "\(path)-wal \(why): it is of another database; move it away")
        }
        return nil
    }

    /// What stands in the way of rolling its journal back, which would leave one half of a change to two databases; nil
    /// for nothing. A program that has the database open knows better.
    func orphanedJournal(_ holders: FileHolders?) -> StoreError? {
        guard side.hasHotJournal, let name = side.superJournal, !side.superJournalIsThere,
            holders?.holders.isEmpty != false
        else { return nil }
        return StoreError(
            .damaged,
            "\(path) is one of several databases that were changed together when the program was stopped, and "
                + "\(name), which tells whether the change was complete, is not there; open them once where they were, "
                + "with the program that wrote them, and take all their files, or restore a backup")
    }

    private var mayBeRecovered: Bool {
        switch finding {
        case .truncated, .damagedHeader, .encryptedOrForeign, .other: side.hasHotJournal || side.hasWAL
        case .database, .empty, .missing, .notAFile, .unreadable: false
        }
    }

    /// What the seam tells of it.
    var examination: FileExamination {
        FileExamination(problem: problem, bytes: bytes ?? 0, notes: warnings.map(\.message))
    }

    /// Whether the header says that the database keeps a write-ahead log.
    var usesWriteAheadLog: Bool {
        if case .database(let header) = finding { header.journalMode == .wal } else { false }
    }
}
