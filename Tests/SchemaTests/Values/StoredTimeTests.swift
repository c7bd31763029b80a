import ChatDBSchema
import Foundation
import Testing

@Suite struct StoredTimeTests {
    @Test(
        "known instants are read and written",
        arguments: [
            ("1970-01-01 00:00:00.000", 0), ("1969-12-31 23:59:59.999", -1_000),
            ("2000-02-29 12:34:56.789", 951_827_696_789_000),
            ("2024-12-31 23:59:59.999", 1_735_689_599_999_000), ("0000-01-01 00:00:00.000", -62_167_219_200_000_000),
            ("9999-12-31 23:59:59.999", 253_402_300_799_999_000),
        ])
    func known(_ text: String, _ microseconds: Int64) {
        #expect(StoredTime(text: text)?.microseconds == microseconds)
        #expect(StoredTime(microseconds: microseconds).text == text)
    }

    @Test("any number of fraction digits up to twelve is parsed; three are written, rounded down")
    func fractions() {
        let texts = [
            ("", 0, "000"), (".5", 500_000, "500"), (".12", 120_000, "120"), (".123456", 123_456, "123"),
            (".999999", 999_999, "999"), (".123456789012", 123_456, "123"),
        ]
        for (fraction, micros, written) in texts {
            let time = StoredTime(text: "1970-01-01 00:00:01" + fraction)
            #expect(time?.microseconds == Int64(1_000_000 + micros))
            #expect(time?.text == "1970-01-01 00:00:01." + written)
        }
        #expect(StoredTime(text: "1969-12-31 23:59:59.999999")?.text == "1969-12-31 23:59:59.999")
    }

    @Test(
        "a text other than an existing date and time in the exact form is refused",
        arguments: [
            "", "now", "1784538300", "2026-07-20", "2026-07-20 09:05", "2026-07-20T09:05:00.000",
            "2026-07-20 09:05:00.000Z",
            "2026-07-20 09:05:00.", "2026-07-20 09:05:00,000", "2026-07-20 09:05:00.1234567890123",
            "2026-07-20 09:05:00.12x",
            " 2026-07-20 09:05:00.000", "2026-07-20 09:05:00.000 ", "2026-7-20 09:05:00.0000", "2026-13-01 00:00:00",
            "2026-00-01 00:00:00", "2026-04-31 00:00:00", "2026-01-00 00:00:00", "2025-02-29 00:00:00",
            "1900-02-29 00:00:00",
            "2026-01-01 24:00:00", "2026-01-01 00:60:00", "2026-01-01 23:59:60", "+026-01-01 00:00:00",
            "-001-01-01 00:00:00",
            "2026-01-01 00:00:-1", "٢٠٢٦-01-01 00:00:00", "2026-07-20 09:05:00.000\0",
        ])
    func refusals(_ text: String) {
        #expect(StoredTime(text: text) == nil)
    }

    @Test("JSON has times in ISO 8601, with T and Z")
    func iso8601() throws {
        let time = try #require(StoredTime(text: "2026-07-20 09:05:00.120"))
        #expect(time.iso8601 == "2026-07-20T09:05:00.120Z" && "\(time)" == time.iso8601)
        #expect(StoredTime(iso8601: time.iso8601) == time)
        #expect(StoredTime(iso8601: "2026-07-20T09:05:00Z") != nil)
        for text in ["2026-07-20T09:05:00", "2026-07-20 09:05:00Z", "2026-07-20T09:05:00+00:00", "Z", ""] {
            #expect(StoredTime(iso8601: text) == nil)
        }
        #expect(String(decoding: try JSONEncoder().encode([time]), as: UTF8.self) == #"["2026-07-20T09:05:00.120Z"]"#)
        #expect(try JSONDecoder().decode([StoredTime].self, from: Data(#"["2026-07-20T09:05:00.12Z"]"#.utf8)) == [time])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([StoredTime].self, from: Data(#"["yesterday"]"#.utf8))
        }
    }

    @Test("random milliseconds give the same text, order and calendar date as Foundation")
    func roundTrip() throws {
        var random = SplitMix64(seed: 3)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var last: StoredTime?
        for _ in 0..<5_000 {
            // From 1600 on: before 1582 Foundation's calendar is the Julian one, the databases' never is.
            let millis = Int64.random(in: -11_676_096_000_000...253_402_300_799_999, using: &random)
            let time = StoredTime(microseconds: millis * 1_000)
            #expect(StoredTime(text: time.text) == time)
            #expect(StoredTime(iso8601: time.iso8601) == time)
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: time.date)
            let numbers = time.text.split(whereSeparator: { "-: .".contains($0) }).compactMap { Int($0) }
            #expect(
                numbers.dropLast()
                    == [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].compactMap(\.self)[
                        ...])
            if let last { #expect((last < time) == (last.text < time.text)) }
            last = time
        }
    }

    @Test("every day of four centuries from year 0 on parses to the same time")
    func earlyDays() {
        for day in Int64(-719_528)..<(-719_528 + 146_097) {
            let time = StoredTime(microseconds: day * 86_400_000_000)
            #expect(StoredTime(text: time.text) == time)
        }
    }

    @Test("a date becomes a time and back, to the microsecond")
    func dates() {
        let time = StoredTime(microseconds: 1_735_689_599_123_456)
        #expect(StoredTime(time.date) == time)
        #expect(StoredTime(Date(timeIntervalSince1970: 0)).microseconds == 0)
        let now = StoredTime.now()
        #expect(StoredTime(text: now.text) == now)
    }

    @Test("a date that cannot be stored becomes the nearest that can, never a crash")
    func extremes() {
        for (seconds, text) in [
            (Double.infinity, "9999-12-31 23:59:59.999"), (1e300, "9999-12-31 23:59:59.999"),
            (-Double.infinity, "0000-01-01 00:00:00.000"), (-1e300, "0000-01-01 00:00:00.000"),
            (Double.nan, "1970-01-01 00:00:00.000"),
        ] {
            #expect(StoredTime(Date(timeIntervalSince1970: seconds)).text == text)
        }
        #expect(StoredTime(microseconds: .max).text == "9999-12-31 23:59:59.999")
        #expect(StoredTime(microseconds: .min).text == "0000-01-01 00:00:00.000")
    }

    @Test("hostile text never ends the process")
    func hostile() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<5_000 {
            _ = StoredTime(text: String(decoding: random.bytes(0...40), as: UTF8.self))
            _ = StoredTime(text: random.damaged("2026-07-20 09:05:00.123456"))
        }
    }
}
