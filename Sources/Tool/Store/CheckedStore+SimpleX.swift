import ChatDBKit

/// How `check` reads the stores of SimpleX Chat.
extension CheckedStore {
    /// The store with the tables of this build, for the checks of rows; nil for chatdb's own, and for files with other
    /// contents than their names say. A database that cannot be read in this way is missing: other checks say why. The
    /// caller closes it.
    static func viewedStore(_ status: StoreStatus, _ context: StoreContext) -> Store? {
        guard status.kind == .simplex, status.exchanged.isEmpty else { return nil }
        var connections: [DatabaseName: any StorageConnection] = [:]
        for database in status.readable.keys { connections[database] = try? context.openAsThisBuild(database) }
        return connections.isEmpty ? nil : Store(context.location, connections)
    }
}

extension StoreStatus {
    /// The reason why the versions of the two databases of SimpleX Chat were never together; nil if they may have been,
    /// or if one of them has migrations that this build does not know.
    var simplexDisagreement: String? {
        guard kind == .simplex, exchanged.isEmpty, let chat = readable[.chat]?.simplexVersion,
            let agent = readable[.agent]?.simplexVersion, chat.newer.isEmpty, agent.newer.isEmpty
        else { return nil }
        return try? SimplexVersions.known.get().disagreement(chat: chat.name, agent: agent.name)
    }
}

extension CheckedStore.Known {
    /// Compares the schema with what is known of its version.
    mutating func simplexSchema(of database: DatabaseName, _ part: FoundDatabase, _ store: Store) throws {
        let (missing, drift) = (StoreCheck.schemaMissing(database), StoreCheck.schemaDrift(database))
        func leaveOut(_ reason: CheckResult.LeftOut.Reason) { for id in [missing, drift] { leftOut[id] = reason } }
        guard let version = part.simplexVersion, part.isReadable(as: database), version.newer.isEmpty,
            version.unknown.isEmpty
        else {
            return leaveOut(.otherVersion)
        }
        do throws(StoreError) {
            let structure = try store.connection(database).structure()
            let known = try? SimplexVersions.known.get()
            guard let known, let found = SimplexDrift(of: structure, in: database, version: version.name, by: known)
            else { return leaveOut(.otherVersion) }
            self.found[missing] = found.missing
            self.found[drift] = found.extra
            for id in [missing, drift] { leftOut[id] = nil }
        } catch {
            leaveOut(.failed(error.message))
        }
    }
}
