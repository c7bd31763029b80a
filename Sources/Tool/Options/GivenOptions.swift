import ChatDBKit

extension GivenOptions {
    /// Reads a command line, whether or not it can be parsed. The last of each option counts.
    init(arguments: [String]) {
        self.init()
        let options = arguments.prefix { $0 != "--" }
        for (index, argument) in options.enumerated() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let value = argument.hasPrefix("--") && parts.count == 2 ? parts[1] : options.dropFirst(index + 1).first
            switch parts.first ?? "" {
            case "-d", "--store", "--database", "--data":
                if let value, NamedFiles.parts(value) != nil { files.append(value) } else { store = value }
            case "-u", "--user": user = value
            case "--migrations-dir": migrationsDir = value
            case "--only": only = value.flatMap(DatabaseName.init(rawValue:))
            case "--passphrase-file": passphrase = value.map(GivenPassphrase.file)
            case "--passphrase-stdin": passphrase = .standardInput
            // Other commands take it only beside the option of a second store.
            case "--other-passphrase-file" where options.contains("passphrase"):
                otherPassphrase = value.map(GivenPassphrase.file)
            case "--new-passphrase-file": newPassphrase = value.map(GivenPassphrase.file)
            case "--new-passphrase-stdin": newPassphrase = .standardInput
            case "--show-hidden": showsHidden = true
            case "--password-stdin": takesPassword = !Self.setsPassword(options)
            case "--accept-edited": acceptsEdited = true
            case "--allow-out-of-order": outOfOrderReason = value
            case "--encrypt": encrypts = true
            default: break
            }
        }
    }

    /// Whether the command line is one of `user hide` or `user unhide`: their password selects no profile.
    private static func setsPassword(_ arguments: some Collection<String>) -> Bool {
        zip(arguments, arguments.dropFirst()).contains { $0 == "user" && ["hide", "unhide"].contains($1) }
    }
}
