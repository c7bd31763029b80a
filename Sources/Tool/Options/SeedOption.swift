import ArgumentParser
import ChatDBKit

/// A source of random numbers that a seed makes repeatable.
struct SeedOption: ParsableArguments {
    /// The largest number that every reader of JSON keeps exactly.
    private static let largest: UInt64 = (1 << 53) - 1

    @Option(help: ArgumentHelp("Seed of the random choice, to repeat it.", valueName: "n"))
    var seed: UInt64?

    func validate() throws {
        if let seed, seed > Self.largest { throw ValidationError("--seed must be at most \(Self.largest)") }
    }

    /// The seed given, or a random one, which `--verbose` shows.
    func value(_ output: Output) -> UInt64 {
        let value = seed ?? UInt64.random(in: 0...999_999)
        if seed == nil { output.detail("chosen at random; --seed \(value) repeats the choice") }
        return value
    }

    /// The given seed, or one that is fixed for this profile of this store, so that a run does what a dry run shows.
    func value(of user: UserID, in chat: any ReadTransaction) throws -> UInt64 {
        if let seed { return seed }
        let store = try StoreIdentity.read(in: chat)?.storeID ?? ""
        return "\(store) \(user)".utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
