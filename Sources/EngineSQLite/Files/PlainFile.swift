import ChatDBEngine

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Copies a file into a new one for the owner alone. Only for files that no connection of this process has open.
enum FileCopy {
    static func copy(_ source: String, to target: String) throws(StoreError) {
        // O_NONBLOCK: somebody may have put a FIFO there since the path was looked at.
        let input = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard input >= 0 else { throw SystemError.current("\(source) cannot be read") }
        defer { close(input) }
        var info = stat()
        guard fstat(input, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.notAFile, "\(source) is not a file")
        }
        try NewFile.make(at: target)
        let output = open(target, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw SystemError.current("\(target) cannot be written") }
        defer { close(output) }
        if !sharesBlocks(input, output) { try copyBytes(from: input, source, to: output, target) }
    }

    /// Puts zeros in the place of the last bytes of a copy.
    static func clearEnd(of path: String, bytes: Int) throws(StoreError) {
        let output = open(path, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw SystemError.current("\(path) cannot be written") }
        defer { close(output) }
        let place = lseek(output, -off_t(bytes), SEEK_END)
        guard place >= 0 else { throw SystemError.current("\(path) cannot be written") }
        try write([UInt8](repeating: 0, count: bytes)[...], to: output, path)
    }

    /// Lets the copy share the blocks of the original, where the file system can: no bytes are moved.
    private static func sharesBlocks(_ input: CInt, _ output: CInt) -> Bool {
        #if os(Linux)
            let clone: UInt = 0x4004_9409  // FICLONE
            return ioctl(output, clone, input) == 0
        #else
            return false
        #endif
    }

    private static func copyBytes(
        from input: CInt, _ source: String, to output: CInt, _ target: String
    ) throws(StoreError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw SystemError.current("\(source) cannot be read")
            }
            if count == 0 { return }
            try write(buffer[..<count], to: output, target)
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to output: CInt, _ target: String) throws(StoreError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platformWrite(output, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError.current("\(target) cannot be written")
            }
            rest = rest.dropFirst(count)
        }
    }
}

private func platformWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
    #else
        Darwin.write(descriptor, bytes, count)
    #endif
}
