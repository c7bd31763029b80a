import ArgumentParser
import ChatDBKit

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
            deleted: deleted, backup: backup, kept: undo.kept(backup, of: location), of: location,
            isApplied: isApplied)
    }
}
