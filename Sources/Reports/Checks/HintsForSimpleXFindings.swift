import ChatDBKit

/// The remedies for findings in stores of SimpleX Chat, where they differ from those of chatdb's own stores. chatdb
/// does not write these stores, so the remedy is in the app, or is another copy of the files.
extension Remedies {
    /// The remedy in stores of SimpleX Chat. It is nil if the remedy in chatdb's own stores applies to them too.
    package static func inApp(_ id: String) -> Hint? {
        filesInApp(id) ?? versionsInApp(id) ?? profilesInApp(id) ?? chatsInApp(id) ?? relaysInApp(id)
            ?? networkInApp(id) ?? connectionsInApp(id)
    }

    /// The import of an archive, which has both databases of one moment.
    static let olderArchive: Hint =
        "import an earlier archive in the app (\(AppScreen.chatDatabase)), which lacks what happened since"

    /// The import of an archive, for a store that the app does not open.
    private static let archiveOfKnownApp: Hint =
        "move both files to another folder, start the app without them, and import an earlier archive"

    /// The source of both databases of one moment.
    private static let exportedArchive: Hint = "an archive that the app exports (\(AppScreen.chatDatabase))"

    /// The advice for rows that refer to missing ones.
    package static let keptRows: Hint =
        "Do not delete chats or profiles because of them: what is left would be lost too."

    private static func filesInApp(_ id: String) -> Hint? {
        switch id {
        case StoreCheck.damageID(.chat), StoreCheck.damageID(.agent):
            """
            Copy both files to another place now. If the app still starts, export an archive in it \
            (\(AppScreen.chatDatabase)); else \(olderArchive).
            """
        case StoreCheck.damagedPageID(.chat), StoreCheck.damagedPageID(.agent):
            """
            Copy both files to another place now, and ask for them again, or for \(exportedArchive); until then, \
            chatdb still reads what the other pages hold.
            """
        case "chatDanglingReference", "agentDanglingReference":
            """
            \(lostRows). To have them again, \(olderArchive). \(keptRows)
            """
        case "unreadableValue":
            """
            Lists of chatdb show the other rows, and the app may fail to show any. Find out which program wrote the \
            values, or \(olderArchive).
            """
        case "invalidText":
            """
            The app shows an error in the place of every list with such a row. Copy both files to another place now. \
            /sql chat UPDATE TABLE SET COLUMN = 'TEXT' WHERE rowid = ROW in the app (\(AppScreen.chatConsole)) stores \
            a new text in the place of the wrong one; for a finding that begins with agent:, use /sql agent. Without \
            the console, \(olderArchive).
            """
        case StoreCheck.mismatchedPair:
            """
            Do not start the app with these files. Find the file that was written with the other one: \
            \(exportedArchive) contains both.
            """
        case StoreCheck.exchangedFiles:
            """
            Close all programs that use the store, and give each file the name of the database it contains; or ask for \
            \(exportedArchive).
            """
        case StoreCheck.copiedDatabase:
            """
            Do not rename or overwrite either file: each may be the only copy. Move the one that is named wrongly to \
            another folder, and put the missing database in its place; without it, \(olderArchive).
            """
        case StoreCheck.missingDatabase:
            "The app needs both databases: ask for the other file from the same time, or for \(exportedArchive)."
        case StoreCheck.unreadableDatabase:
            """
            The notes say why. If you may not read the file, change its permissions. If it is damaged, ask for \
            \(exportedArchive). \(DamageRemedies.salvaging) Otherwise ask for the file again.
            """
        case StoreCheck.interruptedMigration, StoreCheck.interruptedRestore:
            "Use another copy of both files, or \(exportedArchive)."
        default: nil
        }
    }

