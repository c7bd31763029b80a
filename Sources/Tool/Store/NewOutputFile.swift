import ChatDBKit
import Foundation

/// Output files of commands.
enum NewOutputFile {
    /// The end of a file's name after the last point, in small letters; nil for a name without one.
    static func ending(of path: String) -> String? {
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: "."), dot != name.startIndex
        else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Writes a file with mode 600, completely or not at all. An existing file is replaced only with `force`; a
    /// database, a part of a store, and what is not a regular file never.
    /// - Parameter store: the store that the command reads; nil for none.
    static func write(_ bytes: [UInt8], to given: String, replacing: Bool, of store: StoreLocation?) throws {
        try write(to: given, replacing: replacing, of: store) { try $0(bytes) }
    }

    /// The same, piece by piece. Returns what `body` returns; throws its error, and then creates no file.
    /// - Parameter check: examines the complete file before it gets its name; throws to leave no file.
    static func write<T>(
        to given: String, replacing: Bool, of store: StoreLocation?, checking check: (String) throws -> Void = { _ in },
        _ body: (_ sink: @escaping StandardStreams.Sink) throws -> T
    ) throws -> T {
        var path = given
        switch FileState(at: given) {
        case .missing: break
        case .empty, .regular:
            if !replacing, KeptFiles(store: store).meaning(of: given) == nil { throw OutputFileError.exists(given) }
            // Replaces the target of a symbolic link, not the link.
            path = URL(fileURLWithPath: given).resolvingSymlinksInPath().path
        case .notRegular: throw OutputFileError.notAFile(given)
        case .unreachable(let reason): throw OutputFileError.cannotWrite(given, errno: reason)
        }
        if let meaning = KeptFiles(store: store).meaning(of: path) { throw OutputFileError.kept(given, meaning) }
        let temporary = path + ".new-\(UUID().uuidString.prefix(8))"
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputFileError.cannotWrite(given, errno: errno) }
        let answer: T
        do {
            do {
                defer { close(descriptor) }
                answer = try body { try StandardStreams.write($0, to: descriptor, given) }
                guard fsync(descriptor) == 0 else { throw WriteFailed(stream: given, code: errno) }
            }
            try check(temporary)
        } catch {
            unlink(temporary)
            throw (error as? WriteFailed).map { OutputFileError.cannotWrite(given, errno: $0.code) } ?? error
        }
        guard replacing ? rename(temporary, path) == 0 : move(temporary, toNew: path) else {
            let reason = errno
            unlink(temporary)
            throw reason == EEXIST
                ? OutputFileError.exists(given) : OutputFileError.cannotWrite(given, errno: reason)
        }
        CommittedChange.note()
        return answer
    }

    /// Makes sure that the name of a new file is on the disk, before an answer says that the file is there. Throws after
    /// it has removed the file.
    static func syncName(of path: String) throws {
        do {
            try FileSync.folder(parentFolder(of: path))
        } catch {
            var report = ErrorReport(error)
            report.state =
                unlink(path) == 0
                ? "Nothing was written." : "\(path) is complete, but may not be on the disk."
            throw report
        }
    }

    /// Throws if a new file cannot be created at a path. A command that writes several files checks all before the
    /// first.
    static func requireFree(_ path: String) throws(OutputFileError) {
        switch FileState(at: path) {
        case .missing: return
        case .empty, .regular: throw .isTaken(path)
        case .notRegular: throw .notAFile(path)
        case .unreachable(let reason): throw .cannotWrite(path, errno: reason)
        }
    }

    /// Moves a file to a path without a file. Returns false, with `errno`, if one exists by now.
    static func move(_ temporary: String, toNew path: String) -> Bool {
        guard FileMove.link(temporary, toNew: path) else { return false }
        // The file is complete under its new name, even if its first name stays.
        unlink(temporary)
        return true
    }
}

enum OutputFileError: Reportable {
    /// The command replaces it with `--force`.
    case exists(String)
    /// The command replaces no file.
    case isTaken(String)
    case notAFile(String)
    /// Describes a database or a part of a store, as a clause.
    case kept(String, String)
    case cannotWrite(String, errno: CInt)

    var report: ErrorReport {
        switch self {
        case .exists(let path):
            ErrorReport(
                "fileExists", "\(path) already exists", state: "Nothing was written.",
                hint: "--force replaces it", details: ["path": .string(path)], exit: .cannotCreate)
        case .isTaken(let path):
            ErrorReport(
                "fileExists", "\(path) already exists", state: "Nothing was written.", hint: "name another file",
                details: ["path": .string(path)], exit: .cannotCreate)
        case .notAFile(let path):
            ErrorReport(
                "fileExists", "\(path) already exists, and is not a regular file", state: "Nothing was written.",
                hint: "name another file", details: ["path": .string(path)], exit: .cannotCreate)
        case .kept(let path, let meaning):
            ErrorReport(
                "protectedFile", "\(path) cannot be written: \(meaning)", state: "Nothing was written.",
                hint: "name another file; --force does not replace this one", details: ["path": .string(path)],
                exit: .cannotCreate)
        case .cannotWrite(let path, let reason):
            ErrorReport(
                "cannotWrite", "\(path) cannot be written: \(StandardStreams.sentence(for: reason))",
                state: "Nothing was written.", hint: Self.hint(of: path, reason),
                details: ["path": .string(path)],
                exit: [ENOSPC, EIO, EDQUOT, EFBIG].contains(reason) ? .ioError : .cannotCreate)
        }
    }

    private static func hint(of path: String, _ reason: CInt) -> Hint? {
        if reason == ENOENT { return "create the folder first: mkdir -p \(ShellWord.quoted(parentFolder(of: path)))" }
        return [ENOSPC, EDQUOT, EFBIG].contains(reason) ? "free some space there, or name another file" : nil
    }
}
