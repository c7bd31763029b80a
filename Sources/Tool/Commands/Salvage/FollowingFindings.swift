import ChatDBKit

/// The findings of the check of a salvaged store that follow from lost rows or definitions. Their own remedies would be
/// wrong there: nothing but the loss is the cause, and a deletion would remove what was saved.
enum FollowingFindings {
    /// What a finding means in a salvaged store, in sentences. It is nil for a finding that does not follow from rows
    /// or definitions that the salvage lost.
    static func meaning(of id: String, in saved: SalvagedStore) -> String? {
        let (chat, agent) = (saved.hasLosses(.chat), saved.hasLosses(.agent))
        switch id {
        case "chatDanglingReference" where chat, "agentDanglingReference" where agent:
            return """
                The rows refer to lost rows. Keep them, and do not delete a chat or profile because of them: what is left \
                of it would be lost too.
                """
        case "connectionWithoutAgent" where agent:
            return """
                The agent database lost these connections. Their chats and messages stay. Connect again with a new link, \
                which makes a second chat, and keep the old one.
                """
        case "agentConnectionWithoutConnection" where chat:
            return """
                The chat database lost the connections of which these are the keys. Keep a copy of both files before the \
                app starts: the app may delete them, and the contacts cannot be reached without them.
                """
        case "unreadableValue" where chat || agent, "unreadableContent" where chat:
            return "The damage of the file may have changed these values."
        case "profileWithoutAgent" where agent, "transferWithoutAgentFile" where agent:
            return "The agent database lost the rows to which these belong. Delete nothing because of them."
        case "agentProfileWithoutProfile" where chat, "agentFileWithoutFile" where chat:
            return "The chat database lost the rows to which these belong. Keep them."
        case let id where tables[id].map({ saved.hasLosses(.chat, in: $0) }) == true:
            return "The chat database lost the rows that these lack. Delete nothing because of them."
        case "groupRelayOutsideChannel" where chat:
            return """
                The chat database lost the rows of these groups except the values in indexes, and with them the mark of a \
                channel (use_relays). They were channels, and are groups in the new store. Delete neither the groups nor \
                their relays. A backup has the channels.
                """
        case "acceptedRelayWithoutLink" where chat:
            return """
                The chat database lost the links of these relays. Delete no channel because of them. If no backup has \
                the links, remove each relay from its channel, and add it again.
                """
        case "unusedContactProfile" where chat, "unusedGroupProfile" where chat, "unusedDisplayName" where chat,
            "unusedMessageBody" where agent, "strayOwnContact" where chat:
            return "The rows that used these are lost. They may be all that is left of them: keep them."
        case StoreCheck.schemaMissing(.chat) where saved.hasLostDefinitions(.chat),
            StoreCheck.schemaMissing(.agent) where saved.hasLostDefinitions(.agent):
            return """
                The salvage could not take over a part of the schema. That alone lost no row: rows that are lost are \
                counted above.
                """
        case StoreCheck.otherHistory where chat || agent:
            return """
                The lists of migrations lost rows, and the schemas lost parts: do not migrate the store. chatdb query \
                reads what was saved. A backup has the rest.
                """
        case StoreCheck.lostMigrations where chat || agent:
            return """
                The lists of migrations lost rows: do not migrate the store. Until the rows are written again, only \
                commands that read accept it. chatdb check says how to write them again.
                """
        default: return nil
        }
    }

    /// The tables of the chat database whose lost rows cause a finding about what a row lacks, by the id of the check.
    private static let tables: [String: Set<String>] = [
        "profileWithoutOwnContact": ["contacts"], "groupWithoutOwnMember": ["group_members"],
        "groupRelayWithoutMember": ["group_members"], "relayMemberWithoutRow": ["group_relays"],
        "channelWithoutRelay": ["group_relays"], "createdChannelWithoutOwner": ["group_members"],
        "channelWithoutLink": ["groups", "group_profiles", "user_contact_links"],
        "deliveryTaskWithoutMessage": ["messages"], "deliveryJobWithoutBody": ["delivery_jobs"],
        "groupRelayWithoutConnection": ["connections"], "noActiveProfile": ["users"],
        "unfinishedChannel": ["groups", "group_relays", "group_members", "group_profiles", "user_contact_links"],
    ]
}
