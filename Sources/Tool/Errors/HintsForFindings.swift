import ChatDBKit

extension Finding {
    /// What to do about it, a sentence.
    var remedy: Hint { Remedies.remedy(for: id) ?? "" }
}

/// What to do about each finding of a check, by the id of the check.
enum Remedies {
    /// The remedy; nil for an id that no check has.
    static func remedy(for id: String) -> Hint? {
        ofFilesAndVersions(id) ?? ofProfilesAndChats(id) ?? ofServersAndRelays(id) ?? ofAgent(id)
    }

    private static func ofFilesAndVersions(_ id: String) -> Hint? {
        switch id {
        case StoreCheck.damageID(.chat), StoreCheck.damageID(.agent):
            "Copy both files away now; \(.restore, "FOLDER") goes back to a backup."
        case "chatDanglingReference", "agentDanglingReference":
            "Go back to a backup from before they were lost, or delete in the app what they belong to."
        case StoreCheck.mismatchedPair: "Find the file that was made with the other one; backups keep them together."
        case StoreCheck.exchangedFiles: "With no program using the store, give each file the name of what it holds."
        case StoreCheck.foreignPair:
            "Find the file that was made with the other one; \(.inspect) tells what each is."
        case StoreCheck.unknownStore:
            "See whether these are the files you meant; \(.inspect) tells what they are."
        case StoreCheck.missingDatabase:
            "An app needs both: ask for the other file of the same moment, or restore a backup."
        case StoreCheck.unreadableDatabase:
            "The notes say why. Ask for the file again; \(.restore, "FOLDER") goes back to a backup."
        case StoreCheck.interruptedMigration: "\(.migrateRun) completes it."
        case StoreCheck.interruptedRestore: "\(.restore) with the same backup completes it."
        case StoreCheck.editedMigration: "Find out which build made the store; \(.migrateStatus) tells more."
        case StoreCheck.schemaDrift(.chat), StoreCheck.schemaDrift(.agent):
            "\(.schemaDiff) shows them; another program has changed the schema."
        case StoreCheck.schemaMissing(.chat), StoreCheck.schemaMissing(.agent):
            "Their rows are gone with them: \(.restore, "FOLDER") goes back to a backup."
        case StoreCheck.schemaLost(.chat), StoreCheck.schemaLost(.agent):
            "\(fix) makes them again; until then rows may come twice, searches miss words, or take long."
        case StoreCheck.duplicateRow(.chat), StoreCheck.duplicateRow(.agent):
            "Keep one of each, and delete the others in the app, or go back to a backup; then \(fix) makes the index."
        default: nil
        }
    }

    private static func ofProfilesAndChats(_ id: String) -> Hint? {
        switch id {
        case "severalActiveProfiles": "\(fix) leaves the one that was used last."
        case "noActiveProfile": "\(.userActivate, "USER"), or \(fix) activates the one used last."
        case "profileWithoutOwnContact": "Go back to a backup; what the profile shows of itself cannot be told."
        case "strayOwnContact": "They are in no list; find out which program made them."
        case "ownNameDiffers": "\(.userRename) gives the profile one name everywhere."
        case "halfHiddenProfile": "No password opens them: go back to a backup."
        case "hiddenProfileNotMuted": "\(fix) mutes them."
        case "severalAddresses": "Delete in the app those that are not used."
        case "sharedDisplayName": "One of the two has to get another name, in the app."
        case "displayNameForm": "Another of the same name may be refused: rename them in the app."
        case "unusedDisplayName": "\(fix) sets them free."
        case "crossProfileReference":
            "Go back to a backup from before; deleting either profile would take the row with it."
        case "groupWithoutOwnMember": "Delete them with \(.groupDelete), or in the app."
        case "startedWithoutLink": "\(fix) takes the marks off."
        case "joinedWithoutStart": "Joining again would make a second membership: find out which program made them."
        case "wrongConnectionType": "Find out which program made them; an app may take them for something else."
        case "deletedConnectionSubscribed": "\(fix) takes the mark off."
        case "duplicateTag": "Rename or delete them in the app."
        case "invalidAppSettings": "Let the app store its settings again; until then it has its defaults."
        case "searchIndex": "\(fix) makes it anew; until then a search finds too little, or what was deleted."
        case "unusedFileDescription", "unusedContactProfile", "unusedGroupProfile": "\(fix) removes them."
        default: nil
        }
    }

    private static func ofServersAndRelays(_ id: String) -> Hint? {
        switch id {
        case "duplicateServer": "\(.serverDelete, "SERVER")."
        case "unknownServerProtocol": "A newer app stored them, and uses them; this version leaves them out."
        case "duplicateRelay": "\(.relayDelete, "RELAY"); its channels keep it."
        case "duplicateRelayName":
            "\(.relayEdit, "RELAY", "--name", "N"), or \(.relayDelete, "RELAY")."
        case "invalidRelayAddress":
            "\(.relayEdit, "RELAY", "--address", "A"), or \(.relayDelete, "RELAY")."
        case "wrongAddressKey": "\(fix) sets what they are found by, where no other relay has it."
        case "deletedRelayWithoutReference": "\(fix) removes them."
        case "groupRelayWithoutMember", "acceptedRelayWithoutLink":
            "Remove the relay from the channel in the app, and add it again."
        case "groupRelayOfOtherProfile":
            "Remove the relay from the channel in the app, and add one of the profile's own."
        case "groupRelayOutsideChannel": "Find out which program made them; their relays are not used."
        case "channelWithoutRelay": "Nobody can read or join them: add a relay in the app."
        default: nil
        }
    }

    private static func ofAgent(_ id: String) -> Hint? {
        switch id {
        case "profileWithoutAgent": "The two files are of different times: go back to a backup of both."
        case "agentProfileWithoutProfile":
            "A profile was made or deleted, and a crash came between: \(fix) removes what is left."
        case "connectionWithoutAgent": "Nothing can be sent or received by them: connect again in the app."
        case "transferWithoutAgentFile": "Their transfer cannot go on: cancel it in the app, and begin again."
        case "agentConnectionWithoutConnection", "agentFileWithoutFile":
            "They take room and do no harm; an app may delete them."
        case "messageBeyondCounter":
            "The next message cannot be stored: go back to a backup, or connect again in the app."
        case "unusedMessageBody": "\(fix) removes them."
        default: nil
        }
    }

    private static var fix: HintedCommand { HintedCommand(.check, ["--fix"]) }
}
