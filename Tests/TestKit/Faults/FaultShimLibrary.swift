package import Foundation

/// The library that is loaded into a program under test (LD_PRELOAD) to make its file operations fail.
package enum FaultShimLibrary {
    /// The library, compiled from `Tests/FaultShim` by the first caller; `CHATDB_FAULT_SHIM` names another one.
    package static func find() throws(FaultError) -> URL {
        #if os(Linux)
            if let path = ProcessInfo.processInfo.environment["CHATDB_FAULT_SHIM"], !path.isEmpty {
                guard FileManager.default.fileExists(atPath: path) else { throw .shimNotBuilt("there is no \(path)") }
                return URL(fileURLWithPath: path).standardizedFileURL
            }
            return try compiled.get()
        #else
            throw .unsupportedPlatform
        #endif
    }

    /// A condition for `.enabled(if:)`: false only where the library cannot work at all. A library that does not
    /// compile is an error.
    package static var isSupported: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    private static let compiled = Result { () throws(FaultError) in try compile() }

    /// Compiles the library into the folder of the test program. Another process that does the same at the same time
    /// replaces it by an equal one.
    private static func compile() throws(FaultError) -> URL {
        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../FaultShim").standardizedFileURL
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let library = folder.appendingPathComponent("libFaultShim.so")
        let new = folder.appendingPathComponent("libFaultShim-\(UUID().uuidString).so")
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".c") }
        } catch {
            throw .shimNotBuilt("\(error)")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["cc", "-O1", "-fPIC", "-shared", "-o", new.path]
            + names.sorted().map { sources.appendingPathComponent($0).path } + ["-ldl", "-lpthread"]
        do {
            try process.run()
            process.waitUntilExit()
        } catch {
            throw .shimNotBuilt("\(error)")
        }
        guard process.terminationStatus == 0, rename(new.path, library.path) == 0 else {
            throw .shimNotBuilt("cc does not compile \(sources.path)")
        }
        return library
    }
}
