package import ChatDBKit

extension Finding {
    /// The remedy in a store that this program made, a sentence. If the finding is about one row, its commands have the
    /// numbers of that row.
    package func remedy(in kind: FoundDatabase.Kind) -> Hint {
        let ofCause = LostNamesRemedy.remedy(for: self) ?? LostLinkRemedy.remedy(for: self)
        let general = ofCause ?? Remedies.remedy(for: id, in: kind) ?? ""
        let ownerless = OwnerlessRemedy(self)
        let ofOwnRelays = OwnRelayRemedy(self)?.remedy(besides: general, in: kind)
        let others = ofOwnRelays ?? LostRowsRemedy.completed(general, for: self, in: kind)
        if let kept = AgentUserRemedy.remedy(for: self, in: kind) { return kept }
        let ofChannels = kind == .simplex ? nil : UnfinishedChannels(self)?.remedy ?? SilentChannels.remedy(for: self)
        let lostRelays = LostRelayAdvice.ofReferences(self, besides: others, in: kind)
        let remedy = ofChannels ?? ownerless?.remedy(besides: others) ?? lostRelays ?? others
        let namesRows = ofOwnRelays != nil || lostRelays != nil
        let ofRows = rows.count == count && !namesRows ? remedy.naming(rows) : remedy
        let named = kind == .simplex ? ofRows : RelayChoice.explained(in: ofRows, for: self)
        return isOfOlderAgent && ownerless?.isAll != true ? "\(Self.findingAgentFile) \(named)" : named
    }

    /// Whether the connections that the agent database lacks are the newest ones.
    private var isOfOlderAgent: Bool { id == "connectionWithoutAgent" && detail != nil }

    private static let findingAgentFile: Hint = """
        The agent's file is older than the chat's, or it was truncated or salvaged and lost its newest rows. Do not start \
        the app with these files, and look for the agent's file of the same time first. Without that file, these \
        connections are lost.
        """
}

