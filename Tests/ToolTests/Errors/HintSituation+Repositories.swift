import Foundation

/// Hints for errors of repositories.
extension HintSituation {
    static let repositories: [HintSituation] = [
        .init(
            #"no such profile"#, "", #"user show alic"#, hint: #"did you mean "alice"?"#,
            .act(#"$CHATDB user show alice"#)),
        .init(
            #"no such profile, nothing alike"#, "", #"user show zzzzzzz"#, hint: #"chatdb user list lists them"#,
            .run(#"chatdb user list"#)),
        .init(
            #"duplicate name of a profile"#, "", #"user add alice"#, hint: #"chatdb user list"#,
            .run(#"chatdb user list"#)),
        .init(
            #"hiding the active profile"#, "", #"user hide work --password-stdin"#, hint: #"chatdb user activate USER"#,
            around: #"printf secret | \"#, .run(#"chatdb user activate USER"#, [#"USER"#: #"alice"#]), .again()),
        .init(
            #"hiding the last profile"#,
            #"sqlite3 x_chat.db "UPDATE users SET active_user = 0"; $CHATDB user delete alice --yes --no-backup"#,
            #"user hide work --password-stdin"#, hint: #"chatdb user add NAME"#, around: #"printf secret | \"#,
            .run(#"chatdb user add NAME"#, [#"NAME"#: #"bob"#]), .again()),
        .init(
            #"a group without its profile row"#, #"sqlite3 x_chat.db "DELETE FROM group_profiles""#,
            #"group show news -u alice"#, code: 65,
            hint: #"chatdb check shows which rows are missing; restore a backup"#, .run(#"chatdb check"#, code: 1)),
        .init(
            #"no such operator"#, "", #"operator enable nothing"#, hint: #"chatdb operator list lists them"#,
            .run(#"chatdb operator list"#)),
        .init(
            #"no such server"#, "", #"server enable nothing.example -u alice"#,
            hint: #"chatdb server list -u alice lists them"#, .run(#"chatdb server list -u alice"#)),
        .init(
            #"the server exists"#,
            #"$CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice"#,
            #"server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice"#,
            hint: #"chatdb server list -u alice"#, .run(#"chatdb server list -u alice"#)),
        .init(
            #"the beginning of a name, for a command that removes"#, "", #"relay delete mi -u alice --yes"#,
            hint: #"a command that removes something takes only a whole name: "mine""#,
            .act(#"$CHATDB relay delete mine -u alice --yes"#)),
        .init(
            #"a single character, for a command that takes the beginning of a name"#, "", #"relay show m -u alice"#,
            hint: #"the beginning of a name has two characters or more; chatdb relay list -u alice lists the names"#,
            .run(#"chatdb relay list -u alice"#)),
        .init(
            #"deleting a preset server"#, "", #"server delete id:1 -u alice --yes"#,
            hint: #"chatdb server disable id:1 -u alice"#, .run(#"chatdb server disable id:1 -u alice"#)),
        .init(
            #"no relay enabled"#,
            #"$CHATDB relay disable id:1 -u alice; $CHATDB relay disable id:2 -u alice; $CHATDB relay disable id:3 -u alice; $CHATDB relay disable mine -u alice"#,
            #"group create talk -u alice"#,
            hint:
                #"chatdb relay list -u alice shows why; chatdb relay enable RELAY -u alice, chatdb operator enable OPERATOR -u alice or chatdb relay add ADDRESS -u alice makes one available"#,
            .run(#"chatdb relay list -u alice"#),
            .run(#"chatdb operator enable OPERATOR -u alice"#, [#"OPERATOR"#: #"simplex"#]),
            .run(
                #"chatdb relay add ADDRESS -u alice"#,
                [#"ADDRESS"#: #"'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ'"#]), .again(),
            .run(#"chatdb relay enable RELAY -u alice"#, [#"RELAY"#: #"mine"#])),
        .init(
            #"a QR code of a group without a link"#, "", #"group show news --qr -u alice"#,
            hint: #"chatdb group set-link GROUP LINK -u alice sets the link of a group that the profile owns"#,
            .run(
                #"chatdb group set-link GROUP LINK -u alice"#,
                [
                    #"GROUP"#: #"news"#,
                    #"LINK"#: #"'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#,
                ])),
        .init(
            #"no such relay"#, "", #"relay show nothing-like-it -u alice"#,
            hint: #"chatdb relay list -u alice lists them"#, .run(#"chatdb relay list -u alice"#)),
        .init(
            #"a relay of another profile"#, "", #"relay show mine -u work"#,
            hint: #"-u alice names that profile; chatdb relay list -u alice lists them"#,
            .again(#"-u alice"#), .run(#"chatdb relay list -u alice"#)),
        .init(
            #"the relay exists"#, "",
            #"relay add 'https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw' -u alice"#,
            hint: #"chatdb relay list -u alice"#, .run(#"chatdb relay list -u alice"#)),
        .init(
            #"the address of a server in the place of a relay's"#, "",
            #"relay add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice"#, code: 65,
            hint: #"chatdb server add ADDRESS -u alice adds a server"#,
            .run(
                #"chatdb server add ADDRESS -u alice"#,
                [#"ADDRESS"#: #"smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org"#])),
        .init(
            #"a disabled relay for a channel"#, #"$CHATDB relay disable mine -u alice"#,
            #"group create more --relay mine -u alice"#,
            hint: #"chatdb relay enable id:7 -u alice enables it; chatdb relay list -u alice shows the others"#,
            .run(#"chatdb relay list -u alice"#), .run(#"chatdb relay enable id:7 -u alice"#), .again()),
        .init(
            #"a relay of a disabled operator for a channel"#, #"$CHATDB operator disable simplex"#,
            #"group relay add news id:3 -u alice"#,
            hint:
                #"chatdb operator list -u alice shows the operators; chatdb operator enable OPERATOR -u alice enables one"#,
            .run(#"chatdb operator list -u alice"#),
            .run(#"chatdb operator enable OPERATOR -u alice"#, [#"OPERATOR"#: #"simplex"#]), .again()),
        .init(
            #"deleting a preset relay"#, "", #"relay delete id:1 -u alice --yes"#,
            hint: #"chatdb relay disable id:1 -u alice"#, .run(#"chatdb relay disable id:1 -u alice"#)),
        .init(
            #"a soft-deleted relay"#, #"$CHATDB relay delete mine -u alice --yes"#, #"relay enable mine -u alice"#,
            hint:
                #"chatdb relay add 'https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw' -u alice restores it"#,
            .run(
                #"chatdb relay add 'https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw' -u alice"#),
            .act(#"$CHATDB relay enable id:7 -u alice"#)),
        .init(
            #"no such group"#, "", #"group show nothing -u alice"#, hint: #"chatdb group list -u alice lists them"#,
            .run(#"chatdb group list -u alice"#)),
        .init(
            #"cancelling a group that is not prepared"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0""#, #"group cancel news -u alice --yes"#,
            hint: #"chatdb group show id:1 -u alice shows its state; chatdb group delete id:1 -u alice deletes it"#,
            .run(#"chatdb group show id:1 -u alice"#), .run(#"chatdb group delete id:1 -u alice"#)),
        .init(
            #"finishing a channel twice"#, #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0""#,
            #"group finish news -u alice"#,
            hint:
                #"chatdb group show id:1 -u alice shows its state; chatdb group set-link id:1 LINK -u alice sets its link"#,
            .run(#"chatdb group show id:1 -u alice"#),
            .run(
                #"chatdb group set-link id:1 LINK -u alice"#,
                [#"LINK"#: #"'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#])),
        .init(
            #"finishing a channel that was not joined"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice"#,
            #"group finish w -u alice"#, hint: #"chatdb group show id:2 -u alice"#,
            .run(#"chatdb group show id:2 -u alice"#)),
        .init(
            #"leaving a group that was not joined"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice"#,
            #"group leave w -u alice"#, hint: #"chatdb group start id:2 -u alice"#,
            .run(#"chatdb group start id:2 -u alice"#)),
        .init(
            #"leaving a group that was left"#,
            #"sqlite3 x_chat.db "UPDATE group_members SET member_status = 'left' WHERE group_id = 1 AND member_category = 'user'""#,
            #"group leave news -u alice"#, hint: #"chatdb group delete id:1 -u alice"#,
            .run(#"chatdb group delete id:1 -u alice"#)),
        .init(
            #"starting a group twice"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice; $CHATDB group start w -u alice"#,
            #"group start w -u alice"#,
            hint: #"chatdb group show id:2 -u alice shows its state; chatdb group delete id:2 -u alice deletes it"#,
            .run(#"chatdb group show id:2 -u alice"#), .run(#"chatdb group delete id:2 -u alice"#)),
        .init(
            #"finishing a channel without a link"#, "", #"group finish news -u alice"#,
            hint: #"chatdb group finish id:1 --link LINK -u alice"#,
            .run(
                #"chatdb group finish id:1 --link LINK -u alice"#,
                [#"LINK"#: #"'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#])),
        .init(
            #"finishing a channel without a relay"#, #"sqlite3 x_chat.db "DELETE FROM group_relays""#,
            #"group finish news -u alice"#,
            hint:
                #"chatdb group relay add id:1 RELAY -u alice adds a relay of the profile; chatdb group cancel id:1 -u alice deletes the channel"#,
            .run(#"chatdb group relay add id:1 RELAY -u alice"#, [#"RELAY"#: #"mine"#]),
            .act(#"test "$(sqlite3 x_chat.db "SELECT count(*) > 0 FROM group_relays")" = 1"#)),
        .init(
            #"a group that was started"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice; $CHATDB group start w -u alice"#,
            #"group cancel w -u alice --yes"#,
            hint: #"chatdb group show id:2 -u alice shows its state; chatdb group delete id:2 -u alice deletes it"#,
            .run(#"chatdb group show id:2 -u alice"#), .run(#"chatdb group delete id:2 -u alice"#)),
        .init(
            #"a joined group that was started"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice; $CHATDB group start w -u alice; sqlite3 x_chat.db "UPDATE group_members SET member_status = 'connected' WHERE group_id = 2""#,
            #"group cancel w -u alice --yes"#,
            hint:
                #"chatdb group show id:2 -u alice shows its state; after chatdb group leave id:2 -u alice, chatdb group delete id:2 -u alice deletes it"#,
            .run(#"chatdb group show id:2 -u alice"#), .run(#"chatdb group leave id:2 -u alice"#),
            .run(#"chatdb group delete id:2 -u alice"#)),
        .init(
            #"cancelling a joined group while another of the same name is prepared"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice; $CHATDB group start w -u alice; $CHATDB group prepare "https://i.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice"#,
            #"group cancel w -u alice --yes"#,
            hint:
                #"chatdb group cancel id:3 -u alice deletes the prepared channel w_1; chatdb group show id:2 -u alice shows the state of w"#,
            .run(#"chatdb group show id:2 -u alice"#), .run(#"chatdb group cancel id:3 -u alice"#),
            .act(#"$CHATDB group show id:2 -u alice"#)),
        .init(
            #"cancelling a joined group while two of the same name are prepared"#,
            #"for h in h i j; do $CHATDB group prepare "https://$h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice; done; $CHATDB group start w -u alice"#,
            #"group cancel w -u alice --yes"#,
            hint:
                #"chatdb group list -u alice lists groups of this name; chatdb group show id:2 -u alice shows the state of w"#,
            .run(#"chatdb group list -u alice"#), .run(#"chatdb group show id:2 -u alice"#)),
        .init(
            #"publishing the link of another group"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice"#,
            #"group finish news --link "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" -u alice"#,
            hint: #"chatdb group show id:2 -u alice"#, .run(#"chatdb group show id:2 -u alice"#)),
        .init(
            #"the only owner leaves"#, "", #"group leave news -u alice"#, hint: #"chatdb group delete id:1 -u alice"#,
            .run(#"chatdb group delete id:1 -u alice"#)),
        .init(
            #"a member deletes"#,
            #"sqlite3 x_chat.db "UPDATE group_members SET member_role = 'member' WHERE group_id = 1 AND member_category = 'user'""#,
            #"group delete news -u alice --yes"#, hint: #"chatdb group leave id:1 -u alice"#,
            .run(#"chatdb group leave id:1 -u alice"#), .again()),
        .init(
            #"adding servers that exist"#,
            #"$CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice"#,
            #"server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@a smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice"#,
            hint: #"chatdb server list -u alice"#, .run(#"chatdb server list -u alice"#)),
        .init(
            #"a relay that is in the channel"#, "", #"group relay add news mine -u alice"#,
            hint: #"chatdb group relays id:1 -u alice"#, .run(#"chatdb group relays id:1 -u alice"#)),
        .init(
            #"no such relay in the channel"#, "", #"group relay invite news zzzzzz -u alice"#,
            hint: #"chatdb group relays id:1 -u alice lists them"#, .run(#"chatdb group relays id:1 -u alice"#)),
        .init(
            #"a relay whose row of the channel is lost"#, #"sqlite3 x_chat.db "DELETE FROM group_relays""#,
            #"group relay invite news mine -u alice"#,
            hint:
                #"if chatdb backup list shows a backup from before the loss, chatdb restore FOLDER restores it; otherwise chatdb group relay add id:1 id:7 -u alice adds the relay again, as a new member"#,
            .run(#"chatdb backup list"#), .run(#"chatdb group relay add id:1 id:7 -u alice"#), .again(code: 0)),
        .init(
            #"a number that is the row of one relay and the id of another"#, "",
            #"group relay invite news 1 -u alice"#,
            hint:
                #"use row:1 or id:1; chatdb group relays id:1 -u alice lists the rows, and chatdb relay list -u alice the ids"#,
            .run(#"chatdb group relays id:1 -u alice"#), .run(#"chatdb relay list -u alice"#)),
        .init(
            #"a step of an old row of a relay"#,
            #"$CHATDB group relay deactivate news mine -u alice && $CHATDB group relay add news mine -u alice"#,
            #"group relay invite news row:1 -u alice"#,
            hint: #"chatdb group relays id:1 -u alice"#, .run(#"chatdb group relays id:1 -u alice"#)),
        .init(
            #"a relay's step that is not allowed"#, "", #"group relay activate news mine -u alice"#,
            hint: #"chatdb group relay invite id:1 row:1 -u alice is the next step"#,
            .run(#"chatdb group relay invite id:1 row:1 -u alice"#)),
        .init(
            #"a relay that accepted without its link"#,
            #"sqlite3 x_chat.db "UPDATE group_relays SET relay_status = 'accepted' WHERE group_relay_id = 1""#,
            #"group relay activate news mine -u alice"#,
            hint: #"chatdb group relay accept id:1 row:1 --link LINK -u alice is the next step"#,
            .run(
                #"chatdb group relay accept id:1 row:1 --link LINK -u alice"#,
                [#"LINK"#: #"'https://own.example/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'"#])),
        .init(
            #"a relay's step that was taken before"#, #"$CHATDB group relay deactivate news mine -u alice"#,
            #"group relay activate news mine -u alice"#,
            hint:
                #"chatdb group relay add id:1 RELAY -u alice adds another relay to the channel; with id:7, it adds this one again, as a new member"#,
            .run(#"chatdb group relay add id:1 RELAY -u alice"#, [#"RELAY"#: #"id:3"#]),
            .run(#"chatdb group relay add id:1 RELAY -u alice"#, [#"RELAY"#: #"id:7"#])),
        .init(
            #"a relay that is inactive already"#, #"$CHATDB group relay deactivate news mine -u alice"#,
            #"group relay deactivate news mine -u alice"#,
            hint: #"chatdb group relays id:1 -u alice"#, .run(#"chatdb group relays id:1 -u alice"#)),
        .init(
            #"a relay that was taken out of the channel"#, #"$CHATDB group relay remove news mine --yes -u alice"#,
            #"group relay remove news mine -u alice"#, hint: #"chatdb group relays id:1 -u alice"#,
            .run(#"chatdb group relays id:1 -u alice"#)),
        .init(
            #"a relay that a channel has lost"#,
            #"sqlite3 x_chat.db "DELETE FROM chat_relays WHERE chat_relay_id = 7""#,
            #"relay show mine -u alice"#, hint: #"chatdb check shows what to do about the lost relay"#,
            .run(#"chatdb check"#, code: 1)),
        .init(
            #"relays of a channel of another owner"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice"#,
            #"group relay add w mine -u alice"#, hint: #"chatdb group show id:2 -u alice"#,
            .run(#"chatdb group show id:2 -u alice"#)),
        .init(
            #"the link of a channel of another owner"#,
            #"$CHATDB group prepare "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw" --name w -u alice"#,
            #"group set-link w --no-link -u alice --yes"#, hint: #"chatdb group show id:2 -u alice"#,
            .run(#"chatdb group show id:2 -u alice"#)),
        .init(
            #"no such contact"#, "", #"contact show zzzzzz -u alice"#,
            hint: #"chatdb contact list -u alice lists them"#, .run(#"chatdb contact list -u alice"#)),
        .init(
            #"notifications of a hidden profile"#, #"printf secret | $CHATDB user hide alice --password-stdin"#,
            #"settings set showNtfs on -u id:1 --show-hidden"#, hint: #"chatdb user unhide id:1"#,
            .act(#"printf secret | $CHATDB user unhide id:1 --password-stdin"#)),
        .init(
            #"no such preset"#, "", #"preset show nothing"#, hint: #"chatdb preset list lists them"#,
            .run(#"chatdb preset list"#)),
        .init(
            #"a store in the place of a preset file"#, "", #"preset diff x"#, code: 66,
            hint:
                #"chatdb preset export -d x -o FILE writes its relays and servers into a file; chatdb preset diff --with-store x compares a profile with the one of the same name there; --with-user names another"#,
            .run(#"chatdb preset export -d x -o FILE"#, ["FILE": "f.json"]),
            .run(#"chatdb preset diff --with-store x"#)),
        .init(
            #"conflicts of a preset"#,
            #"printf '%s\n' '{"format":"chatdb-preset","version":1,"custom":{"relays":[{"name":"other","address":"https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"}]}}' > p.json"#,
            #"preset import p.json -u alice --yes"#,
            hint:
                #"--on-conflict skip leaves them out; --on-conflict rename adds a number to the name of a new relay, and gives a relay that the profile has the name of the file"#,
            .again(#"--on-conflict skip"#), .again(#"--on-conflict rename"#)),
        .init(
            #"conflicts of a preset, relays and servers"#,
            #"$CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice; printf '%s\n' '{"format":"chatdb-preset","version":1,"custom":{"smpServers":[{"address":"smp://8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM=@smp.example.org"}],"relays":[{"name":"other","address":"https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"}]}}' > p.json"#,
            #"preset import p.json -u alice --yes"#,
            hint:
                #"--on-conflict skip leaves them out; --on-conflict rename adds a number to the name of a new relay, gives a relay that the profile has the name of the file, and leaves servers out"#,
            .again(#"--on-conflict skip"#), .again(#"--on-conflict rename"#)),
        .init(
            #"a server with another key than that of the file"#,
            #"$CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice; printf '%s\n' smp://8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM=@smp.example.org > p.txt"#,
            #"preset import p.txt -u alice --yes"#,
            hint:
                #"--on-conflict skip leaves them out; chatdb server edit HOST --address ADDRESS -u alice gives a server the address of the file"#,
            .again(#"--on-conflict skip"#),
            .run(
                #"chatdb server edit HOST --address ADDRESS -u alice"#,
                [
                    "HOST": "smp.example.org",
                    "ADDRESS": "smp://8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM=@smp.example.org",
                ])),
        .init(
            #"a server with another key than that of the file, and the option for names"#,
            #"$CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice; printf '%s\n' smp://8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM=@smp.example.org > p.txt"#,
            #"preset import p.txt -u alice --yes --on-conflict rename"#,
            hint:
                #"rename is for names of relays; chatdb server edit HOST --address ADDRESS -u alice gives a server the key hash of the file"#,
            .run(
                #"chatdb server edit HOST --address ADDRESS -u alice"#,
                [
                    "HOST": "smp.example.org",
                    "ADDRESS": "smp://8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM=@smp.example.org",
                ])),
        .init(
            #"an unknown field of a preset"#,
            #"printf '%s\n' '{"format":"chatdb-preset","version":1,"new":1}' > p.json"#,
            #"preset import p.json -u alice --yes"#, code: 65,
            hint: #"--lenient ignores unknown fields, with a warning"#, .again(#"--lenient"#)),
        .init(
            #"a list of addresses with the ending of a preset"#,
            #"echo 'https://relay.example.org/r#8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM' > p.json"#,
            #"preset import p.json -u alice --yes"#, code: 65,
            hint: #"--as list reads a list of addresses"#, .again(#"--as list"#)),
        .init(
            #"two entries with one name"#,
            #"$CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org:1 -u alice; $CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org:2 -u alice"#,
            #"server disable smp.example.org -u alice"#, hint: #"use its id: id:N"#,
            .act(#"$CHATDB server disable id:97 -u alice || $CHATDB server disable smp.example.org:1 -u alice"#)),
        .init(
            #"no active profile"#, #"sqlite3 x_chat.db "UPDATE users SET active_user = 0""#, #"relay list"#,
            hint:
                #"chatdb user activate NAME activates a profile, chatdb user add NAME creates one, --user NAME names one"#,
            .run(#"chatdb user activate NAME"#, [#"NAME"#: #"alice"#]), .again(),
            .act(#"$CHATDB user add bob; $CHATDB relay list --user alice"#)),
        .init(
            #"the address of a server with another key"#,
            #"$CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice"#,
            #"server disable smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org:5223 -u alice"#,
            hint: #"chatdb server list -u alice lists them"#, .run(#"chatdb server list -u alice"#)),
        .init(
            #"a server of another key"#,
            #"$CHATDB server add smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org -u alice"#,
            #"server disable smp://_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ=@smp.example.org -u alice"#,
            hint: #"use its host, smp.example.org, or id:65"#, .again(code: 1),
            .act(#"$CHATDB server disable smp.example.org -u alice; $CHATDB server disable id:65 -u alice"#)),
        .init(
            #"the address of a relay in the place of a file"#, "",
            #"preset import 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice --yes"#,
            code: 66,
            hint:
                #"chatdb relay add 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice adds the relay"#,
            .run(
                #"chatdb relay add 'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ' -u alice"#)
        ),
        .init(
            #"a file in the place of an address"#, #"$CHATDB preset export -u alice -o f.json"#,
            #"relay add f.json -u work"#, code: 65,
            hint: #"chatdb preset import f.json -u work imports the relays and servers of a file"#,
            .act(#"$CHATDB preset import f.json -u work --yes"#)),
    ]
}
