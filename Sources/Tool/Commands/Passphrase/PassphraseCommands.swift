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

            Examples:
              chatdb passphrase change -d ~/.simplex/simplex_v1
              chatdb passphrase change --passphrase-file old --new-passphrase-file new --yes
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var lock: LockTimeoutOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try new.require(beside: store.passphrase) }

    func run() throws {
        try PassphraseWork(
            kind: .change, store: store, new: new, consent: consent, lock: lock, output: output.output()
        ).run()
    }
}
