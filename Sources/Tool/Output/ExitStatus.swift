/// How the tool ends (docs/exit-codes.md).
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Done, or the answer is yes; also when the reader of a pipe has gone.
    case done = 0
    /// It ran, and the answer is no: findings, differences, refused by a rule, not found, ambiguous, declined.
    case no = 1
    /// The command line is wrong, or a confirmation is needed and there is no terminal to ask on.
    case usage = 64
    /// What was given is not valid: a preset, a migration, an address, SQL.
    case invalidData = 65
    /// The store or an input file is not there, is incomplete, or is no database.
    case noInput = 66
    /// SQLite is too old.
    case unavailable = 69
    /// A defect in chatdb.
    case defect = 70
    /// An output cannot be made: it exists already, or its folder does not take it.
    case cannotCreate = 73
    /// An I/O error: the disk is full, read-only or broken.
    case ioError = 74
    /// The store is locked or in use: try again.
    case tryAgain = 75
    /// The version or the history of the store is not that of this build.
    case wrongVersion = 78
    /// Ctrl-C.
    case interrupted = 130
}

/// An answer that was given in full, and whose exit code says more than "done".
struct Answer: Error {
    let status: ExitStatus
}
