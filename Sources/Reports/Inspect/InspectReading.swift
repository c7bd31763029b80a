package import ChatDBKit

extension InspectReport {
    /// Databases up to this size are measured without `sizes`: it takes some hundredths of a second.
    private static let quicklyMeasured: Int64 = 32 << 20
    /// The limit of processor time for all reading: a page usually takes some milliseconds, and no file may make it
    /// take minutes.
    private static let budget = Duration.seconds(8)

    /// Reads a store of any version, or a single database. Changes nothing.
    ///
    /// - Parameters:
    ///   - build: the migrations of the store.
    ///   - sizes: whether the tables of a large database are measured too. This reads the whole file.
    ///   - hidden: the hidden profiles that the report may show.
    ///
    /// Throws `UnreadableFile` if no database can be read.
    package init(
        reading location: StoreLocation, with engine: any StorageEngine, build: [DatabaseName: [Migration]],
        sizes: Bool = false, hidden: (any ReadTransaction) -> HiddenProfiles, migrationsDir: String? = nil,
        passphrase: GivenPassphrase? = nil
    ) throws {
        // Before the files are opened: closing a second descriptor drops the locks of the first.
        let files = InspectFile.all(of: location, with: engine)
        let context = StoreContext(
            engine: engine.limited(budget: sizes ? nil : Self.budget), location: location, build: build)
        let (status, connections) = try context.openStatus()
        defer { for connection in connections.values { try? connection.close() } }
        if status.readable.isEmpty, let problem = status.problems.first {
            throw UnreadableFile(problem, of: status, at: location)
        }
        var spaces: [DatabaseName: DatabaseSpace] = [:]
        var views: [DatabaseName: [String]] = [:]
        var drift: [DatabaseName: Int] = [:]
        var lost: Set<DatabaseName> = []
        for (database, connection) in connections {
            guard let part = status.readable[database] else { continue }
            spaces[database] = try? connection.space(everyPage: sizes || part.bytes <= Self.quicklyMeasured)
            views[database] = try? connection.viewNames()
            if part.kind == .chatdb {
                // An unknown version has no drift.
                drift[database] = try? context.drift(of: database, in: connection, after: part.applied).count
                // A schema without differences fits its list.
                if !part.pending.isEmpty, drift[database] != 0 {
                    let names = try? context.lostMigrations(of: database, in: connection, after: part.applied)
                    let isUnlisted = try? context.hasUnlistedTables(connection, after: part.applied)
                    if names?.isEmpty == false || isUnlisted == true { lost.insert(database) }
                }
            }
        }
        let contents = try Self.contents(status, connections, context, hidden)
        self.init(
            location: location, status: status, files: files, spaces: spaces, views: views, contents: contents,
            drift: drift, lostMigrations: lost,
            timeline: StoreTimeline(status, at: location, chat: contents?.activity, agent: connections[.agent]),
            migrationsDir: migrationsDir, passphrase: passphrase)
    }

    /// The contents of the chat database, of any version; nil if it is missing, or of another program.
    private static func contents(
        _ status: StoreStatus, _ connections: [DatabaseName: any StorageConnection], _ context: StoreContext,
        _ hidden: (any ReadTransaction) -> HiddenProfiles
    ) throws -> InspectContents? {
        guard let chat = status.readable[.chat], chat.isReadable(as: .chat) else { return nil }
        // On a server, both databases share one connection, which has one transaction at a time.
        let isPair = context.location.server == nil && !status.isMismatched
        let agent = isPair && status.readable[.agent]?.isReadable(as: .agent) == true ? connections[.agent] : nil
        if chat.isAsThisBuild, let connection = connections[.chat] {
            return try contents(of: connection, agent, hidden, lacking: [])
        }
        let connection = try context.openAsThisBuild(.chat)
        defer { try? connection.close() }
        // The report has the other notes of the file already.
        let lacking = connection.notes.filter { !chat.notes.contains($0) }
        return try contents(of: connection, agent, hidden, lacking: lacking)
    }

    /// The contents of the chat database.
    private static func contents(
        of connection: any StorageConnection, _ agent: (any StorageConnection)?,
        _ hidden: (any ReadTransaction) -> HiddenProfiles, lacking: [String]
    ) throws -> InspectContents {
        var found: InspectContents?
        do {
            try connection.read {
                found = InspectContents(of: $0, hidden: hidden($0), lacking: lacking, agent: agent)
            }
        } catch {
            // Damage that a section has noted can spoil the end of the transaction too.
            if found == nil { throw error }
        }
        guard let found else { throw StoreError(.other, "nothing was read") }
        return found
    }
}
