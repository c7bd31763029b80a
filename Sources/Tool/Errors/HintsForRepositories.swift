import ChatDBKit

extension UsersError: Hinted {
    var hint: Hint? {
        switch self {
        case .profileNotFound, .duplicateProfileName, .profileNotHidden: .command(.userList)
        case .agentUserTaken, .profilesLost: .command(.check)
        case .activeProfileCannotBeHidden: .command(.userActivate, "USER")
        case .lastProfileCannotBeHidden: .command(.userAdd, "NAME")
        case .profileAlreadyHidden(let user), .hiddenProfileIsMuted(let user):
            .command(.userUnhide, "id:\(user.id)")
        case .store(let error): error.hint
        case .chatRelayInUse, .otherChatRelay: .command(.userList)
        case .invalidProfileName, .invalidProfileDetail, .invalidThemes, .nameTaken, .invalidPassword: nil
        }
    }
}

extension SettingsError: Hinted {
    var hint: Hint? {
        switch self {
        case .profileNotFound: .command(.userList)
        case .store(let error): error.hint
        case .invalidTTL, .invalidAppSettings: nil
        }
    }
}

extension OperatorsError: Hinted {
    var hint: Hint? {
        switch self {
        case .operatorNotFound: .command(.operatorList)
        case .store(let error): error.hint
        default: nil
        }
    }
}

extension ServersError: Hinted {
    var hint: Hint? {
        switch self {
        case .serverNotFound, .duplicateServer: .command(.serverList)
        case .presetServerCannotBeDeleted(let server), .presetServerCannotBeEdited(let server):
            .command(.serverDisable, "id:\(server.id)")
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
            "\(.relayList) shows why; \(.relayEnable, "RELAY"), \(.operatorEnable, "OPERATOR") or \(.relayAdd, "ADDRESS") makes one available"
        case .relayNotFound, .notEnoughRelays, .duplicateRelayAddress, .duplicateRelayName: .command(.relayList)
        case .relayInUse(let relay, let channels):
            Self.replacing(relay, channelsUsing: channels, isCopied: (try? RelayAddress(relay.address)) != nil)
        case .relayAddressNotValid(let relay) where relay.isPreset: "\(.presetSync) corrects it"
        case .relayAddressNotValid(let relay):
            """
            \(.relayEdit, "id:\(relay.id)", "--address", "ADDRESS") corrects it, or says what to do while channels use \
            the relay; \(.relayList) shows the other relays
            """
        case .presetRelayCannotBeDeleted(let relay), .presetRelayCannotBeEdited(let relay):
            .command(.relayDisable, "id:\(relay.id)")
        case .invalidRelayAddress(let error) where error.isOfServer:
            "\(.serverAdd, "ADDRESS") adds a server"
        case .users(let error): error.hint
        case .store(let error): error.hint
        case .invalidRelayAddress, .invalidRelayName, .invalidRelayDomain: nil
        }
    }
}

extension ChatRelaysError {
    /// The commands that lead from a relay in use to one with another address.
    ///
    /// - Parameters:
    ///   - channels: the number of channels that use the relay. Others may refer to it.
    ///   - isCopied: whether `relay delete` can keep a copy of the relay. Otherwise it needs `--no-backup`.
    static func replacing(
        _ relay: ChatRelay, channelsUsing channels: Int, by address: String = "ADDRESS", isCopied: Bool
    ) -> Hint {
        let id = "id:\(relay.id)"
        let delete = HintedCommand(.relayDelete, isCopied ? [id] : [id, "--no-backup"])
        let replaced: Hint = """
            \(delete) deletes it, and its channels keep it; then \(.relayAdd, address) adds the new one
            """
        return channels == 0
            ? "\(replaced); \(.relayShow, id) lists the channels that refer to the old one"
            : """
            \(replaced), and \(.groupRelayAdd, "CHANNEL", "RELAY") adds it to a channel; \(.relayShow, id) lists the \
            channels of the old one
            """
    }
}

