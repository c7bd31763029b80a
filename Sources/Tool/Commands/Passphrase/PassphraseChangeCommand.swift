import ArgumentParser
import ChatDBKit

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
