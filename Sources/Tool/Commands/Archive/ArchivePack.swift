import ArgumentParser
import ChatDBKit
import Foundation

struct ArchivePack: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack", abstract: "Make an archive of SimpleX Chat's store, which the app imports.",
        discussion: """
            Writes both databases of the store, and the files and pictures of --files, into a ZIP archive with the \
            names that the app expects. Encrypted databases stay encrypted, with the same passphrase. No program may \
            have the store open. Before the archive gets its name, it is read and checked as archive check does it. \
            The store is not changed. Stores of chatdb are refused: an app that imports one would replace its data with \
            a store that it cannot open.

            Examples:
              chatdb archive pack -d ~/.simplex/simplex_v1 --output chats.zip
              chatdb archive pack -d ~/case --files ~/case --output chats.zip
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp("Write the archive here. The file must not exist.", valueName: "file"),
        completion: .file(extensions: ["zip"]))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Also pack the folders simplex_v1_files and simplex_v1_assets of this folder.", valueName: "folder"),
        completion: .directory)
    var files: String?

    @OptionGroup var lock: LockTimeoutOptions
    @OptionGroup var format: OutputOptions

    func validate() throws {
        if output.isEmpty { throw ValidationError("the name of the archive is empty") }
        if files?.isEmpty == true { throw ValidationError("the name of the folder is empty") }
    }

    func run() throws {
        let answer = try format.output()
        Signals.interruptsAskToStop()
        let location = try store.location()
        answer.detail("the store is \(location.prefix)")
        try store.requireFiles()
        if let archive = store.archive { throw ReadOnlyStoreError.archive(archive) }
        try NewOutputFile.requireFree(output)
        store.limitWaiting(to: lock)
        let engine = try store.fileEngine()
        var context = StoreContext(engine: engine, location: location, build: try MigrationSource.build.load())
        context.cancellation = Signals.cancellation
        try requireSimplex(context)
        let found = try files.map(others)
        let closed = try ClosedStore(context, waiting: lock.seconds)
        let items = closed.items + (found?.found ?? [])
        let bar = answer.progress("packing", total: nil)
        defer { bar.finish() }
        var checked: CheckedArchive?
        try NewOutputFile.write(
            to: output, replacing: false, of: location,
            checking: { path in
                try closed.requireUnchanged()
                checked = try check(path, engine)
            }
        ) { sink in
            try ArchiveMaking(items, cancellation: Signals.cancellation).write { try sink($0) }
        }
        try NewOutputFile.syncName(of: output)
        bar.finish()
        guard let checked else { return }
        try answer.write(ArchivePackedReport(path: output, checked: checked, leftOut: found?.leftOut ?? []))
    }

    /// Throws unless both databases are SimpleX Chat's.
    private func requireSimplex(_ context: StoreContext) throws {
        let (version, opened) = try StoreGate(context).openReadable()
        opened.close()
        guard case .simplex = version else { throw ArchivePackError.ownStore(context.location.prefix) }
        if let missing = context.location.databases.first(where: { context.location.state(of: $0) == .missing }) {
            throw MigrationError.incompleteStore(missing: missing, path: context.location.path(of: missing))
        }
    }

    /// The files and pictures of a folder.
    private func others(in folder: String) throws -> ArchiveItems {
        guard let items = try ArchiveItems(in: folder) else { throw ArchivePackError.noFiles(folder) }
        return items
    }

    /// Reads the new archive as `archive check` does. Throws if an app would not import it.
    private func check(_ path: String, _ engine: SQLiteEngine) throws -> CheckedArchive {
        let reader = try ArchiveReader(path)
        let contents = try ArchiveContents(of: reader)
        let folder = try LockedFolder.make(for: .copy)
        defer { folder.remove() }
        let unpacking = ArchiveUnpacking(reader, contents, cancellation: Signals.cancellation)
        _ = try unpacking.databases(into: folder)
        let damaged = try unpacking.damagedFiles()
        let checked = CheckedArchive(
            path: output, bytes: reader.size, contents: contents,
            databases: try CheckedArchive.databases(in: folder, of: contents, with: engine), damagedFiles: damaged,
            comparison: nil)
        if case .no(let reason) = checked.verdict { throw ArchivePackError.notImportable(reason) }
        return checked
    }
}

/// The files of a store that no program has open. They are packed as they are at one moment.
private struct ClosedStore {
    private let location: StoreLocation
    private let stamps: [[Int64]]

    /// Throws if a program has the store open, or has left a journal or log with content.
    init(_ context: StoreContext, waiting seconds: Double) throws {
        try context.requireAlone(waiting: seconds, holdsLock: false)
        location = context.location
        try Restorer.requireFinished(location)
        stamps = Self.stamps(of: location)
    }

    /// The databases, under the names that the app gives them.
    var items: [ArchiveMaking.Item] {
        [
            .init(name: ArchiveName.chat, path: location.path(of: .chat)),
            .init(name: ArchiveName.agent, path: location.path(of: .agent)),
        ]
    }

    /// Throws if a program has written one of the files since.
    func requireUnchanged() throws {
        try Restorer.requireFinished(location)
        if Self.stamps(of: location) != stamps { throw ArchivePackError.changed(location.prefix) }
    }

    private static func stamps(of location: StoreLocation) -> [[Int64]] {
        location.databases.map { database in
            var info = stat()
            guard stat(location.path(of: database), &info) == 0 else { return [] }
            #if canImport(Darwin)
                let time = info.st_mtimespec
            #else
                let time = info.st_mtim
            #endif
            return [Int64(info.st_ino), Int64(info.st_size), Int64(time.tv_sec), Int64(time.tv_nsec)]
        }
    }
}

/// A store that cannot be packed.
enum ArchivePackError: Reportable {
    /// The store is chatdb's own.
    case ownStore(String)
    /// The folder of `--files` has neither files nor pictures.
    case noFiles(String)
    /// An app would not import the archive, for this reason.
    case notImportable(String)
    /// A program wrote the store meanwhile.
    case changed(String)

    private static let unwritten = "Nothing was written."

    var report: ErrorReport {
        switch self {
        case .ownStore(let store):
            ErrorReport(
                "notSimplex",
                "\(store) is chatdb's own store: an app that imports it would replace its data with a store that it "
                    + "cannot open", state: Self.unwritten, details: ["store": .string(store)], exit: .no)
        case .noFiles(let folder):
            ErrorReport(
                "noFiles", "\(folder) has neither simplex_v1_files nor simplex_v1_assets", state: Self.unwritten,
                hint: "--files names the folder in which the app keeps simplex_v1_files",
                details: ["path": .string(folder)], exit: .noInput)
        case .notImportable(let reason):
            ErrorReport(
                "notImportable", "an app would not import the archive: \(reason)", state: Self.unwritten,
                hint: "\(.check) shows what is wrong in the store", details: ["reason": .string(reason)], exit: .no)
        case .changed(let store):
            ErrorReport(
                "planOutdated", "a program changed \(store) while chatdb packed it", state: Self.unwritten,
                hint: "run the command again", exit: .tryAgain)
        }
    }
}

/// The new archive, and what is in it.
struct ArchivePackedReport: Report {
    let path: String
    let checked: CheckedArchive
    let leftOut: [String]

    /// Why chatdb cannot tell whether every app imports it; nil if it can.
    private var reason: String? {
        if case .unknown(let reason) = checked.verdict { reason } else { nil }
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("archive", ["path": .string(path), "bytes": .integer(checked.bytes)]),
            .init("importable", reason == nil ? .bool(true) : .null), .init("reason", JSONValue(reason)),
        ]
        for database in DatabaseName.allCases {
            let (entry, found) = (checked.contents.databases[database], checked.databases.each[database])
            members.append(
                .init(
                    database.rawValue,
                    [
                        "bytes": JSONValue(entry?.size), "encrypted": JSONValue(found?.isEncrypted),
                        "version": JSONValue(found?.version),
                    ]))
        }
        members += [
            .init("files", checked.contents.files.json), .init("assets", checked.contents.assets.json),
            .init("leftOut", JSONValue(leftOut)),
        ]
        return .object(members)
    }

    var document: Document {
        let (files, assets) = (checked.contents.files, checked.contents.assets)
        let rows: [(String, Int, Int64)] =
            DatabaseName.allCases.map { ("\($0) database", 1, checked.contents.databases[$0]?.size ?? 0) }
            + [("files", files.count, files.bytes), ("assets", assets.count, assets.bytes)]
        var notes = leftOut.prefix(10).map { Note.warning("an archive cannot have \($0), which was left out") }
        if let reason { notes.append(.note(reason)) }
        return [
            .paragraph("The archive \(path) was written and checked."),
            .table(
                Table(
                    [
                        Column("Contents", key: "kind"), Column("Count", alignment: .right),
                        Column("Size", key: "bytes", alignment: .right),
                    ], rows: rows.map { [.text($0.0), .count($0.1), .bytes($0.2)] }, whenEmpty: "nothing")),
            .notes(notes),
        ]
    }
}
