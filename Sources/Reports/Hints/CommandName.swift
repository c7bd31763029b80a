/// A command of chatdb in hints and notes: its words, and which of the options for store, profile and migrations it
/// takes. Lower layers name commands by this and not by their types in higher layers. A test compares it with the
/// command tree.
package enum CommandName: String, Sendable, Hashable, CaseIterable {
    case migrateRun = "migrate run"
    case migrateUp = "migrate up"
    case migrateDown = "migrate down"
    case migratePlan = "migrate plan"
    case migrateStatus = "migrate status"
    case migrateVerify = "migrate verify"
    case migrateNew = "migrate new"
    case migrateBaseline = "migrate baseline"

    case schemaShow = "schema show"
    case schemaDump = "schema dump"
    case schemaDiff = "schema diff"
    case schemaDocs = "schema docs"

    case userList = "user list"
    case userShow = "user show"
    case userAdd = "user add"
    case userEdit = "user edit"
    case userActivate = "user activate"
    case userRename = "user rename"
    case userHide = "user hide"
    case userUnhide = "user unhide"
    case userDelete = "user delete"

    case operatorList = "operator list"
    case operatorEnable = "operator enable"
    case operatorDisable = "operator disable"
    case operatorSetRoles = "operator set-roles"

    case serverList = "server list"
    case serverShow = "server show"
    case serverAdd = "server add"
    case serverEdit = "server edit"
    case serverEnable = "server enable"
    case serverDisable = "server disable"
    case serverSetRoles = "server set-roles"
    case serverTest = "server test"
    case serverMarkTested = "server mark-tested"
    case serverDelete = "server delete"

    case conditionsList = "conditions list"
    case conditionsAccept = "conditions accept"

    case relayList = "relay list"
    case relayShow = "relay show"
    case relayUsage = "relay usage"
    case relayAdd = "relay add"
    case relayEdit = "relay edit"
    case relayEnable = "relay enable"
    case relayDisable = "relay disable"
    case relayTest = "relay test"
    case relayMarkTested = "relay mark-tested"
    case relayDelete = "relay delete"

    case groupList = "group list"
    case groupShow = "group show"
    case groupMembers = "group members"
    case groupRelays = "group relays"
    case groupCreate = "group create"
    case groupPrepare = "group prepare"
    case groupStart = "group start"
    case groupFinish = "group finish"
    case groupSetLink = "group set-link"
    case groupRelayAdd = "group relay add"
    case groupRelayInvite = "group relay invite"
    case groupRelayAccept = "group relay accept"
    case groupRelayAcknowledge = "group relay acknowledge"
    case groupRelayActivate = "group relay activate"
    case groupRelayReject = "group relay reject"
    case groupRelayDeactivate = "group relay deactivate"
    case groupRelayRemove = "group relay remove"
    case groupCancel = "group cancel"
    case groupLeave = "group leave"
    case groupDelete = "group delete"

    case contactList = "contact list"
    case contactShow = "contact show"

    case settingsGet = "settings get"
    case settingsSet = "settings set"

    case notificationTarget = "notification target"

    case presetList = "preset list"
    case presetShow = "preset show"
    case presetExport = "preset export"
    case presetImport = "preset import"
    case presetDiff = "preset diff"
    case presetValidate = "preset validate"
    case presetSync = "preset sync"

    case archiveCheck = "archive check"
    case archiveUnpack = "archive unpack"
    case archivePack = "archive pack"

    case passphraseSet = "passphrase set"
    case passphraseChange = "passphrase change"
    case passphraseRemove = "passphrase remove"

    case find
    case search
    case inspect
    case check
    case diagnose
    case query
    case bundleWrite = "bundle write"
    case bundleDiff = "bundle diff"
    case backupMake = "backup make"
    case backupList = "backup list"
    case backupVerify = "backup verify"
    case backupPrune = "backup prune"
    case restore
    case serve
    case configShow = "config show"
    case completion
    case salvage
    case copy

    /// The words of the command line: `chatdb relay show`.
    package var words: [String] { ["chatdb"] + rawValue.split(separator: " ").map(String.init) }

    /// The options that the command takes. A command with a store takes its passphrase.
    package var takes: Set<GivenOptions.Name> {
        var options = optionsBesidePassphrase
        if options.contains(.store) { options.insert(.passphrase) }
        if [.passphraseSet, .passphraseChange].contains(self) { options.insert(.newPassphrase) }
        // The other passphrase of these three is that of a second store, or of the second database.
        if [.passphraseChange, .archiveCheck, .presetDiff].contains(self) { options.insert(.otherPassphrase) }
        return options
    }

    private var optionsBesidePassphrase: Set<GivenOptions.Name> {
        switch self {
        case .migrateRun, .migrateUp, .migratePlan:
            [.store, .migrationsDir, .only, .acceptEdited, .allowOutOfOrder, .encrypt]
        case .migrateDown:
            [.store, .migrationsDir, .only, .acceptEdited]
        case .migrateVerify:
            [.migrationsDir, .only, .acceptEdited]
        case .migrateStatus, .migrateBaseline, .schemaDiff, .schemaDump:
            [.store, .migrationsDir, .only]
        case .restore, .check, .backupMake:
            [.store, .migrationsDir]
        case .inspect:
            [.store, .migrationsDir, .showHidden, .passwordStdin]
        case .migrateNew, .schemaDocs:
            [.migrationsDir, .only]
        case .schemaShow, .query, .salvage:
            [.store, .only]
        case .userAdd, .userHide, .userUnhide, .diagnose, .bundleWrite,
            .backupList, .backupVerify, .backupPrune,
            .conditionsList, .conditionsAccept, .serve, .copy, .passphraseSet, .passphraseChange,
            .passphraseRemove, .archivePack:
            [.store]
        case .userList, .userActivate, .userRename, .userEdit, .userDelete, .notificationTarget:
            [.store, .showHidden, .passwordStdin]
        case .userShow, .operatorList, .operatorEnable, .operatorDisable, .operatorSetRoles, .serverList, .serverShow,
            .serverAdd, .serverEdit, .serverSetRoles, .serverTest, .serverMarkTested, .serverEnable, .serverDisable,
            .serverDelete,
            .relayList, .relayShow, .relayUsage, .relayAdd, .relayEdit,
            .relayEnable, .relayDisable, .relayTest, .relayMarkTested, .relayDelete, .groupList, .groupShow,
            .groupMembers,
            .groupRelays, .groupCreate, .groupPrepare, .groupStart, .groupFinish, .groupCancel, .groupLeave,
            .groupDelete, .groupSetLink, .groupRelayAdd, .groupRelayInvite, .groupRelayAccept, .groupRelayAcknowledge,
            .groupRelayActivate, .groupRelayReject, .groupRelayDeactivate, .groupRelayRemove, .presetExport,
            .presetImport, .presetDiff, .presetSync, .contactList, .contactShow, .settingsGet, .settingsSet,
            .search:
            [.store, .user, .showHidden, .passwordStdin]
        case .archiveCheck:
            [.passphrase]
        case .presetList, .presetShow, .presetValidate, .archiveUnpack, .find, .bundleDiff, .completion,
            .configShow:
            []
        }
    }
}
