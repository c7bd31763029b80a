import ArgumentParser

/// The permission of a command to change relays, servers and operators in a store of SimpleX Chat.
/// Rule: docs/simplex.md, "Writing relays and servers".
struct SimplexWriting {
    /// Whether a profile may be left without an enabled server for a role.
    var allowsFallback = false
    /// The new file for the changed copy of the archive that is the store; nil for a store of files.
    var changedArchive: String?
}

/// The option of commands that write a changed copy of an archive.
struct ChangedArchiveOptions: ParsableArguments {
    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "With an archive of SimpleX Chat as the store: write a changed copy of it to this new file.",
            valueName: "zip"), completion: .file(extensions: ["zip"]))
    var path: String?

    func validate() throws {
        if path?.isEmpty == true { throw ValidationError("the name of the new archive is empty") }
        if path == "-" { throw ValidationError("chatdb does not write an archive to standard output; name a file") }
    }

    var simplex: SimplexWriting { SimplexWriting(changedArchive: path) }
}

/// The option of commands after which a profile may have no enabled server.
struct FallbackOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "In a store of SimpleX Chat: change it even if a profile then has no enabled server for a role.",
            discussion: "The app then uses servers that are disabled, or presets of its own choice."))
    var allowFallback = false

    func simplex(_ changedArchive: ChangedArchiveOptions) -> SimplexWriting {
        SimplexWriting(allowsFallback: allowFallback, changedArchive: changedArchive.path)
    }
}
