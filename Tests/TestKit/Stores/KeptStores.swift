package import ChatDBKit
import Foundation
import Synchronization

/// The files of stores that many tests begin with. The first test that needs a store makes it, and every test has a
/// copy of its own.
package final class KeptStores: Sendable {
    private struct File {
        let bytes: Data
        let mode: Int

        init(_ path: String) throws {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0o600
        }

        func write(to path: String) throws {
            try bytes.write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }

    private let stores = Mutex<[String: [DatabaseName: File]]>([:])

    package init() {}

    /// Writes both databases of a store: copies of those that `make` has made before, if it has.
    ///
    /// - Parameters:
    ///   - name: everything on which the content depends.
    ///   - make: makes the databases at the location, and closes them.
    package func write(_ name: String, to location: StoreLocation, _ make: () throws -> Void) throws {
        if let files = stores.withLock({ $0[name] }) {
            for (database, file) in files { try file.write(to: location.path(of: database)) }
            return
        }
        try make()
        var files: [DatabaseName: File] = [:]
        for database in DatabaseName.allCases { files[database] = try File(location.path(of: database)) }
        stores.withLock { [files] in $0[name] = files }
    }
}
