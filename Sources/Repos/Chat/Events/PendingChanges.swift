import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// The changes that a receiver has not got yet: those of any number of transactions, in bounded memory.
struct PendingChanges: Sendable {
    private var rows = TableChanges()
    /// The number of transactions that changed a subject.
    private var transactions: [StoreChange.Subject: Int] = [:]

    /// Whether nothing changed.
    var isEmpty: Bool { transactions.isEmpty }

    /// Adds a change.
    mutating func add(_ change: SeenChange) {
        switch change {
        case .migrated: transactions[.migrated, default: 0] += 1
        case .changedElsewhere: transactions[.store, default: 0] += 1
        case .committed(let changes):
            rows.merge(changes)
            var subjects = Set(changes.tables.keys.compactMap { ObservedTable.byName[$0]?.subject })
            // These tables have relays of channels among other rows.
            if changes.tables["group_members"] != nil || changes.tables["connections"] != nil {
                subjects.insert(.groupRelays)
            }
            for subject in subjects { transactions[subject, default: 0] += 1 }
        }
    }

    /// The values for the receiver, by subject and profile, with the profiles and channels as the transaction shows
    /// them.
    func changes(in tx: any ReadTransaction) throws(StoreError) -> [StoreChange] {
        let reader = ChangeReader(tx: tx, rows: rows)
        var changes: [StoreChange] = []
        for subject in StoreChange.Subject.allCases {
            guard let count = transactions[subject] else { continue }
            switch subject {
            case .migrated, .store: changes.append(StoreChange(subject, transactions: count))
            case .groupRelays: changes += try reader.groupRelays(transactions: count)
            default: changes += try reader.changes(of: subject, transactions: count)
            }
        }
        return changes
    }

    /// The values without profiles and channels, for a store that cannot be read now.
    var changesWithoutDetails: [StoreChange] {
        StoreChange.Subject.allCases.compactMap { subject in
            transactions[subject].map { StoreChange(subject, transactions: $0) }
        }
    }
}

/// Finds the profiles and the channels of changed rows.
private struct ChangeReader {
    let tx: any ReadTransaction
    let rows: TableChanges

    /// The changes of a subject, a value for each profile by number. A value without a profile comes first.
    func changes(of subject: StoreChange.Subject, transactions: Int) throws(StoreError) -> [StoreChange] {
        var owners = FoundOwners()
        for (name, rows) in rows.tables {
            guard let table = ObservedTable.byName[name], table.subject == subject else { continue }
            if case .row = table.owner {
                owners.profiles.formUnion(rows.numbers.map { UserID($0) })
                owners.someAreUnknown = owners.someAreUnknown || !rows.areAll
                continue
            }
            guard let query = table.profiles(of: tx.dialect.numbers(Array(rows.numbers))) else {
                owners.someAreUnknown = true
                continue
            }
            let found = try tx.rows(query)
            for row in found {
                let profile: UserID = try row.get("user_id")
                owners.profiles.insert(profile)
            }
            // A row that is not found is deleted.
            if !rows.areAll || found.count < rows.numbers.count { owners.someAreUnknown = true }
        }
        return owners.all.map { StoreChange(subject, of: $0, transactions: transactions) }
    }

    /// The changes of the relays of channels, in the same order.
    func groupRelays(transactions: Int) throws(StoreError) -> [StoreChange] {
        var owners = FoundOwners()
        var channels: [UserID: Set<GroupID>] = [:]
        for (name, rows) in rows.tables {
            guard let query = ObservedTable.channels(of: name, tx.dialect.numbers(Array(rows.numbers))) else {
                continue
            }
            let found = try tx.rows(query)
            for row in found {
                let isRelay: Bool = try row.get("is_relay")
                if !isRelay { continue }
                let (profile, group): (UserID, GroupID) = (try row.get("user_id"), try row.get("group_id"))
                channels[profile, default: []].insert(group)
            }
            // A row that is not found is deleted, or it is a connection of something else.
            let areFound = name == "connections" || found.count == rows.numbers.count
            if !rows.areAll || !areFound { owners.someAreUnknown = true }
        }
        owners.profiles = Set(channels.keys)
        return owners.all.map { profile in
            let changed = profile.map { details(of: channels[$0] ?? [], of: $0) } ?? []
            return StoreChange(.groupRelays, of: profile, channels: changed, transactions: transactions)
        }
    }

    /// The relays of channels. It is empty if there are too many channels, or if one cannot be read.
    private func details(of groups: Set<GroupID>, of profile: UserID) -> [StoreChange.Channel] {
        guard groups.count <= StoreChange.mostChannels else { return [] }
        do {
            return try groups.sorted().map { group in
                StoreChange.Channel(group: group, progress: try GroupRelaysRepo(tx).progress(of: group, of: profile))
            }
        } catch {
            return []
        }
    }
}

/// The profiles whose rows changed.
private struct FoundOwners {
    var profiles: Set<UserID> = []
    /// Whether rows changed of which the profile is not known.
    var someAreUnknown = false

    /// The profiles by number, and nil first for unknown ones.
    var all: [UserID?] {
        let known = profiles.sorted().map(Optional.some)
        return someAreUnknown ? [nil] + known : known
    }
}
