import ChatDBKit

extension UsersError: Hinted {
    var hint: Hint? {
        switch self {
        case .profileNotFound, .duplicateProfileName, .profileNotHidden: .command(UserList.self)
        case .agentUserTaken: .command(CheckCommand.self)
        case .activeProfileCannotBeHidden: .command(UserActivate.self, "USER")
        case .lastProfileCannotBeHidden: .command(UserAdd.self, "NAME")
        case .profileAlreadyHidden(let user), .hiddenProfileIsMuted(let user):
            .command(UserUnhide.self, "id:\(user.id)")
        case .store(let error): error.hint
        case .invalidProfileName, .nameTaken, .invalidPassword: nil
        }
    }
}

extension SettingsError: Hinted {
    var hint: Hint? {
        switch self {
        case .profileNotFound: .command(UserList.self)
        case .store(let error): error.hint
        case .invalidTTL, .invalidAppSettings: nil
        }
    }
}

extension OperatorsError: Hinted {
    var hint: Hint? {
        switch self {
        case .operatorNotFound: .command(OperatorList.self)
        case .store(let error): error.hint
        default: nil
        }
    }
}

extension ServersError: Hinted {
    var hint: Hint? {
        switch self {
        case .serverNotFound, .duplicateServer: .command(ServerList.self)
        case .presetServerCannotBeDeleted(let server), .presetServerCannotBeEdited(let server):
            .command(ServerDisable.self, "id:\(server.id)")
        case .operators(let error): error.hint
        case .relays(let error): error.hint
        case .users(let error): error.hint
        case .store(let error): error.hint
        case .invalidServerAddress, .otherProtocol, .noNamesRole, .validationFailed: nil
        }
    }
}

extension ChatRelaysError: Hinted {
    var hint: Hint? {
        switch self {
        case .noEnabledRelays:
            "\(RelayList.self) shows why; relay enable, operator enable or relay add ADDRESS helps"
        case .relayNotFound, .notEnoughRelays, .duplicateRelayAddress, .duplicateRelayName: .command(RelayList.self)
        case .relayInUse(let relay, _): .command(RelayShow.self, "id:\(relay.id)")
        case .presetRelayCannotBeDeleted(let relay), .presetRelayCannotBeEdited(let relay):
            .command(RelayDisable.self, "id:\(relay.id)")
        case .users(let error): error.hint
        case .store(let error): error.hint
        case .invalidRelayAddress, .invalidRelayName, .invalidRelayDomain: nil
        }
    }
}

extension GroupsError: Hinted {
    var hint: Hint? {
        switch self {
        case .groupNotFound, .notPrepared: .command(GroupList.self)
        case .memberNotFound, .memberGone: .command(GroupMembers.self, "GROUP")
        case .groupRelayNotFound: .command(GroupRelays.self, "GROUP")
        case .relayDisabled: .command(RelayList.self)
        case .alreadyStarted(let group), .soleOwner(let group): .command(GroupDelete.self, "id:\(group.id)")
        case .notOwner(let group), .ownMembership(let group): .command(GroupLeave.self, "id:\(group.id)")
        case .relays(let error): error.hint
        case .users(let error): error.hint
        case .store(let error): error.hint
        default: nil
        }
    }
}

extension ContactsError: Hinted {
    var hint: Hint? {
        switch self {
        case .groupNotFound: .command(GroupList.self)
        case .users(let error): error.hint
        case .store(let error): error.hint
        default: nil
        }
    }
}

extension ConnectionsError: Hinted {
    var hint: Hint? {
        switch self {
        case .users(let error): error.hint
        case .store(let error): error.hint
        default: nil
        }
    }
}

extension FilesError: Hinted {
    var hint: Hint? {
        switch self {
        case .users(let error): error.hint
        case .store(let error): error.hint
        default: nil
        }
    }
}

extension PresetError: Hinted {
    var hint: Hint? {
        switch self {
        case .presetNotFound: .command(PresetListCommand.self)
        case .presetConflicts: "--on-conflict skip leaves them out, --on-conflict rename takes relays with another name"
        case .invalidPreset(let problems, _):
            problems.contains(where: \.isUnknownField) ? "--lenient passes unknown fields over, with a warning" : nil
        case .operators(let error): error.hint
        case .servers(let error): error.hint
        case .relays(let error): error.hint
        case .users(let error): error.hint
        case .store(let error): error.hint
        }
    }
}
