import ChatDBEngine
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Small files that are complete on the disk when a call returns.
enum DurableFile {
    /// Writes a file that only the owner may read. It is written under a temporary name first, so that no reader finds
    /// an incomplete file.
    static func write(_ text: String, to path: String) throws(StoreError) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be created") }
        do throws(StoreError) {
            defer { close(descriptor) }
            try write(Array(text.utf8), to: descriptor, path)
            guard fsync(descriptor) == 0 else { throw SystemError.current("\(path) cannot be synced") }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else { throw SystemError.current("\(path) cannot be created") }
        try FileSync.folder(parentFolder(of: path))
    }

    /// Removes a file; a missing file is not an error.
    static func remove(_ path: String) throws(StoreError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError.current("\(path) cannot be removed") }
        try FileSync.folder(parentFolder(of: path))
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt, _ path: String) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError.current("\(path) cannot be written") }
            written += count
        }
    }
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
    #else
        Darwin.write(descriptor, bytes, count)
    #endif
}