/// The remedy for each finding of a check, by the id of the check.
package enum Remedies {
    /// The remedy for a check by its id. It is nil for an unknown id, and for a check that does not run on stores of
    /// this program.
    package static func remedy(for id: String, in kind: FoundDatabase.Kind) -> Hint? {
        if kind == .simplex {
            guard StoreCheck.all.contains(where: { $0.id == id && $0.isGeneral }) else { return nil }
            if let remedy = inApp(id) { return remedy }
        }
        return ofFilesAndVersions(id) ?? ofProfilesAndChats(id) ?? ofContent(id) ?? ofServersAndRelays(id)
            ?? ofAgent(id)
    }

    /// The findings about references to missing rows.
    static let danglingReferences: Set<String> = ["chatDanglingReference", "agentDanglingReference"]

    private static func ofFilesAndVersions(_ id: String) -> Hint? {
        switch id {
        case StoreCheck.damageID(.chat), StoreCheck.damageID(.agent): DamageRemedies.general
        case StoreCheck.damagedPageID(.chat), StoreCheck.damagedPageID(.agent):
            """
            Copy the files of the store to another place now, and ask for them again; until then, chatdb still reads \
            what the other pages hold.
            """
        case "chatDanglingReference", "agentDanglingReference":
            """
            \(lostRows). \(.restore, "FOLDER") restores a backup from before the loss. \(keptRows)
            """
        case StoreCheck.foreignLog, StoreCheck.orphanLog, StoreCheck.uselessLog: DamageRemedies.log(id)
        case StoreCheck.mismatchedPair:
            """
            Find the file that was created with the other one; \(.restore, "FOLDER", "--force") restores both from a \
            backup.
            """
        case StoreCheck.exchangedFiles:
            """
            If --database names the files, name each as the database that it contains. Otherwise, close all programs that \
            use the store, and give each file the name of the database it contains.
            """
        case StoreCheck.copiedDatabase:
            """
            Do not rename or overwrite either file: each may be the only copy. Move the one that is named wrongly to \
            another folder, and put the missing database in its place; \(.restore, "FOLDER") restores both from a backup.
            """
        case StoreCheck.foreignPair:
            "Find the file that was created with the other one; \(.inspect) shows what each file is."
        case StoreCheck.unknownStore:
            """
            Check that these are the right files; \(.inspect) shows what they are. \
            For a database of another program that is to be adopted: \(.migrateBaseline, "--help").
            """
        case StoreCheck.missingDatabase:
            "An app needs both databases: ask for the other file from the same time, or restore a backup."
        case StoreCheck.unreadableDatabase:
            """
            The notes say why. If you may not read the file, change its permissions. If it is damaged, \
            \(.restore, "FOLDER") restores a backup. \(DamageRemedies.salvaging) If the file is empty or no database, \
            \(.salvage, "--output", "NEW", "--only", "DATABASE") writes the other one, chat or agent, into a new store. \
            Otherwise ask for the file again.
            """
        case StoreCheck.interruptedMigration:
            "\(.migrateRun) completes or undoes it; a copy that was interrupted is completed by the same copy."
        case StoreCheck.interruptedRestore:
            "\(.restore, "FOLDER") with the same backup completes it."
        case StoreCheck.interruptedPassphraseChange:
            """
            The same command completes or undoes it: \(.passphraseSet), \(.passphraseChange) or \(.passphraseRemove). \
            Until then, start no app with the store.
            """
        case StoreCheck.abandonedFiles:
            "No action is needed for the store. Remove the folder of the files, which are copies and may be plain."
        case StoreCheck.lostMigrations:
            """
            The schema is newer than the table migrations: this table lost rows, or somebody changed the schema by hand. \
            Do not migrate the database, and do not start an app with it: migrations would be applied a second time. \
            \(.restore, "FOLDER") restores a backup from before the loss. \
            Without one, commands that change a store refuse this one, and \(.query, "SQL") still reads its rows. First \
            mend what the other findings name, such as a lost row of the table store or a schema that differs. If the \
            schema of each database is then exactly that of a migration, \(.check) names the command that writes the rows \
            again. docs/migrations.md has the way by hand.
            """
        case StoreCheck.editedMigration:
            """
            Find out which build created the store; \(.migrateStatus) shows more. If you edited the file of a migration \
            of your own, and the schema stays as it is: \(.migrateRun, "--accept-edited").
            """
        case StoreCheck.olderVersion: "\(.migratePlan) shows what \(.migrateUp) would do."
        case StoreCheck.newerVersion:
            "Use the newer app or chatdb that migrated them; \(.migrateStatus) lists the migrations."
        case StoreCheck.otherHistory:
            "Use an app or a build whose migrations the store has; \(.migrateStatus) shows more."
        case "unreadableValue", StoreCheck.unreadableInApp:
            """
            Lists show the other rows; an app may fail to show any. Find out which program wrote the values. \(backup).
            """
        case "invalidText":
            """
            Lists show other characters in the place of the wrong bytes; an app may fail to show any. Find out which \
            program wrote the texts. \(backup).
            """
        case StoreCheck.viewForTable: "Find out which program created them; chatdb does not run them."
        case StoreCheck.schemaDrift(.chat), StoreCheck.schemaDrift(.agent):
            """
            \(.schemaDiff) shows the differences; another program changed the schema. To undo the change, make a backup \
            with \(.backupMake), and drop by hand, in SQL, what was added. For what differs or is missing, \
            \(.restore, "FOLDER") restores a backup from before the change.
            """
        case StoreCheck.schemaMissing(.chat), StoreCheck.schemaMissing(.agent):
            "The rows of missing tables and columns are lost too; \(.restore, "FOLDER") restores a backup."
        case StoreCheck.schemaLost(.chat), StoreCheck.schemaLost(.agent):
            """
            \(fix) creates them again; until then, a lost unique index allows duplicate rows, and searches may be \
            incomplete or slow.
            """
        case StoreCheck.duplicateRow(.chat), StoreCheck.duplicateRow(.agent):
            """
            Rows with the same index have equal values: keep one of them, and delete the others in the app: after that, \
            \(fix) creates the index. Or \(backup), which has the index.
            """
        default: nil
        }
    }

    private static func ofProfilesAndChats(_ id: String) -> Hint? {
        switch id {
        case "severalActiveProfiles": "\(fix) keeps the most recently used one active."
        case "noActiveProfile": "Use \(.userActivate, "USER"); or \(fix) activates the most recently used one."
        case "profileWithoutOwnContact":
            "The store does not contain what the profile shows of itself. \(backup)."
        case "sharedAgentProfile":
            "Do not delete either profile, because the other one would lose its connections; \(.restore, "FOLDER") restores a backup."
        case "hiddenActiveProfile": "\(.userActivate, "USER") activates a visible profile."
        case "strayOwnContact": "No list shows them; find out which program created them."
        case "ownNameDiffers":
            """
            \(.userRename, "USER", "NAME") gives the profile one name everywhere. NAME may be the name that the \
            profile has.
            """
        case "halfHiddenProfile": "No password unlocks them. \(backup)."
        case "hiddenProfileNotMuted": "\(fix) mutes them."
        case "severalAddresses": "In the app, delete the addresses that are not used."
        case "sharedDisplayName": "In the app, rename one of the two."
        case "displayNameForm": "The app may refuse another entry of the same name: rename them in the app."
        case "unusedDisplayName": "\(fix) frees them."
        case "crossProfileReference":
            "Delete neither profile, because that would delete the row too. \(backup)."
        case "blockedDeletion":
            """
            The app cannot delete the row that they refer to, nor its profile: first delete what the referring row \
            belongs to, or restore an earlier backup with \(.restore, "FOLDER").
            """
        case "groupWithoutOwnMember":
            """
            The row of the own membership may be lost: look at the group in the app, or restore a backup from before \
            the loss with \(.restore, "FOLDER"). Only if the profile has left the group, delete it with \
            \(.groupDelete, "GROUP", "--user", "USER"), or in the app.
            """
        case "unknownMemberWord":
            """
            \(.groupMembers, "GROUP", "--user", "USER") shows the words. If a newer app stored them, use that app or a \
            newer chatdb, which knows them. Otherwise another program changed the rows: \(.restore, "FOLDER") restores a \
            backup from before that. Do not delete the group because of them: no command sets such a word.
            """
        case "createdChannelWithoutOwner":
            """
            Without an owner, nobody can change such a channel, its link or its relays. \
            \(.groupMembers, "GROUP", "--user", "USER") shows the members and their roles. \(.restore, "FOLDER") restores \
            a backup from before the change of the role. Neither leave nor delete the channel because of it: no command \
            makes the profile its owner again.
            """
        case "startedWithoutLink": "\(fix) removes the marks."
        case "joinedWithoutStart":
            "Joining again would create a second membership: find out which program created them."
        case "duplicateGroup":
            """
            \(.groupShow, "GROUP", "--user", "USER") shows which of them is in use; GROUP is id:N with a number of the \
            example. Keep that one, and delete the other: if the profile is in the other one and does not own it, \
            \(.groupLeave, "GROUP", "--user", "USER") first; then \(.groupDelete, "GROUP", "--user", "USER").
            """
        case "unfinishedChannel": UnfinishedChannels.general
        case "missingLinkKey": "\(fix) computes the keys; until then, another spelling of a link makes a second group."
        case "wrongLinkKey": "\(fix) corrects the keys; until then, a link may open another group."
        case "lostLink": LostLinkRemedy.general
        case "wrongConnectionType": "Find out which program created them; an app may treat them as another type."
        case "deletedConnectionSubscribed": "\(fix) removes the mark."
        case "duplicateTag": "Rename or delete them in the app."
        case "invalidAppSettings": "Store the settings in the app again; until then, it uses its defaults."
        default: nil
        }
    }

    private static func ofContent(_ id: String) -> Hint? {
        switch id {
        case "unreadInDeletedChat":
            "An app that counts them shows unread messages that no chat has; deleting the contact again removes them."
        case "unreadableContent":
            "An app shows an error instead: delete them in the app, or restore a backup with \(.restore, "FOLDER")."
        case "searchIndex": "\(fix) rebuilds it; until then, searches miss texts or find deleted ones."
        case "unusedFileDescription", "unusedContactProfile", "unusedGroupProfile": "\(fix) removes them."
        default: nil
        }
    }

    /// The way for rows that only a backup has right, a sentence without its full stop.
    private static let backup: Hint = "\(.restore, "FOLDER") restores a backup from before the fault"

    private static func ofServersAndRelays(_ id: String) -> Hint? {
        switch id {
        case StoreWarning.Kind.noEnabledRelays.checkID: RelayChoice.forNone
        case StoreWarning.Kind.noEnabledSMPServers.checkID, StoreWarning.Kind.noEnabledXFTPServers.checkID:
            """
            Use \(.serverEnable, "SERVER", "--user", "USER") or \(.operatorEnable, "OPERATOR"). If the profile has no such \
            server, \(.presetSync, "--user", "USER") adds those that ship with chatdb.
            """
        case StoreWarning.Kind.channelsWithoutActiveRelay.checkID: SilentChannels.general
        case "duplicateServer": "Use \(.serverDelete, "SERVER", "--user", "USER")."
        case "unknownServerProtocol": "A newer app stored them and uses them; this version ignores them."
        case "sharedOperatorDomain":
            """
            A server in the domains of several operators belongs to the first of them; \(.operatorList) shows all. \
            Domains come from files of presets: \(.presetExport, "-o", "FILE") writes one. Correct the domains of an \
            operator in this file. Then \(.presetImport, "FILE", "--trust-operators") changes them in the store.
            """
        case "presetWithoutOperator":
            """
            The store has lost the row of the operator. Until the operator is back, its relays and servers are shown as \
            the user's own, and its switch is missing: \(.presetSync, "--all-profiles") adds each operator that ships \
            with chatdb. Another operator comes back with its file of presets: \
            \(.presetImport, "FILE", "--trust-operators").
            """
        case "duplicateRelay": "Use \(.relayDelete, "RELAY", "--user", "USER"); its channels keep it."
        case "duplicateRelayName":
            "Use \(.relayEdit, "RELAY", "--name", "NAME", "--user", "USER") or \(.relayDelete, "RELAY", "--user", "USER")."
        case "invalidRelayAddress":
            """
            If the relay is the user's own and no channel uses it, \
            \(.relayEdit, "RELAY", "--address", "ADDRESS", "--user", "USER") corrects it. If channels use it, or if its \
            right address is unknown, \(.relayDelete, "RELAY", "--user", "USER", "--no-backup") deletes it, and its \
            channels keep it. If it is a preset, \(.presetSync, "--user", "USER") corrects it.
            """
        case "wrongAddressKey": "\(fix) corrects the keys that no other relay has."
        case "deletedRelayWithoutReference": "\(fix) removes them."
        case "groupRelayWithoutMember":
            """
            \(.groupRelays, "GROUP", "--user", "USER") shows the rows and what they lack. \
            \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER") deletes the row, and \
            \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER") adds the relay to the channel again.
            """
        case "relayMemberWithoutRow": LostMemberSteps.general
        case "acceptedRelayWithoutLink":
            """
            \(.groupRelays, "GROUP", "--user", "USER") shows the relays of a channel. \
            \(.groupRelayAccept, "GROUP", "ROW", "--link", "LINK", "--user", "USER") stores the link that the relay made \
            for the channel, and the relay keeps its status. Only if nobody knows the link, take these two steps. \
            \(RelayChoice.replacing)
            """
        case "relayLinkOfMemberOnly":
            "\(fix) stores the link of the member in the row of the relay too, where the channel looks for it."
        case "groupRelayOfOtherProfile":
            """
            \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER") deletes the row, and \
            \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER") adds a relay of the profile's own.
            """
        case "groupRelayWithoutConnection":
            """
            The channel does not reach the relay, whatever its status is. \(.restore, "FOLDER") restores a backup from \
            before the loss. Without a backup, take these two steps. \(RelayChoice.replacing)
            """
        case "groupRelayOutsideChannel":
            """
            Groups with relays were probably channels, and a value of their rows is lost (use_relays), as after a \
            salvage. \(.restore, "FOLDER") restores a backup from before the loss. Delete neither the groups nor their \
            relays: no command makes a channel of a group, and the rows are all that is left of the channels.
            """
        case "unknownRelayStatus":
            """
            \(.groupRelays, "GROUP", "--user", "USER") shows the status. If a newer app stored it, use that app or a newer \
            chatdb. If no newer app did, take these two steps. \(RelayChoice.replacing)
            """
        case "severalChatRelays": "The app serves the one with the lowest number only: remove the others in the app."
        case "relayServiceWithoutRole":
            """
            The profile passes on the messages of a channel only as its member with the role relay. \
            \(.groupShow, "GROUP", "--user", "USER") shows its own status as a relay, and \
            \(.groupMembers, "GROUP", "--user", "USER") its role. \(.restore, "FOLDER") restores a backup from before the \
            change of the role. Neither leave nor delete the channel because of it: no command sets the role again.
            """
        case "unknownOwnRelayStatus":
            """
            \(.groupShow, "GROUP", "--user", "USER") shows the status. If a newer app stored it, use that app or a newer \
            chatdb, which knows it. Otherwise another program changed the rows: \(.restore, "FOLDER") restores a backup \
            from before that. Do not delete the channel because of it.
            """
        case "relayRequestIncomplete": "The relay gives up on them; the owner of the channel has to ask again."
        case "deliveryTaskWithoutMessage", "deliveryJobWithoutBody":
            "The relay cannot deliver them and leaves them out; members do not get these messages."
        case "channelWithoutLink":
            "Subscribers cannot join such a channel: \(.groupSetLink, "GROUP", "LINK", "--user", "USER") stores its link."
        case "channelWithoutRelay": ChannelsWithoutRelay.general
        default: nil
        }
    }

    private static func ofAgent(_ id: String) -> Hint? {
        switch id {
        case "profileWithoutAgent":
            """
            The row of the profile in users of the agent database is missing: damage or another program removed it, or \
            the agent's file is older than the chat's. \(.restore, "FOLDER") restores both files from a backup. Without \
            one, look for the agent's file of the same time. If there is none, close all programs that use the store, copy \
            both files to another place, and write the row again in the agent database: INSERT INTO users (user_id) \
            VALUES (N). N is the agent_user_id that \(.query, "SELECT user_id, agent_user_id FROM users") shows for the \
            profile. After that, \(.check) names the connections that the agent database lacks too.
            """
        case "profileMarkedDeleted":
            """
            Do not start an app with these files, and copy both files to another place now: an app takes such a profile \
            for one that is being deleted, and removes it once its connections are deleted. The mark is in users of the agent \
            database, deleted = 1. \(.restore, "FOLDER") restores both files from a backup. Without one, clear the mark in \
            the agent database: UPDATE users SET deleted = 0 WHERE user_id = A, with the number A behind agent: users in \
            the example. Only if the profile was meant to be deleted, \(.userDelete, "USER") completes the deletion.
            """
        case "agentProfileWithoutProfile":
            "A crash interrupted the creation or deletion of a profile: \(fix) removes what is left."
        case "connectionWithoutAgent":
            "\(brokenConnection) If the agent's file was truncated or salvaged, it lost them."
        case "transferWithoutAgentFile": "Such a transfer cannot continue: cancel it in the app and start again."
        case "agentConnectionWithoutConnection":
            """
            \(keysOfLost) before an app starts, because it may delete them. Otherwise the connections take space and do \
            no harm.
            """
        case "agentFileWithoutFile": "The rows take space and do no harm; an app may delete them."
        case "connectionDeletedOnOneSide": brokenConnection
        case "ratchetOutOfSync":
            """
            Messages of such a connection cannot be decrypted until both sides agree. In the states allowed and \
            required, negotiate the encryption again in the app. In the states started and agreed, the negotiation is \
            under way: wait until the contact or member has been online.
            """
        case "disabledQueue": "The other side or a server has removed the queues. \(brokenConnection)"
        case "undeliveredMessage":
            "The app sends the messages when it runs and reaches their servers: check the network and the servers in the app."
        case "messageBeyondCounter":
            "The next message cannot be stored. \(backup). Without a backup, connect again in the app."
        case "unusedMessageBody": "\(fix) removes them."
        default: nil
        }
    }

    /// What to do about a connection that works no longer, and what that costs.
    private static let brokenConnection: Hint = """
        A contact's connection can neither send nor receive: connect again in the app, and keep the old chat, because \
        deleting it deletes its messages. A group member's connection carries only the messages between that member \
        and the profile: ask an admin to remove the member and invite it again. Leaving the group would end the \
        membership of the profile and its role.
        """

    /// The first half of a remedy: what the agent database may have of connections that the chat database lost.
    package static let keysOfLost: Hint = """
        If the chat database lost rows or is older than the agent's, these are the keys of its newest contacts: copy both \
        files to another place
        """

    private static var fix: HintedCommand { HintedCommand(.check, ["--fix"]) }
}
