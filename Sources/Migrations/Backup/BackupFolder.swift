import ChatDBEngine
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The folder of one backup. Its name, `<store>-<UTC>-<version>`, is new in the folder of all backups.
struct BackupFolder {
    let path: String
    /// The folder of all backups, if this backup created it.
    let madeParent: String?

    /// The file that is written last: a folder without it holds no backup.
    static let manifestName = "backup.json"

    var manifestPath: String { path + "/" + Self.manifestName }

    /// Whether a folder has the name of a backup: `<store>-<UTC>-<version>`. A folder of replaced files whose name was
    /// taken has a number there.
    static func isName(_ name: String) -> Bool {
        name.contains(#/.-[0-9]{8}T[0-9]{6}Z-./#) && !name.contains(#/\.replaced-[0-9]{8}T[0-9]{6}Z-[0-9]+$/#)
    }

    /// The word in the place of the version in the names of backups from before lost rows of a list of migrations were
    /// written again.
    static let lostMigrations = "lost-migrations"

    /// Creates the folder, and the folder of all backups if it is missing. Only the owner may read them.
    static func make(for location: StoreLocation, in parent: String?, version: String, now: Date) throws(StoreError)
        -> BackupFolder
    {
        let parent = absolute(parent ?? location.backupsPath)
        let isNew = mkdir(parent, 0o700) == 0
        guard isNew || errno == EEXIST else { throw SystemError.current("\(parent) cannot be created for the backup") }
        do throws(StoreError) {
            if isNew { try FileSync.folder(parentFolder(of: parent)) }
            let name = "\(location.name)-\(stamp(now))-\(plain(version))"
            return try make(name, in: parent, madeParent: isNew ? parent : nil)
        } catch {
            if isNew { rmdir(parent) }
            throw error
        }
    }

    /// Removes the folder and its content, and the folder of all backups if this backup created it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        if let madeParent { rmdir(madeParent) }
    }

    private static func make(
        _ name: String, in parent: String, madeParent: String?
    ) throws(StoreError) -> BackupFolder {
        for attempt in 1...1000 {
            let path = parent + "/" + name + (attempt == 1 ? "" : "-\(attempt)")
            if mkdir(path, 0o700) == 0 {
                let folder = BackupFolder(path: path, madeParent: madeParent)
                do throws(StoreError) {
                    try FileSync.folder(parent)
                } catch {
                    folder.remove()
                    throw error
                }
                return folder
            }
            guard errno == EEXIST else { throw SystemError.current("\(path) cannot be created for the backup") }
        }
        throw StoreError(.inputOutput, "\(parent) already contains a thousand backups of this second")
    }

    /// An absolute path, so that it is valid in any current folder; without a slash at its end.
    static func absolute(_ path: String) -> String {
        let whole = absolutePath(path) ?? path
        let isEnded = whole.hasSuffix("/") && whole.contains { $0 != "/" }
        return isEnded ? String(whole.reversed().drop { $0 == "/" }.reversed()) : whole
    }

    /// The version comes from the database and could contain path separators.
    private static func plain(_ version: String) -> String {
        String(
            version.unicodeScalars.prefix(80).map { scalar in
                let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || scalar == "_" || scalar == "-"
                return isPlain || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
            })
    }

    static func stamp(_ instant: Date) -> String {
        instant.formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
