import ArgumentParser
import ChatDBKit

/// Commands for archives that the app has exported.
struct ArchiveCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Check, unpack and make the ZIP archives that SimpleX Chat's apps export.",
        discussion: """
            Examples:
              chatdb archive check simplex-chat.2026-11-20T101500.zip
              chatdb archive unpack simplex-chat.2026-11-20T101500.zip --to ~/case
              chatdb archive pack -d ~/case/simplex_v1 --files ~/case --output chats.zip
            """,
        subcommands: [ArchiveCheck.self, ArchiveUnpack.self, ArchivePack.self])
}

/// The archive of a command.
struct ArchiveInput: ParsableArguments {
    @Argument(help: "The archive, a ZIP file that the app has exported.", completion: .file(extensions: ["zip"]))
    var file: String

    /// Opens the archive and reads the list of its entries.
    func open(_ output: Output) throws -> (reader: ArchiveReader, contents: ArchiveContents) {
        let reader = try ArchiveReader(file)
        output.detail("the archive is \(file), \(CellText.size(reader.size))")
        return (reader, try ArchiveContents(of: reader))
    }
}
