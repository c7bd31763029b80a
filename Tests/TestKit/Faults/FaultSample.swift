import Foundation

/// The operations that a campaign tries.
package enum FaultSample: Sendable, Hashable {
    case every
    /// Every n-th operation and the last.
    case stride(Int)
    /// About this number of operations, evenly spread, with the first and the last.
    case about(Int)
    /// This number of operations at the end.
    case last(Int)

    /// Whether this is `make torture`.
    package static let isTortured = ProcessInfo.processInfo.environment["CHATDB_TORTURE"] == "full"

    /// Every operation under `make torture`, otherwise about this number.
    package static func everyIfTortured(else count: Int) -> FaultSample { isTortured ? .every : .about(count) }

    /// The number of cases to try where there is no end of cases: the number in the environment variable, or else
    /// `tortured` under `make torture` and `count` without.
    package static func count(_ tortured: Int, else count: Int, variable: String) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? (isTortured ? tortured : count)
    }

    /// The chosen operations, in their order; empty for an empty list.
    package func pick<Value>(_ all: [Value]) -> [Value] {
        guard let last = all.indices.last else { return [] }
        switch self {
        case .every: return all
        case .stride(let step):
            return all.indices.filter { $0 % max(1, step) == 0 || $0 == last }.map { all[$0] }
        case .last(let count): return Array(all.suffix(count))
        case .about(let count):
            guard count < all.count else { return all }
            guard count > 1 else { return [all[last]] }
            return (0..<count).map { all[$0 * last / (count - 1)] }
        }
    }
}

/// A small seeded generator (SplitMix64): the same seed gives the same cases on every machine.
package struct FaultRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
