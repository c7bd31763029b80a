import ChatDBKit
import ChatDBReports

/// `users`: the profiles of the store.
enum ProfileMethods {
    private static let id = Parameter<UserID>.id("userId", "The profile.")
    private static let name = Parameter.text("name", "The name: 1 to 200 characters.")
    private static let preset = Parameter.flag(
        "preset", "Whether the profile starts with the shipped relays and servers."
    )
    .or(true)
    private static let seed = Parameter.integer("seed", "The start value of the random choice of relays and servers.")
        .optional
    private static let like = Parameter<UserID>.id(
        "like", "The profile from which relays, servers and settings are taken, instead of a preset."
    ).optional
    private static let password = Parameter.text("password", "The password of the hidden profile.")
    private static let fullName = Parameter.text("fullName", "The full name.").optional
    private static let shortDescription = Parameter.text("shortDescr", "One line about the owner; null for none.")
        .optional
    private static let description = Parameter.text("description", "The description; null for none.").optional
    private static let contactLink = Parameter.text("contactLink", "The address; null for none.").optional

    static let all: [RequestMethod] = [
        .reading(
            "users.list", "Lists the profiles and their unread items, most recently used first.",
            result: .members([
                "users": .array(Shapes.user.and(["unread": .integer])), "hiddenUsers": .integer,
            ])
        ) { call, chat in
            let users = UsersRepo(chat)
            let infos = try users.infos(hidden: call.hidden)
            return UserListReport(
                users: infos, hidden: try users.hiddenCount() - infos.count(where: \.user.isHidden),
                hasLostProfiles: try UserListReport.hasLostProfiles(chat, besides: infos), given: .none)
        },
        .ofProfile(
            "users.show", "Shows the settings of a profile, and the numbers of its contacts and other entries.",
            result: .members([
                "user": Shapes.user,
                "settings": .members([
                    "showNtfs": .flag, "sendRcptsContacts": .flag, "sendRcptsSmallGroups": .flag,
                    "userChatRelay": .flag, "chatItemTtl": .nullable(.integer),
                ]), "unread": .integer, "contents": .map(.integer), "relayService": .nullable(.any),
            ])
        ) { _, user, chat in try UserShowReport(of: user, in: chat) },
        .service(
            "users.add", .write, "Creates a profile and makes it active.", [name, preset, seed, like],
            result: .members([
                "user": Shapes.user, "relays": Shapes.enabled, "smpServers": Shapes.enabled,
                "xftpServers": Shapes.enabled, "seed": .nullable(.integer), "notes": .array(.text),
                "warnings": .array(.text), "like": .nullable(Shapes.profile),
            ]), add),
        .writing("users.activate", "Makes a profile active.", [id], result: .members(["user": Shapes.user])) {
            call, chat in
            let user = try UsersWriter(chat).activate(try call[id], hidden: call.hidden)
            return ["user": user.json]
        },
        .writing(
            "users.rename", "Renames a profile.", [id, name],
            result: .members(["user": Shapes.user, "previousName": .text])
        ) { call, chat in
            let before = try UsersRepo(chat).get(try call[id], hidden: call.hidden)
            let user = try UsersWriter(chat).rename(before.id, to: try call[name], hidden: call.hidden)
            return ["user": user.json, "previousName": .string(before.name)]
        },
        .writing(
            "users.edit", "Changes what a profile says of itself. Parameters that are missing change nothing.",
            [id, fullName, shortDescription, description, contactLink],
            result: .members([
                "user": Shapes.profile, "changed": .flag, "fields": Shapes.changedFields,
                "profile": Shapes.profileDetails, "applied": .flag,
            ]), edit),
        .service(
            "users.hide", .write, "Hides a profile behind a password.", [id, password],
            result: .members(["user": Shapes.user])
        ) { call in
            try changingHiding(call) { try UsersWriter($0).hide($1, password: try call[password]) }
        },
        .service(
            "users.unhide", .write, "Unhides a profile, with its password.", [id, password],
            result: .members(["user": Shapes.user])
        ) { call in
            try changingHiding(call) { try UsersWriter($0).unhide($1, password: try call[password]) }
        },
        .service(
            "users.delete", .write,
            "Deletes a profile and everything in it, after a backup of the store. Without a fingerprint, shows the "
                + "change.",
            [id, Fingerprint.parameter],
            result: .members([
                "outcome": .word(["deleted"]), "user": Shapes.profile, "contents": .map(.integer),
                "activeUser": .nullable(Shapes.profile), "backup": .nullable(.text), "kept": Shapes.kept,
                "before": .array(.text), "copies": .array(.text),
            ]).and(Shapes.consent), delete),
        .service(
            "users.unlock", .read,
            "Unlocks the hidden profiles of a password for this connection. A wrong password unlocks none.",
            [password], result: .members(["users": .array(Shapes.user)])
        ) { call in
            let password = try call[password]
            return try call.store { store in
                try store.read { chat in
                    let unlocked = try UsersRepo(chat).unlocked(by: password)
                    call.unlocked.unlock(unlocked, call.service.hiding)
                    let users = try UsersRepo(chat).all(hidden: .unlocked(unlocked)).filter { unlocked.contains($0.id) }
                    return ["users": .array(users.map(\.json))]
                }
            }
        },
    ]

