import ArgumentParser

/// The options of every command that removes or overwrites data.
struct ConsentOptions: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Show what would change, and change nothing.")
    var dryRun = false
}
