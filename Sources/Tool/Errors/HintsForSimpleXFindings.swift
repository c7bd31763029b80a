import ChatDBKit

/// The remedies for findings in stores of SimpleX Chat, where they differ from those of chatdb's own stores. chatdb
/// does not write these stores, so the remedy is in the app, or is another copy of the files.
extension Remedies {
    /// The remedy in stores of SimpleX Chat. It is nil if the remedy in chatdb's own stores applies to them too.
    static func inApp(_ id: String) -> Hint? {
        filesInApp(id) ?? profilesInApp(id) ?? chatsInApp(id) ?? networkInApp(id)
    }

    /// The import of an archive, which has both databases of one moment.
    private static let olderArchive: Hint =
        "in the app, import an earlier archive (Settings, Database passphrase & export)"

    private static func filesInApp(_ id: String) -> Hint? {
        switch id {
        case StoreCheck.damageID(.chat), StoreCheck.damageID(.agent):
            """
            Copy both files to another place now. If the app still starts, export an archive in it (Settings, Database \
            passphrase & export); else \(olderArchive).
            """
        case "chatDanglingReference", "agentDanglingReference":
            "Delete in the app what the referring rows belong to, or \(olderArchive)."
        case StoreCheck.mismatchedPair:
            """
            Do not start the app with these files. Find the file that was written with the other one: an archive of \
            the app contains both.
            """
        case StoreCheck.copiedDatabase:
            """
            Do not rename or overwrite either file: each may be the only copy. Move the one that is named wrongly to \
            another folder, and put the missing database in its place; without it, \(olderArchive).
            """
        case StoreCheck.missingDatabase:
            "The app needs both databases: ask for the other file from the same time, or for an archive of the app."
        case StoreCheck.unreadableDatabase: "The notes say why. Ask for the file again, or for an archive of the app."
        case StoreCheck.interruptedMigration, StoreCheck.interruptedRestore:
            "Use another copy of both files, or an archive of the app."
        case StoreCheck.editedMigration: "Find out which build of the app wrote the store."
        case StoreCheck.olderVersion: "The current app migrates the store when it starts."
        case StoreCheck.newerVersion: "Use the app that migrated the store, or a newer one."
        case StoreCheck.otherHistory: "Use the build of the app that migrated the store."
        case StoreCheck.schemaDrift(.chat), StoreCheck.schemaDrift(.agent):
            """
            Another program changed the schema, and the app may fail on it: find out which program, or \
            \(olderArchive).
            """
        case StoreCheck.schemaMissing(.chat), StoreCheck.schemaMissing(.agent):
            "Their rows are lost too, and the app fails on them: \(olderArchive)."
        case StoreCheck.schemaLost(.chat), StoreCheck.schemaLost(.agent), StoreCheck.duplicateRow(.chat),
            StoreCheck.duplicateRow(.agent):
            "Another program changed the schema: \(olderArchive)."
        default: nil
        }
    }

    private static func profilesInApp(_ id: String) -> Hint? {
        switch id {
        case "profileWithoutAgent":
            "The app cannot use such a profile. The two files are from different times: \(olderArchive)."
        case "agentProfileWithoutProfile":
            "A crash interrupted the creation or deletion of a profile; what is left takes space and does no harm."
        case "severalActiveProfiles", "noActiveProfile", "hiddenActiveProfile":
            "In the app, open Your chat profiles and choose the profile that should be active."
        case "sharedAgentProfile":
            "Do not delete either profile, because the other one would lose its connections; \(olderArchive)."
        case "profileWithoutOwnContact":
            "The store does not contain what the profile shows of itself: \(olderArchive)."
        case "ownNameDiffers": "In the app, save the name of the profile again (Your profile)."
        case "halfHiddenProfile": "No password unlocks them: \(olderArchive)."
        case "hiddenProfileNotMuted": "In the app, unhide the profile with its password, and hide it again."
        case "unusedDisplayName": "They do no harm: the app adds a number to another entry with such a name."
        case "crossProfileReference": "Deleting either profile would delete the row too: \(olderArchive)."
        case "blockedDeletion":
            """
            The app cannot delete the row that they refer to, nor its profile (FOREIGN KEY constraint failed): first \
            delete what the referring row belongs to, or \(olderArchive).
            """
        default: nil
        }
    }

    private static func chatsInApp(_ id: String) -> Hint? {
        switch id {
        case "groupWithoutOwnMember": "The app cannot show them: delete them in the app, or \(olderArchive)."
        case "unfinishedChannel": "In the app, open the channel to complete it, or delete it."
        case "duplicateGroup":
            "In the app, leave and delete the ones that are not in use."
        case "messageBeyondCounter":
            "The next message cannot be stored: connect again in the app, or \(olderArchive)."
        case "unreadInDeletedChat":
            """
            The app counts them as unread: open the contact's chat again in the app, or delete the contact with its \
            messages.
            """
        case "unreadableContent": "The app shows an error instead: delete them in the app, or \(olderArchive)."
        case "unusedContactProfile", "unusedGroupProfile":
            "They take space and do no harm; the app shows none of them."
        default: nil
        }
    }

    private static func networkInApp(_ id: String) -> Hint? {
        switch id {
        case StoreWarning.Kind.noEnabledRelays.checkID:
            "In the app, add a relay, or switch on a relay or its operator (Settings, Network & servers)."
        case StoreWarning.Kind.noEnabledSMPServers.checkID, StoreWarning.Kind.noEnabledXFTPServers.checkID:
            "In the app, add a server, or switch on a server or its operator (Settings, Network & servers)."
        case "duplicateServer": "In the app, delete one of them (Settings, Network & servers)."
        default: nil
        }
    }
}
