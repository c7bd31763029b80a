import ArgumentParser
import ChatDBKit
import Foundation

struct ArchiveCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check an archive before an app imports it. Changes nothing.",
        discussion: """
            Reads the whole archive and checks every file in it against its checksum. Shows for each database whether \
            it is encrypted, whole, and which version it has. With the passphrase of encrypted databases, it verifies \
            every page, and looks whether the two are of one store; without it, only the app can tell. --against \
            compares the versions with those of a store, such as the one that the app has now. An archive that is \
            damaged, or that was made to do harm, is refused with the reason. Exits with 1 if an app would not import \
            the archive.

            Examples:
              chatdb archive check simplex-chat.2026-11-20T101500.zip
              chatdb archive check backup.zip --against ~/.local/share/simplex
              chatdb archive check --format json --passphrase-file pass backup.zip
            """)

    @OptionGroup var input: ArchiveInput

    @Option(
        help: ArgumentHelp(
            "Say whether the archive is newer or older than this store, which may be an archive too.",
            valueName: "store"),
        completion: .file())
    var against: String?

    @OptionGroup var passphrase: PassphraseOptions

    @OptionGroup var other: OtherPassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if against?.isEmpty == true { throw ValidationError("the name of the store is empty") }
        try other.require(against, "--against")
    }

    func run() throws {
        let output = try output.output()
        let (reader, contents) = try input.open(output)
        let folder = try LockedFolder.make(for: .copy)
        defer { folder.remove() }
        let bar = output.progress("reading the archive", total: contents.bytes)
        defer { bar.finish() }
        let unpacking = ArchiveUnpacking(reader, contents, cancellation: Signals.cancellation, progress: bar.update)
        _ = try unpacking.databases(into: folder)
        let damaged = try unpacking.damagedFiles()
        bar.finish()

        let opened = OpenedPaths()
        let prefix = ArchiveUnpacking.prefix(in: folder.path)
        ShownPaths.show(prefix, in: folder.path, as: try StoreLocation(prefix: input.file).prefix)
        opened.add(try StoreLocation(prefix: prefix), of: input.file)
        let engine = try opened.engine(with: passphrase, mayBeOmitted: true)
        // They hold the private copy of an archive that is the other store.
        let others = OpenedPaths()
        defer { withExtendedLifetime((opened, others)) {} }
        let store = try against.map { try comparedStore($0, others, engine) }
        let databases = try CheckedArchive.databases(in: folder, of: contents, with: engine)
        let checked = CheckedArchive(
            path: input.file, bytes: reader.size, contents: contents, databases: databases, damagedFiles: damaged,
            comparison: store.map { ArchiveComparison(of: databases, with: $0) })
        try output.write(ArchiveCheckReport(archive: checked))
        if case .no = checked.verdict { throw Answer(status: .no) }
    }

    /// The store of `--against`, read with its own passphrase or with that of the archive. If neither was given, or the
    /// archive's does not open it, chatdb asks for it on a terminal.
    private func comparedStore(
        _ path: String, _ paths: OpenedPaths, _ engine: SQLiteEngine
    ) throws -> ComparedStore {
        let location = try paths.location(of: path)
        if let options = try other.passphrase() {
            return try ComparedStore(location, with: paths.engine(with: options))
        }
        let isClosed = DatabaseName.allCases.contains {
            let kind = engine.examine(location.path(of: $0)).problem?.kind
            return kind == .encrypted || kind == .wrongPassphrase
        }
        let asks = isClosed && isatty(STDIN_FILENO) == 1
        return try ComparedStore(location, with: asks ? paths.engine(with: .parse([])) : engine)
    }
}
