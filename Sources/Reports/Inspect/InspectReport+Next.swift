import ChatDBKit
import Foundation

// The next steps for a store: commands that can be run as they are, and that this build accepts.

extension InspectReport {
    /// The options of the store for a command.
    private var storeWords: String {
        let migrations = migrationsDir.map { ["--migrations-dir", $0] } ?? []
        let words = location.words + migrations + (passphrase?.words() ?? [])
        return words.map(ShellWord.quoted).joined(separator: " ")
    }

    /// The command in a note about a newer store.
    var wayDown: String { "chatdb migrate run --confirm yes-up-down \(storeWords)" }

    package var next: [String] {
        let store = storeWords
        if let record = status.interruptedRestore {
            return ["\(record.completion.text()) \(store)"]
        }
        let salvage = isDamaged ? ["chatdb salvage --output NEW \(store)"] : []
        if location.hasNamedFiles, !parts.isEmpty, parts.allSatisfy(\.part.isNotAdopted) {
            return takenNames.isEmpty ? adoption(location.words.map(ShellWord.quoted).joined(separator: " ")) : []
        }
        if parts.isEmpty || status.kind == .unknown && parts.allSatisfy({ $0.part.database == nil }) { return salvage }
        if status.isUncheckable { return salvage }
        var seen: Set<String> = []
        let next = onePassphrase + commands(store) + unreached(store) + ["chatdb check \(store)"] + salvage
        return next.filter { seen.insert($0).inserted }
    }

    /// The commands that adopt databases of another program. Without a folder of migrations, the first ones write the
    /// present schema into one.
    private func adoption(_ store: String) -> [String] {
        guard migrationsDir == nil else {
            return [HintedCommand.adopting.text(GivenOptions(migrationsDir: migrationsDir)) + " " + store]
        }
        let name = MigrationName.first(on: Date())
        let dumps = location.databases.map { database in
            FirstMigration(name, of: database, in: "DIR").line("--only \(database) \(store)")
        }
        return dumps + [HintedCommand(.migrateBaseline, ["--to", name]).text() + " " + store]
    }

    /// The command that gives both databases one passphrase, if the given one opens only one of them. No command changes
    /// an archive.
    private var onePassphrase: [String] {
        guard status.problems.contains(where: \.error.opensOtherDatabase),
            ShownPaths.text(location.prefix) == location.prefix
        else { return [] }
        let words = ["--other-passphrase-file", "FILE"] + location.words + (passphrase?.words() ?? [])
        return [HintedCommand(.passphraseChange, words).text()]
    }

    /// Whether a database cannot be opened because of damage in its own file, of which a salvage may read a part.
    private var isDamaged: Bool { status.problems.contains(where: \.canBeSalvaged) }

    private func commands(_ store: String) -> [String] {
        guard status.kind == .chatdb, status.problems.isEmpty, status.parts.count == location.databases.count,
            status.unknownRecords.isEmpty
        else { return [] }
        if status.interrupted?.copiedFrom != nil { return [] }
        if let record = status.interrupted {
            return [record.completion.text(GivenOptions(migrationsDir: migrationsDir)) + " " + store]
        }
        if status.isMismatched || !status.withoutStoreRow.isEmpty { return [] }
        if parts.contains(where: { needsFolder($0.part) }) { return [] }
        // This build has no migrations to it, or only ones that delete the data of the app that created it.
        if parts.contains(where: { !$0.part.unknown.isEmpty || $0.part.isOfOtherHistory }) {
            return ["chatdb migrate status \(store)"]
        }
        // `check` is among the next commands of every store, and says what to do.
        if !lostMigrations.isEmpty { return [] }
        if status.hasPending { return ["chatdb migrate plan \(store)"] + upgrade(store) }
        if contents?.profiles?.isEmpty == true, contents?.hiddenProfiles == 0 {
            // `user add` refuses such a store, and `check` is among the next commands of every store.
            return contents?.hasLostProfiles == true ? [] : ["chatdb user add NAME \(store)"]
        }
        let drifted = drift.values.contains { $0 > 0 } ? ["chatdb schema diff \(store)"] : []
        return drifted + ((contents?.warnings ?? []) + (contents?.unproven ?? [])).flatMap { cures($0, store) }
    }

    /// The commands that show the relays of channels of SimpleX Chat that do not reach one of them, whether or not the
    /// connection was lost. chatdb changes no channel of such a store.
    private func unreached(_ store: String) -> [String] {
        guard status.kind == .simplex, let contents else { return [] }
        let warnings = contents.warnings.filter { $0.kind == .relaysWithoutConnection } + contents.unproven
        return warnings.flatMap { cures($0, store) }
    }

