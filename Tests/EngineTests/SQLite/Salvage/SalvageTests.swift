import ChatDBKit
import Foundation
import GRDB
import TestKit
import Testing

/// Saving databases with every form of table, encoding and page size. Rule: docs/support.md, "Salvage a damaged store".
@Suite("salvage of a database") struct SalvageTests {
    @Test(
        "a healthy database comes out with the same schema, settings and rows",
        arguments: [
            (512, "UTF-8", 0), (1024, "UTF-16le", 1), (4096, "UTF-16be", 2), (8192, "UTF-8", 1), (65_536, "UTF-8", 0),
        ])
    func healthy(_ form: (page: Int, encoding: String, autoVacuum: Int)) throws {
        let sample = try SalvageSample(page: form.page, encoding: form.encoding, autoVacuum: form.autoVacuum)
        let saved = try sample.salvage()
        #expect(saved.isWhole && saved.leftOut.isEmpty, "\(saved)")
        #expect(try sample.facts(of: sample.target) == sample.facts(of: sample.path))
        #expect(saved.tables.allSatisfy { $0.fromPages == 0 && $0.lost == 0 })
        #expect(!FileManager.default.fileExists(atPath: sample.lost))
    }

    @Test("a leaf of a table that is overwritten costs its rows, of which an index has a part")
    func leaf() throws {
        let sample = try SalvageSample()
        let page = try sample.page(of: "msgs", ofKind: 13)
        try sample.overwrite(page)
        let saved = try sample.salvage()
        let table = try #require(saved.tables.first { $0.name == "msgs" })
        #expect(table.isDamaged && table.saved < sample.rows && table.saved > sample.rows / 2, "\(table)")
        // The column `body` may not be NULL, so these rows are lost, and what the index has of them is beside the database.
        #expect(table.traces > 0 && table.fromIndexes == 0 && table.setAside == 0, "\(table)")
        #expect(table.lost == table.traces && table.saved + table.traces == sample.rows, "\(table)")
        #expect(try sample.count("lost_and_found WHERE \"table\" = 'msgs'", in: sample.lost) == table.traces)
        #expect(saved.tables.allSatisfy { $0.isWhole || $0.name == "msgs" })
    }

    @Test("a leaf of a table whose other columns may be empty comes back from its index")
    func leafFromIndex() throws {
        let sample = try SalvageSample()
        try sample.overwrite(try sample.page(of: "plain", ofKind: 13))
        let saved = try sample.salvage()
        let table = try #require(saved.tables.first { $0.name == "plain" })
        #expect(table.saved + table.incomplete == sample.rows && table.incomplete > 0, "\(table)")
        #expect(table.lost == 0 && table.fromIndexes == table.incomplete && table.setAside == 0, "\(table)")
        #expect(try sample.count("plain WHERE k IS NOT NULL", in: sample.target) == sample.rows)
    }

    @Test("when the first page of a table is lost, its rows come from the pages that nothing refers to")
    func interior() throws {
        let sample = try SalvageSample()
        try sample.overwrite(try sample.root(of: "msgs"))
        let saved = try sample.salvage()
        let table = try #require(saved.tables.first { $0.name == "msgs" })
        #expect(table.saved == sample.rows && table.fromPages == sample.rows && table.lost == 0, "\(table)")
        #expect(try sample.rowsText("msgs", sample.target) == sample.rowsText("msgs", sample.path + ".good"))
    }

    @Test("damage in an index costs no row")
    func index() throws {
        let sample = try SalvageSample()
        for name in ["msgs_person", "people_name"] { try sample.overwrite(try sample.root(of: name)) }
        let saved = try sample.salvage()
        #expect(saved.tables.allSatisfy { $0.lost == 0 && $0.doubtful == 0 }, "\(saved)")
        #expect(try sample.facts(of: sample.target) == sample.facts(of: sample.path + ".good"))
    }

    @Test("a broken chain of overflow pages leaves the beginning of the row, which is doubtful")
    func overflow() throws {
        let sample = try SalvageSample()
        try sample.overwriteOverflow(of: "long")
        let saved = try sample.salvage()
        let table = try #require(saved.tables.first { $0.name == "long" })
        #expect(table.saved == 2 && table.incomplete == 1 && table.lost == 0, "\(table)")
        #expect(try sample.count("long WHERE length(body) BETWEEN 100 AND 19999", in: sample.target) == 1)
    }

    @Test("rows of free pages are beside the new database, and are not part of it")
    func freePages() throws {
        let sample = try SalvageSample(deleting: "DELETE FROM keyless")
        let saved = try sample.salvage()
        let table = try #require(saved.tables.first { $0.name == "keyless" })
        #expect(table.saved == 0 && table.isWhole && saved.freeRows > 0 && saved.isWhole, "\(saved)")
        #expect(try sample.count("lost_and_found WHERE source = 'free'", in: sample.lost) == saved.freeRows)
    }

