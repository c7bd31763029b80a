/// The exit codes of the tool (docs/exit-codes.md).
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Done, or the answer is yes; also if the reader of a pipe has closed it.
    case done = 0
    /// The command ran, and the answer is no: findings, differences, refused by a rule, not found, ambiguous, declined.
    case no = 1
    /// The command line is wrong, or a confirmation is needed and there is no terminal to ask on.
    case usage = 64
    /// The input is not valid: a preset, a migration, an address, SQL.
    case invalidData = 65
    /// The store or an input file is missing, incomplete, or not a database.
    case noInput = 66
    /// Something outside chatdb is missing: a library, or a server that answers.
    case unavailable = 69
    /// A defect in chatdb.
    case defect = 70
    /// An output cannot be created: it exists already, or its folder does not permit it.
    case cannotCreate = 73
    /// An I/O error: the disk is full, read-only or broken.
    case ioError = 74
    /// The store is locked or in use: try again.
    case tryAgain = 75
    /// A server does not accept the password, or its role has not the rights.
    case noPermission = 77
    /// The version or the history of the store is not this build's.
    case wrongVersion = 78
    /// Ctrl-C.
    case interrupted = 130
}

/// An answer that was written completely, with another exit code than 0.
struct Answer: Error {
    let status: ExitStatus
}
