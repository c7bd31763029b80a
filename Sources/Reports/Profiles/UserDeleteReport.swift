package import ChatDBKit

/// The profile that was deleted, or that a dry run shows.
package struct UserDeleteReport: Report {
    package let deleted: DeletedUser
    package let backup: String?
    package let kept: KeptCopy?
    /// Files beside the store in which commands kept what they replaced or deleted, of this profile or another.
    package let before: [String]
    /// Folders beside the store with older copies of its databases.
    package let copies: [String]
    package let isApplied: Bool

    package init(
        deleted: DeletedUser, backup: String?, kept: KeptCopy?, of store: StoreLocation, isApplied: Bool
    ) {
        self.deleted = deleted
        self.backup = backup
        self.kept = kept
        before = PresetBefore.paths(beside: store.keptPrefix)
        copies = StoreCopies.paths(of: store, without: backup)
        self.isApplied = isApplied
    }

    package var json: JSONValue {
        [
            "outcome": "deleted", "user": deleted.user.reference, "contents": deleted.contents.json,
            "activeUser": deleted.active.map(\.reference) ?? .null, "backup": JSONValue(backup),
            "kept": kept.json, "before": JSONValue(before), "copies": JSONValue(copies),
            "applied": .bool(isApplied),
        ]
    }

    package var document: Document {
        var notes: [Note] = []
        if deleted.user.isActive {
            let name = deleted.active?.name ?? "no profile"
            notes.append(.note(isApplied ? "\(name) is active now" : "\(name) would be active then"))
        }
        if deleted.contents.files > 0 { notes.append(.note("chatdb does not delete files outside the store")) }
        if !before.isEmpty {
            notes.append(
                .note(
                    "files that chatdb kept beside the store remain; they can contain passwords of this profile and "
                        + "of others: " + before.joined(separator: ", ")))
        }
        if !copies.isEmpty {
            notes.append(
                .note(
                    "older copies of the store remain; they can contain everything of this profile: "
                        + copies.joined(separator: ", ")))
        }
        notes.append(.note("other copies, such as backups in other folders, remain too"))
        let was = isApplied ? "was" : "would be"
        return Document(
            [.paragraph("The profile \(deleted.user.name) \(was) deleted\(deleted.contents.with)."), .notes(notes)]
                + kept.blocks())
    }

    package var csvTable: Table {
        Table(
            ["userId", "name", "activeUserId", "backup"].map { Column($0, key: $0) },
            rows: [
                [
                    .number(deleted.user.id.rawValue), .text(deleted.user.name),
                    .number(deleted.active?.id.rawValue), .text(backup),
                ]
            ], whenEmpty: "")
    }
}
