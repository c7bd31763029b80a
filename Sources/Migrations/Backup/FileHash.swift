import ChatDBEngine
import Crypto
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// SHA-256 of a file. Only for files that no connection of this process has open: closing the file would drop its locks.
enum FileHash {
    static func sha256(of path: String) throws(StoreError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be read") }
        defer { close(descriptor) }
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError.current("\(path) cannot be read") }
            if count == 0 { break }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return hash.finalize().hexadecimal
    }
}
