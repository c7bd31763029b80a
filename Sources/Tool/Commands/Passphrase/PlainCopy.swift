import ChatDBKit
import Foundation

/// Plain copies of both databases of a store, in a new folder. The folder gets its name when it is complete.
struct PlainCopy {
    private let location: StoreLocation
    private let folder: String

    init(of location: StoreLocation, _ folder: String) {
        self.location = location
        self.folder = RestoreCommandLine.absolute(folder)
    }

    /// Makes the folder for its owner alone. It leaves nothing if it throws.
    func write(_ make: (_ database: DatabaseName, _ path: String, _ new: String) throws -> Void) throws {
        let temporary = folder + ".incomplete"
        let files = location.databases.map { ($0, temporary + "/" + fileName(of: location.path(of: $0))) }
        // A command that was killed has left its files, in plain text.
        remove(files.map(\.1), temporary)
        guard mkdir(temporary, 0o700) == 0 else { throw OutputFileError.cannotWrite(folder, errno: errno) }
        do {
            for (database, file) in files { try make(database, location.path(of: database), file) }
            try FileSync.folder(temporary)
            // It replaces an empty folder, and nothing else.
            guard rename(temporary, folder) == 0 else { throw OutputFileError.cannotWrite(folder, errno: errno) }
        } catch {
            remove(files.map(\.1), temporary)
            let report = ErrorReport(error)
            guard report.state == nil else { throw error }
            throw HintedError(report, state: "Nothing was written.", hint: report.hint)
        }
        try FileSync.folder(parentFolder(of: folder))
    }

    private func remove(_ files: [String], _ folder: String) {
        for file in files { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file + suffix) } }
        rmdir(folder)
    }
}
