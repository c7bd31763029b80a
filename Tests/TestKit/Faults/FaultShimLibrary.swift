package import Foundation

/// Where the built shim lies.
package enum FaultShimLibrary {
    /// `CHATDB_FAULT_SHIM`, or `libFaultShim.so` in the folder of the running test program or one above it.
    package static func find() throws(FaultError) -> URL {
        #if os(Linux)
            if let path = ProcessInfo.processInfo.environment["CHATDB_FAULT_SHIM"], !path.isEmpty {
                guard FileManager.default.fileExists(atPath: path) else { throw .shimNotFound(searched: [path]) }
                return URL(fileURLWithPath: path).standardizedFileURL
            }
            var searched: [String] = []
            for program in ["/proc/self/exe", CommandLine.arguments.first ?? ""] where !program.isEmpty {
                var folder = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
                for _ in 0..<3 {
                    let library = folder.appendingPathComponent("libFaultShim.so")
                    if FileManager.default.fileExists(atPath: library.path) { return library }
                    searched.append(folder.path)
                    folder.deleteLastPathComponent()
                }
            }
            throw .shimNotFound(searched: searched)
        #else
            throw .unsupportedPlatform
        #endif
    }

    /// For `.enabled(if:)`: false only where the shim cannot work at all. A shim that was not built is an error.
    package static var isSupported: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }
}
