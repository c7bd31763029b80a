import Engine
import Schema

/// What `chatdb check` says of the store.
enum BundleFindings {
    /// Null while there is nothing that checks.
    static func json(_ location: StoreLocation, _ output: Output, _ notes: inout [String]) -> JSONValue {
        notes.append("findings: this build of chatdb has no check")
        return .null
    }
}
