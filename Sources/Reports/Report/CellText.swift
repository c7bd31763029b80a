package import ChatDBKit
package import Foundation

/// Formats values. All its output is escaped.
package enum CellText {
    /// On a terminal, where a time is relative to now.
    package static func forTerminal(_ value: Cell.Value, now: Date) -> String {
        switch value {
        case .nothing: "–"
        case .text(let text): TextEscaping.line(text)
        case .number(let number): String(number)
        case .count(let count): grouped(count)
        case .bytes(let bytes): size(bytes)
        case .time(let time): relative(time, to: now)
        case .yesNo(let value): value ? "yes" : "no"
        }
    }

    /// In a pipe, a file or a document.
    package static func plain(_ value: Cell.Value) -> String {
        switch value {
        case .nothing: "–"
        case .text(let text): TextEscaping.line(text)
        case .number(let number), .count(let number), .bytes(let number): String(number)
        case .time(let time): iso(time)
        case .yesNo(let value): value ? "yes" : "no"
        }
    }

    /// `1234567` as `1,234,567`.
    package static func grouped(_ number: Int64) -> String {
        var digits = String(number.magnitude)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits.removeLast(3)
        }
        return (number < 0 ? "-" : "") + ([digits[...]] + groups).joined(separator: ",")
    }

    /// `1536` as `1.5 KiB`.
    package static func size(_ bytes: Int64) -> String { FileSpace.text(bytes) }

    /// `2026-01-31T09:05:00Z`, in whole seconds. A file can hold any number as a time: one outside the years 1583 (the
    /// first whole one of this calendar) to 9999 gives `out of range`.
    package static func iso(_ time: Date) -> String {
        isoTime(time) ?? "out of range"
    }

    /// The same; nil for a time out of range.
    package static func isoTime(_ time: Date) -> String? {
        let seconds = time.timeIntervalSince1970.rounded(.down)
        guard seconds >= -12_212_553_600, seconds < 253_402_300_800 else { return nil }
        return Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    }

    /// `5 minutes ago`, `in 3 days`.
    package static func relative(_ time: Date, to now: Date) -> String {
        guard isoTime(time) != nil else { return iso(time) }
        let seconds = now.timeIntervalSince(time)
        guard seconds.magnitude >= 60 else { return "just now" }
        let units: [(seconds: Double, name: String)] = [
            (365 * 86_400, "year"), (30 * 86_400, "month"), (86_400, "day"), (3600, "hour"), (60, "minute"),
        ]
        guard let unit = units.first(where: { seconds.magnitude >= $0.seconds }) else { return "just now" }
        let number = Int(seconds.magnitude / unit.seconds)
        let amount = "\(number) \(unit.name)\(number == 1 ? "" : "s")"
        return seconds > 0 ? "\(amount) ago" : "in \(amount)"
    }
}

extension JSONValue {
    /// A time in JSON: ISO 8601 in UTC; `null` for none, or one out of range.
    package static func time(_ time: Date?) -> JSONValue {
        JSONValue(time.flatMap(CellText.isoTime))
    }
}

/// `1 channel`, `2 channels`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