    @Test("without a header, the size of the pages is found by trying", arguments: [512, 1024, 4096, 16_384])
    func header(_ page: Int) throws {
        let sample = try SalvageSample(page: page)
        try sample.edit { $0.replaceSubrange(0..<100, with: [UInt8](repeating: 0xA5, count: 100)) }
        let saved = try sample.salvage()
        #expect(saved.notes.contains { $0.contains("header") })
        #expect(saved.tables.allSatisfy { $0.lost == 0 && $0.doubtful == 0 }, "\(saved)")
        for name in ["people", "msgs", "norow"] {
            #expect(try sample.rowsText(name, sample.target) == sample.rowsText(name, sample.path + ".good"), "\(name)")
        }
    }

    @Test("a cut file gives the rows of the pages that are there")
    func cut() throws {
        let sample = try SalvageSample()
        try sample.edit { $0.removeLast($0.count / 2 + 100) }
        let saved = try sample.salvage()
        #expect(!saved.isWhole && saved.tables.reduce(0) { $0 + $1.saved } > 0)
        #expect(try sample.integrity(of: sample.target) == "ok")
    }

    @Test("when the schema is lost, definitions of this build are taken for the rows that fit them")
    func schema() throws {
        let sample = try SalvageSample()
        let known = try sample.objects()
        try sample.overwrite(1)
        let saved = try sample.salvage(known: known)
        #expect(!saved.isSchemaWhole)
        for name in ["people", "msgs", "strict1"] {
            let table = try #require(saved.tables.first { $0.name == name })
            // Several tables may fit the rows.
            #expect(table.isKnownDefinition && table.saved + table.guessed == sample.rows, "\(table)")
        }
    }

    @Test("a lost definition is not replaced by one that forbids all of the rows")
    func forbidding() throws {
        let base = try DamagedDatabase(DamagedDatabase.twins)
        try base.overwrite(1)
        let columns = "id INTEGER PRIMARY KEY, body TEXT NOT NULL, chat INTEGER"
        func known(_ check: String) -> [SchemaObject] {
            [
                SchemaObject(
                    kind: .table, name: "m", table: "m", root: 0, sql: "CREATE TABLE m(\(columns), CHECK (\(check)))")
            ]
        }
        let none = try base.salvage(known: known("id < 0"))
        #expect(none.tables.isEmpty && none.unassigned == 2500, "\(none)")
        for file in [base.target, base.lost] { try FileManager.default.removeItem(atPath: file) }
        let all = try base.salvage(known: known("id > 0"))
        #expect(all.table("m").isKnownDefinition && all.table("m").written >= 2000, "\(all)")
    }

    @Test("a definition that is not plain makes nothing and runs nothing")
    func hostile() throws {
        let sample = try SalvageSample()
        try sample.queue(sample.path).writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            for (name, sql) in [
                ("keyless", "CREATE TABLE keyless AS SELECT load_extension('x') AS a"),
                ("plain", "CREATE TABLE plain(k); DROP TABLE people"), ("gen", "CREATE TEMP TABLE gen(a)"),
            ] {
                try database.execute(sql: "UPDATE sqlite_master SET sql = ? WHERE name = ?", arguments: [sql, name])
            }
        }
        let saved = try sample.salvage()
        let tables = Dictionary(uniqueKeysWithValues: saved.tables.map { ($0.name, $0) })
        for name in ["keyless", "plain", "gen"] {
            #expect(tables[name].map { $0.saved == 0 && $0.setAside == sample.rows } == true, "\(name)")
        }
        #expect(saved.leftOut.count >= 3 && tables["people"]?.saved == sample.rows, "\(saved.leftOut)")
    }

    @Test("random bytes and random damage end neither the process nor the limits of time", arguments: 0..<4)
    func fuzz(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sample = try SalvageSample(page: [512, 1024, 4096, 8192][Int(seed)], rows: 60)
        let good = try Data(contentsOf: URL(fileURLWithPath: sample.path))
        for round in 0..<FaultSample.count(400, else: 12, variable: "CHATDB_MUTATIONS") {
            var bytes = Array(good)
            for _ in 0..<(1 << Int.random(in: 0...9, using: &random)) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            switch round % 4 {
            case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            case 2: bytes = Array(bytes.prefix(100)) + (0..<20_000).map { _ in .random(in: 0...255, using: &random) }
            case 3:
                // Pages that are exchanged make circles of pointers.
                let page = sample.pageSize
                for _ in 0..<4 {
                    let (one, other) = (
                        Int.random(in: 1..<bytes.count / page, using: &random) * page,
                        Int.random(in: 1..<bytes.count / page, using: &random) * page
                    )
                    for place in 0..<page { bytes.swapAt(one + place, other + place) }
                }
            default: break
            }
            try Data(bytes).write(to: URL(fileURLWithPath: sample.path))
            do {
                _ = try sample.salvage()
                #expect(try sample.integrity(of: sample.target) == "ok", "seed \(seed), round \(round)")
            } catch is StoreError {
                #expect(!FileManager.default.fileExists(atPath: sample.target), "seed \(seed), round \(round)")
            }
            #expect(Array(try Data(contentsOf: URL(fileURLWithPath: sample.path))) == bytes)
            for file in [sample.target, sample.lost] { try? FileManager.default.removeItem(atPath: file) }
        }
    }
}
