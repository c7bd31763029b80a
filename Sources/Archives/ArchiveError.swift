package import ChatDBEngine
package import ChatDBSchema

/// Why an archive cannot be read. Nothing of it was taken, unless the caller already had some of its bytes.
///
/// Names of entries come from a file of any origin. A message has a known name as it is, and any other name escaped and
/// shortened (`ArchiveName.shown`).
package struct ArchiveError: ChatDBError, Hashable, CustomStringConvertible {
    /// The path of the archive.
    package let path: String
    /// The reason.
    package let problem: Problem

    package init(_ path: String, _ problem: Problem) {
        self.path = path
        self.problem = problem
    }

    /// The reason why an archive cannot be read. The texts are names of entries as `ArchiveName.shown` gives them.
    package enum Problem: Hashable, Sendable {
        /// Nothing is at the path.
        case missing
        /// The path is not a regular file.
        case notAFile(FileKind)
        /// The file cannot be read; the number of the system's error.
        case unreadable(errno: Int32)
        /// The file is no ZIP archive.
        case notAnArchive
        /// The end of the file is missing, and with it the list of entries. `found` says what the rest begins with.
        case endMissing(found: [String])
        /// The list of entries begins before the file does: so many bytes at the beginning or in the middle are
        /// missing.
        case bytesMissing(Int64)
        /// A structure of the format is not as it has to be; a clause.
        case damaged(String)
        /// The content of an entry is not what the list of entries says; a clause.
        case damagedEntry(String, String)
        /// The archive is encrypted, with this method.
        case encrypted(String)
        /// The archive is a part of one that was split into several files.
        case split
        /// The entry is compressed with a method that this reader does not know.
        case unsupportedMethod(String, String)
        /// The name of an entry could lead out of the folder, or to another file; a clause.
        case unsafeName(String, String)
        /// The entry is not a file: a symbolic link, for example.
        case notARegularEntry(String, String)
        /// Two entries have the same name.
        case duplicate(String)
        /// Two entries have bytes of the archive in common, or an entry and the list of entries.
        case overlapping(String)
        /// There are two ends that fit, so that programs would read different lists of entries.
        case twoEnds
        /// The entry would become more than 1,000 times as large as it is in the archive.
        case expansion(String)
        /// The archive exceeds a limit; a clause.
        case beyondLimits(String)
        /// Reading took more processor time than an archive of this size may take.
        case tooSlow
        /// A database has a journal or a log in the archive, with changes that it lacks itself.
        case journal(String)
        /// Neither of the two databases is in the archive, but perhaps one in a folder or with another prefix.
        case noDatabases(other: String?)
    }

    /// The kind, code, message and details of the error.
    package var info: ErrorInfo {
        switch problem {
        case .missing: ErrorInfo(.noInput, "archiveNotFound", "there is no file \(path)", details)
        case .notAFile(let kind):
            ErrorInfo(.noInput, "notAnArchive", "\(path) is \(kind.shownName), not a ZIP archive", details)
        case .unreadable(let reason):
            ErrorInfo(.noInput, "notReadable", "\(path) cannot be read: \(systemMessage(reason))", details)
        case .notAnArchive: ErrorInfo(.noInput, "notAnArchive", "\(path) is not a ZIP archive", details)
        case .endMissing(let found):
            ErrorInfo(
                .noInput, "archiveTruncated",
                "\(path) is cut: the end of the archive is missing, and with it the list of its entries"
                    + (found.isEmpty ? "" : "; what is there begins with \(found.joined(separator: ", "))"),
                details)
        case .bytesMissing(let count):
            ErrorInfo(
                .noInput, "archiveTruncated",
                "\(path) is cut: \(count == 1 ? "1 byte is" : "\(count) bytes are") missing before the list of its entries",
                details)
        case .damaged(let reason):
            ErrorInfo(.noInput, "archiveDamaged", "\(path) is damaged: \(reason)", details)
        case .damagedEntry(let name, let reason):
            ErrorInfo(.noInput, "archiveDamaged", "\(path) is damaged: \(name) \(reason)", details)
        case .encrypted(let method):
            ErrorInfo(
                .noInput, "archiveEncrypted",
                "\(path) is encrypted as an archive (\(method)), which the app never does; "
                    + "unpack it with the program that made it",
                details)
        case .split:
            ErrorInfo(
                .noInput, "archiveUnsupported",
                "\(path) is one of several parts of a split archive; join the parts first", details)
        case .unsupportedMethod(let name, let method):
            ErrorInfo(
                .noInput, "archiveUnsupported",
                "\(path) cannot be read: \(name) is compressed with \(method); the app stores or deflates", details)
        case .journal(let name):
            ErrorInfo(
                .noInput, "archiveHasJournal",
                "\(path) has \(name), with changes that the database beside it lacks; the app exports no such file",
                details)
        case .noDatabases(let other):
            ErrorInfo(
                .noInput, "notAStoreArchive",
                "\(path) has no \(ArchiveName.chat) and no \(ArchiveName.agent) in it"
                    + (other.map { ", but \($0)" } ?? ": it is not an archive of a store"),
                details)
        default: refused
        }
    }

    /// The errors of archives that are read by no program in the same way, or that were made to do harm.
    private var refused: ErrorInfo {
        switch problem {
        case .unsafeName(let name, let reason):
            ErrorInfo(.invalid, "unsafeArchive", "\(path) is refused: the name \(name) \(reason)", details)
        case .notARegularEntry(let name, let kind):
            ErrorInfo(.invalid, "unsafeArchive", "\(path) is refused: \(name) is \(kind), not a file", details)
        case .duplicate(let name):
            ErrorInfo(.invalid, "unsafeArchive", "\(path) is refused: it has \(name) more than once", details)
        case .overlapping(let name):
            ErrorInfo(
                .invalid, "unsafeArchive", "\(path) is refused: the bytes of \(name) belong to another part too",
                details)
        case .twoEnds:
            ErrorInfo(
                .invalid, "unsafeArchive", "\(path) is refused: it has two ends, and so two lists of entries", details)
        case .expansion(let name):
            ErrorInfo(
                .invalid, "archiveBeyondLimits",
                "\(path) is refused: \(name) would become more than 1,000 times as large", details)
        case .beyondLimits(let reason):
            ErrorInfo(.invalid, "archiveBeyondLimits", "\(path) is refused: \(reason)", details)
        default:
            ErrorInfo(
                .invalid, "archiveBeyondLimits",
                "\(path) is refused: reading it took more time than an archive of its size may take", details)
        }
    }

    /// The same as ``message``.
    package var description: String { message }

    private var details: JSONValue { ["path": .string(path)] }
}
