import ChatDBKit

/// What an archive has in it, and whether an app would import it.
struct ArchiveCheckReport: Report {
    let archive: CheckedArchive

    private var contents: ArchiveContents { archive.contents }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("archive", ["path": .string(archive.path), "bytes": .integer(archive.bytes)]),
            .init("importable", JSONValue(importable)), .init("reason", JSONValue(reason)),
        ]
        for database in DatabaseName.allCases {
            members.append(.init(database.rawValue, json(of: database)))
        }
        members += [
            .init("files", contents.files.json), .init("assets", contents.assets.json),
            .init("others", contents.othersJSON), .init("damagedFiles", JSONValue(archive.damagedFiles)),
        ]
        return .object(members)
    }

    private func json(of database: DatabaseName) -> JSONValue {
        guard let entry = contents.databases[database] else { return .null }
        let found = archive.databases.each[database]
        return [
            "bytes": .integer(entry.size), "state": JSONValue(found?.state.rawValue),
            "kind": JSONValue(found?.kind?.rawValue), "version": JSONValue(found?.version),
            "newer": JSONValue(found?.newer ?? []), "problems": JSONValue(found?.problems ?? []),
        ]
    }

    private var importable: Bool? {
        switch archive.verdict {
        case .yes: true
        case .no: false
        case .unknown: nil
        }
    }

    private var reason: String? {
        switch archive.verdict {
        case .yes: nil
        case .no(let reason), .unknown(let reason): reason
        }
    }

    var document: Document {
        [
            .heading("Archive \(archive.path)"),
            .fields([
                Field("Size", key: "bytes", .bytes(archive.bytes)),
                Field("An app would import this", key: "importable", .text(answer.text, answer.style)),
            ]),
            .table(databases), .heading("Contents"), .table(contents.table), .notes(notes),
        ]
    }

    private var answer: (text: String, style: CellStyle?) {
        switch archive.verdict {
        case .yes: ("yes", .good)
        case .no(let reason): ("no: \(reason)", .bad)
        case .unknown(let reason): ("unknown: \(reason)", nil)
        }
    }

    private var databases: Table {
        Table(
            [
                Column("Database"), Column("Size", key: "bytes", alignment: .right), Column("State"),
                Column("Made by", key: "kind"), Column("Version", shrinking: .end),
            ],
            rows: DatabaseName.allCases.map { database in
                guard let entry = contents.databases[database] else {
                    return [.text(database.rawValue), .nothing, .text("missing", .bad), .nothing, .nothing]
                }
                let found = archive.databases.each[database]
                return [
                    .text(database.rawValue), .bytes(entry.size), .text(found?.state.rawValue, found?.state.style),
                    .text(found?.kind?.program), .text(found?.version),
                ]
            }, whenEmpty: "no database")
    }

    private var notes: [Note] {
        var notes: [Note] = []
        for database in DatabaseName.allCases {
            guard let found = archive.databases.each[database], found.state != .encrypted else { continue }
            notes += found.problems.map { .warning("the \(database) database: \($0)") }
            if !found.newer.isEmpty {
                notes.append(
                    .note(
                        "the \(database) database has migrations that this build does not know: "
                            + found.newer.joined(separator: ", ")))
            }
        }
        notes += archive.damagedFiles.prefix(10).map { .warning("\($0) is damaged") }
        return notes + contents.notes
    }
}

extension CheckedArchive.Database.State {
    fileprivate var style: CellStyle? {
        switch self {
        case .whole: .good
        case .damaged, .unreadable: .bad
        case .encrypted: nil
        }
    }
}

extension FoundDatabase.Kind {
    /// The program's name.
    var program: String {
        switch self {
        case .chatdb: "chatdb"
        case .simplex: "SimpleX Chat"
        case .unknown: "unknown"
        }
    }
}

extension ArchiveContents {
    /// What is in the archive beside the databases.
    var table: Table {
        let rows = [("files", files), ("assets", assets), ("others", others)]
        return Table(
            [
                Column("Contents", key: "kind"), Column("Count", alignment: .right),
                Column("Size", key: "bytes", alignment: .right),
            ],
            rows: rows.map { [.text($0.0), .count($0.1.count), .bytes($0.1.bytes)] }, whenEmpty: "nothing")
    }

    /// Notes about what a store does not have.
    var notes: [Note] {
        if otherNames.isEmpty { return [] }
        let more = others.count > otherNames.count ? ", and \(others.count - otherNames.count) more" : ""
        return [.note("not part of a store: \(otherNames.joined(separator: ", "))\(more)")]
    }

    var othersJSON: JSONValue {
        ["count": JSONValue(others.count), "bytes": .integer(others.bytes), "names": JSONValue(otherNames)]
    }
}

extension ArchiveContents.Amount {
    var json: JSONValue { ["count": JSONValue(count), "bytes": .integer(bytes)] }
}
