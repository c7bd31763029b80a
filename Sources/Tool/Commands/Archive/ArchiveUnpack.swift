import ArgumentParser
import ChatDBKit

struct ArchiveUnpack: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpack", abstract: "Unpack an archive into a new folder.",
        discussion: """
            Writes both databases, the files and the pictures, and checks each against its checksum. Encrypted \
            databases stay encrypted. What a store does not have is left out. FOLDER must not exist, or be empty. If \
            the archive is damaged, or was made to do harm, nothing is left in FOLDER.

            Examples:
              chatdb archive unpack simplex-chat.2026-11-20T101500.zip --to ~/case
              chatdb inspect -d ~/case
            """)

    @OptionGroup var input: ArchiveInput

    @Option(help: ArgumentHelp("Unpack into this folder.", valueName: "folder"), completion: .directory)
    var to: String

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if to.isEmpty { throw ValidationError("the name of the folder is empty") }
    }

    func run() throws {
        let output = try output.output()
        let (reader, contents) = try input.open(output)
        Signals.interruptsAskToStop()
        let bar = output.progress("unpacking", total: contents.bytes)
        defer { bar.finish() }
        do {
            let cancellation = Signals.cancellation
            try ArchiveUnpacking(reader, contents, cancellation: cancellation, progress: bar.update).everything(
                into: to)
        } catch let error as StoreError {
            throw HintedError(error, state: "Nothing was written.", hint: error.hint)
        }
        bar.finish()
        CommittedChange.note()
        try output.write(ArchiveUnpackedReport(folder: to, contents: contents))
    }
}

/// The unpacked files, and the next command.
struct ArchiveUnpackedReport: Report {
    let folder: String
    let contents: ArchiveContents

    private var next: String { HintedCommand(.inspect, ["-d", folder]).text() }

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("folder", .string(folder))]
        for database in DatabaseName.allCases {
            let size = contents.databases[database]?.size
            members.append(.init(database.rawValue, size.map { .object([.init("bytes", .integer($0))]) } ?? .null))
        }
        members += [
            .init("files", contents.files.json), .init("assets", contents.assets.json),
            .init("others", contents.othersJSON), .init("next", .string(next)),
        ]
        return .object(members)
    }

    var document: Document {
        let missing = contents.missing.map { Note.warning("the \($0) database is not in the archive") }
        return [
            .paragraph("The archive was unpacked into \(folder)."), .table(table),
            .notes(missing + contents.notes), .heading("Next"), .verbatim(next, language: "sh"),
        ]
    }

    private var table: Table {
        Table(
            [
                Column("Contents", key: "kind"), Column("Count", alignment: .right),
                Column("Size", key: "bytes", alignment: .right),
            ],
            rows: DatabaseName.allCases.compactMap { database in
                contents.databases[database].map {
                    [.text("\(database) database"), .count(1), .bytes($0.size)]
                }
            } + [
                [.text("files"), .count(contents.files.count), .bytes(contents.files.bytes)],
                [.text("assets"), .count(contents.assets.count), .bytes(contents.assets.bytes)],
            ], whenEmpty: "nothing")
    }
}
