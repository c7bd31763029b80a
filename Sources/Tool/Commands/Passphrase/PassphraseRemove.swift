import ArgumentParser
import ChatDBKit

struct PassphraseRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Write an encrypted store in plain text.",
        discussion: """
            Writes both databases again in plain text, verifies every row, and replaces both files or neither. The \
            encrypted files are kept in a folder beside the store, which the answer names. All who can read the \
            plain files can read their content. SimpleX Chat does not open a plain store with the passphrase that it has \
            saved: for its stores and archives, --output FOLDER writes a plain copy into a new folder. chatdb's own \
            stores and adopted databases take no --output.

            Examples:
              chatdb passphrase remove
              chatdb passphrase remove -d ~/.simplex/simplex_v1 --output ~/plain
              chatdb passphrase remove -d chats.zip --output ~/plain --passphrase-file pass
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "Write a plain copy of a SimpleX Chat store or archive into this new folder, and change nothing else.",
            valueName: "folder"),
        completion: .directory)
    var output: String?

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var lock: LockTimeoutOptions
    @OptionGroup var format: OutputOptions

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("the name of the folder is empty") }
    }

    func run() throws {
        let work = PassphraseWork(
            kind: .remove, store: store, new: nil, consent: consent, lock: lock, output: try format.output())
        guard let output else { return try work.run() }
        try work.copy(into: output)
    }
}
