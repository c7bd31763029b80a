import Foundation

/// Remedies for findings of `check`.
extension HintSituation {
    static let findings: [HintSituation] = [
        .init(
            #"no active profile: USER"#, #"sqlite3 x_chat.db "UPDATE users SET active_user = 0""#, #"check"#, code: 0,
            hint: #"Use chatdb user activate USER; or chatdb check --fix activates the most recently used one."#,
            .run(#"chatdb user activate USER"#, [#"USER"#: #"alice"#]), .again(),
            .act(#"sqlite3 x_chat.db "UPDATE users SET active_user = 0""#), .run(#"chatdb check --fix"#), .again()),
        .init(
            #"several active profiles"#,
            #"sqlite3 x_chat.db "DROP INDEX idx_users_active_user; UPDATE users SET active_user = 1""#, #"check"#,
            hint: #"chatdb check --fix keeps the most recently used one active."#, .run(#"chatdb check --fix"#),
            .again()),
        .init(
            #"the name of an own contact"#, make: { try DemoStore.finished() },
            #"sqlite3 x_chat.db "INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1,'other','other'); UPDATE users SET local_display_name = 'other' WHERE user_id = 1""#,
            #"check"#, code: 0,
            hint:
                #"chatdb user rename id:1 NAME gives the profile one name everywhere. NAME may be the name that the profile has."#,
            .run(#"chatdb user rename id:1 NAME"#, [#"NAME"#: #"other"#]), .again(),
            .act(#"test "$($CHATDB check)" = "The store is in order.""#)),
        .init(
            #"a hidden profile with sound"#,
            #"printf s | $CHATDB user hide alice --password-stdin; sqlite3 x_chat.db "UPDATE users SET show_ntfs = 1""#,
            #"check"#, code: 0, hint: #"chatdb check --fix mutes them."#, .run(#"chatdb check --fix"#), .again()),
        .init(
            #"a name that no entry has"#,
            #"sqlite3 x_chat.db "INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'z', 'z')""#,
            #"check"#, code: 0, hint: #"chatdb check --fix frees them."#, .run(#"chatdb check --fix"#), .again()),
        .init(
            #"a group without a membership"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DELETE FROM group_members WHERE member_category = 'user'""#,
            #"check"#,
            hint:
                #"The row of the own membership may be lost: look at the group in the app, or restore a backup from before the loss with chatdb restore FOLDER. Only if the profile has left the group, delete it with chatdb group delete id:1 --user id:1, or in the app."#,
            .run(#"chatdb group delete id:1 --user id:1"#),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"a channel without its mark"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "UPDATE groups SET use_relays = 0""#, #"check"#,
            hint:
                #"Groups with relays were probably channels, and a value of their rows is lost (use_relays), as after a salvage. chatdb restore FOLDER restores a backup from before the loss. Delete neither the groups nor their relays: no command makes a channel of a group, and the rows are all that is left of the channels."#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"started without a link"#, #"sqlite3 x_chat.db "UPDATE groups SET conn_link_started_connection = 1""#,
            #"check"#, hint: #"chatdb check --fix removes the marks."#, .run(#"chatdb check --fix"#), .again()),
        .init(
            #"a channel under two spellings of its link"#,
            #"$CHATDB group prepare 'https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw' --name v -u work; $CHATDB group prepare 'https://other.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw' --name w -u work; sqlite3 x_chat.db "UPDATE groups SET conn_short_link_to_connect = 'simplex:/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw?h=h.example', conn_short_link_to_connect_key = 'c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw@h.example' WHERE group_id = 3""#,
            #"check"#, code: 0,
            hint:
                #"chatdb group show GROUP --user USER shows which of them is in use; GROUP is id:N with a number of the example. Keep that one, and delete the other: if the profile is in the other one and does not own it, chatdb group leave GROUP --user USER first; then chatdb group delete GROUP --user USER."#,
            .run(#"chatdb group show GROUP --user USER"#, [#"GROUP"#: #"id:2"#, #"USER"#: #"work"#]),
            .run(#"chatdb group delete GROUP --user USER"#, [#"GROUP"#: #"id:3"#, #"USER"#: #"work"#]), .again(),
            .act(#"! $CHATDB check | grep duplicateGroup"#)),
        .init(
            #"a link without a key"#,
            #"sqlite3 x_chat.db "UPDATE group_profiles SET group_link = 'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'""#,
            #"check"#, code: 0,
            hint:
                #"chatdb check --fix computes the keys; until then, another spelling of a link makes a second group."#,
            .run(#"chatdb check --fix"#), .again(), .act(#"! $CHATDB check | grep missingLinkKey"#)),
        .init(
            #"a wrong key of a link"#,
            #"sqlite3 x_chat.db "UPDATE group_profiles SET group_link = 'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw', group_link_key = 'x'""#,
            #"check"#,
            hint:
                #"chatdb check --fix corrects the keys; until then, a link may open another group."#,
            .run(#"chatdb check --fix"#), .again()),
        .init(
            #"a lost link, whose key is left"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0; UPDATE group_profiles SET group_link = NULL, group_link_key = 'c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw@own.example'""#,
            #"check"#, code: 0,
            hint:
                #"chatdb check --fix writes each link that can be made from its key, with one host and without a port, and removes a key if another group has the link. Then run check again: it says what to do about the keys that stay."#,
            .act(#"$CHATDB check | grep 'lostLink is about the links of such channels'"#),
            .run(#"chatdb check --fix"#), .again(code: 0),
            .act(#"! $CHATDB check | grep -E 'lostLink|channelWithoutLink'"#)),
        .init(
            #"a text in the place of a link"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0; UPDATE group_profiles SET group_link = 'no link', group_link_key = 'x'""#,
            #"check"#, code: 0,
            hint:
                #"A key from which no link can be made stays: it may be all that is left of the link. chatdb restore FOLDER restores a backup from before the loss. If a group that the profile owns publishes the link, chatdb group set-link id:1 LINK --user id:1 stores it, and chatdb group set-link id:1 --no-link --user id:1 removes its key."#,
            .act(#"$CHATDB check | grep channelWithoutLink"#),
            .act(
                #"$CHATDB group set-link id:1 'https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw' --user id:1 --yes"#
            ), .again(code: 0), .act(#"! $CHATDB check | grep -E 'lostLink|channelWithoutLink'"#)),
        .init(
            #"a server twice"#,
            #"sqlite3 x_chat.db "INSERT INTO protocol_servers (user_id, host, key_hash) VALUES (1, 'a.example', 'Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw='), (1, 'A.example', 'Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=')""#,
            #"check"#, hint: #"Use chatdb server delete id:66 --user id:1."#,
            .run(#"chatdb server delete id:66 --user id:1"#), .again()),
        .init(
            #"a relay twice"#,
            #"sqlite3 x_chat.db "DROP INDEX idx_chat_relays_address_key; INSERT INTO chat_relays (user_id, address, address_key, display_name) SELECT user_id, address, address_key, 'three' FROM chat_relays WHERE chat_relay_id = 7""#,
            #"check"#, hint: #"Use chatdb relay delete id:8 --user id:1; its channels keep it."#,
            .run(#"chatdb relay delete id:8 --user id:1"#),
            .act(#"$CHATDB check --fix --yes"#), .again()),
        .init(
            #"two relays with a name"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET display_name = ' MINE ' WHERE chat_relay_id = 1""#, #"check"#,
            hint: #"Use chatdb relay edit id:7 --name NAME --user id:1 or chatdb relay delete id:7 --user id:1."#,
            .run(
                #"chatdb relay edit id:7 --name NAME --user id:1"#, [#"NAME"#: #"ours"#]), .again()),
        .init(
            #"two relays with a name: deleting"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET display_name = ' MINE ' WHERE chat_relay_id = 1""#, #"check"#,
            hint: #"Use chatdb relay edit id:7 --name NAME --user id:1 or chatdb relay delete id:7 --user id:1."#,
            .run(#"chatdb relay delete id:7 --user id:1"#), .again()),
        .init(
            #"a wrong key of an address"#,
            #"sqlite3 x_chat.db "UPDATE chat_relays SET address_key = 'x' WHERE chat_relay_id = 7""#, #"check"#,
            hint: #"chatdb check --fix corrects the keys that no other relay has."#, .run(#"chatdb check --fix"#),
            .again()),
        .init(
            #"a relay that is left over"#,
            #"sqlite3 x_chat.db "INSERT INTO chat_relays (user_id, address, address_key, deleted) SELECT 2, address, address_key, 1 FROM chat_relays WHERE chat_relay_id = 7""#,
            #"check"#, code: 0, hint: #"chatdb check --fix removes them."#, .run(#"chatdb check --fix"#), .again()),
        .init(
            #"a lost operator"#,
            #"sqlite3 x_chat.db "PRAGMA foreign_keys = ON; DELETE FROM server_operators WHERE server_operator_id = 1""#,
            #"check"#, code: 0,
            hint:
                #"The store has lost the row of the operator. Until the operator is back, its relays and servers are shown as the user's own, and its switch is missing: chatdb preset sync --all-profiles adds each operator that ships with chatdb. Another operator comes back with its file of presets: chatdb preset import FILE --trust-operators."#,
            .act(#"$CHATDB preset sync --all-profiles --yes"#), .again(),
            .act(#"! $CHATDB check | grep presetWithoutOperator"#)),
        .init(
            #"half a profile"#, #"sqlite3 x_agent.db "INSERT INTO users (deleted) VALUES (0)""#, #"check"#, code: 0,
            hint:
                #"A crash interrupted the creation or deletion of a profile: chatdb check --fix removes what is left."#,
            .run(#"chatdb check --fix"#), .again()),
        .init(
            #"a lost index"#, #"sqlite3 x_chat.db "DROP INDEX idx_files_user_id""#, #"check"#,
            hint:
                #"chatdb check --fix creates them again; until then, a lost unique index allows duplicate rows, and searches may be incomplete or slow."#,
            .run(#"chatdb check --fix"#), .again()),
        .init(
            #"rows that a lost index forbade"#,
            #"sqlite3 x_chat.db "DROP INDEX idx_chat_tags_text; INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text, tag_order) VALUES (7, 1, 'x', 0), (9, 1, 'x', 2)""#,
            #"check"#,
            hint:
                #"Rows with the same index have equal values: keep one of them, and delete the others in the app: after that, chatdb check --fix creates the index. Or chatdb restore FOLDER restores a backup from before the fault, which has the index."#,
            .act(#"sqlite3 x_chat.db "DELETE FROM chat_tags WHERE chat_tag_id = 9""#), .run(#"chatdb check --fix"#),
            .again()),
        .init(
            #"the search index"#,
            #"sqlite3 x_chat.db "INSERT INTO chat_items_fts (rowid, item_text) VALUES (12, 'gone')""#, #"check"#,
            hint: #"chatdb check --fix rebuilds it; until then, searches miss texts or find deleted ones."#,
            .run(#"chatdb check --fix"#), .again()),
        .init(
            #"drift"#, #"sqlite3 x_chat.db "CREATE TABLE more (a)""#, #"check"#, code: 0,
            hint:
                #"chatdb schema diff shows the differences; another program changed the schema. To undo the change, make a backup with chatdb backup make, and drop by hand, in SQL, what was added. For what differs or is missing, chatdb restore FOLDER restores a backup from before the change."#,
            .run(#"chatdb schema diff"#), .run(#"chatdb backup make"#),
            .act(#"sqlite3 x_chat.db "DROP TABLE more""#), .again()),
        .init(
            #"a missing table"#, #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DROP TABLE chat_tags_chats""#,
            #"check"#,
            hint: #"The rows of missing tables and columns are lost too; chatdb restore FOLDER restores a backup."#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"an interrupted migration: check"#, make: { try MigrationFixture.interruptedStore() }, "", #"check"#,
            hint:
                #"chatdb migrate run completes or undoes it; a copy that was interrupted is completed by the same copy."#,
            .run(#"chatdb migrate run"#), .again()),
        .init(
            #"a list of migrations that lost rows: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DELETE FROM migrations WHERE name > '2026'""#, #"check"#,
            hint:
                #"The schema is newer than the table migrations: this table lost rows, or somebody changed the schema by hand. Do not migrate the database, and do not start an app with it: migrations would be applied a second time. chatdb restore FOLDER restores a backup from before the loss. Without one, chatdb migrate baseline --to 2026"#,
            .act("$CHATDB $($CHATDB check | grep -o 'migrate baseline --to [0-9a-z_]*') --yes"), .again(),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"a list of migrations that lost rows, and another schema: check"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DELETE FROM migrations WHERE name > '2026'; CREATE TABLE more (a)""#,
            #"check"#,
            hint:
                #"The schema is newer than the table migrations: this table lost rows, or somebody changed the schema by hand. Do not migrate the database, and do not start an app with it: migrations would be applied a second time. chatdb restore FOLDER restores a backup from before the loss. Without one, commands that change a store refuse this one, and chatdb query SQL still reads its rows. First mend what the other findings name, such as a lost row of the table store or a schema that differs. If the schema of each database is then exactly that of a migration, chatdb check names the command that writes the rows again. docs/migrations.md has the way by hand."#,
            .run(#"chatdb query SQL"#, [#"SQL"#: #"'SELECT count(*) FROM users'"#]),
            .act(#"sqlite3 x_chat.db "DROP TABLE more"; $CHATDB check | grep 'migrate baseline --to'"#),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"an edited migration: check"#,
            #"sqlite3 x_chat.db "UPDATE migrations SET checksum = 'x' WHERE name = '20260608_search'""#, #"check"#,
            code: 0,
            hint:
                #"Find out which build created the store; chatdb migrate status shows more. If you edited the file of a migration of your own, and the schema stays as it is: chatdb migrate run --accept-edited."#,
            .run(#"chatdb migrate status"#)),
        .init(
            #"a file without its header"#,
            #"$CHATDB backup b; mv b/* c; dd if=/dev/zero of=x_chat.db bs=100 count=1 conv=notrunc status=none"#,
            #"check"#,
            hint:
                #"Close all programs that use the store, and copy its files to another place now. chatdb restore FOLDER restores a backup from before the damage. Without one, chatdb salvage --output NEW writes what can be read into a new store."#,
            .run(#"chatdb salvage --output NEW"#, [#"NEW"#: #"new"#]),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"a file that is no database"#,
            #"$CHATDB backup b; mv b/* c; seq 20000 > x_chat.db"#, #"check"#,
            hint:
                #"The notes say why. If you may not read the file, change its permissions. If it is damaged, chatdb restore FOLDER restores a backup. Without one, chatdb salvage --output NEW writes what can be read into a new store. If the file is empty or no database, chatdb salvage --output NEW --only DATABASE writes the other one, chat or agent, into a new store. Otherwise ask for the file again."#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"files of two stores"#,
            #"$CHATDB backup b; mv b/* c; $CHATDB migrate run -d y; cp y_agent.db x_agent.db"#, #"check"#,
            hint:
                #"Find the file that was created with the other one; chatdb restore FOLDER --force restores both from a backup."#,
            .run(#"chatdb restore FOLDER --force"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"files of other programs"#,
            #"rm x_chat.db x_agent.db; sqlite3 x_chat.db "CREATE TABLE t (a)"; sqlite3 x_agent.db "CREATE TABLE t (a)""#,
            #"check"#,
            hint:
                #"Check that these are the right files; chatdb inspect shows what they are. For a database of another program that is to be adopted: chatdb migrate baseline --help."#,
            .run(#"chatdb inspect"#)),
        .init(
            #"a damaged page"#,
            #"printf "%4096s" "" > zero; page=$(sqlite3 x_chat.db "SELECT rootpage FROM sqlite_schema WHERE name = 'chat_tags'"); $CHATDB backup b; mv b/* c; dd if=zero of=x_chat.db bs=4096 seek=$((page - 1)) conv=notrunc status=none"#,
            #"check"#,
            hint:
                #"Close all programs that use the store, and copy its files to another place now. chatdb restore FOLDER restores a backup from before the damage. Without one, chatdb salvage --output NEW writes what can be read into a new store."#,
            .act(#"mkdir copy; cp x_chat.db x_agent.db copy"#),
            .run(#"chatdb salvage --output NEW"#, [#"NEW"#: #"new"#]),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]),
            .again()),
        .init(
            #"a copy of the chat database in the place of the agent's"#,
            #"$CHATDB backup b; mv b/* c; cp x_chat.db x_agent.db"#, #"check"#,
            hint:
                #"Do not rename or overwrite either file: each may be the only copy. Move the one that is named wrongly to another folder, and put the missing database in its place; chatdb restore FOLDER restores both from a backup."#,
            .act(#"mkdir old; mv x_agent.db old"#), .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"a log without its database"#, #"mv x_chat.db old; mv x_agent.db older; echo log > x_chat.db-wal"#,
            #"inspect"#, code: 66,
            hint:
                #"FOLDER/x_chat.db-wal or FOLDER/x_agent.db-wal is there without its database: a log has only the newest changes, so ask for the database too"#,
            .act(#"rm x_chat.db-wal; mv old x_chat.db; mv older x_agent.db"#), .again()),
        .init(
            #"a mark of a deleted connection"#,
            #"sqlite3 x_chat.db "INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, to_subscribe) VALUES (1, 'YQ', 'deleted', 'contact', 1)""#,
            #"check"#, code: 0, hint: #"chatdb check --fix removes the mark."#, .run(#"chatdb check --fix"#)),
        .init(
            #"databases of two programs"#, make: { try simplexStore() },
            #"$CHATDB migrate run -d y; cp y_agent.db simplex_v1_agent.db"#, #"check -d simplex_v1"#,
            hint:
                #"Find the file that was created with the other one; chatdb inspect -d simplex_v1 shows what each file is."#,
            .run(#"chatdb inspect -d simplex_v1"#)),
        .init(
            #"an older store: check"#, make: { try MigrationFixture.oldStore() }, "", #"check"#, code: 0,
            hint: #"chatdb migrate plan shows what chatdb migrate up would do."#, .run(#"chatdb migrate plan"#),
            .run(#"chatdb migrate up"#), .again()),
        .init(
            #"a newer store: check"#, make: { try MigrationFixture.newerStore() }, "", #"check"#, code: 0,
            hint: #"Use the newer app or chatdb that migrated them; chatdb migrate status lists the migrations."#,
            .run(#"chatdb migrate status"#)),
        .init(
            #"another history: check"#,
            #"sqlite3 x_chat.db "UPDATE migrations SET name = '20260907_other' WHERE name = '20260907_list_indexes'""#,
            #"check"#,
            hint: #"Use an app or a build whose migrations the store has; chatdb migrate status shows more."#,
            .run(#"chatdb migrate status"#)),
        .init(
            #"no relay: check"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0; UPDATE group_profiles SET group_link = 'https://simplex.chat/c#x'; UPDATE group_relays SET relay_status = 'active', relay_link = 'x'; UPDATE chat_relays SET enabled = 0""#,
            #"check"#, code: 0,
            hint:
                #"One of these is enough: chatdb relay enable RELAY --user USER enables a relay of the profile, chatdb operator enable OPERATOR an operator with its relays, and chatdb relay add ADDRESS --user USER adds another relay. A channel that exists keeps its relays, whether they are on or off."#,
            .run(#"chatdb relay enable RELAY --user USER"#, [#"RELAY"#: #"id:1"#, #"USER"#: #"alice"#]),
            .run(#"chatdb operator enable OPERATOR"#, [#"OPERATOR"#: #"simplex"#]),
            .run(
                #"chatdb relay add ADDRESS --user USER"#,
                [
                    #"ADDRESS"#: #"'https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ'"#,
                    #"USER"#: #"work"#,
                ]), .act(#"test "$($CHATDB check)" = "The store is in order.""#)),
        .init(
            #"no server: check"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0; UPDATE group_profiles SET group_link = 'https://simplex.chat/c#x'; UPDATE group_relays SET relay_status = 'active', relay_link = 'x'; UPDATE protocol_servers SET enabled = 0 WHERE user_id = 1 AND protocol = 'smp'""#,
            #"check"#, code: 0,
            hint:
                #"Use chatdb server enable SERVER --user id:1 or chatdb operator enable OPERATOR. If the profile has no such server, chatdb preset sync --user id:1 adds those that ship with chatdb."#,
            .run(#"chatdb operator enable OPERATOR"#, [#"OPERATOR"#: #"simplex"#]),
            .run(#"chatdb server enable SERVER --user id:1"#, [#"SERVER"#: #"id:1"#]),
            .act(#"test "$($CHATDB check)" = "The store is in order.""#)),
        .init(
            #"no server at all: check"#,
            #"sqlite3 x_chat.db "UPDATE groups SET creating_in_progress = 0; UPDATE group_profiles SET group_link = 'https://simplex.chat/c#x'; UPDATE group_relays SET relay_status = 'active', relay_link = 'x'; DELETE FROM protocol_servers WHERE user_id = 1""#,
            #"check"#, code: 0,
            hint:
                #"If the profile has no such server, chatdb preset sync --user id:1 adds those that ship with chatdb."#,
            .act(#"$CHATDB preset sync --user id:1 --yes"#),
            .act(#"test "$($CHATDB check)" = "The store is in order.""#)),
        .init(
            #"a hidden profile that is active"#,
            #"printf s | $CHATDB user hide alice --password-stdin; sqlite3 x_chat.db "UPDATE users SET active_user = 0; UPDATE users SET active_user = 1 WHERE view_pwd_hash IS NOT NULL""#,
            #"check"#, code: 0, hint: #"chatdb user activate USER activates a visible profile."#,
            .run(#"chatdb user activate USER"#, [#"USER"#: #"work"#]), .again(),
            .act(#"! $CHATDB check | grep hiddenActiveProfile"#)),
        .init(
            #"two operators of a domain"#,
            #"sqlite3 x_chat.db "UPDATE server_operators SET server_domains = 'simplex.im'""#, #"check"#, code: 0,
            hint:
                #"A server in the domains of several operators belongs to the first of them; chatdb operator list shows all. Domains come from files of presets: chatdb preset export -o FILE writes one. Correct the domains of an operator in this file. Then chatdb preset import FILE --trust-operators changes them in the store."#,
            .run(#"chatdb operator list"#), .run(#"chatdb preset export -o FILE"#, [#"FILE"#: #"p.json"#]),
            .act(#"sed '/"tag": "flux"/,/]/s/simplex.im/simplexonflux.com/' p.json > q.json"#),
            .act(#"$CHATDB preset import q.json --trust-operators --yes"#), .again(),
            .act(#"! $CHATDB check | grep sharedOperatorDomain"#)),
        .init(
            #"two profiles with one agent user"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DROP INDEX idx_users_agent_user_id; UPDATE users SET agent_user_id = 1""#,
            #"check"#,
            hint:
                #"Do not delete either profile, because the other one would lose its connections; chatdb restore FOLDER restores a backup."#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"a profile that is marked as deleted"#,
            #"sqlite3 x_agent.db "UPDATE users SET deleted = 1 WHERE user_id = 2""#,
            #"check"#,
            hint:
                #"Do not start an app with these files, and copy both files to another place now: an app takes such a profile for one that is being deleted, and removes it once its connections are deleted. The mark is in users of the agent database, deleted = 1. chatdb restore FOLDER restores both files from a backup. Without one, clear the mark in the agent database: UPDATE users SET deleted = 0 WHERE user_id = A, with the number A behind agent: users in the example. Only if the profile was meant to be deleted, chatdb user delete id:2 completes the deletion."#,
            .act(#"sqlite3 x_agent.db "UPDATE users SET deleted = 0 WHERE user_id = 2""#), .again(),
            .act(#"! $CHATDB check | grep profileMarkedDeleted"#),
            .act(#"sqlite3 x_agent.db "UPDATE users SET deleted = 1 WHERE user_id = 2""#),
            .run(#"chatdb user delete id:2"#), .again()),
        .init(
            #"a profile whose row in the agent database is missing, with a backup"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_agent.db "DELETE FROM users WHERE user_id = 2""#, #"check"#,
            hint:
                #"The row of the profile in users of the agent database is missing: damage or another program removed it, or the agent's file is older than the chat's. chatdb restore FOLDER restores both files from a backup. Without one, look for the agent's file of the same time. If there is none, close all programs that use the store, copy both files to another place, and write the row again in the agent database: INSERT INTO users (user_id) VALUES (N). N is the agent_user_id that chatdb query 'SELECT user_id, agent_user_id FROM users' shows for the profile. After that, chatdb check names the connections that the agent database lacks too."#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"a profile whose row in the agent database is missing, without a backup"#,
            #"sqlite3 x_agent.db "DELETE FROM users WHERE user_id = 2""#, #"check"#,
            hint:
                #"The row of the profile in users of the agent database is missing: damage or another program removed it, or the agent's file is older than the chat's. chatdb restore FOLDER restores both files from a backup. Without one, look for the agent's file of the same time. If there is none, close all programs that use the store, copy both files to another place, and write the row again in the agent database: INSERT INTO users (user_id) VALUES (N). N is the agent_user_id that chatdb query 'SELECT user_id, agent_user_id FROM users' shows for the profile. After that, chatdb check names the connections that the agent database lacks too."#,
            .run(#"chatdb query 'SELECT user_id, agent_user_id FROM users'"#),
            .act(#"sqlite3 x_agent.db "INSERT INTO users (user_id) VALUES (2)""#), .again()),
        .init(
            #"several chat relays, in a store of SimpleX Chat"#, make: { try healthySimplexStore() },
            #"sqlite3 simplex_v1_chat.db "UPDATE users SET is_user_chat_relay = 1 WHERE user_id < 3""#,
            #"check -d simplex_v1"#, code: 0,
            hint:
                #"The app serves only the profile with the lowest number. chatdb inspect -d simplex_v1 shows what the others were asked to relay; the owners of these channels have to choose another relay."#,
            .run(#"chatdb inspect -d simplex_v1"#)),
        .init(
            #"a row that stops a deletion"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "UPDATE group_members SET contact_profile_id = (SELECT contact_profile_id FROM contacts WHERE user_id = 2 LIMIT 1) WHERE member_category = 'user'""#,
            #"check"#,
            hint:
                #"The app cannot delete the row that they refer to, nor its profile: first delete what the referring row belongs to, or restore an earlier backup with chatdb restore FOLDER."#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"content that is not JSON"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "INSERT INTO chat_items (user_id, group_id, item_sent, item_ts, item_status, item_content, item_text) VALUES (1, 1, 1, '2026-07-20 09:05:00.120', 'snd_sent', '{', '')""#,
            #"check"#,
            hint:
                #"An app shows an error instead: delete them in the app, or restore a backup with chatdb restore FOLDER."#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
    ]
}
