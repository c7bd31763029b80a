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

    /// The day with which a name begins; nil for a name without one.
    init?(beginning name: String) {
        guard MigrationName.beginsWithDay(name), let number = Int(name.prefix(8)) else { return nil }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// The first instant of the day, in UTC.
    var midnight: Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: DateComponents(year: year, month: month, day: day))
    }

    /// `YYYYMMDD`.
    public var description: String { String(year * 10_000 + month * 100 + day).leftPadded(to: 8) }
}

/// A minute in UTC, with which `NewMigration` begins a name: two migrations of one day sort in the order in which they
/// were made.
public struct MigrationMinute: Sendable, Hashable, CustomStringConvertible {
    private let day: MigrationDay
    /// Minutes since midnight.
    private let minute: Int

    /// The minute of an instant. Nil outside the years 1 to 9999.
    public init?(_ instant: Date) {
        guard let day = MigrationDay(instant) else { return nil }
        self.day = day
        // The number is negative before 1970.
        let minutes = Int((instant.timeIntervalSince1970 / 60).rounded(.down))
        minute = (minutes % 1440 + 1440) % 1440
    }

    /// The minute with which a name begins (`YYYYMMDD_HHMM_`); nil for a name without one.
    init?(beginning name: String) {
        let bytes = Array(name.utf8.dropFirst(9).prefix(5))
        guard bytes.count == 5, bytes[4] == UInt8(ascii: "_"), bytes[..<4].allSatisfy({ (0x30...0x39).contains($0) }),
            let day = MigrationDay(beginning: name)
        else { return nil }
        let time = bytes[..<4].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard time / 100 < 24, time % 100 < 60 else { return nil }
        self.day = day
        minute = time / 100 * 60 + time % 100
    }

    private var instant: Date? { day.midnight?.addingTimeInterval(Double(minute) * 60) }

    /// The minute after this one; nil after the year 9999.
    var next: MigrationMinute? { instant.flatMap { MigrationMinute($0.addingTimeInterval(60)) } }

    /// Whether another minute is this one, or less than a day later.
    func isShortlyBefore(_ other: MigrationMinute) -> Bool {
        guard let instant, let later = other.instant else { return false }
        return (0..<86_400).contains(later.timeIntervalSince(instant))
    }

    /// `YYYYMMDD_HHMM`.
    public var description: String { "\(day)_" + String(minute / 60 * 100 + minute % 60).leftPadded(to: 4) }
}