    /// The commands that upgrade the store. No command changes an archive.
    private func upgrade(_ store: String) -> [String] {
        let archive = ShownPaths.text(location.prefix)
        guard archive != location.prefix else { return ["chatdb migrate up \(store)"] }
        let migrations = migrationsDir.map { ["--migrations-dir", $0] } ?? []
        let words = ["-d", "NEW"] + migrations + (passphrase?.words() ?? [])
        return [
            HintedCommand(.archiveUnpack, [archive, "--to", "NEW"]).text(),
            "chatdb migrate up " + words.map(ShellWord.quoted).joined(separator: " "),
        ]
    }

    private func cures(_ warning: StoreWarning, _ store: String) -> [String] {
        guard let user = warning.user else {
            return warning.kind == .noActiveProfile ? ["chatdb user list \(store)"] : []
        }
        switch warning.kind {
        case .noEnabledRelays: return relayCures(user, store)
        case .channelsWithoutRelayRows, .channelsWithoutRelay, .relaysWithoutConnection, .channelsWithoutActiveRelay:
            return warning.channels.prefix(3).map { "chatdb group relays id:\($0) --user id:\(user.id) \(store)" }
        case .noEnabledSMPServers: return serverCures(.smp, user, store)
        case .noEnabledXFTPServers: return serverCures(.xftp, user, store)
        // `check` is among the next commands of every store.
        case .lostProfiles, .lostGroups, .channelsWithoutOwnMember: return []
        case .noActiveProfile, .severalActiveProfiles: return []
        }
    }

    /// Enabling existing entries comes before adding new ones. A disabled relay of a disabled operator helps only when
    /// both are enabled, so that it comes last.
    private func relayCures(_ user: User, _ store: String) -> [String] {
        let profile = contents?.profiles?.first { $0.user.id == user.id }
        let relays = profile?.relays ?? []
        let off = Set(profile?.readiness?.operatorsOff ?? [])
        let all = contents?.operators ?? []
        func enabling(_ owner: ServerOperator) -> String { Self.enabling(owner, store) }
        func enabling(_ relay: ChatRelay) -> String {
            "chatdb relay enable id:\(relay.id) --user id:\(user.id) \(store)"
        }
        let disabled = relays.map(\.relay).filter { !$0.isEnabled && $0.hasValidAddress }
        let cures =
            all.filter { off.contains($0.tradeName) }.map(enabling)
            + disabled.filter { all.owner(of: $0)?.isEnabled != false }.prefix(1).map(enabling)
        if !cures.isEmpty { return cures }
        if let relay = disabled.first, let owner = all.owner(of: relay) { return [enabling(owner), enabling(relay)] }
        return ["chatdb relay add ADDRESS --user id:\(user.id) \(store)"]
    }

    /// The same for the servers of a protocol, of which one is enough. `server enable` takes one server. Without any,
    /// the bundled ones are added.
    private func serverCures(_ kind: ServerProtocol, _ user: User, _ store: String) -> [String] {
        let profile = contents?.profiles?.first { $0.user.id == user.id }
        guard let servers = profile?.servers(kind) else { return [] }
        let all = contents?.operators ?? []
        func enabling(_ server: ProtocolServer) -> String {
            "chatdb server enable id:\(server.id) --user id:\(user.id) \(store)"
        }
        let off = Set(servers.filter(\.isEnabled).compactMap { all.owner(of: $0)?.id })
        let operators = all.filter { !$0.isEnabled && off.contains($0.id) }
        if !operators.isEmpty { return operators.map { Self.enabling($0, store) } }
        let disabled = servers.filter { !$0.isEnabled }
        if let server = disabled.first(where: { all.owner(of: $0)?.isEnabled != false }) { return [enabling(server)] }
        if let server = disabled.first, let owner = all.owner(of: server) {
            return [Self.enabling(owner, store), enabling(server)]
        }
        return ["chatdb preset sync --user id:\(user.id) \(store)"]
    }

    private static func enabling(_ owner: ServerOperator, _ store: String) -> String {
        "chatdb operator enable id:\(owner.id) \(store)"
    }

    /// The next step for a newer store, which no command of this build can do.
    package var versionNotes: [String] {
        guard status.kind == .chatdb,
            parts.contains(where: { !$0.part.unknown.isEmpty || $0.part.isOfOtherHistory }),
            !parts.contains(where: \.part.needsItsMigrations)
        else { return [] }
        let others = parts.filter(\.part.isOfOtherHistory)
        if !others.isEmpty, others.allSatisfy({ !$0.part.outOfOrder.isEmpty }) {
            return ["if the list of migrations lost rows, no build opens the store: chatdb check shows whether it did"]
        }
        if !others.isEmpty {
            return ["a build that has the migrations of the store can open it; this build reads only what it knows"]
        }
        let newer = "open it with the newer app or chatdb that created it"
        let lacking = parts.flatMap(\.part.unknownWithoutDown)
        if !lacking.isEmpty {
            let names = lacking.joined(separator: ", ")
            return ["\(newer); no other can migrate it down: there is no SQL to undo \(names)"]
        }
        return [
            "\(newer); \(wayDown) migrates it down with the SQL in the store, and deletes what this version does not have"
        ]
    }
}