    private static func versionsInApp(_ id: String) -> Hint? {
        switch id {
        case StoreCheck.lostMigrations:
            """
            The database lost rows of its table migrations. Do not start the app with these files: it would apply \
            migrations a second time, and fail. Find another copy of both files, or \(olderArchive).
            """
        case StoreCheck.viewForTable:
            "Find out which program created them. chatdb does not run them, and the app may not write to them."
        case StoreCheck.unreadableInApp:
            """
            SimpleX Chat reads these values at every start, and chatdb changes no relay, server or operator of a store \
            that has one. If the app starts nevertheless, correct or delete the entries in it \
            (\(AppScreen.networkAndServers)). Otherwise copy both files to another place, and correct the values with \
            a program for SQLite, while no other program has the file open: UPDATE TABLE SET COLUMN = VALUE WHERE rowid = \
            ROW. docs/simplex.md lists the values that the app can read, and has the steps for an archive. Or \
            \(olderArchive).
            """
        case StoreCheck.editedMigration: "Find out which build of the app wrote the store (\(AppScreen.appVersion))."
        case StoreCheck.olderVersion:
            "The current app migrates the store when it starts (\(AppScreen.appVersion) shows which app it is)."
        case StoreCheck.newerVersion:
            "Keep a copy of both files, and install the app that migrated the store, or a newer one."
        case StoreCheck.otherHistory:
            """
            The app compares the names of the migrations in order, says that they differ, and opens neither file. \
            Keep a copy of both files. The app that migrated the store opens them: a build from another branch has other \
            names. If the example says that a migration is in the place of another one, both may be the same migration \
            under two names. In a copy of the database that no program has open, SQL can then rename the row in the table \
            migrations. Otherwise \(archiveOfKnownApp).
            """
        case StoreCheck.schemaDrift(.chat), StoreCheck.schemaDrift(.agent):
            """
            Another program changed the schema, and the app may fail on it: find out which program, or \
            \(olderArchive).
            """
        case StoreCheck.schemaMissing(.chat), StoreCheck.schemaMissing(.agent):
            "The rows of missing tables and columns are lost too, and the app fails without them: \(olderArchive)."
        case StoreCheck.schemaLost(.chat), StoreCheck.schemaLost(.agent), StoreCheck.duplicateRow(.chat),
            StoreCheck.duplicateRow(.agent):
            "Another program changed the schema: \(olderArchive)."
        default: nil
        }
    }

    private static func profilesInApp(_ id: String) -> Hint? {
        switch id {
        case "profileWithoutAgent":
            """
            The app cannot use such a profile. Its row in users of the agent database is missing: damage or another \
            program removed it, or the agent's file is older than the chat's. Look for the agent's file of the same \
            time, or \(olderArchive). Without either, close the app, copy both files, and write the row again in the \
            copy with a program for SQLite: INSERT INTO users (user_id) VALUES (N). N is the agent_user_id that \
            \(.query, "SELECT user_id, agent_user_id FROM users") shows for the profile. After that, \(.check) names \
            the connections that the agent database lacks too.
            """
        case "profileMarkedDeleted":
            """
            Do not start the app with these files, and copy both files to another place now. The app takes such a \
            profile for one that is being deleted: it neither sends nor receives for it, and removes it once its \
            connections are deleted. The mark is in users of the agent database, deleted = 1. To keep the profile, \
            clear the mark in a copy with a program for SQLite: UPDATE users SET deleted = 0 WHERE user_id = N, with \
            the N of the example. If that is not possible, \(olderArchive). Only if the profile was meant to be \
            deleted, delete it again in the app (\(AppScreen.chatProfiles)).
            """
        case "agentProfileWithoutProfile":
            """
            A crash interrupted the creation or deletion of a profile. What is left takes space and does no harm, and no \
            action is needed.
            """
        case "severalActiveProfiles", "noActiveProfile", "hiddenActiveProfile":
            "In the app, choose the profile that should be active (\(AppScreen.chatProfiles))."
        case "sharedAgentProfile":
            "Do not delete either profile, because the other one would lose its connections: \(olderArchive)."
        case "profileWithoutOwnContact":
            "The store does not contain what the profile shows of itself: \(olderArchive)."
        case "strayOwnContact":
            "No list of the app shows such a contact, and no action is needed; find out which program created it."
        case "ownNameDiffers": "In the app, save the name of the profile again (\(AppScreen.currentProfile))."
        case "halfHiddenProfile": "No password unlocks such a profile: \(olderArchive)."
        case "hiddenProfileNotMuted":
            "In the app, unhide the profile with its password, and hide it again (\(AppScreen.chatProfiles))."
        case "severalAddresses":
            """
            In the app, delete the address, and create a new one if it is needed (\(AppScreen.simplexAddress)). Contacts \
            stay connected, and the old addresses stop working.
            """
        case "displayNameForm":
            """
            The app may refuse another entry of the same name: choose another name for the new entry. Otherwise no \
            action is needed.
            """
        case "unusedDisplayName":
            """
            The names do no harm, and no action is needed: the app adds a number to another entry with such a name.
            """
        case "crossProfileReference":
            "Deleting either profile (\(AppScreen.chatProfiles)) would delete the row too: \(olderArchive)."
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
        case "groupWithoutOwnMember":
            """
            The app does not show such a group, so it cannot delete it either. The rows that are left do no harm to \
            other chats. To have the group again, \(olderArchive).
            """
        case "unknownMemberWord":
            """
            \(.groupMembers, "GROUP", "--user", "USER") shows the words, which a newer app may have stored. An older app \
            fails to read them: install the newest one (\(AppScreen.appVersion) shows which app it is). If that app \
            fails too, \(olderArchive). Do not delete the group because of them.
            """
        case "createdChannelWithoutOwner":
            """
            Without an owner, nobody can change such a channel, its link or its relays. \
            \(.groupMembers, "GROUP", "--user", "USER") shows the members and their roles. To have the role again, \
            \(olderArchive). Neither leave nor delete the channel because of it.
            """
        case "unfinishedChannel":
            "In the app, open the channel to complete it, or delete it (\(AppScreen.deleteGroup))."
        case "duplicateGroup":
            """
            In the app, leave and delete the ones that are not in use (\(AppScreen.leaveGroup), \
            \(AppScreen.deleteGroup)). Their messages are lost.
            """
        case "wrongConnectionType":
            "The app may treat such a connection as another type, and cannot correct it: \(olderArchive)."
        case "unreadInDeletedChat":
            """
            The app counts the messages as unread: open the contact's chat again in the app, or delete the contact with \
            its messages (\(AppScreen.deleteContact)).
            """
        case "unreadableContent":
            """
            The app shows an error in the place of such a message, and all other messages as usual. To have the content \
            again, \(olderArchive).
            """
        case "unusedContactProfile", "unusedGroupProfile":
            "The rows take space and do no harm; the app shows none of them, and no action is needed."
        case "invalidAppSettings":
            """
            The app uses its defaults until it stores the settings again, which it does when it exports an archive \
            (\(AppScreen.chatDatabase)).
            """
        default: nil
        }
    }

