package import ChatDBKit

/// How `check` reads the stores of SimpleX Chat.
extension CheckedStore {
    /// The store with the tables of this build, for the checks of rows. It is nil for chatdb's own stores, for files
    /// with other contents than their names say, and if neither database can be read in this way. A database that
    /// cannot be read is missing in the store, and other checks report the reason. The caller closes the store.
    package static func viewedStore(_ status: StoreStatus, _ context: StoreContext) -> Store? {
        guard status.kind == .simplex, status.exchanged.isEmpty else { return nil }
        var connections: [DatabaseName: any StorageConnection] = [:]
        for database in status.readable.keys { connections[database] = try? context.openAsThisBuild(database) }
        return connections.isEmpty ? nil : Store(context.location, connections)
    }
}

extension StoreStatus {
    /// The reason why no release had the versions of the two databases together. It is nil for other stores than those
    /// of SimpleX Chat, if a release may have had both versions, or if a database has migrations newer than this build.
    package var simplexDisagreement: String? {
        guard kind == .simplex, exchanged.isEmpty, let chat = readable[.chat]?.simplexVersion,
            let agent = readable[.agent]?.simplexVersion, chat.newer.isEmpty, agent.newer.isEmpty
        else { return nil }
        return SimpleXPair.disagreement(chat: chat.name, agent: agent.name)
    }
}

extension FoundDatabase {
    /// How the schema of a database of SimpleX Chat differs from what chatdb knows of its version. It is nil for another
    /// program's database, and for a version that chatdb does not know or that is not described.
    package func simplexDrift(
        as database: DatabaseName, in connection: any StorageConnection
    ) throws(StoreError) -> SimpleXDrift? {
        guard let version = simplexVersion, isReadable(as: database), version.newer.isEmpty, version.unknown.isEmpty
        else { return nil }
        return try simplexDrift(as: database, version: version.name, in: connection)
    }

    /// How it differs from what chatdb knows of another version.
    package func simplexDrift(
        as database: DatabaseName, version: String, in connection: any StorageConnection
    ) throws(StoreError) -> SimpleXDrift? {
        guard let known = try? SimpleXSchemas.known.get() else { return nil }
        var structure = try connection.structure()
        guard simplexVersion?.isOnServer == true else {
            return SimpleXDrift(of: structure, in: database, version: version, by: known)
        }
        structure.triggers = [:]
        return SimpleXDrift(of: structure, in: database, version: version, by: known.onServer)
    }
}

extension CheckedStore.Known {
    /// Compares the schema of a database with what chatdb knows of its version.
    package mutating func simplexSchema(of database: DatabaseName, _ part: FoundDatabase, _ store: Store) throws {
        let (missing, drift) = (StoreCheck.schemaMissing(database), StoreCheck.schemaDrift(database))
        func leaveOut(_ reason: CheckResult.LeftOut.Reason) { for id in [missing, drift] { leftOut[id] = reason } }
        do throws(StoreError) {
            let connection = try store.connection(database)
            guard var found = try part.simplexDrift(as: database, in: connection) else {
                return leaveOut(.otherVersion)
            }
            if let lost = try part.lostSimplexVersion(as: database, found, in: connection) {
                addLost(database, part.version, fitting: lost.name)
                found = lost.drift
            }
            self.found[missing] = found.missing.map(\.sentence)
            self.found[drift] = found.others.map(\.sentence)
            for id in [missing, drift] { leftOut[id] = nil }
        } catch {
            leaveOut(.failed(error.message))
        }
    }

    /// Finds the values with which the app would not start, and because of which chatdb does not write the store. A
    /// version that chatdb never writes may have other values.
    package mutating func simplexValues(_ status: StoreStatus, _ store: Store) throws {
        let id = StoreCheck.unreadableInApp
        guard status.kind == .simplex, status.exchanged.isEmpty, let version = status.readable[.chat]?.simplexVersion
        else { return }
        guard !version.isOnServer, version.obstacleToWriting(.chat) == nil else { return leftOut[id] = .otherVersion }
        do {
            found[id] = try store.connection(.chat).read { try AppValue.unreadable(in: $0).map(\.name) }
        } catch let error as StoreError {
            if error.endsReading { throw error }
            leftOut[id] = error.kind == .sql ? .otherVersion : .failed(error.message)
        }
    }
}
