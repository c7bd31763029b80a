/// A hash over the values of one row, with their types, in the order of the columns. Every engine uses it, so that equal
/// rows have equal hashes in every database.
///
/// The functions are inlinable, because a store may have millions of rows.
package struct RowHash {
    @usableFromInline var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// A row without values.
    @inlinable package init() {}

    /// Two numbers, so that rows which exchange their first ones are noticed in the sums of the second.
    @inlinable package var values: (UInt64, UInt64) {
        (Self.mixed(state), Self.mixed(state ^ 0xD6E8_FEB8_6659_FD93))
    }

    // Each value begins with the number of its type, as SQLite numbers the types.

    /// Adds a whole number.
    @inlinable package mutating func add(integer number: Int64) {
        mix(1)
        mix(UInt64(bitPattern: number))
    }

    /// Adds a number with floating point.
    @inlinable package mutating func add(real number: Double) {
        mix(2)
        mix(number.bitPattern)
    }

    /// Adds a text in UTF-8.
    @inlinable package mutating func add(text bytes: UnsafeRawBufferPointer) {
        mix(3)
        mix(bytes)
    }

    /// Adds bytes.
    @inlinable package mutating func add(blob bytes: UnsafeRawBufferPointer) {
        mix(4)
        mix(bytes)
    }

    /// Adds NULL.
    @inlinable package mutating func addNull() { mix(5) }

    @inlinable mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            mix(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place += 1
        }
        mix(rest)
    }

    @inlinable mutating func mix(_ number: UInt64) {
        state = Self.mixed(state &+ 0x9E37_79B9_7F4A_7C15 ^ number &* 0xC2B2_AE3D_27D4_EB4F)
    }

    /// The last step of SplitMix64: every bit of the number changes half of the bits of the result.
    @inlinable static func mixed(_ number: UInt64) -> UInt64 {
        var number = number
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
