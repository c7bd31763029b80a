/// Errors of the app's chat database, by their names in the app's source. The app shows them with or without `SE`.
extension KnownMessage {
    static let ofChat: [KnownMessage] = [
        KnownMessage(
            "duplicateName", ["SEDuplicateName"],
            "The profile has an entry with this name already: a contact, a group or a reserved name.",
            findings: ["sharedDisplayName", "unusedDisplayName"],
            possible: ["displayNameForm"],
            elsewhere: ["the name may belong to a contact or group that no list shows: choose another name"]),
        KnownMessage(
            "noActiveUser", ["noActiveUser", "No active user", "no active chat profile"],
            "The app does not know which profile to show.",
            findings: ["noActiveProfile"],
            elsewhere: ["no profile was created yet"]),
        KnownMessage(
            "chatUserNotFound",
            [
                "storeError userNotFound", "SEUserNotFound", "SEUserNotFoundByName", "SEUserNotFoundByContactId",
                "SEUserNotFoundByGroupId", "SEUserNotFoundByFileId", "SEUserNotFoundByContactRequestId",
            ],
            "The app looked for a profile in the chat database and did not find it.",
            possible: ["chatDanglingReference", "unreadableValue"],
            elsewhere: ["the profile was deleted while the app still showed it: restart the app"], table: "users",
            origin: .chatStore),
        KnownMessage(
            "contactNotFound", ["SEContactNotFound", "SEContactNotFoundByName", "SEContactNotReady"],
            "The app looked for a contact of the active profile and did not find it, or cannot use it.",
            possible: [
                "crossProfileReference", "blockedDeletion", "chatDanglingReference", "unreadableValue",
                "connectionWithoutAgent", "profileWithoutOwnContact",
            ],
            elsewhere: ["the contact was deleted while the app still showed it: restart the app"], table: "contacts"),
        KnownMessage(
            "profileNotFound", ["SEProfileNotFound"],
            "A contact, member or connection refers to the profile of a person, and this profile is missing.",
            possible: ["chatDanglingReference", "crossProfileReference", "unreadableValue"], table: "contact_profiles"),
        KnownMessage(
            "groupNotFound", ["SEGroupNotFound", "SEGroupNotFoundByName", "SEGroupWithoutUser"],
            "The app looked for a group of the active profile and did not find it, or did not find its own membership.",
            findings: ["groupWithoutOwnMember"],
            possible: ["crossProfileReference", "chatDanglingReference", "unreadableValue"],
            elsewhere: ["the group was deleted while the app still showed it: restart the app"], table: "groups"),
        KnownMessage(
            "groupMemberNotFound",
            [
                "SEGroupMemberNotFound", "SEGroupMemberNameNotFound", "SEGroupMemberNotFoundByMemberId",
                "SEGroupHostMemberNotFound", "SEHostMemberIdNotFound",
            ],
            "The app looked for a member of a group and did not find it.",
            possible: [
                "groupRelayWithoutMember", "groupWithoutOwnMember", "chatDanglingReference",
                "crossProfileReference", "unreadableValue",
            ],
            elsewhere: ["the member left or was removed before its message came"], table: "group_members"),
        KnownMessage(
            "duplicateMember", ["SEDuplicateGroupMember", "SEGroupAlreadyJoined", "SEDuplicateGroupMessage"],
            "The group has this member, or this message, already.",
            possible: ["duplicateGroup"],
            elsewhere: ["the same invitation or message came twice, and the app ignores the second one"]),
        KnownMessage(
            "duplicateContactLink", ["SEDuplicateContactLink", "SEDuplicateGroupLink"],
            "The profile or group has a link already, and can have only one.",
            findings: ["severalAddresses"],
            possible: ["duplicateGroup"],
            elsewhere: ["the link is there: show it instead of making a second one"]),
        KnownMessage(
            "chatItemNotFound",
            ["SEChatItemNotFound", "SEBadChatItem", "SEInvalidChatItem", "SEChatItemSharedMsgIdNotFound"],
            "The app cannot read a message of a chat, or did not find it.",
            findings: ["unreadableContent"],
            possible: ["unreadableValue"],
            elsewhere: ["the message was deleted, here or by its sender, before the reaction or change came"],
            table: "chat_items"),
        KnownMessage(
            "connectionNotFound",
            [
                "SEConnectionNotFound", "SEConnectionNotFoundById", "SEConnectionNotFoundByMemberId",
                "SEPendingConnectionNotFound",
            ],
            "The agent reports an event of a connection that the chat database does not have.",
            findings: ["groupRelayWithoutConnection", "agentConnectionWithoutConnection"],
            possible: ["connectionDeletedOnOneSide"],
            elsewhere: ["the contact or group was deleted before its last message came"], table: "connections"),
        KnownMessage(
            "fileNotFound",
            [
                "SEFileNotFound", "SESndFileNotFound", "SERcvFileNotFound", "SERcvFileDescrNotFound",
                "SESndFileNotFoundXFTP",
                "SERcvFileNotFoundXFTP", "SESndFileInvalid", "SERcvFileInvalid",
            ],
            "Only one of the two databases has the file that is being sent or received.",
            findings: ["transferWithoutAgentFile", "agentFileWithoutFile"],
            possible: ["unusedFileDescription"],
            elsewhere: ["the transfer was cancelled or has ended"], table: "files"),
        KnownMessage(
            "noChatRelays", ["noChatRelays", "No chat relays", "no chat relays enabled"],
            "The profile has no relay that a new channel can use.",
            findings: ["noEnabledRelays"]),
        KnownMessage(
            "noActiveRelays",
            [
                "no active relays", "no active relay", "no active chat relays", "no active chat relay",
                "channel has no relays", "channel has no relay",
            ],
            "No relay passes on the messages of the channel.",
            findings: ["channelWithoutActiveRelay", "channelWithoutRelay"],
            possible: ["groupRelayWithoutConnection", "unfinishedChannel"],
            elsewhere: ["another profile owns the channel, and its relays are inactive or cannot be reached"]),
        KnownMessage(
            "noServers",
            ["noServers", "storageMissing", "proxyMissing", "No message servers", "No media & file servers"],
            "The profile has no server for this use.",
            findings: ["noEnabledSMPServers", "noEnabledXFTPServers"]),
        KnownMessage(
            "operatorNotFound", ["SEOperatorNotFound", "SEUsageConditionsNotFound"],
            "The app looked for an operator of servers, or for its conditions, and did not find it.",
            possible: ["sharedOperatorDomain", "chatDanglingReference", "otherHistory"],
            elsewhere: ["the app has not added its operators and conditions yet: restart the app, which adds them"]),
    ]
}
