import CChatDBPostgres
import ChatDBEngine

/// PostgreSQL's client library, loaded when the first store on a server is opened.
enum LibPQ {
    /// The functions of the library. They may be called from any thread, for one connection by one at a time.
    nonisolated(unsafe) private static let loaded: (functions: UnsafePointer<chatdb_libpq>?, problem: String) = {
        var problem: UnsafePointer<CChar>?
        let functions = chatdb_libpq_load(&problem)
        return (functions, problem.map { String(cString: $0) } ?? "unknown reason")
    }()

    /// The functions of the library. Throws `clientLibraryMissing` when it cannot be loaded.
    static func functions() throws(StoreError) -> chatdb_libpq {
        guard let functions = loaded.functions else {
            throw StoreError.missing(
                .library,
                "a store on a server needs PostgreSQL's client library, libpq 5, which cannot be loaded "
                    + "(\(loaded.problem))")
        }
        return functions.pointee
    }
}
