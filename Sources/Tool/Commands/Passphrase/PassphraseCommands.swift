import ArgumentParser

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