    private static func relaysInApp(_ id: String) -> Hint? {
        switch id {
        case "groupRelayWithoutMember", "acceptedRelayWithoutLink":
            """
            \(.groupRelays, "GROUP", "--user", "USER") shows the relays of a channel. In the app, remove the relay from \
            the channel, and add it again.
            """
        case "relayLinkOfMemberOnly":
            """
            The app looks for the link in the row of the relay. Copy both files to another place now. /sql chat UPDATE \
            group_relays SET relay_link = (SELECT relay_link FROM group_members WHERE group_members.group_member_id = \
            group_relays.group_member_id) WHERE group_relay_id = ROW in the app (\(AppScreen.chatConsole)) stores the \
            link of the member there; ROW is the number of the relay in the example. Without the console, remove the \
            relay from the channel in the app, and add it again. \(.groupRelays, "GROUP", "--user", "USER") shows the \
            relays of the channel.
            """
        case "relayMemberWithoutRow":
            """
            The app no longer shows such a relay in the channel: add it again in the app. To have the row again, \
            \(olderArchive).
            """
        case "groupRelayOfOtherProfile":
            """
            \(.groupRelays, "GROUP", "--user", "USER") shows the relays of a channel. In the app, remove the relay from \
            the channel, and add one of the profile's own.
            """
        case "groupRelayOutsideChannel":
            """
            Groups with relays were probably channels, and a value of their rows is lost (use_relays), as after a \
            salvage. The app does not use their relays. To have the channels again, \(olderArchive). Do not delete the \
            groups.
            """
        case "groupRelayWithoutConnection":
            """
            The channel does not reach the relay, whatever its status is. In the app, remove the relay from the channel \
            and add it again, or add another one. To have the connection again, \(olderArchive).
            """
        case "unknownRelayStatus":
            """
            \(.groupRelays, "GROUP", "--user", "USER") shows the status, which a newer app may have stored. An older app \
            fails to read it: install the newest one (\(AppScreen.appVersion) shows which app it is). If that app fails \
            too, \(olderArchive).
            """
        case "channelWithoutRelay":
            """
            Subscribers can neither read nor join such a channel: add a relay to it in the app. \
            \(AppScreen.networkAndServers) has the relays to choose from.
            """
        case "channelWithoutLink":
            """
            Subscribers cannot join such a channel, and those who are in it stay. \
            \(.groupShow, "GROUP", "--user", "USER") shows what the store has of the channel. To have the link again, \
            \(olderArchive).
            """
        case StoreWarning.Kind.channelsWithoutActiveRelay.checkID:
            """
            Messages of such a channel may reach no subscriber. The app connects to its new relays when it runs. If all \
            are inactive or rejected, add another one to the channel in the app. \(AppScreen.networkAndServers) has \
            the relays to choose from.
            """
        case "severalChatRelays":
            """
            The app serves only the profile with the lowest number. \(.inspect) shows what the others were asked to \
            relay; the owners of these channels have to choose another relay.
            """
        case "relayServiceWithoutRole":
            """
            The app passes on the messages of a channel only as its member with the role relay. \
            \(.groupShow, "GROUP", "--user", "USER") shows the own status as a relay, and \
            \(.groupMembers, "GROUP", "--user", "USER") the role. To have the role again, \(olderArchive). Or the owner of \
            the channel chooses another relay.
            """
        case "unknownOwnRelayStatus":
            """
            \(.groupShow, "GROUP", "--user", "USER") shows the status, which a newer app may have stored. An older app \
            fails to read it: install the newest one (\(AppScreen.appVersion) shows which app it is). If that app fails \
            too, \(olderArchive).
            """
        case "relayRequestIncomplete":
            """
            The relay gives up on such a request, and no action is needed in this store: the owner of the channel has \
            to ask again.
            """
        case "deliveryTaskWithoutMessage", "deliveryJobWithoutBody":
            """
            The relay leaves out what it cannot deliver, and no action is needed; members do not get these messages.
            """
        default: nil
        }
    }

