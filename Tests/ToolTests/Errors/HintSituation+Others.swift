import Foundation

/// Hints for other errors.
extension HintSituation {
    /// Makes a chat file that may be encrypted. It has the same bytes in each run: random ones look like a page of SQLite
    /// now and then.
    private static let noise =
        "head -c 65536 /dev/zero | openssl enc -aes-128-ctr -K 0 -iv 0 2>/dev/null > x_chat.db"

    /// Makes `a.zip` of the demo's databases.
    private static let archive = """
        cp x_chat.db simplex_v1_chat.db; cp x_agent.db simplex_v1_agent.db
        python3 -m zipfile -c a.zip simplex_v1_chat.db simplex_v1_agent.db
        rm simplex_v1_*

        """

    /// Makes `key`, a key in the place of a passphrase: no time goes into deriving it.
    private static let key = "echo \"x'\(String(repeating: "2f", count: 32))'\" > key; chmod 600 key\n"

    static let others: [HintSituation] = [
        .init(
            #"a file exists"#, #"touch f"#, #"preset export -u alice -o f"#, code: 73, hint: #"--force replaces it"#,
            .again(#"--force"#)),
        .init(
            #"a file in a folder that does not exist"#, "", #"bundle nowhere/b.json"#, code: 73,
            hint: #"create the folder first: mkdir -p nowhere"#, .act(#"mkdir -p nowhere"#), .again()),
        .init(
            #"a command that is written as an option"#, "echo {} > a.json", #"bundle --diff a.json a.json"#, code: 64,
            hint: #"did you mean chatdb bundle diff? see chatdb bundle diff --help"#,
            .run(#"chatdb bundle diff --help"#)),
        .init(
            #"a new migration of an unnamed database"#, "", #"migrate new words"#, code: 64,
            hint: #"--only chat or --only agent names the database of the migration; see chatdb migrate new --help"#,
            .again("--only chat"), .again("--only agent")),
        .init(
            #"a folder without --below"#, "mkdir f", #"find f"#, code: 64,
            hint: #"chatdb find --below f searches below the folder; see chatdb find --help"#,
            .run(#"chatdb find --below f"#), .run(#"chatdb find --help"#)),
        .init(
            #"a command behind options of another"#, "", #"backup --keep-backups 3 list"#, code: 64,
            hint: #"begin with chatdb backup list; see chatdb backup list --help"#,
            .run(#"chatdb backup list"#), .run(#"chatdb backup list --help"#)),
        .init(
            #"an empty message"#, "", #"diagnose ''"#, code: 64,
            hint: #"give the message that the app showed; without one, chatdb diagnose lists what the store explains"#,
            .run(#"chatdb diagnose"#)),
        .init(
            #"a message that is no text"#, #"head -c 5000 /dev/zero > log"#, #"diagnose -"#, code: 64,
            hint: #"give the lines of the log that have the message"#, around: "exec < log",
            .act(#"echo noActiveUser > log"#), .again(code: 1)),
        .init(
            #"a long log"#, #"head -c 2000000 /dev/zero | tr '\0' a > log; printf '\nnoActiveUser\n' >> log"#,
            #"diagnose -"#,
            code: 64, hint: #"give the end of the log: tail -c 1000000 LOG | chatdb diagnose -"#,
            around: "exec < log", .act(#"tail -c 1000000 log | $CHATDB diagnose - | grep noActiveUser"#)),
        .init(
            #"the file of a bundle exists"#, #"touch f"#, #"bundle f"#, code: 73, hint: #"--force replaces it"#,
            .again(#"--force"#)),
        .init(
            #"the output is a folder"#, #"mkdir f"#, #"preset export -u alice -o f"#, code: 73,
            hint: #"name another file"#, .act(#"$CHATDB preset export -u alice -o h"#)),
        .init(
            #"the output is the store"#, "ln -s x_chat.db link", #"preset export -u alice -o link --force"#, code: 73,
            hint: #"name another file; --force does not replace this one"#,
            .act(#"$CHATDB preset export -u alice -o h"#)),
        .init(
            #"a wrong configuration file"#, "mkdir -p config/chatdb && echo wide > config/chatdb/config.toml",
            #"user list"#, code: 65, hint: #"correct the file, or remove it"#,
            .act(#"rm config/chatdb/config.toml && $CHATDB user list"#)),
        .init(
            #"a cut archive"#, HintSituation.archive + "head -c 3000 a.zip > cut.zip", #"archive check cut.zip"#,
            code: 66,
            hint: #"copy the archive again, or ask for it again: it was changed on its way"#,
            .act(#"$CHATDB archive unpack a.zip --to new"#)),
        .init(
            #"an archive of something else"#,
            HintSituation.archive + "echo hello > f && python3 -m zipfile -c other.zip f", #"archive check other.zip"#,
            code: 66,
            hint: #"name the archive that the app has exported"#, .act(#"$CHATDB archive unpack a.zip --to new"#)),
        .init(
            #"an archive of a folder with a store"#,
            #"mkdir f && cp x_chat.db x_agent.db f && python3 -m zipfile -c other.zip f"#, #"inspect -d other.zip"#,
            code: 66,
            hint: #"unpack the archive with another program, and name its database: chatdb inspect -d FILE"#,
            .act(#"python3 -m zipfile -e other.zip new"#),
            .run(#"chatdb inspect -d FILE"#, [#"FILE"#: #"new/f/x_chat.db"#])),
        .init(
            #"an archive, when writing"#, HintSituation.archive, #"user add bob -d a.zip"#, code: 66,
            hint: #"chatdb archive unpack a.zip --to FOLDER makes a store of it"#,
            .run(#"chatdb archive unpack a.zip --to FOLDER"#, [#"FOLDER"#: #"new"#])),
        .init(
            #"a folder without files of chats"#, make: { try HintSituation.simplexStore() }, "mkdir f simplex_v1_files",
            #"archive pack -d simplex_v1 --output new.zip --files f"#, code: 66,
            hint: #"--files names the folder in which the app keeps simplex_v1_files"#,
            .act(#"$CHATDB archive pack -d simplex_v1 --output new.zip --files ."#)),
        .init(
            #"an archive that no app would import"#, make: { try HintSituation.simplexStore() },
            "sqlite3 simplex_v1_agent.db 'DELETE FROM users'", #"archive pack -d simplex_v1 --output new.zip"#,
            hint: #"chatdb check -d simplex_v1 shows what is wrong in the store"#,
            .run(#"chatdb check -d simplex_v1"#, code: 1)),
        .init(
            #"no new passphrase"#, HintSituation.key, #"passphrase set --yes"#, code: 64,
            hint:
                #"give it with --new-passphrase-file FILE or --new-passphrase-stdin; on a terminal, chatdb asks for it twice"#,
            .again(#"--new-passphrase-file key"#)),
        .init(
            #"the passphrase of a plain store"#, HintSituation.key, #"passphrase set --yes --passphrase-file key"#,
            code: 64,
            hint:
                #"--passphrase-file is for an encrypted store, and this one is plain: chatdb passphrase set --new-passphrase-file key encrypts it with that passphrase"#,
            .act(#"$CHATDB passphrase set --new-passphrase-file key --yes"#)),
        .init(
            #"a passphrase for an encrypted store"#,
            HintSituation.key
                + "cp key key2; sed -i s/2f/3f/g key2; $CHATDB passphrase set --yes --new-passphrase-file key2",
            #"passphrase set --yes --new-passphrase-file key"#,
            hint:
                #"chatdb passphrase change --passphrase-file FILE --new-passphrase-file key changes its passphrase"#,
            .act(#"$CHATDB passphrase change --yes --passphrase-file key2 --new-passphrase-file key"#)),
        .init(
            #"another passphrase for a plain store"#, HintSituation.key,
            #"passphrase change --yes --new-passphrase-file key"#,
            hint: #"chatdb passphrase set --new-passphrase-file key encrypts the store"#,
            .act(#"$CHATDB passphrase set --yes --new-passphrase-file key"#)),
        .init(
            #"two databases with different passphrases"#,
            HintSituation.key + """
                cp key key2; sed -i s/2f/3f/g key2; $CHATDB passphrase set --yes --new-passphrase-file key; cp x_agent.db a
                $CHATDB passphrase change --yes --passphrase-file key --new-passphrase-file key2; mv a x_agent.db
                """,
            #"passphrase change --yes --passphrase-file key --new-passphrase-file key"#, code: 66,
            hint:
                #"chatdb passphrase change --other-passphrase-file FILE --passphrase-file key --new-passphrase-file key takes the passphrase of that database from a file, and gives both the new one"#,
            .again(#"--other-passphrase-file key2"#)),
        .init(
            #"two databases with different passphrases, in a command that reads"#,
            HintSituation.key + """
                cp key key2; sed -i s/2f/3f/g key2; $CHATDB passphrase set --yes --new-passphrase-file key; cp x_agent.db a
                $CHATDB passphrase change --yes --passphrase-file key --new-passphrase-file key2; mv a x_agent.db
                """,
            #"user list --passphrase-file key"#, code: 66,
            hint:
                #"chatdb passphrase change --other-passphrase-file FILE --new-passphrase-file NEW --passphrase-file key takes the passphrase of that database from a file, and gives both the new one"#,
            .act(
                #"$CHATDB passphrase change --yes --passphrase-file key --other-passphrase-file key2 --new-passphrase-file key"#
            ), .again()),
        .init(
            #"a plain backup over an encrypted store, without its passphrase"#,
            HintSituation.key + """
                mkdir b; $CHATDB backup make b; $CHATDB passphrase set --yes --new-passphrase-file key
                """,
            #"restore b/* --yes"#, code: 64,
            hint:
                #"give the passphrase with --passphrase-file FILE or --passphrase-stdin; if it is lost, --force restores the backup without a comparison, and keeps the encrypted files beside the store"#,
            .again(#"--force"#)),
        .init(
            #"a plain backup over an encrypted store, with a wrong passphrase"#,
            HintSituation.key + """
                mkdir b; $CHATDB backup make b; $CHATDB passphrase set --yes --new-passphrase-file key; sed -i s/2f/3f/g key
                """,
            #"restore b/* --yes --passphrase-file key"#, code: 66,
            hint:
                #"if the passphrase is lost, omit it: --force restores the backup without a comparison, and keeps the encrypted files beside the store"#,
            .act(#"$CHATDB restore b/* --yes --force"#)),
        .init(
            #"SimpleX Chat's store made plain in its place"#, make: { try HintSituation.simplexStore() },
            HintSituation.key + "$CHATDB passphrase set -d simplex_v1 --yes --new-passphrase-file key",
            #"passphrase remove -d simplex_v1 --yes --passphrase-file key"#, code: 64,
            hint: #"--output FOLDER writes a plain copy of it"#, .again(#"--output new"#)),
        .init(
            #"a plain copy of chatdb's store"#,
            HintSituation.key + "$CHATDB passphrase set --yes --new-passphrase-file key",
            #"passphrase remove --yes --passphrase-file key --output new"#, code: 64,
            hint: #"leave --output out; chatdb keeps the encrypted files"#,
            .act(#"$CHATDB passphrase remove --yes --passphrase-file key"#)),
        .init(
            #"a file that may be encrypted"#,
            HintSituation.noise, #"user list"#,
            code: 64,
            hint:
                #"give the passphrase with --passphrase-file FILE or --passphrase-stdin; on a terminal, chatdb asks for it"#,
            .act(#"echo pass > pass"#), .again(#"--passphrase-file pass"#, code: 66)),
        .init(
            #"a file that may be encrypted, when its content would be written in plain text"#,
            HintSituation.noise,
            #"copy --to 'postgres:///chats?store=main'"#, code: 66,
            hint:
                #"chatdb passphrase remove makes a store of chatdb plain; of SimpleX Chat's store, chatdb passphrase remove --output FOLDER writes a plain copy: name that copy"#,
            .act(#"true"#)),
        .init(
            #"a new encrypted store without a passphrase"#, "", #"migrate run --encrypt -d new"#, code: 64,
            hint:
                #"give it with --passphrase-file FILE or --passphrase-stdin; on a terminal, chatdb asks for it twice"#,
            .act(#"echo pass > pass"#), .again(#"--passphrase-file pass"#)),
        .init(
            #"a passphrase for a store that does not exist"#, "echo pass > pass",
            #"migrate run -d new --passphrase-file pass"#, code: 64,
            hint:
                #"chatdb migrate run --encrypt -d new --passphrase-file pass makes an encrypted store; without a "#
                + #"passphrase, the store is plain"#,
            .run(#"chatdb migrate run --encrypt -d new --passphrase-file pass"#)),
        .init(
            #"a plain store that is to be encrypted"#, "", #"migrate run --encrypt"#, code: 64,
            hint: #"leave --encrypt out, or name another place with --store"#, .act(#"$CHATDB migrate run"#)),
        .init(
            #"the passphrase and a statement from standard input"#, "", #"query - --passphrase-stdin"#, code: 64,
            hint: #"give the passphrase with --passphrase-file FILE"#, around: "exec < <(echo 1)",
            .act(#"echo pass > pass; echo 'SELECT 1' | $CHATDB query - --passphrase-file pass"#)),
        .init(
            #"a folder with files in it"#, HintSituation.archive, #"archive unpack a.zip --to ."#, code: 73,
            hint: #"name a new folder with --to"#, .act(#"$CHATDB archive unpack a.zip --to new"#)),
        .init(
            #"salvage into a folder"#, #"mkdir f"#, #"salvage --output f"#, code: 73,
            hint: #"name a store in the folder: --output f/saved"#, .again(#"--output f/saved"#)),
        .init(
            #"salvage into a store"#, #"touch y_agent.db"#, #"salvage --output y"#, code: 73,
            hint: #"name another store with --output"#, .act(#"$CHATDB salvage --output z"#)),
        .init(
            #"salvage with an empty file"#, #": > x_agent.db"#, #"salvage --output y"#, code: 66,
            hint: #"chatdb salvage --output y --only chat saves the chat database, and leaves out this file"#,
            .run(#"chatdb salvage --output y --only chat"#, code: 1)),
        .init(
            #"salvage of what may be encrypted"#,
            HintSituation.noise,
            #"salvage --output y"#,
            code: 66,
            hint:
                #"chatdb restore FOLDER restores a backup; without one, chatdb query SQL reads the tables that are whole"#,
            .act(#"true"#)),
        .init(
            #"a query of too many rows"#, "", #"query 'SELECT 1 FROM protocol_servers' --limit 2"#,
            hint: #"--limit shows more, up to 1000000"#,
            .act(#"$CHATDB query 'SELECT 1 FROM protocol_servers' --limit 1000000"#)),
        .init(
            #"a slow query"#, "",
            #"query 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT count(*) FROM n' --timeout 0.01"#,
            hint: #"--timeout sets another limit"#,
            .act(
                #"$CHATDB query 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT count(*) FROM n' --timeout 60"#
            )),
        .init(
            #"a column that is none"#, "", #"query 'SELECT nonesuch FROM users'"#, code: 65,
            hint: #"chatdb schema show TABLE shows the columns"#,
            .run(#"chatdb schema show TABLE"#, [#"TABLE"#: #"users"#])),
        .init(
            #"a table that is none"#, "", #"query 'SELECT 1 FROM zzzzzzzzz'"#, code: 65,
            hint: #"chatdb schema show shows the tables"#, .run(#"chatdb schema show"#)),
        .init(
            #"a table of the other database"#, "", #"query 'SELECT 1 FROM rcv_queues'"#, code: 65,
            hint: #"the table is in the agent database: --only agent"#, .again(#"--only agent"#)),
        .init(
            #"a refused table"#, "", #"query 'SELECT * FROM chat_items_fts_data'"#, code: 65,
            hint: #"chatdb schema show shows the tables and columns that can be queried"#, .run(#"chatdb schema show"#)),
        .init(
            #"a copy from files to files"#, "", "copy --to other", code: 64,
            hint:
                #"--to names a store on a server. To copy files, chatdb backup make makes a verified copy, and chatdb restore FOLDER -d FOLDER/other writes it to another place. Let apps use only one of the two"#,
            .act("$CHATDB backup make b; mv b/* c"),
            .run("chatdb restore FOLDER -d FOLDER/other", ["FOLDER": "c"]), .act("$CHATDB check -d other")),
        .init(
            #"a copy of an adopted database to a file"#,
            "sqlite3 app.db 'CREATE TABLE t (a)'; mkdir -p m/chat; echo 'CREATE TABLE t (a);' > m/chat/20260101_first.up.sql; "
                + "$CHATDB migrate baseline --yes --migrations-dir m --database chat=app.db --to 20260101_first",
            "copy --database chat=app.db --to other", code: 64,
            hint:
                #"--to names a store on a server. To copy files, chatdb backup make --database 'chat=app.db' makes a verified copy, and chatdb restore FOLDER --database 'chat=FILE' writes it to another place."#,
            .act("$CHATDB backup make b --database chat=app.db; mv b/* c"),
            .run("chatdb restore FOLDER --database 'chat=FILE'", ["FOLDER": "c", "FILE": "other.db"]),
            .act("test -e other.db")),
        .init(
            #"a statement that writes"#, "", #"query 'DELETE FROM users'"#, code: 65,
            hint: #"chatdb runs one statement: SELECT, WITH, VALUES, EXPLAIN or a PRAGMA that only reads"#,
            .act(#"$CHATDB query 'SELECT 1'"#)),
        .init(
            #"the schema of another program"#,
            #"rm x_chat.db x_agent.db; sqlite3 x_chat.db "CREATE TABLE t (a)"; sqlite3 x_agent.db "CREATE TABLE t (a)"; $CHATDB migrate run -d y"#,
            #"schema diff"#, code: 66,
            hint: #"chatdb schema diff OTHER-STORE compares it with another; chatdb schema show shows it"#,
            .run(#"chatdb schema diff OTHER-STORE"#, [#"OTHER-STORE"#: #"y"#]), .run(#"chatdb schema show"#)),
        .init(
            #"a table of the schema in the other database"#, "", #"schema show rcv_queues --only chat"#,
            hint: #"the table is in the agent database: --only agent"#,
            .act(#"$CHATDB schema show rcv_queues --only agent"#)),
        .init(
            #"no password"#, "", #"user hide alice"#, code: 64,
            hint: #"give it on standard input with --password-stdin"#,
            .act(#"printf x | $CHATDB user hide alice --password-stdin"#)),
        .init(
            #"no confirmation"#, "", #"user delete work --no-backup"#, code: 64,
            hint: #"--dry-run shows what would be done; add --yes to confirm"#, .again(#"--dry-run"#), .again(#"--yes"#)
        ),
        .init(
            #"a mistyped command"#, "", #"relay lst"#, code: 64, hint: #"did you mean "list"? see chatdb relay --help"#,
            .act(#"$CHATDB relay --help"#)),
        .init(
            #"a mistyped option"#, "", #"relay list --usr alice"#, code: 64,
            hint: #"did you mean "--user"? see chatdb relay list --help"#, .act(#"$CHATDB relay list --help"#)),
        .init(
            #"an export in another format"#, "", #"preset export -u alice --format yaml"#, code: 64,
            hint:
                #"-o FILE.yaml or --yaml writes YAML, and -o FILE.json writes JSON; see chatdb preset export --help"#,
            .act(#"$CHATDB preset export -u alice -o FILE.yaml"#), .act(#"$CHATDB preset export -u alice --yaml"#),
            .run(#"chatdb preset export --help"#)),
        .init(
            #"no folder for the default store"#, #"touch data"#, #"migrate run"#, code: 73,
            hint: #"name another place with --store, or in CHATDB_STORE"#,
            around: #"unset CHATDB_STORE; export XDG_DATA_HOME=$PWD/data"#, .act(#"$CHATDB migrate run --store z"#)),
    ]
}