    private static func add(_ call: Call) throws -> JSONValue {
        let (name, like) = (try call[name], try call[like])
        let seed = try call[seed].map { UInt64(bitPattern: $0) } ?? UInt64.random(in: 0...UInt64(Int64.max))
        let preset = try call[preset] ? try BundledPresets.preset() : nil
        // The agent's user first: a crash in between leaves a user that nothing refers to.
        return try call.store { store in
            try store.writeBoth(committing: .agentFirst) { chat, agent in
                let before = try UserServersValidation.now(asking: nil, hidden: .leftOut, in: chat)
                var made: UserAddReport
                if let like {
                    let other = try UsersRepo(chat).get(like, hidden: call.hidden)
                    let new = try UsersWriter(chat).create(name, like: other.id, agent: agent)
                    made = try report(
                        new.user, nil, new.notes, (new.other, try ProfileSettings(of: new.user, in: chat)), chat)
                } else {
                    let user = try UsersWriter(chat).create(name, agent: agent)
                    let plan = try preset.map { try PresetSync.start($0, for: user.id, in: chat, seed: seed) }
                    made = try report(user, preset == nil ? nil : seed, plan?.notes ?? [], nil, chat)
                }
                let after = try UserServersValidation.now(asking: made.user.id, hidden: .leftOut, in: chat)
                made.warnings = after.newTexts(since: before) { $0 != .noNamesServers }
                return made.json
            }
        }
    }

    private static func report(
        _ user: User, _ seed: UInt64?, _ notes: [String], _ like: (other: User, settings: ProfileSettings)?,
        _ chat: any ReadTransaction
    ) throws -> UserAddReport {
        UserAddReport(
            user: user, relays: try ChatRelaysRepo(chat).all(of: user.id),
            servers: try ServersRepo(chat).all(of: user.id),
            seed: seed, notes: notes, warnings: [], like: like)
    }

    /// Hides or unhides a profile. No client has it unlocked afterwards.
    private static func changingHiding(
        _ call: Call, _ change: (any WriteTransaction, UserID) throws -> User
    ) throws -> JSONValue {
        let id = try call[id]
        let user = try call.store { store in try store.write { try change($0, id) } }
        call.service.hiding.add(id)
        return ["user": user.json]
    }

    private static func delete(_ call: Call) throws -> JSONValue {
        let location = call.service.context.location
        func report(_ deleted: DeletedUser, _ backup: String?, isApplied: Bool) -> JSONValue {
            let kept = KeptCopy(backup: backup, in: location.backupsPath, of: location)
            return UserDeleteReport(deleted: deleted, backup: backup, kept: kept, of: location, isApplied: isApplied)
                .json
        }
        func planned(in chat: any ReadTransaction) throws -> DeletedUser {
            try UsersRepo(chat).deletion(of: try call[id], hidden: call.hidden)
        }
        return try call.store { store in
            guard let fingerprint = try call[Fingerprint.parameter] else {
                return try store.read { Fingerprint.shown(report(try planned(in: $0), nil, isApplied: false)) }
            }
            // The chat database first: a crash in between leaves a user of the agent that nothing refers to.
            let answer = try store.writeBoth(committing: .chatFirst) { chat, agent in
                let shown = try planned(in: chat)
                try Fingerprint.require(fingerprint, of: report(shown, nil, isApplied: false))
                // Inside both transactions: no other program can write between the backup and the deletion.
                let backup = try call.service.context.backUp(reusesEqual: true).path
                let deleted = try UsersWriter(chat).delete(shown.user.id, agent: agent, hidden: call.hidden)
                return Fingerprint.made(report(deleted, backup, isApplied: true))
            }
            // A new profile may get the number.
            call.service.hiding.add(try call[id])
            return answer
        }
    }

    private static func edit(_ call: Call, _ chat: any WriteTransaction) throws -> JSONValue {
        let user = try UsersRepo(chat).get(try call[id], hidden: call.hidden)
        let before = try UsersRepo(chat).profile(of: user.id, hidden: .shown).details
        var after = before
        if let text = try call[fullName] { after.fullName = text }
        if call.arguments.has(shortDescription) { after.shortDescription = try call[shortDescription] }
        if call.arguments.has(description) { after.description = try call[description] }
        if call.arguments.has(contactLink) { after.contactLink = try call[contactLink] }
        if after != before { after = try UsersWriter(chat).setProfile(after, of: user.id, hidden: .shown).details }
        return UserEditReport(user: user, before: before, after: after, isApplied: true).json
    }
}
