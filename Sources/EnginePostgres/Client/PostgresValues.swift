import ChatDBEngine
import ChatDBSchema

/// Values between the seam and PostgreSQL, in the binary format of its protocol: numbers have the most significant byte
/// first.
enum PostgresValues {
    /// Object ids of types, which never change (`pg_type.dat` of PostgreSQL).
    enum TypeID {
        static let boolean: UInt32 = 16
        static let bytes: UInt32 = 17
        static let name: UInt32 = 19
        static let int8: UInt32 = 20
        static let int2: UInt32 = 21
        static let int4: UInt32 = 23
        static let text: UInt32 = 25
        static let oid: UInt32 = 26
        static let json: UInt32 = 114
        static let float4: UInt32 = 700
        static let float8: UInt32 = 701
        static let unknown: UInt32 = 705
        static let varchar: UInt32 = 1_043
        static let time: UInt32 = 1_114
        static let timeWithZone: UInt32 = 1_184
        static let numeric: UInt32 = 1_700
        /// Lets the server find the type of a parameter from its place.
        static let undecided: UInt32 = 0
    }

    /// The type as which a value is bound. A NULL has none: it takes the type that its place asks for.
    static func type(of value: SQLValue) -> UInt32 {
        switch value {
        case .null: TypeID.undecided
        case .integer: TypeID.int8
        case .real: TypeID.float8
        case .text: TypeID.text
        case .blob: TypeID.bytes
        }
    }

    /// The bytes of a value to bind; nil for NULL.
    static func bytes(of value: SQLValue) -> [UInt8]? {
        switch value {
        case .null: nil
        case .integer(let number): withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
        case .real(let number): withUnsafeBytes(of: number.bitPattern.bigEndian) { [UInt8]($0) }
        case .text(let text): [UInt8](text.utf8)
        case .blob(let bytes): bytes
        }
    }

    /// A value as the server sent it; nil for a type that no statement of chatdb has. Booleans are 0 and 1, as in
    /// SQLite, and a number with a fraction is one with floating point.
    static func value(_ bytes: UnsafeRawBufferPointer, of type: UInt32) -> SQLValue? {
        switch type {
        case TypeID.int8: .integer(number(bytes, as: Int64.self))
        case TypeID.int4: .integer(Int64(number(bytes, as: Int32.self)))
        case TypeID.int2: .integer(Int64(number(bytes, as: Int16.self)))
        case TypeID.oid: .integer(Int64(number(bytes, as: UInt32.self)))
        case TypeID.boolean: .integer(bytes.first == 0 ? 0 : 1)
        case TypeID.text, TypeID.varchar, TypeID.name, TypeID.unknown, TypeID.json:
            .text(String(decoding: bytes, as: UTF8.self))
        case TypeID.bytes: .blob([UInt8](bytes))
        case TypeID.float8: .real(Double(bitPattern: number(bytes, as: UInt64.self)))
        case TypeID.float4: .real(Double(Float(bitPattern: number(bytes, as: UInt32.self))))
        case TypeID.time, TypeID.timeWithZone: time(bytes)
        case TypeID.numeric: decimal(bytes)
        default: nil
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer, as type: Number.Type
    ) -> Number {
        bytes.count == MemoryLayout<Number>.size ? Number(bigEndian: bytes.loadUnaligned(as: Number.self)) : 0
    }

    /// A time as stored text in UTC. The server counts microseconds since the beginning of 2000. Nil for infinity.
    private static func time(_ bytes: UnsafeRawBufferPointer) -> SQLValue? {
        let (time, isInfinite) = number(bytes, as: Int64.self).addingReportingOverflow(946_684_800_000_000)
        return isInfinite || time == .min + 946_684_800_000_000 ? nil : .text(StoredTime(microseconds: time).text)
    }

    /// A `numeric`, which is what a sum of whole numbers is: groups of four decimal digits, each with a weight. Nil for
    /// NaN and infinity.
    private static func decimal(_ bytes: UnsafeRawBufferPointer) -> SQLValue? {
        guard bytes.count >= 8 else { return nil }
        let field = { (index: Int) in number(UnsafeRawBufferPointer(rebasing: bytes[index..<index + 2]), as: Int16.self)
        }
        let (count, weight, sign) = (Int(field(0)), Int(field(2)), UInt16(bitPattern: field(4)))
        guard sign == 0 || sign == 0x4000, count >= 0, bytes.count >= 8 + 2 * count else { return nil }
        let isNegative = sign == 0x4000
        let groups = (0..<count).map { Int64(field(8 + 2 * $0)) }
        if count <= weight + 1, weight < 5 {
            var whole: Int64? = 0
            for place in 0..<max(0, weight + 1) {
                let group = place < count ? groups[place] : 0
                let (high, highOverflow) = (whole ?? 0).multipliedReportingOverflow(by: 10_000)
                let (sum, sumOverflow) = high.addingReportingOverflow(isNegative ? -group : group)
                whole = whole == nil || highOverflow || sumOverflow ? nil : sum
            }
            if let whole { return .integer(whole) }
        }
        var value = 0.0
        for (place, group) in groups.enumerated() { value += Double(group) * power(10_000, weight - place) }
        return .real(isNegative ? -value : value)
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        let magnitude = (0..<abs(exponent)).reduce(1.0) { value, _ in value * base }
        return exponent < 0 ? 1 / magnitude : magnitude
    }
}