extension RelayAddressError {
    /// Whether the text is the address of a server.
    fileprivate var isOfServer: Bool { if case .serverAddress = problem { true } else { false } }
}

extension GroupsError: Hinted {
    var hint: Hint? {
        switch self {
        case .groupNotFound: .command(.groupList)
        case .memberNotFound: .command(.groupMembers, "GROUP")
        case .memberGone(let member): .command(.groupMembers, "id:\(member.groupID)", "--past")
        case .groupRelayNotFound: .command(.groupRelays, "GROUP")
        case .relayDisabled(let relay):
            relay.isEnabled
                ? "\(.operatorList) shows the operators; \(.operatorEnable, "OPERATOR") enables one"
                : "\(.relayEnable, "id:\(relay.id)") enables it; \(.relayList) shows the others"
        case .relayInChannel(_, let group): .command(.groupRelays, "id:\(group.id)")
        case .relayStepNotAllowed(let relay, _): .command(.groupRelays, "id:\(relay.groupRelay.groupID)")
        case .creationIncomplete(let group, let missing):
            missing.contains(.relay)
                ? "\(.groupRelayAdd, "id:\(group.id)", "RELAY") adds a relay of the profile; \(.groupCancel, "id:\(group.id)") deletes the channel"
                : .command(.groupFinish, "id:\(group.id)", "--link", "LINK")
        case .alreadyStarted(let group), .notPrepared(let group):
            group.mayDelete
                ? "\(.groupShow, "id:\(group.id)") shows its state; \(.groupDelete, "id:\(group.id)") deletes it"
                : "\(.groupShow, "id:\(group.id)") shows its state; after \(.groupLeave, "id:\(group.id)"), \(.groupDelete, "id:\(group.id)") deletes it"
        case .creationFinished(let group)
        where group.isChannel && group.membership?.role == .owner && !group.isPrepared:
            "\(.groupShow, "id:\(group.id)") shows its state; \(.groupSetLink, "id:\(group.id)", "LINK") sets its link"
        case .creationFinished(let group), .duplicateGroupLink(let group): .command(.groupShow, "id:\(group.id)")
        case .notInGroup(let group):
            .command(group.nextConnectPrepared ? .groupStart : .groupDelete, "id:\(group.id)")
        case .relayRefusal(let group): .command(.groupShow, "id:\(group.id)")
        case .soleOwner(let group): .command(.groupDelete, "id:\(group.id)")
        case .notOwner(let group), .ownMembership(let group): .command(.groupLeave, "id:\(group.id)")
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
        case .groupNotFound: .command(.groupList)
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
        case .presetNotFound: .command(.presetList)
        // The options decide only about conflicts that block an import.
        case .presetConflicts(let changes):
            if !changes.allSatisfy(\.isBlocking) {
                changes.contains { $0.kind == .smpServer || $0.kind == .xftpServer }
                    ? "rename is for names of relays; \(.serverEdit, "HOST", "--address", "ADDRESS") gives a server the key hash of the file"
                    : nil
            } else if changes.allSatisfy({ $0.kind != .relay }) {
                "--on-conflict skip leaves them out; \(.serverEdit, "HOST", "--address", "ADDRESS") gives a server the address of the file"
            } else if changes.allSatisfy({ $0.kind == .relay }) {
                "--on-conflict skip leaves them out; --on-conflict rename adds a number to the name of a new relay, and gives a relay that the profile has the name of the file"
            } else {
                "--on-conflict skip leaves them out; --on-conflict rename adds a number to the name of a new relay, gives a relay that the profile has the name of the file, and leaves servers out"
            }
        case .invalidPreset(let problems, _):
            problems.contains(where: \.isOfList)
                ? "--as list reads a list of addresses"
                : problems.contains(where: \.isUnknownField) ? "--lenient ignores unknown fields, with a warning" : nil
        case .operators(let error): error.hint
        case .servers(let error): error.hint
        case .relays(let error): error.hint
        case .users(let error): error.hint
        case .store(let error): error.hint
        }
    }
}
