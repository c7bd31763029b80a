#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A time as the databases store it: text, UTC, `YYYY-MM-DD HH:MM:SS.SSS`.
///
/// It has microseconds, because SimpleX Chat stores six digits, and writes milliseconds. From year 0 to 9999.
/// Encoded as ISO 8601 with `Z`. Ordered by time.
public struct StoredTime: Hashable, Sendable, Comparable {
    /// Microseconds since the beginning of 1970, negative before.
    public let microseconds: Int64

    static let earliest: Int64 = -62_167_219_200_000_000
    static let latest: Int64 = 253_402_300_799_999_999

    /// The time of a number of microseconds since 1970; outside the years 0 to 9999 the nearest that can be stored.
    public init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.earliest), Self.latest)
    }

    /// The time of a date, to the nearest microsecond; outside the years 0 to 9999 the nearest that can be stored. NaN
    /// becomes the beginning of 1970.
    public init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1_000_000).rounded()
        if exact.isNaN {
            self.init(microseconds: 0)
        } else {
            // Clamped as Double first: the conversion of a number out of range would end the process.
            self.init(microseconds: Int64(min(max(exact, Double(Self.earliest)), 253_402_300_799_999_968)))
        }
    }

    /// The current time, to the millisecond, so that storing and reading it gives the same time.
    public static func now() -> StoredTime {
        let exact = StoredTime(Date()).microseconds
        return StoredTime(microseconds: exact - (exact % 1_000))
    }

    /// Parses the stored text; nil unless it is exactly an existing date, a space and an existing time.
    ///
    /// The fraction may be missing, as in the texts of SQLite's `datetime`. It may have up to twelve digits, of which
    /// six count.
    public init?(text: String) {
        self.init(text, separator: UInt8(ascii: " "), end: nil)
    }

    /// Parses ISO 8601 in UTC: the stored text with `T` between date and time and `Z` at the end.
    public init?(iso8601: String) {
        self.init(iso8601, separator: UInt8(ascii: "T"), end: UInt8(ascii: "Z"))
    }

    /// The stored text, `2026-07-20 09:05:00.120`, rounded down to the millisecond.
    public var text: String { rendered(separator: UInt8(ascii: " "), end: nil) }

    /// ISO 8601, `2026-07-20T09:05:00.120Z`.
    public var iso8601: String { rendered(separator: UInt8(ascii: "T"), end: UInt8(ascii: "Z")) }

    /// The time as a date.
    public var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

    /// Whether the time is earlier.
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

// Reading and writing without a formatter: those are slow, and some follow the machine's locale and calendar.

extension StoredTime {
    init?(_ text: String, separator: UInt8, end: UInt8?) {
        var text = text
        let parsed: Int64? = text.withUTF8 { bytes in
            var bytes = bytes[...]
            if let end {
                guard bytes.popLast() == end else { return nil }
            }
            return Self.microseconds(Array(bytes), separator: separator)
        }
        guard let parsed else { return nil }
        self.init(microseconds: parsed)
    }

    private static func microseconds(_ bytes: [UInt8], separator: UInt8) -> Int64? {
        guard (19...32).contains(bytes.count), bytes.count != 20,
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == separator,
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes.count == 19 || bytes[19] == UInt8(ascii: "."),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...daysOf(month, year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            guard let digits = number(bytes[20...]) else { return nil }
            fraction = digits
            let count = bytes.count - 20
            for _ in 0..<abs(6 - count) { fraction = count < 6 ? fraction * 10 : fraction / 10 }
        }
        let seconds = ((dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        return seconds * 1_000_000 + fraction
    }

    func rendered(separator: UInt8, end: UInt8?) -> String {
        let millis = floor(microseconds, 1_000)
        let seconds = floor(millis, 1_000)
        let days = floor(seconds, 86_400)
        let clock = seconds - days * 86_400
        let (year, month, day) = Self.civil(days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        Self.append(year, 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(month, 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(day, 2, to: &bytes)
        bytes.append(separator)
        Self.append(clock / 3_600, 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(clock / 60 % 60, 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(clock % 60, 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        Self.append(millis - seconds * 1_000, 3, to: &bytes)
        if let end { bytes.append(end) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        return value
    }

    private static func append(_ value: Int64, _ count: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }

    private static func daysOf(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar, also before its beginning. Counted in years that begin
    /// in March, so that the leap day is the last of its year.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let monthsSinceMarch = (month + 9) % 12
        let leapDays = floor(marchYear, 4) - floor(marchYear, 100) + floor(marchYear, 400)
        return marchYear * 365 + leapDays + (153 * monthsSinceMarch + 2) / 5 + day - 1 - 719_468
    }

    /// The date of a day number, the inverse of ``dayNumber(_:_:_:)``.
    private static func civil(_ dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = dayNumber + 719_468
        let era = floor(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthsSinceMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1
        let month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

/// The quotient rounded down, also of negative numbers.
private func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
}
