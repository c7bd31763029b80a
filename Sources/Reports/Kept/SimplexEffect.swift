package import ChatDBKit

/// What SimpleX Chat does with a changed store, and how the change can be undone: a part of the answer, and of the plan.
/// Rule: docs/simplex.md, "Writing relays and servers".
package struct SimplexEffect: Report {
    /// The changed copy of an archive.
    package struct Archive {
        /// The archive that is the store. It stays as it is.
        package let original: String
        package let changed: String
        package let isWritten: Bool

        package init(original: String, changed: String, isWritten: Bool) {
            self.original = original
            self.changed = changed
            self.isWritten = isWritten
        }
    }

    /// Nil if nothing changes.
    package let effect: AppNextStart?
    /// The backup of both databases from before; nil for an archive, and if nothing changes.
    package let backup: KeptCopy?
    /// Nil for a store of files.
    package let archive: Archive?

    package init(effect: AppNextStart?, backup: KeptCopy?, archive: Archive?) {
        self.effect = effect
        self.backup = backup
        self.archive = archive
    }

    /// What an import of the changed archive costs.
    private static let cost =
        "when the app imports the archive, it discards what it has received since the archive was exported, and its "
        + "encryption goes back to that time, so that messages can become unreadable: stop the app before the export, "
        + "and do not start it before the import"

    package var nextStart: String? { effect.map { Self.sentence($0.clause) } }

    private static func sentence(_ clause: String) -> String {
        clause.prefix(1).uppercased() + clause.dropFirst() + "."
    }

    package var json: JSONValue {
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
    package var warnings: [String] {
        (effect?.fallbackClauses ?? []) + (archive == nil || effect == nil ? [] : [Self.cost])
    }

    /// The place of the result, and of the backup, a sentence each.
    package var places: [String] {
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

    package var document: Document {
        var blocks: [Block] = []
        if let nextStart { blocks = [.heading("In SimpleX Chat"), .paragraph(nextStart)] }
        blocks += places.map { .paragraph($0) }
        if let made = backup?.made { blocks.append(.verbatim(made.command, language: "sh")) }
        if !warnings.isEmpty { blocks.append(.notes(warnings.map { .warning($0) })) }
        return Document(blocks)
    }

    package var csvTable: Table {
        Table([Column("Next start", key: "nextStart")], rows: [[.text(nextStart)]], whenEmpty: "")
    }
}

extension SimplexEffect? {
    /// The part of an answer as JSON; empty for chatdb's own stores.
    package var members: [JSONValue.Member] { map { [.init("simplex", $0.json)] } ?? [] }

    /// The part of an answer for people; empty for chatdb's own stores.
    package var blocks: [Block] { self?.document.blocks ?? [] }
}
