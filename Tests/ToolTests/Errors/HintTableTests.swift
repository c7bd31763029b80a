import ChatDBKit
import Foundation
import Testing

@testable import ChatDBMigrations
@testable import ChatDBTool

/// The advice of the tool for errors and findings of the libraries.
@Suite struct HintTableTests {
    /// Checks that a hint can be followed: its commands exist, and so does every option in it.
    private func check(_ hint: Hint, _ what: String) {
        for command in hint.commands {
            guard let type = CommandTree.command(command.name.words) else {
                Issue.record("\(what): there is no command \(command.name.words)")
                continue
            }
            let help = CommandTree.help(of: type)
            for option in command.arguments where option.hasPrefix("-") {
                #expect(help.contains("\(option) ") || help.contains("\(option)\n"), "\(what): \(command.text())")
            }
        }
        for match in hint.text().matches(of: #/ (--[a-z][a-z-]*)/#) {
            #expect(CommandTree.options.contains(String(match.1)), "\(what): \(match.1)")
        }
    }

    private static let intent = IntentRecord(
        run: "r", startedAt: "2026-01-01T00:00:00Z", creates: false, storeID: "s", generation: 2, courses: [:],
        backup: "/b/1")
    private static let making = IntentRecord(
        run: "r", startedAt: "2026-01-01T00:00:00Z", creates: true, storeID: "s", generation: 1, courses: [:],
        backup: nil)
    private static let copying = IntentRecord(
        run: "r", startedAt: "2026-01-01T00:00:00Z", creates: true, storeID: "s", generation: 2, courses: [:],
        backup: nil, copiedFrom: "postgres:///chats?store=main")
    private static let restore = RestoreRecord(
        startedAt: "2026-01-01T00:00:00Z", backup: "/b/1", storeID: "s", generation: 2, aside: "a", versions: [:])
    private static let rewriting = RestoreRecord(
        startedAt: "2026-01-01T00:00:00Z", backup: "", storeID: nil, generation: nil, aside: "a", versions: [:],
        rewriting: .init(kind: .set, originals: [:]))
    private static let busy = StoreError(.busy, "busy")

    private static func failed(_ kind: StoreError.Kind, _ message: String = "cause") -> MigrationError {
        .migrationFailed(
            FailedStatement(
                database: .chat, migration: "m", direction: .up, source: "m.up.sql", statement: 1, line: 1, text: "x",
                cause: StoreError(kind, message)))
    }

    private static let migrationErrors: [MigrationError] = [
        .needsUpgrade(["a"]), .needsDowngrade(["a"]), .noDownMigration(.chat, ["a"]),
        .differentHistory(.chat, build: "a", database: "b"), .editedMigration(["a"]),
        .editedMigration(["a"], sinceAccepted: true), .emptiedMigration(["a"]), .otherTables(.chat, ["a"]),
        .editedVersion(.chat, ["a"], fitting: "b"), .lostMigrations(.agent),
        .invalidMigration(.noFolder(path: "/x")), .noStore(path: "/x y"), .noStore(path: "/x.db"), .noFile(path: "/x"),
        .noFolder(path: "/x"),
        .incompleteStore(missing: .chat, path: "/x"), .wouldNotBelong(.agent, other: "/x"), .strayFile(path: "/x"),
        .notOurs(.chat, path: "/x"), .mismatchedPair(chat: nil, agent: nil), .lostStoreRow(.chat, path: "/x"),
        .mismatchedPair(chat: nil, agent: StoreIdentity(storeID: "a", generation: 1)),
        .interruptedMigration(intent, reason: .comesFirst), .interruptedMigration(intent, reason: .unexplained),
        .interruptedMigration(intent, reason: .lacksMigrations(to: "a")),
        .interruptedMigration(making, reason: .foreignFile(path: "/x")),
        .interruptedMigration(copying, reason: .comesFirst),
        .unreadableIntentRecord(path: "/x"), .interruptedRestore(restore), .interruptedRestore(rewriting),
        .database(.chat, path: "/x", busy),
        .system(busy), .storeLocked(by: nil), .inUse(.chat, by: []), .damaged(.chat, problems: []),
        .unknownTrigger(.chat, names: []), .notEnoughSpace(needed: 2, free: 1, path: "/x"), .noBackupFolder(busy),
        .backupFailed(busy), failed(.busy), failed(.diskFull), failed(.inputOutput), failed(.unreachable),
        failed(.sql),
        failed(.uniqueViolation),
        .hasLedger(.chat, path: "/x", table: "store"),
        .alreadyAdopted(.chat, path: "/x", version: "a"), .foreignMark(.chat, path: "/x", mark: 1),
        .otherSchema(.chat, path: "/x", version: "a", [], fitting: "b"),
        .otherSchema(.chat, path: "/x", version: "a", [], fitting: nil), .otherMigrations(.chat, first: "a"),
        .halfOfPair(.chat, path: "/x", partner: "y"), .moved(to: "/y"), .system(.moved(to: "/y")),
        .lostRows(.chat, migration: "m", table: "t", before: 2, after: 1),
        .lostColumn(.chat, migration: "m", table: "t", column: "c", isDrift: false),
        .lostColumn(.chat, migration: "m", table: "t", column: "c", isDrift: true),
        .madeDanglingReferences(.chat, migrations: [], []), .wrongResult(.chat, version: nil, []),
        .brokenDefinitions(.chat, version: "m", [BrokenDefinition(.view, "v", reason: "r")]), .interrupted,
    ]

