#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A time as the databases store it: text, UTC, `YYYY-MM-DD HH:MM:SS.SSS`.
///
/// Kept in microseconds, because SimpleX Chat stores six digits; written with three. From year 0 to 9999.
/// Encoded as ISO 8601 with `Z`. Ordered by time.
public struct StoredTime: Hashable, Sendable, Comparable {
    /// Microseconds since the beginning of 1970, negative before.
    public let microseconds: Int64

    static let earliest: Int64 = -62_167_219_200_000_000
    static let latest: Int64 = 253_402_300_799_999_999

    /// A time in microseconds since 1970; beyond the years 0 to 9999, the nearest that can be stored.
    public init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.earliest), Self.latest)
    }

    /// The time of a date, to the nearest microsecond; beyond the years 0 to 9999, the nearest that can be stored.
    /// Not a number is the beginning of 1970.
    public init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1_000_000).rounded()
        if exact.isNaN {
            self.init(microseconds: 0)
        } else {
            // Clamped as Double first: the conversion of a number out of range would end the process.
            self.init(microseconds: Int64(min(max(exact, Double(Self.earliest)), 253_402_300_799_999_968)))
        }
    }

    /// Now, to the millisecond, so that storing it and reading it back gives the same time.
    public static func now() -> StoredTime {
        let exact = StoredTime(Date()).microseconds
        return StoredTime(microseconds: exact - (exact % 1_000))
    }

    /// Reads the stored text; nothing when it is not exactly a date, a blank and a time that exist.
    ///
    /// With no fraction, as SQLite's `datetime` writes it, or up to twelve digits of one, of which six count.
    public init?(text: String) {
        self.init(text, separator: UInt8(ascii: " "), end: nil)
    }

    /// Reads ISO 8601 in UTC: as the stored text, with `T` between date and time and `Z` at the end.
    public init?(iso8601: String) {
        self.init(iso8601, separator: UInt8(ascii: "T"), end: UInt8(ascii: "Z"))
    }

    /// The stored text, `2026-07-20 09:05:00.120`; what is less than a millisecond is left out.
    public var text: String { rendered(separator: UInt8(ascii: " "), end: nil) }

    /// ISO 8601, `2026-07-20T09:05:00.120Z`.
    public var iso8601: String { rendered(separator: UInt8(ascii: "T"), end: UInt8(ascii: "Z")) }

    /// The time as a date.
    public var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

    /// By time.
    public static func < (left: StoredTime, right: StoredTime) -> Bool { left.microseconds < right.microseconds }
}

extension StoredTime: CustomStringConvertible, Codable {
    /// ISO 8601.
    public var description: String { iso8601 }

    /// Reads ISO 8601.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = StoredTime(iso8601: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a time as 2026-07-20T09:05:00.120Z")
        }
        self = time
    }

    /// Writes ISO 8601.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}
