import ArgumentParser

/// The option of commands that wait for other programs.
struct LockTimeoutOptions: ParsableArguments {
    @Option(
        name: .customLong("lock-timeout"),
        help: ArgumentHelp("How long to wait for other programs, in seconds.", valueName: "seconds"))
    var seconds: Double = 5

    func validate() throws {
        guard seconds >= 0, seconds <= 86_400 else {
            throw ValidationError("--lock-timeout must be between 0 and 86400 seconds")
        }
    }
}
