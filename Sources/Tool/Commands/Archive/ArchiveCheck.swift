import ArgumentParser
import ChatDBKit

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

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of the store of --against from this file (default: the same passphrase).",
            valueName: "file"),
        completion: .file())
    var otherPassphraseFile: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if against?.isEmpty == true { throw ValidationError("the name of the store is empty") }
        if otherPassphraseFile?.isEmpty == true { throw ValidationError("the name of the passphrase file is empty") }
        if otherPassphraseFile != nil, against == nil {
            throw ValidationError("--other-passphrase-file requires --against")
        }
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
        let other = try otherStore(beside: opened)
        // They hold the private copy of an archive that is the other store.
        defer { withExtendedLifetime((opened, other?.paths)) {} }
        let engine = try opened.engine(with: passphrase, mayBeOmitted: true)
        let store = try other.map { try ComparedStore($0.location, with: $0.engine ?? engine) }
        let databases = try CheckedArchive.databases(in: folder, of: contents, with: engine)
        let checked = CheckedArchive(
            path: input.file, bytes: reader.size, contents: contents, databases: databases, damagedFiles: damaged,
            comparison: store.map { ArchiveComparison(of: databases, with: $0) })
        try output.write(ArchiveCheckReport(archive: checked))
        if case .no = checked.verdict { throw Answer(status: .no) }
    }

    /// The store of `--against`, with its own engine if it has a passphrase of its own.
    private func otherStore(
        beside opened: OpenedPaths
    ) throws -> (location: StoreLocation, engine: SQLiteEngine?, paths: OpenedPaths)? {
        guard let against else { return nil }
        guard let file = otherPassphraseFile else { return (try opened.location(of: against), nil, opened) }
        let paths = OpenedPaths()
        let location = try paths.location(of: against)
        let options = try PassphraseOptions.parse(["--passphrase-file=\(file)"])
        return (location, try paths.engine(with: options), paths)
    }
}