    @Test("every command and option exists in a hint about a migration exists", arguments: migrationErrors)
    func migrations(_ error: MigrationError) throws {
        check(try #require(error.hint), "\(error)")
        #expect(ErrorReport(error).hint == error.hint && ErrorReport(error).code == error.code)
    }

    @Test("the hint for a missing store names the path of the error, not that of the command line")
    func otherStore() {
        let given = GivenOptions(store: "here")
        let hint = MigrationError.noStore(path: "/x y").hint.map(given.text)
        #expect(hint == "check the path; chatdb migrate run -d '/x y' creates a new store")
    }

    @Test("the hint for a migration that a limit of the server ends names the limits of the role, and no other program")
    func serverLimits() {
        for what in ["statement", "transaction"] {
            let error = Self.failed(.busy, "the \(what) took longer than the server allows")
            let hint = error.hint?.text() ?? ""
            #expect(hint.hasPrefix("try again, or raise the limit: statement_timeout, or "), "\(hint)")
        }
    }

    @Test("the hint for a column that drift added says that it is not part of the version")
    func drift() {
        let error = MigrationError.lostColumn(.chat, migration: "m", table: "t", column: "c", isDrift: true)
        #expect(error.hint?.text().contains("not part of the store's version") == true)
    }

    @Test("every command and option exists in a hint about a restore exists")
    func restores() throws {
        let errors: [RestoreError] = [
            .notThere("/x"), .noBackup("/x"), .incomplete("/x", missing: .chat), .damaged("/x", problems: []),
            .otherFileNames("/x", files: ["a"]), .otherFileNames("/x", files: ["a", "b"]),
            .mismatched("/x"), .refused("/x", .unverified), .refused("/x", .newerVersion([])),
            .refused("/x", .notAdopted(.chat)), .refused("/x", .locked(.chat)),
            .refused("/x", .moved(to: "/y")),
            .refused("/x", .otherStore(backup: "a", store: "b")),
            .refused("/x", .mismatchedStore(.chat, backup: "a", other: "b")), .linked("/x"), .planOutdated,
            .notFinished(Self.restore, Self.busy), .notFinished(Self.rewriting, Self.busy),
            .originalsChanged(.set, kept: []),
            .originalMissing(Self.rewriting, .chat, place: "/x", aside: "/y", new: "/z"),
        ]
        for error in errors { check(try #require(error.hint), "\(error)") }
    }

    @Test("the hints about a change of the passphrase name the command that began it")
    func passphraseChanges() {
        let interrupted = MigrationError.interruptedRestore(Self.rewriting)
        #expect(interrupted.hint?.text() == "chatdb passphrase set completes it")
        let undone = RestoreError.originalsChanged(.remove, kept: ["/a"])
        #expect(undone.hint?.text() == "chatdb passphrase remove begins again")
    }

    @Test("every command and option exists in a hint about archives exists")
    func archives() {
        let problems: [ArchiveError.Problem] = [
            .endMissing(found: []), .bytesMissing(1), .damaged("x"), .noDatabases(other: nil), .noDatabases(other: "x"),
            .journal("x"),
        ]
        for problem in problems { check(ArchiveError("/x", problem).hint ?? "", "\(problem)") }
        let errors: [UnpackingError] = [.notEmpty("/x"), .notAFolder("/x"), .cannotCreate("/x", errno: 13)]
        for error in errors { check(error.hint ?? "", "\(error)") }
    }

    @Test("every command and option exists in a hint about files exists", arguments: StoreError.Kind.allCases)
    func stores(_ kind: StoreError.Kind) {
        let error = StoreError(kind, "TMPDIR")
        if let hint = error.hint { check(hint, "\(kind)") }
        #expect(ErrorReport(error).code == error.code)
        #expect(ErrorReport(PresetError.store(error)) == ErrorReport(error))
        #expect(ErrorReport(ChatsError.store(error)) == ErrorReport(error), "an error without hints of its own")
    }

    @Test("the missing client of PostgreSQL decides the hint, whatever the message says")
    func missingClient() {
        #expect(StoreError.missing(.library, "x").hint?.text().hasPrefix("install libpq") == true)
        #expect(StoreError.missing(.programs, "x").hint?.text().contains("postgresql-client") == true)
        #expect(StoreError(.clientLibraryMissing, "libpq").hint == nil)
    }

    @Test("every command and option exists in a hint about rules exists")
    func rules() throws {
        let demo = try DemoStore.make()
        let store = try Store.openForReading(StoreLocation(prefix: demo.file("x")), with: SQLiteEngine())
        defer { try? store.close() }
        let errors: [any Hinted] = try store.read { chat in
            let user = try #require(try UsersRepo(chat).all().first { $0.name == "alice" })
            let relay = try #require(try ChatRelaysRepo(chat).all(of: user.id).first)
            let server = try #require(try ServersRepo(chat).all(of: user.id).first)
            let group = try #require(try GroupsRepo(chat).all(of: user.id).first).group
            let relays: [ChatRelaysError] = [
                .relayNotFound(.name("x")), .duplicateRelayAddress(existing: relay, given: "x"),
                .duplicateRelayName(existing: relay, given: "x"), .presetRelayCannotBeDeleted(relay),
                .presetRelayCannotBeEdited(relay), .relayInUse(relay, channelsUsing: 1), .noEnabledRelays,
                .relayAddressNotValid(relay),
                .notEnoughRelays(wanted: 2, enabled: 1),
            ]
            let users: [UsersError] = [
                .profileNotFound(.name("x")), .duplicateProfileName("x"), .agentUserTaken(user.agentUserID),
                .profilesLost([user.id]),
                .profileAlreadyHidden(user), .profileNotHidden(user), .activeProfileCannotBeHidden(user),
                .lastProfileCannotBeHidden(user), .hiddenProfileIsMuted(user),
            ]
            let servers: [ServersError] = [
                .serverNotFound(.name("x")), .duplicateServer(existing: server), .presetServerCannotBeDeleted(server),
                .presetServerCannotBeEdited(server), .operators(.operatorNotFound(.name("x"))),
                .relays(.noEnabledRelays), .users(.profileNotFound(.name("x"))),
            ]
            let groups: [GroupsError] = [
                .groupNotFound(.name("x")), .memberNotFound(.name("x")), .groupRelayNotFound(.name("x")),
                .relayDisabled(relay), .alreadyStarted(group), .notPrepared(group), .duplicateGroupLink(group),
                .soleOwner(group),
                .notOwner(group), .ownMembership(group), .relays(.noEnabledRelays), .users(.duplicateProfileName("x")),
            ]
            let presets: [PresetError] = [
                .presetNotFound("x"), .presetConflicts([]), .operators(.operatorNotFound(.name("x"))),
                .servers(.serverNotFound(.name("x"))), .relays(.noEnabledRelays), .users(.duplicateProfileName("x")),
            ]
            let others: [any Hinted] = [
                ContactsError.groupNotFound(group.id), ContactsError.users(.duplicateProfileName("x")),
                ConnectionsError.users(.duplicateProfileName("x")), FilesError.users(.duplicateProfileName("x")),
                SettingsError.profileNotFound(user.id), OperatorsError.operatorNotFound(.name("x")),
            ]
            return relays as [any Hinted] + users as [any Hinted] + servers as [any Hinted] + groups as [any Hinted]
                + presets as [any Hinted] + others
        }
        for error in errors {
            let hint = try #require(error.hint, "\(error)")
            check(hint, "\(error)")
            #expect(ErrorReport(error).hint == hint && ErrorReport(error).state == "Nothing was changed.")
        }
    }

    @Test("the hint for unknown fields of a preset says how to ignore them")
    func unknownFields() {
        do throws(PresetError) {
            _ = try PresetFile.read(#"{"format": "chatdb-preset", "version": 1, "new": 1}"#.utf8)
        } catch {
            #expect(error.hint == "--lenient ignores unknown fields, with a warning")
        }
    }

    @Test("every finding of a check has a remedy whose commands exist")
    func remedies() {
        for kind in [FoundDatabase.Kind.chatdb, .simplex] {
            for check in StoreCheck.all where kind == .chatdb || check.isGeneral {
                guard let remedy = Remedies.remedy(for: check.id, in: kind) else {
                    Issue.record("\(check.id) has no remedy in a store of \(kind)")
                    continue
                }
                self.check(remedy, check.id)
                #expect(remedy.text().hasSuffix("."), "\(check.id)")
            }
            #expect(Remedies.remedy(for: "nothing", in: kind) == nil)
        }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func sources(in folder: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        return (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted()
    }

    @Test("the section about errors in docs/architecture.md lists every file of Sources/Tool/Errors")
    func listedFiles() throws {
        let sections = try Self.text("docs/architecture.md").components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("Errors\n") })
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let files = rows.flatMap { row in row.matches(of: #/`([\w+]+\.swift)`/#).map { String($0.1) } }
        #expect(files.sorted() == Self.sources(in: "Sources/Tool/Errors"))
    }

    @Test("the hints of every error type of the libraries are in Sources/Tool/Errors")
    func folder() throws {
        let sources = Self.sources(in: "Sources/Tool")
        try #require(sources.contains { $0.hasPrefix("Errors/") })
        for path in sources where !path.hasPrefix("Errors/") {
            #expect(try !Self.text("Sources/Tool/\(path)").contains(": Hinted {"), "\(path) has hints of an error type")
        }
    }

    @Test("the kind of an error decides the exit code")
    func exits() {
        #expect(
            ErrorInfo.Kind.allCases.map { ExitStatus($0).rawValue } == [64, 65, 66, 78, 1, 75, 74, 73, 130, 69, 77, 70])
    }
}
