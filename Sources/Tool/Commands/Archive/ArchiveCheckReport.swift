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
            .init("oneStore", JSONValue(archive.databases.isOneStore)),
            .init("against", archive.comparison?.json ?? .null), .init("next", JSONValue(next)),
        ]
        return .object(members)
    }

    private func json(of database: DatabaseName) -> JSONValue {
        guard let entry = contents.databases[database] else { return .null }
        let found = archive.databases.each[database]
        return [
            "bytes": .integer(entry.size), "state": JSONValue(found?.state.rawValue),
            "encrypted": JSONValue(found?.isEncrypted),
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

    /// The command that would find out more; nil if none would.
    private var next: String? {
        guard importable == nil, archive.databases.each.values.contains(where: { $0.state == .encrypted }) else {
            return nil
        }
        return HintedCommand(.archiveCheck, [archive.path, "--passphrase-file", "FILE"]).text()
    }

    var document: Document {
        var fields = [
            Field("Size", key: "bytes", .bytes(archive.bytes)),
            Field("An app would import this", key: "importable", .text(answer.text, answer.style)),
        ]
        if let comparison = archive.comparison {
            fields.append(Field("Against \(comparison.store.prefix)", key: "against", .text(comparison.sentence)))
        }
        return [
            .heading("Archive \(archive.path)"), .fields(fields), .table(databases), .heading("Contents"),
            .table(contents.table), .notes(notes),
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
        var columns = [
            Column("Database"), Column("Size", key: "bytes", alignment: .right), Column("State"), Column("Encrypted"),
            Column("Made by", key: "kind"), Column("Version", shrinking: .end),
        ]
        if archive.comparison != nil { columns.append(Column("Version of the store", key: "against", shrinking: .end)) }
        return Table(
            columns,
            rows: DatabaseName.allCases.map { database in
                var cells: [Cell] = [.text(database.rawValue)]
                if let entry = contents.databases[database] {
                    let found = archive.databases.each[database]
                    cells += [
                        .bytes(entry.size), .text(found?.state.rawValue, found?.state.style),
                        found.map { .yesNo($0.isEncrypted) } ?? .nothing, .text(found?.kind?.program),
                        .text(found?.version),
                    ]
                } else {
                    cells += [.nothing, .text("missing", .bad), .nothing, .nothing, .nothing]
                }
                if let comparison = archive.comparison {
                    cells.append(.text(comparison.store.parts[database]?.version))
                }
                return cells
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
        if let note = archive.comparison?.note { notes.append(note) }
        if let next { notes.append(.note("with the passphrase, chatdb can tell: \(next)")) }
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
