import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

@Suite struct CellTextTests {
    @Test(
        "times are relative to now in the largest whole unit",
        arguments: [
            (0.0, "just now"), (59, "just now"), (60, "1 minute ago"), (3599, "59 minutes ago"), (3600, "1 hour ago"),
            (86_399, "23 hours ago"), (86_400, "1 day ago"), (29 * 86_400, "29 days ago"),
            (30 * 86_400, "1 month ago"), (364 * 86_400, "12 months ago"), (365 * 86_400, "1 year ago"),
            (-30, "just now"), (-7200, "in 2 hours"),
        ] as [(Double, String)])
    func relative(secondsAgo: Double, text: String) {
        #expect(CellText.relative(SampleReport.now - secondsAgo, to: SampleReport.now) == text)
    }

    @Test("times are ISO 8601 in UTC with whole seconds, from year 1583 to 9999; others are out of range")
    func iso() {
        #expect(CellText.iso(Date(timeIntervalSince1970: 1_767_225_599.999)) == "2025-12-31T23:59:59Z")
        #expect(CellText.iso(Date(timeIntervalSince1970: -1)) == "1969-12-31T23:59:59Z")
        #expect(CellText.iso(Date(timeIntervalSince1970: 253_402_300_799)) == "9999-12-31T23:59:59Z")
        #expect(CellText.iso(Date(timeIntervalSince1970: -12_212_553_600)) == "1583-01-01T00:00:00Z")
        for seconds in [253_402_300_800, -12_212_553_601, 1e300, -1e300, .infinity, .nan] {
            let time = Date(timeIntervalSince1970: seconds)
            #expect(CellText.iso(time) == "out of range")
            #expect(CellText.relative(time, to: SampleReport.now) == "out of range")
            #expect(JSONValue.time(time) == .null)
        }
    }

    @Test(
        "sizes have one digit after the point and a unit of 1024",
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1_048_575, "1.0 MiB"), (1_073_741_824, "1.0 GiB"),
            (Int64.max, "8.0 EiB"), (-2048, "-2.0 KiB"),
        ] as [(Int64, String)])
    func size(bytes: Int64, text: String) {
        #expect(CellText.size(bytes) == text)
    }

    @Test(
        "counts have a separator every three digits",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
            (Int64.min, "-9,223,372,036,854,775,808"),
        ] as [(Int64, String)])
    func grouped(number: Int64, text: String) {
        #expect(CellText.grouped(number) == text)
    }

    @Test("an absent value is an en dash, and numbers of any type fit")
    func values() {
        #expect(CellText.plain(Cell.text(nil).value) == "–")
        #expect(CellText.plain(Cell.number(Int?.none).value) == "–")
        #expect(CellText.plain(Cell.number(UInt64.max).value) == "9223372036854775807")
        #expect(CellText.plain(Cell.yesNo(true).value) == "yes")
        #expect(CellText.plain(Cell("a \(1)").value) == "a 1")
    }

    @Test("a key is the title in lower camel case")
    func keys() {
        #expect(Column("Last used").key == "lastUsed")
        #expect(Column("Channels (active)").key == "channelsActive")
        #expect(Field("Id", key: "chatRelayId", "1").key == "chatRelayId")
        #expect(Keys.key(from: "") == "")
    }
}
