extension FileDiagnosis {
    /// Something odd that SQLite accepts without an error.
    package enum Warning: Sendable, Hashable {
        /// Bytes after the last page: something was appended.
        case extraBytes(Int64)
        /// Whole pages after the last one that the header counts: the header may be of an earlier time than they are.
        case extraPages(Int64)
        /// SQLite will read the file and refuse to write it.
        case newerWriteFormat(UInt8)
        /// A number that means no text encoding.
        case unknownEncoding(UInt32)
        /// The `-wal` has pages of another size: it belongs to another database, and would replace this one's content.
        case foreignWAL(pageSize: Int)
        /// The `-wal` has the first page of another database, for the reason, a clause.
        case otherWAL(reason: String)
        /// The header contradicts the `-wal`, which the rest of the file fits: the header is damaged, for the reason, a
        /// clause. `isInLog` says whether the log has a whole first page.
        case headerUnlikeWAL(reason: String, isInLog: Bool)
        /// There is a `-wal` with content, and the database is not in WAL mode.
        case unexpectedWAL
    }
}

extension FileDiagnosis.Warning {
    /// What such pages may mean, a clause.
    package static let torn =
        "it may be a torn copy, made while a program wrote, with pages of two times"

    /// One sentence without a full stop: what is odd.
    package var message: String {
        switch self {
        case .extraBytes(let count):
            "the file has \(count == 1 ? "1 byte" : "\(count) bytes") after its last page; something was appended to it"
        case .extraPages(let count):
            "the file has \(count == 1 ? "1 page" : "\(count) pages") more than its header counts: \(Self.torn)"
        case .newerWriteFormat(let format):
            "writing to the file requires a newer SQLite (write format \(format)); it can only be read"
        case .unknownEncoding(let number):
            "the header names the text encoding \(number), which does not exist"
        case .foreignWAL(let size):
            "the -wal beside the database has another page size (\(size) bytes) than the database; "
                + "it belongs to another database, move it away"
        case .otherWAL(let reason):
            "the -wal beside the database \(reason); it belongs to another database: move it away"
        case .headerUnlikeWAL(let reason, let isInLog):
            "the header of the database is damaged: the -wal beside the database \(reason), and the rest of the file fits "
                + "the -wal; keep the two files together\(isInLog ? ", because the -wal has the right header" : "")"
        case .unexpectedWAL:
            "there is a -wal with content beside a database that is not in WAL mode; it may belong to another database"
        }
    }
}
