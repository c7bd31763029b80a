public import Foundation

/// A calendar day, with which the name of a migration begins.
public struct MigrationDay: Sendable, Hashable, CustomStringConvertible {
    private let year: Int
    private let month: Int
    private let day: Int

    /// Nil for an invalid day, or a year without four digits.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...days[month - 1]).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day of an instant in UTC. Nil outside the years 1 to 9999.
    public init?(_ instant: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.era, .year, .month, .day], from: instant)
        guard parts.era == 1, let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `YYYYMMDD`.
    public var description: String { String(year * 10_000 + month * 100 + day).leftPadded(to: 8) }
}

/// The pattern of migration names: `YYYYMMDD_words`, the words in `a-z`, `0-9` and `_`.
/// Such names sort in the order of their days, in Swift as in a database.
/// Rule: docs/migrations.md, "A migration".
package enum MigrationName {
    /// Keeps file names with their suffix valid, and messages readable.
    package static let longest = 100

    /// The reason why this is not a valid name; nil for a valid name.
    package static func problem(in name: String) -> String? {
        let bytes = Array(name.utf8)
        guard bytes.count <= longest else { return "a migration's name has at most \(longest) characters" }
        guard bytes.count > 8, bytes[..<8].allSatisfy(isDigit), bytes[8] == UInt8(ascii: "_") else {
            return "a migration's name is YYYYMMDD_words"
        }
        let digits = bytes[..<8].map { Int($0 - UInt8(ascii: "0")) }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        guard MigrationDay(year: number(0..<4), month: number(4..<6), day: number(6..<8)) != nil else {
            return "a migration's name begins with a day (YYYYMMDD), and there is no such day"
        }
        let words = bytes[9...]
        guard words.contains(where: { $0 != UInt8(ascii: "_") }) else {
            return "a migration's name has words after the day: YYYYMMDD_words"
        }
        guard words.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) }) else {
            return "the words of a migration's name are made of a-z, 0-9 and _"
        }
        return nil
    }

    /// The name that `migrate new` uses: unchanged when it begins with a day; otherwise with `day` in front, in lower
    /// case, and with `_` for blanks and hyphens. The result may still violate the pattern.
    package static func proposed(_ name: String, on day: MigrationDay) -> String {
        let bytes = Array(name.utf8)
        if bytes.count > 8, bytes[..<8].allSatisfy(isDigit), bytes[8] == UInt8(ascii: "_") { return name }
        return "\(day)_" + String(name.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension String {
    fileprivate func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: Swift.max(0, length - count)) + self
    }
}
