import ChatDBEngine
import ChatDBSchema
import Foundation

/// Files in which a run or a restore tells that it is under way.
enum RecordFile {
    /// What a record says, or nil when there is none. A file that is no record is `unreadableIntentRecord`: somebody must
    /// look at it. Where one may not look, nobody knows whether there is a record: that is a question of permissions.
    static func read(_ path: String) throws(MigrationError) -> JSONValue? {
        let state = FileState(at: path)
        switch state {
        case .missing: return nil
        case .unreachable(let reason): throw .system(unreadable((path as NSString).deletingLastPathComponent, reason))
        // Reading a named pipe would wait for ever.
        case .notRegular: throw .unreadableIntentRecord(path: path)
        case .empty, .regular: break
        }
        guard access(path, R_OK) == 0 else { throw .system(unreadable(path, errno)) }
        guard let data = FileManager.default.contents(atPath: path), let json = try? JSONValue(parsing: data) else {
            throw .unreadableIntentRecord(path: path)
        }
        return json
    }

    private static func unreadable(_ path: String, _ reason: Int32) -> StoreError {
        StoreError(
            .inputOutput,
            "\(path) cannot be read: \(systemMessage(reason)); check its permissions and those of its folders",
            engineCode: Int(reason))
    }
}
