import ArgumentParser
import ChatDBKit

/// Commands that change how a store is encrypted.
struct PassphraseCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Encrypt a store, change its passphrase, or make it plain.",
        discussion: """
            Examples:
              chatdb passphrase set -d ~/.simplex/simplex_v1
              chatdb passphrase change --passphrase-file old --new-passphrase-file new
              chatdb passphrase remove -d ~/.simplex/simplex_v1 --output ~/plain
            """,
        subcommands: [PassphraseSet.self, PassphraseChangeCommand.self, PassphraseRemove.self])
}

struct PassphraseSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Encrypt a store with a passphrase.",
        discussion: """
            Writes both databases again, encrypted as SimpleX Chat encrypts them, and verifies every page and row. Then \
            it replaces both files or neither. No program may have the store open. The plain files are kept in a folder \
            beside the store, which the answer names: remove it when the encrypted store works. The store \
            cannot be read without the passphrase. If the command is interrupted, the next one completes or undoes it.

            Examples:
              chatdb passphrase set
              chatdb passphrase set -d ~/.simplex/simplex_v1 --new-passphrase-file pass
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var lock: LockTimeoutOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try new.require(beside: store.passphrase) }

    func run() throws {
        try PassphraseWork(kind: .set, store: store, new: new, consent: consent, lock: lock, output: output.output())
            .run()
    }
}

struct PassphraseChangeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change the passphrase of an encrypted store.",
        discussion: """
            Encrypts each page of both databases again with the new passphrase, and verifies every page and row. Then it \
            replaces both files or neither. No program may have the store open. The old files are kept in a folder beside \
            the store, which the answer names; they open with the old passphrase. If the command is interrupted, the next \
            one completes or undoes it.

            A change that was interrupted in the app can leave two databases with different passphrases. Then give the \
            second one with --other-passphrase-file: both databases get the new passphrase.

            Examples:
              chatdb passphrase change -d ~/.simplex/simplex_v1
              chatdb passphrase change --passphrase-file old --new-passphrase-file new --yes
              chatdb passphrase change --passphrase-file one --other-passphrase-file two
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of the database that the first passphrase does not open from this file.",
            valueName: "file"),
        completion: .file())
    var otherPassphraseFile: String?

    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var lock: LockTimeoutOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if otherPassphraseFile?.isEmpty == true { throw ValidationError("the name of the passphrase file is empty") }
        try new.require(beside: store.passphrase)
    }

    func run() throws {
        var work = PassphraseWork(
            kind: .change, store: store, new: new, consent: consent, lock: lock, output: try output.output())
        work.otherPassphraseFile = otherPassphraseFile
        try work.run()
    }
}
