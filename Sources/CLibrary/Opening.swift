import ChatDBKit
import ChatDBReports
import ChatDBRequests

/// Opens a store as the options of `chatdb_open` say. Rule: docs/c.md, "Opening a store".
struct Opening {
    /// The consent to migrations, with the names of `chatdb migrate run --confirm`.
    enum Consent: String, CaseIterable {
        case error
        case yesUp = "yes-up"
        case yesUpDown = "yes-up-down"

        var confirmation: Confirmation {
            switch self {
            case .error: .error
            case .yesUp: .yesUp
            case .yesUpDown: .yesUpDown
            }
        }
    }

    private let path: String
    private var mayCreate = false
    private var consent = Consent.error
    private var isReadOnly = false
    private var passphrase: String?

    /// Reads the options. Throws for an unknown one, and for one of another type.
    init(path: String, options: String?) throws(CLibraryError) {
        self.path = path
        guard let options else { return }
        guard let members = (try? JSONValue(parsing: options))?.members else {
            throw .options("they are not a JSON object")
        }
        for member in members {
            switch (member.name, member.value) {
            case ("create", .bool(let value)): mayCreate = value
            case ("readOnly", .bool(let value)): isReadOnly = value
            case ("passphrase", .string(let value)): passphrase = value
            case ("confirm", .string(let value)):
                guard let consent = Consent(rawValue: value) else {
                    let words = Consent.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                    throw .options("\"confirm\" is one of \(words)")
                }
                self.consent = consent
            case ("create", _), ("readOnly", _): throw .options("\"\(member.name)\" is true or false")
            case ("passphrase", _), ("confirm", _): throw .options("\"\(member.name)\" is a string")
            default:
                throw .options(
                    "one has another name than \"create\", \"confirm\", \"readOnly\" and \"passphrase\"")
            }
        }
    }

    /// Opens the store, after the migrations that the consent covers. Returns the answer too.
    func open() throws -> (store: OpenStore, answer: JSONValue) {
        var engine = SQLiteEngine()
        if let passphrase { engine = engine.reading(with: Passphrase(passphrase.utf8)) }
        let location = try StoreLocation.resolve(path)
        let context = StoreContext(engine: engine, location: location, build: try MigrationSource.build.load())
        let migration = isReadOnly ? nil : try migrate(context)
        let service = try RequestService(opening: context, mode: isReadOnly ? .readOnly : .readWrite)
        return (
            OpenStore(service),
            [
                "path": .string(location.prefix), "readOnly": .bool(isReadOnly),
                "created": .bool(migration?.created ?? false),
                "migrated": .bool(migration.map { !$0.created && !$0.plan.isEmpty } ?? false),
                "backup": JSONValue(migration?.backup),
            ]
        )
    }

    private func migrate(_ context: StoreContext) throws -> MigrationReport {
        // Creating needs no consent of its own: without this, a wrong path would make a new store.
        if !mayCreate { _ = try context.status() }
        var migrator = Migrator(context)
        migrator.options.confirmation = consent.confirmation
        do {
            return try migrator.run()
        } catch let failure as MigrationFailure where failure.error.isMissingConsent {
            let plan = try migrator.plan()
            let report = PlanReport(plan: plan, lost: context.databasesWithLostMigrations(in: plan))
            throw MissingConsent(error: failure.error, plan: report.json)
        }
    }
}

/// Migrations need a consent that the options do not give. The answer has the plan.
struct MissingConsent: Error {
    let error: MigrationError
    let plan: JSONValue
}

extension MigrationError {
    fileprivate var isMissingConsent: Bool {
        switch self {
        case .needsUpgrade, .needsDowngrade: true
        default: false
        }
    }
}

/// The answers of `chatdb_open`, and of calls that reach no store.
enum CAnswer {
    /// The answer of a call that opens a store.
    static func of(_ body: () throws -> JSONValue) -> String {
        do {
            let answer: JSONValue = ["result": try body()]
            return answer.text(.compact)
        } catch let missing as MissingConsent {
            return text(RequestError(missing.error, adding: [.init("plan", missing.plan)]))
        } catch {
            return text(RequestError(error))
        }
    }

    /// The answer to a request that no store can answer.
    static func error(_ error: CLibraryError) -> String { text(RequestError(error)) }

    private static func text(_ error: RequestError) -> String {
        RequestAnswer.error(error, to: .null).text(.compact)
    }
}
