import ChatDBKit
import Foundation
import Testing

@testable import ChatDBMigrations

@Suite struct MigrationNameTests {
    @Test(
        "a day and words make a name",
        arguments: [
            "20260901_initial", "20260901_1430_initial", "20240229_a", "20000229_2", "99991231__a_",
            "20260901_" + String(repeating: "a", count: 91),
        ])
    func accepted(_ name: String) {
        #expect(MigrationName.problem(in: name) == nil)
    }

    @Test(
        "other names are refused",
        arguments: [
            "", "20260901", "20260901_", "20260901__", "20260901_1430_", "2026090_a", "202609010_a", "20260901-a",
            "_20260901_a", "20260231_a", "20250229_a", "19000229_a", "20261301_a", "20260001_a", "20260100_a",
            "20260132_a",
            "00000101_a", "20260901_A", "20260901_a-b", "20260901_a b", "20260901_a.b", "20260901_é", "２0260901_a",
            "20260901_a\n", "M20260901_a", "20260901_a/b", "20260901_" + String(repeating: "a", count: 92),
        ])
    func refused(_ name: String) {
        #expect(MigrationName.problem(in: name) != nil)
    }

    @Test("the reason names a wrong day and wrong words separately")
    func reasons() throws {
        #expect(try #require(MigrationName.problem(in: "20260231_a")).contains("there is no such day"))
        #expect(try #require(MigrationName.problem(in: "20260901_A")).contains("a-z, 0-9 and _"))
    }

    @Test("every month has its number of days")
    func days() {
        for year in [1900, 2000, 2023, 2024] {
            let count = (0...13).reduce(0) { count, month in
                count + (0...32).count { MigrationDay(year: year, month: month, day: $0) != nil }
            }
            #expect(count == (year == 2000 || year == 2024 ? 366 : 365))
        }
        #expect(MigrationDay(year: 10_000, month: 1, day: 1) == nil)
    }

    @Test("the words of a name are without its day and time")
    func words() {
        let names = ["20260901_a_b", "20260901_1430_a_b", "20260901_2430_a", "20260901_1460_a", "20260901_143_a"]
        #expect(names.map { MigrationName.words(of: $0) } == ["a_b", "a_b", "2430_a", "1460_a", "143_a"])
    }

    @Test("a name made on the day of the first migration sorts after it, and is of the same day")
    func afterFirst() throws {
        for seconds in [1_709_164_800, 1_709_164_859, 1_709_164_860, 1_709_251_199] {
            let instant = Date(timeIntervalSince1970: Double(seconds))
            let first = MigrationName.first(on: instant)
            #expect(first == "20240229_0000_first" && MigrationName.problem(in: first) == nil)
            let next = MigrationName.proposed("a", at: try #require(MigrationMinute(instant)), after: first)
            #expect(next > first && next.hasPrefix("20240229_"), "\(next)")
        }
    }

    @Test("the first migration keeps a valid name of an earlier day, and gets the first minute of its day otherwise")
    func firstCalled() {
        let instant = Date(timeIntervalSince1970: 1_709_164_859)
        let names = [
            "20240228_app": "20240228_app", "20240229_app": "20240229_0000_app", "20240301_app": "20240301_0000_app",
            "20240229_1430_app": "20240229_1430_app", "My app": "20240229_0000_my_app",
            "20249999_app": "20240229_0000_first", "größe": "20240229_0000_first",
        ]
        for (given, name) in names { #expect(MigrationName.first(called: given, on: instant) == name) }
    }

    @Test("an invalid name is corrected to one that is valid, if it has letters or digits")
    func corrected() {
        let names = [
            "note tags!": "note_tags", "Größe (m²)": "gro_e_m", "x/y": "x_y", "20240228_a b": "20240228_a_b",
            "20240228_1430_A!": "20240228_1430_a",
        ]
        for (given, name) in names { #expect(MigrationName.corrected(given) == name, "\(given)") }
        for given in ["!", "", "20249999_a", String(repeating: "a", count: 101)] {
            #expect(MigrationName.corrected(given) == nil, "\(given)")
        }
    }

    @Test("the day of an instant is its day in UTC, written with eight digits")
    func instants() throws {
        #expect(MigrationDay(Date(timeIntervalSince1970: 0))?.description == "19700101")
        #expect(MigrationDay(Date(timeIntervalSince1970: -1))?.description == "19691231")
        #expect(MigrationDay(Date(timeIntervalSince1970: 1_709_164_800))?.description == "20240229")
        #expect(MigrationDay(year: 7, month: 3, day: 4)?.description == "00070304")
        let minute = try #require(MigrationMinute(Date(timeIntervalSince1970: -1)))
        #expect(minute.description == "19691231_2359")
        #expect(MigrationMinute(Date(timeIntervalSince1970: 1_709_164_859))?.description == "20240229_0000")
        #expect(MigrationDay(Date.distantPast.addingTimeInterval(-1e11)) == nil)
    }
}
