import ChatDBKit

/// What SimpleX Chat does with a changed store, and how the change can be undone: a part of the answer, and of the plan.
/// Rule: docs/simplex.md, "Writing relays and servers".
struct SimplexEffect: Report {
    /// The changed copy of an archive.
    struct Archive {
        /// The archive that is the store. It stays as it is.
        let original: String
        let changed: String
        let isWritten: Bool
    }

    /// Nil if nothing changes.
    let effect: AppNextStart?
    /// The backup of both databases from before; nil for an archive, and if nothing changes.
    let backup: KeptCopy?
    /// Nil for a store of files.
    let archive: Archive?

    /// What an import of the changed archive costs.
    private static let cost =
        "when the app imports the archive, it discards what it has received since the archive was exported, and its "
        + "encryption goes back to that time, so that messages can become unreadable: stop the app before the export, "
        + "and do not start it before the import"

    private var nextStart: String? { effect.map { Self.sentence($0.clause) } }

    private static func sentence(_ clause: String) -> String {
        clause.prefix(1).uppercased() + clause.dropFirst() + "."
    }

    var json: JSONValue {
        [
            "nextStart": JSONValue(nextStart), "fallbacks": JSONValue(effect?.fallbackClauses ?? []),
            "backup": backup.json,
            "archive": archive.map { archive in
                [
                    "original": .string(archive.original), "changed": .string(archive.changed),
                    "written": .bool(archive.isWritten), "cost": effect == nil ? .null : .string(Self.cost),
                ]
            } ?? .null,
        ]
    }

    /// Warnings about what the app does with the result.
    private var warnings: [String] {
        (effect?.fallbackClauses ?? []) + (archive == nil || effect == nil ? [] : [Self.cost])
    }

    /// The place of the result, and of the backup, a sentence each.
    private var places: [String] {
        var places: [String] = []
        if let archive {
            switch (effect, archive.isWritten) {
            case (nil, _): places.append("\(archive.changed) was not written: the archive has all of it already.")
            case (_, true):
                places.append("The changed archive is \(archive.changed); \(archive.original) stays as it was.")
            case (_, false): places.append("The changed archive would be \(archive.changed).")
            }
        }
        if let backup {
            places.append(
                backup.made.map { made in
                    "A backup of the store from before is in \(made.path). As long as neither the "
                        + "app nor chatdb changes the store again, this command undoes the change, and nothing else:"
                } ?? "chatdb would first make a backup of the store in \(backup.folder).")
        }
        return places
    }

    var document: Document {
        var blocks: [Block] = []
        if let nextStart { blocks = [.heading("In SimpleX Chat"), .paragraph(nextStart)] }
        blocks += places.map { .paragraph($0) }
        if let made = backup?.made { blocks.append(.verbatim(made.command, language: "sh")) }
        if !warnings.isEmpty { blocks.append(.notes(warnings.map { .warning($0) })) }
        return Document(blocks)
    }

    var csvTable: Table {
        Table([Column("Next start", key: "nextStart")], rows: [[.text(nextStart)]], whenEmpty: "")
    }

    /// Writes to standard error what does not fit into CSV.
    func note(to output: Output) {
        guard output.format == .csv else { return }
        for note in [nextStart].compactMap(\.self) + places + [backup?.made?.command].compactMap(\.self) {
            output.note(note)
        }
        for warning in warnings { output.warn(warning) }
    }
}

extension SimplexEffect? {
    /// The part of an answer as JSON; empty for chatdb's own stores.
    var members: [JSONValue.Member] { map { [.init("simplex", $0.json)] } ?? [] }

    /// The part of an answer for people; empty for chatdb's own stores.
    var blocks: [Block] { self?.document.blocks ?? [] }
}
