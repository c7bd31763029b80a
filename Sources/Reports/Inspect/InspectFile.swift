package import ChatDBKit

/// The files of one database on the disk, examined before they are opened.
package struct InspectFile {
    /// The meaning of its journal for a copy of the file.
    package enum State: String {
        /// The file has all data.
        case clean
        /// A program has it open, and maintains its journal.
        case inUse
        /// Some data is in a log that no program has open.
        case pendingLog
        /// A transaction was interrupted, and will be rolled back.
        case hotJournal
    }

    package let path: String
    package let journalMode: DatabaseHeader.JournalMode?
    package let walBytes: Int64
    package let journalBytes: Int64
    /// Other programs that have it open; nil if the system does not say.
    package let holders: [FileHolder]?
    package let state: State
    /// Whether the passphrase has opened it, or it looks encrypted.
    package let isEncrypted: Bool
    /// Whether the log is of an earlier time than the database.
    private let isLogOlder: Bool

    /// The files of a store; none of a store on a server. The engine may have the passphrase of encrypted ones.
    package static func all(of location: StoreLocation, with engine: any StorageEngine) -> [DatabaseName: InspectFile] {
        if location.server != nil { return [:] }
        let paths = DatabaseName.allCases.map { location.path(of: $0) }
        let files = zip(paths, FileHolders.of(databasesAt: paths)).map { InspectFile($0, heldBy: $1?.holders, engine) }
        return Dictionary(uniqueKeysWithValues: zip(DatabaseName.allCases, files))
    }

    /// The journal modes of the files of a store, as ``all(of:with:)`` finds them. Does not look for the programs that
    /// have the files open, which takes long on a system with many processes.
    package static func journalModes(
        of location: StoreLocation, with engine: any StorageEngine
    ) -> [DatabaseName: DatabaseHeader.JournalMode] {
        if location.server != nil { return [:] }
        return DatabaseName.allCases.reduce(into: [:]) { modes, database in
            modes[database] = InspectFile(location.path(of: database), heldBy: nil, engine).journalMode
        }
    }

    private init(_ path: String, heldBy holders: [FileHolder]?, _ engine: any StorageEngine) {
        let encryptedMode = (engine as? SQLiteEngine)?.journalMode(ofEncrypted: path)
        isEncrypted = (engine as? SQLiteEngine)?.isEncrypted(path) == true
        guard let diagnosis = FileDiagnosis.examineIfClosed(path) else {
            // This process has it open, and only SQLite may read the file.
            self.path = path
            journalMode = nil
            walBytes = FileState(at: path + "-wal").bytes ?? 0
            journalBytes = FileState(at: path + "-journal").bytes ?? 0
            self.holders = holders
            state = .inUse
            isLogOlder = false
            return
        }
        self.path = path
        if case .database(let header) = diagnosis.finding {
            journalMode = header.journalMode
        } else {
            journalMode = encryptedMode
        }
        walBytes = diagnosis.side.wal.bytes ?? 0
        journalBytes = diagnosis.side.journal.bytes ?? 0
        self.holders = holders
        isLogOlder = diagnosis.side.log?.isOlder == true
        if holders?.isEmpty == false {
            state = .inUse
        } else if diagnosis.side.hasHotJournal, !diagnosis.side.hasUselessJournal {
            state = .hotJournal
        } else {
            // A log without a commit is noise.
            let hasCommits = diagnosis.side.hasWAL && diagnosis.side.log?.commits != 0
            state = hasCommits ? .pendingLog : .clean
        }
    }

    /// Describes the journal in a clause; nil if there is nothing to report.
    package var meaning: String? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        switch state {
        case .clean: return nil
        case .inUse:
            let others = (holders ?? []).map(\.description).joined(separator: ", ")
            let programs = others.isEmpty ? "this program" : others
            // chatdb does not read the log of an encrypted database.
            if isEncrypted, walBytes > 0 { return "\(programs) has it open" }
            return "\(programs) has it open; the report shows what is committed so far"
        case .pendingLog where isLogOlder:
            return """
                \(name)-wal (\(CellText.size(walBytes))) is older than \(name), and its pages hide later ones: do not let an \
                app open the database before chatdb check has shown whether the log belongs to it
                """
        case .pendingLog:
            return """
                the latest changes are in \(name)-wal (\(CellText.size(walBytes))), as after a crash or a copy of a \
                running app; chatdb check shows whether the log belongs to the database
                """
        case .hotJournal:
            return """
                a program stopped while writing; \(name)-journal rolls the write back when an app opens the \
                database, and belongs to the database until then
                """
        }
    }

    /// In a word or two.
    package var shown: String? {
        guard let journalMode else { return nil }
        switch state {
        case .clean: return journalMode.rawValue
        case .inUse: return "\(journalMode.rawValue), in use"
        case .pendingLog: return "\(journalMode.rawValue), log"
        case .hotJournal: return "\(journalMode.rawValue), hot"
        }
    }

    package var json: JSONValue {
        let holders = holders.map { holders in
            JSONValue.array(
                holders.map { ["pid": .integer(Int64($0.pid)), "program": .string($0.program)] })
        }
        return [
            "state": .string(state.rawValue), "walBytes": .integer(walBytes), "journalBytes": .integer(journalBytes),
            "heldBy": holders ?? .null,
        ]
    }
}
