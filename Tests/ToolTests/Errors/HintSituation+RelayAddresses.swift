/// Hints for relays that need another address, because theirs is not valid or because the user wants another one.
extension HintSituation {
    private static let otherRelay = "'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ'"

    static let relayAddresses: [HintSituation] = [
        .init(
            #"the address of a relay in use"#, "",
            #"relay edit mine --address 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice"#,
            hint:
                #"chatdb relay delete id:7 -u alice deletes it, and its channels keep it; then chatdb relay add 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice adds the new one, and chatdb group relay add CHANNEL RELAY -u alice adds it to a channel; chatdb relay show id:7 -u alice lists the channels of the old one"#,
            .run(#"chatdb relay delete id:7 -u alice"#),
            .run(
                #"chatdb relay add 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice"#),
            .run(#"chatdb relay show id:7 -u alice"#),
            .run(
                #"chatdb group relay add CHANNEL RELAY -u alice"#,
                [#"CHANNEL"#: #"news"#, #"RELAY"#: #"other.example.net"#])),
        .init(
            #"the address of a relay to which a channel refers"#,
            #"sqlite3 x_chat.db "UPDATE group_relays SET relay_status = 'inactive' WHERE chat_relay_id = 7""#,
            #"relay edit mine --address 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice"#,
            hint:
                #"chatdb relay delete id:7 -u alice deletes it, and its channels keep it; then chatdb relay add 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice adds the new one; chatdb relay show id:7 -u alice lists the channels that refer to the old one"#,
            .run(#"chatdb relay delete id:7 -u alice"#),
            .run(
                #"chatdb relay add 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice"#),
            .run(#"chatdb relay show id:7 -u alice"#)),
        .init(
            #"the address of a relay in use, which is not valid"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET address = 'x', address_key = 'y' WHERE chat_relay_id = 7""#,
            #"relay edit mine --address 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice"#,
            hint:
                #"chatdb relay delete id:7 --no-backup -u alice deletes it, and its channels keep it; then chatdb relay add 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice adds the new one, and chatdb group relay add CHANNEL RELAY -u alice adds it to a channel; chatdb relay show id:7 -u alice lists the channels of the old one"#,
            // Without the option, the command cannot keep a copy.
            .act(#"! $CHATDB relay delete id:7 -u alice --yes"#),
            .run(#"chatdb relay delete id:7 --no-backup -u alice"#),
            .run(
                #"chatdb relay add 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice"#),
            .run(#"chatdb relay show id:7 -u alice"#),
            .run(
                #"chatdb group relay add CHANNEL RELAY -u alice"#,
                [#"CHANNEL"#: #"news"#, #"RELAY"#: otherRelay])),
        .init(
            #"a relay whose address is not valid"#,
            #"sqlite3 x_chat.db "DELETE FROM group_relays WHERE chat_relay_id = 7; UPDATE group_members SET member_status = 'left' WHERE group_member_id = 2; UPDATE chat_relays SET address = 'x', enabled = 0 WHERE chat_relay_id = 7""#,
            #"relay enable mine -u alice"#,
            hint:
                #"chatdb relay edit id:7 --address ADDRESS -u alice corrects it, or says what to do while channels use the relay; chatdb relay list -u alice shows the other relays"#,
            .run(#"chatdb relay list -u alice"#),
            .run(#"chatdb relay edit id:7 --address ADDRESS -u alice"#, [#"ADDRESS"#: otherRelay]), .again()),
        .init(
            #"an enabled relay in use whose address is not valid"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET address = 'x', address_key = 'y' WHERE chat_relay_id = 7""#,
            #"relay enable mine -u alice"#,
            hint:
                #"chatdb relay edit id:7 --address ADDRESS -u alice corrects it, or says what to do while channels use the relay; chatdb relay list -u alice shows the other relays"#,
            .run(#"chatdb relay edit id:7 --address ADDRESS -u alice"#, [#"ADDRESS"#: otherRelay], code: 1),
            .act(
                #"$CHATDB relay edit id:7 --address ADDRESS -u alice 2>&1 | grep "relay delete id:7 --no-backup""#
                    .replacing("ADDRESS", with: otherRelay))),
        .init(
            #"a preset relay whose address is not valid"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET address = 'x', address_key = 'y' WHERE chat_relay_id = 2""#,
            #"group create more --relay id:2 -u alice"#, hint: #"chatdb preset sync -u alice corrects it"#,
            .act(#"$CHATDB preset sync -u alice --yes"#), .act(#"! $CHATDB check | grep invalidRelayAddress"#)),
        .init(
            #"a soft-deleted relay whose address is not valid"#,
            #"$CHATDB relay delete mine -u alice --yes; sqlite3 x_chat.db "UPDATE chat_relays SET address = 'x' WHERE chat_relay_id = 7""#,
            #"relay delete mine -u alice --yes"#,
            hint:
                #"its address is not valid; chatdb relay add ADDRESS -u alice adds the relay with the right address"#,
            .run(#"chatdb relay add ADDRESS -u alice"#, [#"ADDRESS"#: otherRelay])),
        .init(
            #"an entry that no preset file can have"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET address = 'x' WHERE chat_relay_id = 7""#,
            #"relay delete mine -u alice --yes"#,
            hint: #"use --no-backup to go on without a copy"#,
            .act(
                #"cp x_chat.db y; $CHATDB relay edit mine -u alice --address 'https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw' || true; cp y x_chat.db"#
            ), .again(#"--no-backup"#)),
        .init(
            #"an invalid address of a relay"#,
            #"sqlite3 x_chat.db "DELETE FROM group_relays WHERE chat_relay_id = 7; UPDATE group_members SET member_status = 'left' WHERE group_member_id = 2; UPDATE chat_relays SET address = 'x' WHERE chat_relay_id = 7""#,
            #"check"#, code: 0,
            hint:
                #"If the relay is the user's own and no channel uses it, chatdb relay edit id:7 --address ADDRESS --user id:1 corrects it. If channels use it, or if its right address is unknown, chatdb relay delete id:7 --user id:1 --no-backup deletes it, and its channels keep it. If it is a preset, chatdb preset sync --user id:1 corrects it."#,
            .run(
                #"chatdb relay edit id:7 --address ADDRESS --user id:1"#,
                [
                    #"ADDRESS"#: #"'https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#
                ]), .again()),
        .init(
            #"an invalid address of a relay: deleting"#,
            #"sqlite3 x_chat.db "DELETE FROM group_relays WHERE chat_relay_id = 7; UPDATE group_members SET member_status = 'left' WHERE group_member_id = 2; UPDATE chat_relays SET address = 'x' WHERE chat_relay_id = 7""#,
            #"check"#, code: 0,
            hint:
                #"If the relay is the user's own and no channel uses it, chatdb relay edit id:7 --address ADDRESS --user id:1 corrects it. If channels use it, or if its right address is unknown, chatdb relay delete id:7 --user id:1 --no-backup deletes it, and its channels keep it. If it is a preset, chatdb preset sync --user id:1 corrects it."#,
            .run(#"chatdb relay delete id:7 --user id:1 --no-backup"#), .again()),
        .init(
            #"an invalid address of a relay that a channel uses"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET address = 'x', address_key = 'y' WHERE chat_relay_id = 7""#,
            #"check"#, code: 0,
            hint: #"chatdb relay delete id:7 --user id:1 --no-backup deletes it, and its channels keep it."#,
            .run(#"chatdb relay delete id:7 --user id:1 --no-backup"#),
            .act(#"! $CHATDB check | grep invalidRelayAddress"#)),
        .init(
            #"an invalid address of a preset relay"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET address = 'x', address_key = 'y' WHERE chat_relay_id = 2""#,
            #"check"#, code: 0, hint: #"If it is a preset, chatdb preset sync --user id:1 corrects it."#,
            .act(#"$CHATDB preset sync --user id:1 --yes"#),
            .act(#"! $CHATDB check | grep invalidRelayAddress"#)),
    ]
}
