/// A small generator whose numbers depend on the seed alone, so that a failing case can be run again.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix64 {
    /// A text of these letters.
    mutating func text(of letters: String, count: ClosedRange<Int>) -> String {
        let letters = Array(letters)
        return String(
            (0..<Int.random(in: count, using: &self)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &self)]
            })
    }

    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    mutating func bool() -> Bool { Bool.random(using: &self) }
}
