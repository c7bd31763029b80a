import ChatDBEngine

extension FileDiagnosis {
    /// The stable word for what is wrong; none for a database. An empty file is no database, though SQLite
    /// would take it for one.
    package var code: Code? {
        switch finding {
        case .database: nil
        case .empty, .other: .notADatabase
        case .truncated: .truncated
        case .encryptedOrForeign: .encrypted
        case .damagedHeader: .damaged
        case .missing: .missing
        case .notAFile: .notAFile
        case .unreadable: .notReadable
        }
    }

    /// What the file is, as one sentence without a full stop: what is there, and what to do.
    package var message: String {
        switch finding {
        case .database(let header):
            "\(path) is a database of \(header.pageCount) pages of \(header.pageSize) bytes"
        case .empty:
            "\(path) is an empty file (0 bytes), not a database; ask for it again"
        case .truncated(let pages, .some(let all)):
            "\(path) is cut: \(pages) of \(all) pages; ask for it again"
        case .truncated(_, .none):
            "\(path) is cut: \(bytes ?? 0) bytes are less than the header of a database; ask for it again"
        case .encryptedOrForeign:
            "\(path) is encrypted (SQLCipher) or not a database; export it without a passphrase from the app first, "
                + "chatdb cannot use keys"
        case .other(let kind):
            "\(path) is \(kind), not a database; \(Self.advice(kind))"
        case .damagedHeader(let reason):
            "\(path) has a damaged header: \(reason); ask for it again, or restore a backup"
        case .missing:
            "there is no file \(path)"
        case .notAFile(let kind):
            "\(path) is \(kind.shownName), not a file; give the path of a database"
        case .unreadable(let reason):
            "\(path) cannot be read: \(systemMessage(reason)); check its permissions and those of its folders"
        }
    }

    private static func advice(_ kind: String) -> String {
        let packed = [
            "a ZIP file", "a gzip file", "a bzip2 file", "an xz file", "a zstd file", "a 7z file", "a tar file",
        ]
        return packed.contains(kind)
            ? "unpack it and give the databases in it" : "expected the _chat.db or _agent.db of a store"
    }
}

extension FileDiagnosis.Warning {
    /// What is odd, as one sentence without a full stop.
    package var message: String {
        switch self {
        case .extraBytes(let count):
            "the file has \(count) bytes after its last page; something was appended to it"
        case .newerWriteFormat(let format):
            "the file asks for a newer SQLite to be written (write format \(format)); it can only be read"
        case .unknownEncoding(let number):
            "the header names the text encoding \(number), which does not exist"
        case .foreignWAL(let size):
            "the -wal beside the database has pages of \(size) bytes, as the database has not; "
                + "it is of another database, move it away"
        case .unexpectedWAL:
            "there is a -wal with content beside a database that is not in WAL mode; it may be of another database"
        }
    }
}