    private static func networkInApp(_ id: String) -> Hint? {
        switch id {
        case StoreWarning.Kind.noEnabledRelays.checkID:
            """
            In the app, add a relay, or switch on a relay or its operator (\(AppScreen.networkAndServers)). A channel \
            that exists keeps its relays, whether they are on or off.
            """
        case StoreWarning.Kind.noEnabledSMPServers.checkID, StoreWarning.Kind.noEnabledXFTPServers.checkID:
            "In the app, add a server, or switch on a server or its operator (\(AppScreen.networkAndServers))."
        case "sharedOperatorDomain":
            "A server in the domains of several operators belongs to the first of them; \(.operatorList) shows all."
        case "duplicateServer": "In the app, delete one of the two servers (\(AppScreen.networkAndServers))."
        case "unknownServerProtocol":
            """
            A newer app stored the servers and uses them. This build of chatdb ignores them, and no action is needed.
            """
        case "undeliveredMessage":
            """
            The app sends the messages when it runs and reaches their servers: check the network and the servers \
            (\(AppScreen.networkAndServers)).
            """
        case "transferWithoutAgentFile":
            "Such a transfer cannot continue: stop it in the app (\(AppScreen.stopFile)), and start it again."
        default: nil
        }
    }

    /// What to do about a connection that works no longer, and what that costs.
    private static let brokenConnection: Hint = """
        A contact's connection can neither send nor receive: connect again with a new link, which makes a second chat, \
        and keep the old chat, because \(AppScreen.deleteContact) deletes its messages. A group member's connection \
        carries only the messages between that member and the profile: ask an admin to remove the member and invite it \
        again. \(AppScreen.leaveGroup) would end the membership of the profile and its role.
        """

    private static func connectionsInApp(_ id: String) -> Hint? {
        switch id {
        case "connectionWithoutAgent":
            "\(brokenConnection) If the agent's file was truncated or salvaged, it lost them."
        case "connectionDeletedOnOneSide": brokenConnection
        case "disabledQueue": "The other side or a server has removed the queues. \(brokenConnection)"
        case "agentConnectionWithoutConnection":
            """
            \(keysOfLost) before the app starts, because the app may delete them. Otherwise the connections take space \
            and do no harm, and no action is needed.
            """
        case "ratchetOutOfSync":
            """
            Messages of such a connection cannot be decrypted until both sides agree. In the states allowed and \
            required, open the contact or member in the app, and choose \(AppScreen.fixConnection). In the states \
            started and agreed, the negotiation is under way: wait until the contact or member has been online.
            """
        case "messageBeyondCounter":
            """
            The next message of such a connection cannot be stored: connect again with a new link, which makes a second \
            chat, or \(olderArchive).
            """
        default: nil
        }
    }
}
