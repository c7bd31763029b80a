import Engine

extension FileDiagnosis {
    /// What stands in the way of opening the file, in the seam's words; nil for a database, and for what may be one
    /// again: a power cut can tear the first page too, and then the journal or the log beside it has it whole.
    var problem: StoreError? {
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
