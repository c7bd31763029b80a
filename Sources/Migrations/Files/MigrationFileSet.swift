import ChatDBEngine
import ChatDBSchema

/// The migration files found so far, paired by name, and their problems.
struct MigrationFileSet {
    static let upSuffix = ".up.sql"
    static let downSuffix = ".down.sql"

    /// The place of a file: database, migration and direction.
    struct Place {
        let database: DatabaseName
        let name: String
        let isUp: Bool
        let source: String
    }

    private struct File {
        let source: String
        /// Nil when it could not be read as text, which is already reported.
        let text: String?
    }

    private struct Pair {
        let name: String
        var up: File?
        var down: File?
    }

    /// The keys are lower-cased names: two names that differ only in case would be one file on some systems. Swift
    /// compares strings by canonical equivalence, so names that differ only in Unicode form are equal here too.
    private var pairs: [DatabaseName: [String: Pair]] = [:]
    private var problems = InvalidMigrations()
    /// What the files are written for.
    let syntax: SQLSyntax
    /// Whether scripts are validated now, or at first use.
    private let looksThrough: Bool

    init(for syntax: SQLSyntax, lookingThrough: Bool = true) {
        self.syntax = syntax
        looksThrough = lookingThrough
    }

    /// Whether a file has the ending of a migration.
    static func isMigration(_ fileName: String) -> Bool {
        fileName.hasSuffix(upSuffix) || fileName.hasSuffix(downSuffix)
    }

    mutating func refuse(_ source: String, _ reason: String) { problems.add(source, reason) }

    /// The place of the file; nil when its name does not determine one, or another file has that place: both are
    /// reported.
    mutating func place(_ fileName: String, database: DatabaseName, source: String) -> Place? {
        let isUp = fileName.hasSuffix(Self.upSuffix)
        guard Self.isMigration(fileName) else {
            refuse(source, "a migration's file ends in .up.sql or .down.sql")
            return nil
        }
        let name = String(fileName.dropLast((isUp ? Self.upSuffix : Self.downSuffix).count))
        let key = name.lowercased()
        let present = pairs[database]?[key]
        if let other = isUp ? present?.up : present?.down {
            refuse(source, "its name is that of \(other.source); names that differ in case only are the same")
            return nil
        }
        let problem = MigrationName.problem(in: name)
        if let problem { refuse(source, problem) }
        let place = Place(database: database, name: name, isUp: isUp, source: source)
        keep(nil, at: place)
        return problem == nil ? place : nil
    }

    mutating func add(_ text: String, at place: Place) { keep(text, at: place) }

    mutating func refuse(_ place: Place, _ reason: String) { refuse(place.source, reason) }

    private mutating func keep(_ text: String?, at place: Place) {
        let file = File(source: place.source, text: text)
        let key = place.name.lowercased()
        var pair = pairs[place.database]?[key] ?? Pair(name: place.name)
        if place.isUp { pair.up = file } else { pair.down = file }
        pairs[place.database, default: [:]][key] = pair
    }

    /// The migrations; throws all problems.
    consuming func migrations() throws(MigrationFileError) -> [DatabaseName: [Migration]] {
        var result: [DatabaseName: [Migration]] = [:]
        for database in DatabaseName.allCases {
            let sorted = (pairs[database] ?? [:]).values.sorted { $0.name < $1.name }
            result[database] = sorted.compactMap { migration($0) }
        }
        if let error = problems.error { throw error }
        return result
    }

    private mutating func migration(_ pair: Pair) -> Migration? {
        if let down = pair.down, pair.up == nil {
            refuse(down.source, "there is no file \(pair.name)\(Self.upSuffix) beside it")
        }
        let isEmpty = pair.up?.text?.allSatisfy(\.isWhitespace) == true
        let up = script(
            pair.up,
            whenEmpty: isEmpty
                ? """
                no statements: the file is empty; restore its text if a store has applied the migration; otherwise write \
                statements, or remove the migration
                """ : "no statements; write them, or remove the migration if no store has applied it")
        let down = script(
            pair.down, whenEmpty: "no statements; write them, or remove the file if nothing can undo this")
        guard let up else { return nil }
        return Migration(name: pair.name, up: up, down: down)
    }

    private mutating func script(_ file: File?, whenEmpty: String) -> MigrationScript? {
        guard let file, let text = file.text else { return nil }
        let script = MigrationScript(unread: text, source: file.source, syntax: syntax, whenEmpty: whenEmpty)
        guard looksThrough else { return script }
        do {
            _ = try script.statements
            return script
        } catch {
            if case .invalid(let invalid) = error { problems.add(invalid) }
            return nil
        }
    }
}
