import ArgumentParser
import ChatDBKit

struct ArchiveCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check an archive before an app imports it. Changes nothing.",
        discussion: """
            Reads the whole archive and checks every file in it against its checksum. Shows for each database whether \
            it is encrypted, whole, and which version it has. An archive that is damaged, or that was made to do harm, \
            is refused with the reason. Exits with 1 if an app would not import the archive.

            Examples:
              chatdb archive check simplex-chat.2026-11-20T101500.zip
              chatdb archive check --format json backup.zip
            """)

    @OptionGroup var input: ArchiveInput
    @OptionGroup var output: OutputOptions

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
        let engine = SQLiteEngine(queryTimeLimit: CheckedStore.timeLimit)
        let databases = try CheckedArchive.databases(in: folder, of: contents, with: engine)
        bar.finish()
        let checked = CheckedArchive(
            path: input.file, bytes: reader.size, contents: contents, databases: databases, damagedFiles: damaged)
        try output.write(ArchiveCheckReport(archive: checked))
        if case .no = checked.verdict { throw Answer(status: .no) }
    }
}
