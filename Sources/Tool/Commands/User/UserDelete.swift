import ArgumentParser
import ChatDBKit
import Foundation

struct UserDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a profile and everything in it.",
        discussion: """
            Shows what the profile contains, asks for confirmation, and backs the store up. If the profile was active, \
            the profile used before it becomes active. The agent's data is only marked as deleted; it is removed after \
            an app has informed the servers.

            Examples:
              chatdb user delete work
              chatdb user delete work --dry-run
              chatdb user delete id:2 --yes --backup-dir ~/backups
              chatdb user delete work --yes --no-backup
            """)

    @Argument(help: "The profile, by name or id.")
    var user: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var undo: UndoOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let answer = try output.output()
        let session = try StoreSession(store, answer)
        let report = try ConfirmedChange(consent, answer).run(
            read: {
                try session.readToWrite { store in
                    try store.read { chat in
                        let found = try ProfileFinder.find(user, hidden: try hidden.choice(in: chat), in: chat)
                        return try UsersRepo(chat).deletion(of: found.id, hidden: .shown)
                    }
                }
            },
            decide: { .ask(.init(text: "Delete the profile \"\($0.user.name)\"\($0.contents.with)?")) },
            preview: { try outcome($0, backup: nil, isApplied: false) },
            write: { try delete($0, session) })
        try answer.write(report)
        report.kept.note(to: answer)
    }

    private func delete(_ planned: DeletedUser, _ session: StoreSession) throws -> UserDeleteReport {
        let found = planned.user
        // The chat database first: a crash in between leaves a user of the agent that nothing refers to.
        return try session.writeBoth(committing: .chatFirst, backingUp: undo) { chat in
            // The store reuses numbers of profiles, but not those of the agent's users.
            guard try UsersRepo(chat).find(found.id, hidden: .shown)?.agentUserID == found.agentUserID else {
                throw PlanOutdated()
            }
            if consent.yes { return }
            let contents = try UsersRepo(chat).deletion(of: found.id, hidden: .shown).contents
            guard contents == planned.contents else { throw PlanOutdated() }
        } _: { chat, agent, backup in
            let deleted = try UsersWriter(chat).delete(found.id, agent: agent, hidden: .shown)
            return try outcome(deleted, backup: backup, isApplied: true)
        }
    }

    private func outcome(_ deleted: DeletedUser, backup: String?, isApplied: Bool) throws -> UserDeleteReport {
        let location = try store.location()
        return UserDeleteReport(
            deleted: deleted, backup: backup, kept: undo.kept(backup, of: location),
            before: PresetBefore.paths(beside: location.prefix),
            copies: StoreCopies.paths(of: location, without: backup), isApplied: isApplied)
    }
}

/// The profile that was deleted, or that a dry run shows.
struct UserDeleteReport: Report {
    let deleted: DeletedUser
    let backup: String?
    let kept: KeptCopy?
    /// Files beside the store in which commands kept what they replaced or deleted, of this profile or another.
    let before: [String]
    /// Folders beside the store with older copies of its databases.
    let copies: [String]
    let isApplied: Bool

    var json: JSONValue {
        [
            "outcome": "deleted", "user": deleted.user.reference, "contents": deleted.contents.json,
            "activeUser": deleted.active.map(\.reference) ?? .null, "backup": JSONValue(backup),
            "kept": kept.json, "before": JSONValue(before), "copies": JSONValue(copies),
            "applied": .bool(isApplied),
        ]
    }

    var document: Document {
        var notes: [Note] = []
        if deleted.user.isActive {
            let name = deleted.active?.name ?? "no profile"
            notes.append(.note(isApplied ? "\(name) is active now" : "\(name) would be active then"))
        }
        if deleted.contents.files > 0 { notes.append(.note("chatdb does not delete files outside the store")) }
        if !before.isEmpty {
            notes.append(
                .note(
                    "files that chatdb kept beside the store remain; they can contain passwords of this profile: "
                        + before.joined(separator: ", ")))
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

    var csvTable: Table {
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

/// Folders beside a store in which chatdb keeps older copies of its databases.
private enum StoreCopies {
    /// The folder of backups if it has one besides `backup`, and the folders of replaced and half-restored files;
    /// sorted.
    static func paths(of store: StoreLocation, without backup: String?) -> [String] {
        let files = FileManager.default
        let backups = (try? files.contentsOfDirectory(atPath: store.backupsPath)) ?? []
        let own = backup.map { fileName(of: $0) }
        var found = backups.contains { $0 != own } ? [store.backupsPath] : []
        let name = fileName(of: store.prefix)
        let beside = (try? files.contentsOfDirectory(atPath: store.folder)) ?? []
        found += beside.filter { $0.hasPrefix(name + ".replaced-") || $0 == name + ".restoring" }
            .map { store.prefix.dropLast(name.count) + $0 }
        return found.sorted()
    }
}
