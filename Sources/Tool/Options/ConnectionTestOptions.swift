import ArgumentParser

/// The options of commands that test servers.
struct ConnectionTestOptions: ParsableArguments {
    @Flag(help: "Test all, also disabled ones. Cannot be used with names.")
    var all = false

    @Option(help: ArgumentHelp("The time limit of each test, in seconds.", valueName: "seconds"))
    var timeout: Double = 10

    @Flag(help: "Keep the results in the store.")
    var record = false

    func validate() throws {
        guard timeout >= 0.1, timeout <= 600 else {
            throw ValidationError("--timeout must be between 0.1 and 600 seconds")
        }
    }

    /// Throws if things are named, and all are wanted too.
    func check(_ names: [String]) throws {
        if all, !names.isEmpty { throw ValidationError("--all cannot be used with names") }
    }
}
