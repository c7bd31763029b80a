import ArgumentParser
import Repos

/// Chance, which a seed makes repeatable.
struct SeedOption: ParsableArguments {
    @Option(help: ArgumentHelp("Choose by this number, so that the choice can be repeated.", valueName: "n"))
    var seed: UInt64?

    /// The seed given, or one by chance, which is told under --verbose.
    func value(_ output: Output) -> UInt64 {
        let value = seed ?? UInt64.random(in: 0...999_999)
        if seed == nil { output.detail("chosen by chance; --seed \(value) repeats it") }
        return value
    }
}