/// The pattern of migration names: `YYYYMMDD_words` or `YYYYMMDD_HHMM_words`, the words in `a-z`, `0-9` and `_`.
/// Such names sort in the order of their days and minutes, in Swift as in a database. Of one day, a name with a time
/// sorts before one without, unless the words begin with a digit: digits come before letters.
/// Rule: docs/migrations.md, "A migration".
package enum MigrationName {
    /// Keeps file names with their suffix valid, and messages readable.
    package static let longest = 100

    /// The reason why this is not a valid name; nil for a valid name.
    package static func problem(in name: String) -> String? {
        let bytes = Array(name.utf8)
        guard bytes.count <= longest else { return "a migration's name has at most \(longest) characters" }
        guard bytes.count > 8, bytes[..<8].allSatisfy(isDigit), bytes[8] == UInt8(ascii: "_") else {
            return "a migration's name is YYYYMMDD_words or YYYYMMDD_HHMM_words"
        }
        let digits = bytes[..<8].map { Int($0 - UInt8(ascii: "0")) }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        guard MigrationDay(year: number(0..<4), month: number(4..<6), day: number(6..<8)) != nil else {
            return "a migration's name begins with a day (YYYYMMDD), and there is no such day"
        }
        let words = bytes[9...]
        guard Self.words(of: name).contains(where: { $0 != "_" }) else {
            return "a migration's name has words after the day, or the day and time: YYYYMMDD_words"
        }
        guard words.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) }) else {
            return "the words of a migration's name are made of a-z, 0-9 and _"
        }
        return nil
    }

    /// Whether a name begins as one with a day, so that it is complete.
    static func beginsWithDay(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.count > 8 && bytes[..<8].allSatisfy(isDigit) && bytes[8] == UInt8(ascii: "_")
    }

    /// The name of a new migration from words alone, in lower case, with `_` for blanks and hyphens. It may violate
    /// the pattern. It sorts after the last migration, if that one is of the same minute or less than a day later:
    /// several may be made in one minute, and the clocks of two machines differ.
    static func proposed(_ words: String, at minute: MigrationMinute, after last: String?) -> String {
        let words = String(words.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
        let name = "\(minute)_\(words)"
        guard let last, last >= name, let latest = MigrationMinute(beginning: last), minute.isShortlyBefore(latest),
            let next = latest.next
        else { return name }
        return "\(next)_\(words)"
    }

    /// A name with the same words that sorts after the last migration: of the day after that one's. Nil after the
    /// year 9999, and for names that would be too long.
    static func proposed(like name: String, after last: String) -> String? {
        guard let day = MigrationDay(beginning: last)?.midnight.map({ $0.addingTimeInterval(86_400) }),
            let next = MigrationDay(day)
        else { return nil }
        let time = MigrationMinute(beginning: name) == nil ? "" : "_0000"
        let proposal = "\(next)\(time)_\(words(of: name))"
        return problem(in: proposal) == nil ? proposal : nil
    }

    /// What `migrate new` takes for a migration after the last one: the words alone, or words with a day and time in front
    /// if the last migration is of a later time.
    package static func toMake(_ words: String, after last: String?, on instant: Date) -> String {
        guard let last, let minute = MigrationMinute(instant) else { return words }
        let name = proposed(words, at: minute, after: last)
        guard name <= last, let proposal = proposed(like: name.lowercased(), after: last) else { return words }
        return String(proposal.dropLast(words.utf8.count)) + words
    }

    /// Words, or a complete name, with `_` for each run of characters that a name may not have; nil if that is no valid
    /// name either.
    package static func corrected(_ given: String) -> String? {
        let day = beginsWithDay(given) ? String(given.prefix(9)) : ""
        let plain = given.dropFirst(day.count).lowercased().folding(options: .diacriticInsensitive, locale: nil)
        let words = plain.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "_")
        return problem(in: (day.isEmpty ? "20260101_0000_" : day) + words) == nil ? day + words : nil
    }

    /// A name for the first migration of a database: the first minute of today, and a word. A migration that is made
    /// later today gets a name with its time, which sorts after this one.
    package static func first(on instant: Date) -> String {
        "\(MigrationDay(instant)?.description ?? "20260101")_0000_first"
    }

    /// The name that chatdb proposes for a first migration, in the place of the name that a user gave. Words alone get
    /// today and `0000` in front. A name with today or a later day gets `0000` after the day. Any other valid name stays
    /// as it is. An invalid name becomes that of ``first(on:)``.
    package static func first(called name: String, on instant: Date) -> String {
        guard let today = MigrationDay(instant)?.description else { return name }
        if problem(in: name) == nil {
            guard !hasTime(name), name.prefix(8) >= today else { return name }
            return "\(name.prefix(8))_0000_\(words(of: name))"
        }
        guard !beginsWithDay(name), let minute = MigrationMinute(beginning: "\(today)_0000_") else {
            return first(on: instant)
        }
        let proposal = proposed(name, at: minute, after: nil)
        return problem(in: proposal) == nil ? proposal : first(on: instant)
    }

    /// Whether a name has a time after the day.
    package static func hasTime(_ name: String) -> Bool { MigrationMinute(beginning: name) != nil }

    /// The words of a name, without its day and time.
    package static func words(of name: String) -> Substring {
        name.dropFirst(MigrationMinute(beginning: name) == nil ? 9 : 14)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension String {
    fileprivate func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: Swift.max(0, length - count)) + self
    }
}
