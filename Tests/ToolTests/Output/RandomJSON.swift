import ChatDBKit

extension JSONValue {
    static func random(using random: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: return .number(Double.random(in: -1e300...1e300, using: &random))
        case 4: return .number(Double.random(in: -10...10, using: &random))
        case 5: return .string(randomText(using: &random))
        case 6:
            let count = Int.random(in: 0...4, using: &random)
            return .array((0..<count).map { _ in JSONValue.random(using: &random, depth: depth - 1) })
        default:
            let count = Int.random(in: 0...4, using: &random)
            return .object(
                (0..<count).map {
                    let name = "\($0)" + randomText(using: &random)
                    return Member(name, JSONValue.random(using: &random, depth: depth - 1))
                })
        }
    }

    static func randomText(using random: inout SeededGenerator) -> String {
        let planes: [ClosedRange<UInt32>] = [0...0x7F, 0x80...0x2FF, 0x2000...0x20FF, 0x1F600...0x1F64F]
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let plane = planes[Int.random(in: planes.indices, using: &random)]
            guard let scalar = Unicode.Scalar(UInt32.random(in: plane, using: &random)) else { continue }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

/// SplitMix64: the same seed gives the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
