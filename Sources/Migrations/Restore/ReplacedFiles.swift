import ChatDBEngine
import ChatDBPOSIX
import ChatDBSchema
import Foundation

/// The folder `<prefix>.replaced-<time>`, and the moves of files between the store and this folder.
///
/// The files of a database keep their names there. After a crash, a program may have made a database in the place of a
/// moved one. Its files get one number for all of them, `x_chat.db-2` and `x_chat.db-2-journal`, because SQLite would
/// take a journal beside the old database for that database's own.
struct ReplacedFiles {
    let location: StoreLocation
    /// The absolute path.
    let folder: String

    /// The folder with this name beside the store.
    init(_ name: String, of location: StoreLocation) {
        self.location = location
        folder = location.folder + "/" + name
    }

    /// The files that SQLite keeps beside a database; they move first, because SQLite would take them for those of the
    /// new database.
    static let sideFiles = ["-wal", "-shm", "-journal"]

    /// Creates a new folder. Returns its name. Removes empty ones first, which a restore or a change that was killed has
    /// left.
    static func makeFolder(_ location: StoreLocation) throws(StoreError) -> String {
        for folder in AbandonedFiles.emptyFolders(beside: location) { rmdir(folder) }
        let name = location.name + ".replaced-" + BackupFolder.stamp(Date())
        for attempt in 1...1000 {
            let numbered = name + (attempt == 1 ? "" : "-\(attempt)")
            if mkdir(location.folder + "/" + numbered, 0o700) == 0 {
                try FileSync.folder(location.folder)
                return numbered
            }
            guard errno == EEXIST else { break }
        }
        throw SystemError.current("\(location.folder)/\(name) cannot be created for the replaced files")
    }

    /// The path of a database of the store after its move.
    func path(of database: DatabaseName) -> String {
        folder + "/" + fileName(of: location.path(of: database))
    }

    private var intentPath: String { folder + "/" + fileName(of: location.intentPath) }

    /// Moves these databases into the folder, with the files beside them. Moves the record of an interrupted migration
    /// first, because it belongs to the replaced databases.
    func take(_ databases: [DatabaseName]) throws(StoreError) {
        if databases.isEmpty { return }
        // The user may have removed the folder after a crash.
        if FileState(at: folder) == .missing, mkdir(folder, 0o700) != 0 {
            throw SystemError.current("\(folder) cannot be created for the replaced files")
        }
        if FileState(at: location.intentPath) != .missing {
            try Self.move(location.intentPath, to: Self.freePath(intentPath))
        }
        for database in databases { try take(database) }
        try sync()
    }

    private func take(_ database: DatabaseName) throws(StoreError) {
        let place = location.path(of: database)
        let present = (Self.sideFiles + [""]).filter { FileState(at: place + $0) != .missing }
        let kept = keptPath(of: database, present)
        for suffix in present {
            // A file at its place beside a database that was moved is that of another program, also after a power cut.
            if suffix.isEmpty, present.count > 1 { try sync() }
            let to = kept + suffix
            // A program has made another file beside the old database after a crash between the moves of its files.
            if FileState(at: to) != .missing { try Self.move(to, to: Self.freePath(to)) }
            try Self.move(place + suffix, to: to)
        }
    }

    /// The path in the folder for a database with these files: its name, or its name with a number that none of the
    /// files has yet, if the old database is there already.
    private func keptPath(of database: DatabaseName, _ present: [String]) -> String {
        let path = path(of: database)
        if FileState(at: path) == .missing { return path }
        var number = 2
        while ([""] + present).contains(where: { FileState(at: "\(path)-\(number)\($0)") != .missing }) { number += 1 }
        return "\(path)-\(number)"
    }

    /// Moves the old files back to their places. Files that a program has made there meanwhile are kept in the folder.
    /// Repeated after a crash, it has the same result.
    func giveBack() throws(StoreError) {
        for database in location.databases {
            let (kept, place) = (path(of: database), location.path(of: database))
            if FileState(at: kept) != .missing {
                try take(database)
                try sync()
                try Self.move(kept, to: place)
                try sync()
            }
            for suffix in Self.sideFiles
            where FileState(at: kept + suffix) != .missing && FileState(at: place + suffix) == .missing {
                try Self.move(kept + suffix, to: place + suffix)
            }
        }
        if FileState(at: intentPath) != .missing, FileState(at: location.intentPath) == .missing {
            try Self.move(intentPath, to: location.intentPath)
        }
        try sync()
    }

    /// The paths of the databases that another program has made, after the old ones were given back; sorted.
    func madeMeanwhile() -> [String] {
        let names = Self.names(in: folder)
        return location.databases.flatMap { database -> [String] in
            let start = fileName(of: location.path(of: database)) + "-"
            return names.filter { $0.hasPrefix(start) && Int($0.dropFirst(start.count)) != nil }
        }
        .sorted().map { "\(folder)/\($0)" }
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private func sync() throws(StoreError) {
        if FileState(at: folder) != .missing { try FileSync.folder(folder) }
        try FileSync.folder(location.folder)
    }

    /// The path, or one with a number if there is a file.
    private static func freePath(_ path: String) -> String {
        var (free, number) = (path, 1)
        while FileState(at: free) != .missing {
            number += 1
            free = "\(path)-\(number)"
        }
        return free
    }

    static func move(_ from: String, to: String) throws(StoreError) {
        guard rename(from, to) == 0 else { throw SystemError.current("\(from) cannot be moved to \(to)") }
    }
}
