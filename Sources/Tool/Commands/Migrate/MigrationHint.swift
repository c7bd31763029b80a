import Engine
import Migrations
import Schema

/// Hints that only the command knows, because they name its options or what it was given.
enum MigrationHint {
    /// Runs `body`; an error of its gets a better hint where there is one.
    static func adding<T>(for migrator: Migrator, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as MigrationFailure {
            throw hinted(failure, failure.error, migrator) ?? failure
        } catch let error as MigrationError {
            throw hinted(error, error, migrator) ?? error
        }
    }

    private static func hinted(
        _ reportable: any Reportable, _ error: MigrationError, _ migrator: Migrator
    ) -> HintedError? {
        switch error {
        case .incompleteStore(let missing, _):
            let other = DatabaseName.allCases.first { $0 != missing }
            return HintedError(
                reportable,
                hint: "bring the missing file back, or name the one that is there: --only \(other ?? missing)")
        case .unknownTarget(let name, _):
            // The date in front makes all names look alike: the words alone may be meant.
            let names = migrator.build.values.joined().map(\.name).sorted()
            let meant = names.filter { $0.dropFirst(9) == name }.map { "did you mean \"\($0)\"?" }.first
            return HintedError(
                reportable,
                hint: meant ?? DidYouMean.hint(for: name, among: names)
                    ?? "chatdb migrate status lists what is applied and pending")
        default:
            return nil
        }
    }
}

/// An error with another hint than its own, and perhaps another state.
struct HintedError: Reportable {
    let report: ErrorReport

    init(_ error: any Reportable, state: String? = nil, hint: String?) {
        let own = error.report
        report = ErrorReport(
            own.code, own.message, state: state ?? own.state, hint: hint ?? own.hint, details: own.details,
            exit: own.exit)
    }
}
