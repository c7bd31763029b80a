import Engine
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder for one backup, with a name that no backup had before: `<store>-<UTC>-<version>`.
struct BackupFolder {
    let path: String
    /// Whether the folder of all backups was made for it.
    private let madeParent: Bool

    /// The file that is written last: a folder without it holds no backup.
    static let manifestName = "backup.json"

    var manifestPath: String { path + "/" + Self.manifestName }

    /// Makes the folder, and the folder of all backups where it is missing, for the owner alone.
    static func make(for location: StoreLocation, in parent: String?, version: String?, now: Date) throws(StoreError)
        -> BackupFolder
    {
        let parent = absolute(parent ?? location.backupsPath)
        let madeParent = mkdir(parent, 0o700) == 0
        if madeParent {
            try FileSync.folder((parent as NSString).deletingLastPathComponent.nonEmpty ?? ".")
        } else if errno != EEXIST {
            throw SystemError.current("\(parent) cannot be made for the backup")
        }
        let name = "\(location.name)-\(stamp(now))-\(plain(version ?? "empty"))"
        for attempt in 1...1000 {
            let path = parent + "/" + name + (attempt == 1 ? "" : "-\(attempt)")
            if mkdir(path, 0o700) == 0 {
                try FileSync.folder(parent)
                return BackupFolder(path: path, madeParent: madeParent)
            }
            guard errno == EEXIST else { throw SystemError.current("\(path) cannot be made for the backup") }
        }
        throw StoreError(.inputOutput, "\(parent) holds a thousand backups of this second")
    }

    /// Removes it with what is in it, and the folder of all backups when it was made for this one.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        // Only an empty one goes.
        if madeParent { rmdir((path as NSString).deletingLastPathComponent) }
    }

    /// From the root, so that whoever reads it elsewhere finds it.
    static func absolute(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let isEnded = whole.hasSuffix("/") && whole.contains { $0 != "/" }
        return isEnded ? String(whole.reversed().drop { $0 == "/" }.reversed()) : whole
    }

    /// A version comes from the file, and could lead into another folder.
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
