import Foundation

/// Remedies for findings of `check` about channels and their relays.
extension HintSituation {
    static let channels: [HintSituation] = [
        .init(
            #"an unfinished channel: finishing"#,
            #"$CHATDB user activate alice; sqlite3 x_chat.db "UPDATE group_profiles SET group_link = 'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw', group_link_key = 'c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw@own.example'""#,
            #"check"#, code: 0,
            hint:
                #"chatdb group finish id:1 --user id:1 completes group 1 (profile 1), which has relays and a link. chatdb group cancel id:1 --user id:1 deletes it instead."#,
            .run(#"chatdb group finish id:1 --user id:1"#), .again(),
            .act(#"! $CHATDB check | grep unfinishedChannel"#)),
        .init(
            #"an unfinished channel: its link"#, "", #"check"#, code: 0,
            hint:
                #"chatdb group finish id:1 --link LINK --user id:1 completes group 1 (profile 1), which lacks only a link."#,
            .run(
                #"chatdb group finish id:1 --link LINK --user id:1"#,
                [
                    #"LINK"#: #"'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#
                ]),
            .again(), .act(#"! $CHATDB check | grep unfinishedChannel"#)),
        .init(
            #"an unfinished channel: cancelling"#, #"$CHATDB user activate alice"#, #"check"#, code: 0,
            hint:
                #"chatdb group cancel id:1 --user id:1 deletes it instead."#,
            .run(#"chatdb group cancel id:1 --user id:1"#), .again(),
            .act(#"! $CHATDB check | grep unfinishedChannel"#)),
        .init(
            #"an unfinished channel without a relay"#,
            #"sqlite3 x_chat.db "DELETE FROM group_relays; UPDATE group_members SET member_status = 'left' WHERE member_role = 'relay'""#,
            #"check"#, code: 0,
            hint:
                #"chatdb group relay add id:1 RELAY --user id:1 adds a relay to group 1 (profile 1), which has no relay."#,
            .run(#"chatdb group relay add id:1 RELAY --user id:1"#, [#"RELAY"#: #"mine"#]), .again(),
            .act(#"$CHATDB check | grep 'which lacks only a link'"#)),
        .init(
            #"several unfinished channels"#, #"$CHATDB group create more --relay mine -u alice"#, #"check"#, code: 0,
            hint:
                #"chatdb group finish GROUP --link LINK --user id:1 completes each of groups id:1 and id:2, which lack only a link. chatdb group cancel GROUP --user id:1 deletes one of them instead."#,
            .run(
                #"chatdb group finish GROUP --link LINK --user id:1"#,
                [
                    #"GROUP"#: #"id:2"#,
                    #"LINK"#: #"'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#,
                ]),
            .run(#"chatdb group cancel GROUP --user id:1"#, [#"GROUP"#: #"id:1"#]), .again(),
            .act(#"! $CHATDB check | grep unfinishedChannel"#)),
        .init(
            #"a finished channel without a link"#, #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0""#,
            #"check"#, code: 0,
            hint:
                #"Subscribers cannot join such a channel: chatdb group set-link id:1 LINK --user id:1 stores its link."#,
            .run(
                #"chatdb group set-link id:1 LINK --user id:1"#,
                [
                    #"LINK"#: #"'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#
                ]),
            .again(), .act(#"! $CHATDB check | grep channelWithoutLink"#)),
        .init(
            #"a lost link, whose key makes no link"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0; UPDATE group_profiles SET group_link = NULL, group_link_key = 'smp#q@h.example'""#,
            #"check"#, code: 0,
            hint:
                #"A key from which no link can be made stays: it may be all that is left of the link. chatdb restore FOLDER restores a backup from before the loss. If a group that the profile owns publishes the link, chatdb group set-link id:1 LINK --user id:1 stores it, and chatdb group set-link id:1 --no-link --user id:1 removes its key."#,
            .run(#"chatdb group set-link id:1 --no-link --user id:1"#),
            .again(code: 0), .act(#"! $CHATDB check | grep lostLink"#)),
        .init(
            #"a channel without an active relay: check"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0""#, #"check"#, code: 0,
            hint:
                #"Messages of such a channel may reach no subscriber: chatdb group relays id:1 --user id:1 shows the relays. An app connects to the relays of group 1 (profile 1) that are New, Connecting, Accepted or Acknowledged: start the app, and wait until one is Active. Nothing else is to be done. Only in a store that no app uses, record by hand what the relays have done: chatdb group relay --help lists the commands. They send nothing: elsewhere, they would only hide this finding."#,
            .run(#"chatdb group relays id:1 --user id:1"#)),
        .init(
            #"a channel whose relays are all inactive: check"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0; UPDATE group_relays SET relay_status = 'inactive'""#,
            #"check"#, code: 0,
            hint:
                #"Messages of such a channel may reach no subscriber: chatdb group relays id:1 --user id:1 shows the relays. An app connects to no relay of group 1 (profile 1): none is known to be New, Connecting, Accepted or Acknowledged, or a New one has an address that is not valid. Add another one in the app, or with chatdb group relay add id:1 id:3 --user id:1. The named relay is an enabled one that the channel never had. chatdb relay list --user id:1 shows the relays; any other enabled one will do, also one that is Inactive or Rejected in the channel."#,
            .run(#"chatdb group relays id:1 --user id:1"#), .run(#"chatdb relay list --user id:1"#),
            .run(#"chatdb group relay add id:1 id:3 --user id:1"#)),
        .init(
            #"a relay without its link: check"#,
            #"sqlite3 x_chat.db "UPDATE group_relays SET relay_status = 'accepted' WHERE chat_relay_id = 7""#,
            #"check"#, code: 0,
            hint:
                #"chatdb group relays id:1 --user id:1 shows the relays of a channel. chatdb group relay accept id:1 row:1 --link LINK --user id:1 stores the link that the relay made for the channel, and the relay keeps its status. Only if nobody knows the link, take these two steps. Take the relay out of the channel in the app, or with chatdb group relay remove id:1 row:1 --user id:1. Then add it again, or add another one, in the app or with chatdb group relay add id:1 id:7 --user id:1."#,
            .run(#"chatdb group relays id:1 --user id:1"#),
            .run(
                #"chatdb group relay accept id:1 row:1 --link LINK --user id:1"#,
                [#"LINK"#: #"'https://own.example/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#]),
            .again(), .act(#"! $CHATDB check | grep acceptedRelayWithoutLink"#),
            .act(
                #"sqlite3 x_chat.db "UPDATE group_relays SET relay_link = NULL; UPDATE group_members SET relay_link = NULL""#
            ),
            .run(#"chatdb group relay remove id:1 row:1 --user id:1"#),
            .run(#"chatdb group relay add id:1 id:7 --user id:1"#),
            .again(), .act(#"! $CHATDB check | grep acceptedRelayWithoutLink"#)),
        .init(
            #"a relay whose link only its member has: check"#,
            #"sqlite3 x_chat.db "UPDATE group_relays SET relay_status = 'accepted' WHERE chat_relay_id = 7; UPDATE group_members SET relay_link = 'https://relay.example.org/r#made' WHERE group_member_id = 2""#,
            #"check"#, code: 0,
            hint:
                #"chatdb check --fix stores the link of the member in the row of the relay too, where the channel looks for it."#,
            .run(#"chatdb check --fix"#), .again(), .act(#"! $CHATDB check | grep relayLinkOfMemberOnly"#),
            .act(#"$CHATDB group relays id:1 -u alice --format json | grep r#made"#)),
        .init(
            #"a created channel without an owner: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "UPDATE group_members SET member_role = 'member' WHERE member_category = 'user'""#,
            #"check"#,
            hint:
                #"Without an owner, nobody can change such a channel, its link or its relays. chatdb group members id:1 --user id:1 shows the members and their roles. chatdb restore FOLDER restores a backup from before the change of the role. Neither leave nor delete the channel because of it: no command makes the profile its owner again."#,
            .run(#"chatdb group members id:1 --user id:1"#), .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]),
            .again(code: 0), .act(#"! $CHATDB check | grep createdChannelWithoutOwner"#)),
        .init(
            #"a served channel in which the profile is no relay: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "UPDATE groups SET relay_own_status = 'active'""#,
            #"check"#,
            hint:
                #"The profile passes on the messages of a channel only as its member with the role relay. chatdb group show id:1 --user id:1 shows its own status as a relay, and chatdb group members id:1 --user id:1 its role. chatdb restore FOLDER restores a backup from before the change of the role. Neither leave nor delete the channel because of it: no command sets the role again."#,
            .run(#"chatdb group show id:1 --user id:1"#), .run(#"chatdb group members id:1 --user id:1"#),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]),
            .again(code: 0), .act(#"! $CHATDB check | grep relayServiceWithoutRole"#)),
        .init(
            #"an unknown own status as a relay: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "UPDATE groups SET relay_own_status = 'dreaming'""#,
            #"check"#, code: 0,
            hint:
                #"chatdb group show id:1 --user id:1 shows the status. If a newer app stored it, use that app or a newer chatdb, which knows it. Otherwise another program changed the rows: chatdb restore FOLDER restores a backup from before that. Do not delete the channel because of it."#,
            .run(#"chatdb group show id:1 --user id:1"#), .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]),
            .again(), .act(#"! $CHATDB check | grep unknownOwnRelayStatus"#)),
        .init(
            #"a dead connection with a relay of an own channel: check"#,
            #"sqlite3 x_chat.db "INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id) VALUES (77, 1, 'gone', 'ready', 'member', 2)""#,
            #"check"#,
            hint:
                #"The profile owns the channel of connection 77, and the channel no longer reaches the relay by it. chatdb group relays id:1 --user id:1 shows the relays of the channel. Take the relay out of the channel in the app, or with chatdb group relay remove id:1 row:1 --user id:1. Then add it again, or add others, in the app or with chatdb group relay add id:1 id:7 --user id:1."#,
            .run(#"chatdb group relays id:1 --user id:1"#),
            .run(#"chatdb group relay remove id:1 row:1 --user id:1"#),
            .run(#"chatdb group relay add id:1 id:7 --user id:1"#), .again(),
            .act(#"$CHATDB check | grep 'no action is needed'"#)),
        .init(
            #"a lost connection with a relay of an own channel: check"#,
            #"sqlite3 x_chat.db "UPDATE group_relays SET relay_status = 'active', relay_link = 'https://relay.example.org/r#theirs' WHERE group_relay_id = 1"; sqlite3 x_agent.db "INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (x'6131', 1, 'INV')""#,
            #"check"#,
            hint:
                #"The channel does not reach the relay, whatever its status is. chatdb restore FOLDER restores a backup from before the loss. Without a backup, take these two steps. Take the relay out of the channel in the app, or with chatdb group relay remove id:1 row:1 --user id:1. Then add it again, or add another one, in the app or with chatdb group relay add id:1 id:7 --user id:1."#,
            .run(#"chatdb group relay remove id:1 row:1 --user id:1"#),
            .run(#"chatdb group relay add id:1 id:7 --user id:1"#),
            .again(), .act(#"! $CHATDB check | grep groupRelayWithoutConnection"#)),
        .init(
            #"a relay whose member is no relay: check"#,
            #"sqlite3 x_chat.db "UPDATE group_members SET member_role = 'member' WHERE group_member_id = 2""#,
            #"check"#,
            hint:
                #"chatdb group relays id:1 --user id:1 shows the rows and what they lack. chatdb group relay remove id:1 row:1 --user id:1 deletes the row, and chatdb group relay add id:1 id:7 --user id:1 adds the relay to the channel again."#,
            .run(#"chatdb group relays id:1 --user id:1"#),
            .run(#"chatdb group relay remove id:1 row:1 --user id:1"#),
            .run(#"chatdb group relay add id:1 id:7 --user id:1"#),
            .again(), .act(#"! $CHATDB check | grep groupRelayWithoutMember"#)),
        .init(
            #"a relay without its member: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DELETE FROM group_members WHERE group_member_id = 2""#,
            #"check"#,
            hint:
                #"chatDanglingReference is about the same relays: first follow its remedy, and then check again."#,
            .act(#"$CHATDB restore c --yes"#),
            .again(), .act(#"! $CHATDB check | grep groupRelayWithoutMember"#)),
        .init(
            #"rows that others refer to are lost: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DELETE FROM contacts""#,
            #"check"#,
            hint:
                #"Rows that others refer to are missing, as after a salvage, or after another program deleted them. chatdb restore FOLDER restores a backup from before the loss. Do not delete chats or profiles because of them: what is left would be lost too."#,
            .act(#"$CHATDB restore c --yes"#),
            .again(), .act(#"! $CHATDB check | grep chatDanglingReference"#)),
        .init(
            #"a channel whose row is lost, without a backup: check"#,
            #"sqlite3 x_chat.db "DELETE FROM groups WHERE group_id = 1""#,
            #"check"#,
            hint:
                #"Without a backup, chatdb cannot bring the rows back, and this finding stays. No list has a lost group or channel, and commands refuse it: only a new one can take its place. Other chats and profiles work as before, and chatdb query SQL reads what is left."#,
            .run(#"chatdb query SQL"#, [#"SQL"#: #"'SELECT group_member_id FROM group_members WHERE group_id = 1'"#]),
            .act(#"$CHATDB group create new --relay mine -u alice"#)),
        .init(
            #"the number of a channel whose row is lost"#,
            #"sqlite3 x_chat.db "DELETE FROM groups WHERE group_id = 1""#, #"group show id:1 -u alice"#,
            hint: #"chatdb check shows what refers to lost rows, and says what still works"#,
            .run(#"chatdb check"#, code: 1)),
        .init(
            #"names that are no longer reserved: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DELETE FROM display_names WHERE local_display_name = 'news'""#,
            #"check"#,
            hint:
                #"Names are no longer reserved (display_names), and the entries still have them. chatdb check --fix reserves the names again. If other rows may be lost too, as after a salvage, chatdb restore FOLDER restores a backup from before the loss instead."#,
            .run(#"chatdb check --fix"#), .again(code: 0), .act(#"! $CHATDB check | grep DisplayName"#),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again(code: 0)),
        .init(
            #"names that are no longer reserved, and other lost rows: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DELETE FROM contacts; DELETE FROM display_names WHERE local_display_name = 'news'""#,
            #"check"#,
            hint:
                #"Rows that others refer to are missing, as after a salvage, or after another program deleted them. chatdb restore FOLDER restores a backup from before the loss. Do not delete chats or profiles because of them: what is left would be lost too. Without a backup, chatdb check --fix reserves the lost names again, and leaves the other rows as they are."#,
            .run(#"chatdb check --fix"#, code: 1), .act(#"$CHATDB check | grep 'contact_id in contacts'"#),
            .act(#"! $CHATDB check | grep 'in display_names'"#), .act(#"$CHATDB restore c --yes"#), .again(code: 0)),
        .init(
            #"a relay whose row of the channel is lost: check"#,
            #"$CHATDB group relay add id:1 id:3 -u alice; sqlite3 x_chat.db "DELETE FROM group_relays WHERE chat_relay_id = 7""#,
            #"check"#, code: 0,
            hint:
                #"1. Add the relay of member 2 again, which ends its old membership: chatdb group relay add id:1 id:7 --user id:1. If the channel no longer needs this relay, end the membership instead: chatdb group relay remove id:1 member:2 --user id:1."#,
            .run(#"chatdb group relay add id:1 id:7 --user id:1"#),
            .again(), .act(#"! $CHATDB check | grep relayMemberWithoutRow"#)),
        .init(
            #"a relay whose row of the channel is lost, and that the profile no longer has: check"#,
            #"sqlite3 x_chat.db "DELETE FROM group_relays WHERE chat_relay_id = 7"; $CHATDB relay delete mine -u alice --yes"#,
            #"check"#, code: 0,
            hint:
                #"2. End the membership of member 2, unless the step before has ended it: chatdb group relay remove id:1 member:2 --user id:1."#,
            .run(#"chatdb group relay remove id:1 member:2 --user id:1"#),
            .again(), .act(#"! $CHATDB check | grep relayMemberWithoutRow"#)),
        .init(
            #"a relay of another profile: check"#,
            #"sqlite3 x_chat.db "UPDATE group_relays SET chat_relay_id = (SELECT min(chat_relay_id) FROM chat_relays WHERE user_id = 2) WHERE group_relay_id = 1""#,
            #"check"#,
            hint:
                #"chatdb group relay remove id:1 row:1 --user id:1 deletes the row, and chatdb group relay add id:1 RELAY --user id:1 adds a relay of the profile's own."#,
            .run(#"chatdb group relay remove id:1 row:1 --user id:1"#),
            .run(#"chatdb group relay add id:1 RELAY --user id:1"#, [#"RELAY"#: #"mine"#]),
            .again(), .act(#"! $CHATDB check | grep groupRelayOfOtherProfile"#)),
        .init(
            #"a channel without a relay: check"#, #"sqlite3 x_chat.db "DELETE FROM group_relays""#, #"check"#, code: 0,
            hint:
                #"1. Add the relay of member 2 again, which ends its old membership: chatdb group relay add id:1 id:7 --user id:1. If the channel no longer needs this relay, end the membership instead: chatdb group relay remove id:1 member:2 --user id:1."#,
            .run(#"chatdb group relay add id:1 id:7 --user id:1"#),
            .again(), .act(#"! $CHATDB check | grep channelWithoutRelay"#)),
        .init(
            #"an unknown status of a relay: check"#,
            #"sqlite3 x_chat.db "UPDATE group_relays SET relay_status = 'dreaming' WHERE group_relay_id = 1""#,
            #"check"#, code: 0,
            hint:
                #"chatdb group relays id:1 --user id:1 shows the status. If a newer app stored it, use that app or a newer chatdb. If no newer app did, take these two steps. Take the relay out of the channel in the app, or with chatdb group relay remove id:1 row:1 --user id:1. Then add it again, or add another one, in the app or with chatdb group relay add id:1 id:7 --user id:1."#,
            .run(#"chatdb group relays id:1 --user id:1"#),
            .run(#"chatdb group relay remove id:1 row:1 --user id:1"#),
            .run(#"chatdb group relay add id:1 id:7 --user id:1"#),
            .again(), .act(#"! $CHATDB check | grep unknownRelayStatus"#)),
        .init(
            #"an unknown role of the own member: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "UPDATE group_members SET member_role = 'bar' WHERE member_category = 'user'""#,
            #"check"#, code: 0,
            hint:
                #"chatdb group members id:1 --user id:1 shows the words. If a newer app stored them, use that app or a newer chatdb, which knows them. Otherwise another program changed the rows: chatdb restore FOLDER restores a backup from before that. Do not delete the group because of them: no command sets such a word."#,
            .run(#"chatdb group members id:1 --user id:1"#),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]),
            .again(), .act(#"! $CHATDB check | grep unknownMemberWord"#)),
        .init(
            #"an unknown status of a relay, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE group_relays SET relay_status = 'dreaming' WHERE group_relay_id = 2""#,
            #"check -d simplex_v1"#, code: 0,
            hint:
                #"chatdb group relays id:2 --user id:1 -d simplex_v1 shows the status, which a newer app may have stored. An older app fails to read it: install the newest one (Settings, App version shows which app it is). If that app fails too, import an earlier archive in the app (Settings, Database passphrase & export), which lacks what happened since."#,
            .run(#"chatdb group relays id:2 --user id:1 -d simplex_v1"#)),
        .init(
            #"an unknown role of the own member, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE group_members SET member_role = 'captain' WHERE group_member_id = 20""#,
            #"check -d simplex_v1"#, code: 0,
            hint:
                #"chatdb group members id:2 --user id:1 -d simplex_v1 shows the words, which a newer app may have stored. An older app fails to read them: install the newest one (Settings, App version shows which app it is). If that app fails too, import an earlier archive in the app (Settings, Database passphrase & export), which lacks what happened since. Do not delete the group because of them."#,
            .run(#"chatdb group members id:2 --user id:1 -d simplex_v1"#)),
        .init(
            #"a relay without its link, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE group_relays SET relay_link = NULL WHERE group_relay_id = 2""#,
            #"check -d simplex_v1"#, code: 0,
            hint:
                #"chatdb group relays id:2 --user id:1 -d simplex_v1 shows the relays of a channel. In the app, remove the relay from the channel, and add it again."#,
            .run(#"chatdb group relays id:2 --user id:1 -d simplex_v1"#)),
        .init(
            #"a relay whose link only its member has, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE group_relays SET relay_link = NULL WHERE group_relay_id = 1""#,
            #"check -d simplex_v1"#, code: 0,
            hint:
                #"The app looks for the link in the row of the relay. Copy both files to another place now. /sql chat UPDATE group_relays SET relay_link = (SELECT relay_link FROM group_members WHERE group_members.group_member_id = group_relays.group_member_id) WHERE group_relay_id = ROW in the app (Settings, Developer tools, Chat console) stores the link of the member there; ROW is the number of the relay in the example. Without the console, remove the relay from the channel in the app, and add it again. chatdb group relays id:2 --user id:1 -d simplex_v1 shows the relays of the channel."#,
            .run(#"chatdb group relays id:2 --user id:1 -d simplex_v1"#),
            .act(
                #"sqlite3 simplex_v1_chat.db "UPDATE group_relays SET relay_link = (SELECT relay_link FROM group_members WHERE group_members.group_member_id = group_relays.group_member_id) WHERE group_relay_id = 1""#
            ), .again(), .act(#"! $CHATDB check -d simplex_v1 | grep relayLinkOfMemberOnly"#)),
        .init(
            #"a created channel without an owner, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE group_members SET member_role = 'admin' WHERE group_member_id = 20""#,
            #"check -d simplex_v1"#,
            hint:
                #"Without an owner, nobody can change such a channel, its link or its relays. chatdb group members id:2 --user id:1 -d simplex_v1 shows the members and their roles. To have the role again, import an earlier archive in the app (Settings, Database passphrase & export), which lacks what happened since. Neither leave nor delete the channel because of it."#,
            .run(#"chatdb group members id:2 --user id:1 -d simplex_v1"#)),
        .init(
            #"a served channel in which the profile is no relay, in a store of SimpleX Chat"#,
            make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE groups SET relay_own_status = 'active' WHERE group_id = 4""#,
            #"check -d simplex_v1"#,
            hint:
                #"The app passes on the messages of a channel only as its member with the role relay. chatdb group show id:4 --user id:2 -d simplex_v1 shows the own status as a relay, and chatdb group members id:4 --user id:2 -d simplex_v1 the role. To have the role again, import an earlier archive in the app (Settings, Database passphrase & export), which lacks what happened since. Or the owner of the channel chooses another relay."#,
            .run(#"chatdb group show id:4 --user id:2 -d simplex_v1"#),
            .run(#"chatdb group members id:4 --user id:2 -d simplex_v1"#)),
        .init(
            #"an unknown own status as a relay, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE groups SET relay_own_status = 'dreaming' WHERE group_id = 4""#,
            #"check -d simplex_v1"#, code: 0,
            hint:
                #"chatdb group show id:4 --user id:2 -d simplex_v1 shows the status, which a newer app may have stored. An older app fails to read it: install the newest one (Settings, App version shows which app it is). If that app fails too, import an earlier archive in the app (Settings, Database passphrase & export), which lacks what happened since."#,
            .run(#"chatdb group show id:4 --user id:2 -d simplex_v1"#)),
        .init(
            #"a channel without a link, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE group_profiles SET group_link = NULL WHERE group_profile_id = 2""#,
            #"check -d simplex_v1"#, code: 0,
            hint:
                #"Subscribers cannot join such a channel, and those who are in it stay. chatdb group show id:2 --user id:1 -d simplex_v1 shows what the store has of the channel. To have the link again, import an earlier archive in the app (Settings, Database passphrase & export), which lacks what happened since."#,
            .run(#"chatdb group show id:2 --user id:1 -d simplex_v1"#)),
        .init(
            #"a relay of another profile, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE group_relays SET chat_relay_id = 4 WHERE group_relay_id = 2""#,
            #"check -d simplex_v1"#,
            hint:
                #"chatdb group relays id:2 --user id:1 -d simplex_v1 shows the relays of a channel. In the app, remove the relay from the channel, and add one of the profile's own."#,
            .run(#"chatdb group relays id:2 --user id:1 -d simplex_v1"#)),
    ]
}
