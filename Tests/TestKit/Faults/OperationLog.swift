package import Foundation

/// One file operation of a logged run, in the order in which they happened.
package struct FileOperation: Sendable, Hashable {
    /// The numbers are those of `shim_kind` in the shim.
    package enum Kind: UInt8, Sendable, Hashable {
        case create = 1
        case write, truncate, fsync, fdatasync, unlink, rename, link, makeFolder, removeFolder, allocate, symlink
    }

    package var kind: Kind
    /// The number of the operation, from 1, as in `FaultPlan`.
    package var number: Int
    /// The path relative to the folder; "" is the folder itself.
    package var path: String
    /// The new path of a rename or link; else "".
    package var newPath: String
    /// 0, or the error with which the operation failed.
    package var error: CInt
    package var inode: UInt64
    /// The name by which it was opened no longer exists: only the inode identifies the file.
    package var isUnlinked: Bool
    package var isFolder: Bool
    package var offset: Int
    package var length: Int
    /// The number of bytes that the process had printed when this operation was done.
    package var printed: Int
    /// The bytes that a write wrote; they may be fewer than `length`.
    package var bytes: [UInt8]

    package init(
        _ kind: Kind, number: Int = 0, path: String, newPath: String = "", error: CInt = 0, inode: UInt64 = 0,
        isUnlinked: Bool = false, isFolder: Bool = false, offset: Int = 0, length: Int = 0, printed: Int = 0,
        bytes: [UInt8] = []
    ) {
        self.kind = kind
        self.number = number
        self.path = path
        self.newPath = newPath
        self.error = error
        self.inode = inode
        self.isUnlinked = isUnlinked
        self.isFolder = isFolder
        self.offset = offset
        self.length = length
        self.printed = printed
        self.bytes = bytes
    }

    /// The operation, worded for messages.
    package var name: String {
        newPath.isEmpty ? "\(kind) \(path)" : "\(kind) \(path) to \(newPath)"
    }
}

/// The replayable log of one run.
package struct OperationLog: Sendable, Hashable {
    package private(set) var operations: [FileOperation] = []
    /// The changes that the shim saw but could not count, with the path.
    package private(set) var unseen: [String] = []

    private static let magic: [UInt8] = Array("CFLOG\0\0\u{1}".utf8)
    private static let headerLength = 56
    private static let unseenKind: UInt8 = 100

    package init(operations: [FileOperation]) { self.operations = operations }

    package init(contentsOf url: URL) throws(FaultError) {
        guard let data = try? Data(contentsOf: url) else { throw .brokenLog(reason: "no file at \(url.path)") }
        try self.init([UInt8](data))
    }

    package init(_ bytes: [UInt8]) throws(FaultError) {
        guard bytes.starts(with: Self.magic) else { throw .brokenLog(reason: "it does not begin as a log does") }
        var position = Self.magic.count
        while position < bytes.count {
            position = try read(bytes, at: position)
        }
    }

    private mutating func read(_ bytes: [UInt8], at start: Int) throws(FaultError) -> Int {
        guard bytes.count - start >= Self.headerLength else { throw .brokenLog(reason: "it ends inside a record") }
        func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Value {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + offset, as: Value.self) }
        }
        let lengths = [Int(number(2, UInt16.self)), Int(number(4, UInt16.self))]
        guard let dataLength = Int(exactly: number(48, UInt64.self)) else {
            throw .brokenLog(reason: "a record has no sensible length")
        }
        let texts = start + Self.headerLength
        let data = texts + lengths[0] + lengths[1]
        guard dataLength <= bytes.count - data else { throw .brokenLog(reason: "it ends inside a record") }
        let path = String(decoding: bytes[texts..<texts + lengths[0]], as: UTF8.self)
        let other = String(decoding: bytes[texts + lengths[0]..<data], as: UTF8.self)
        if bytes[start] == Self.unseenKind {
            unseen.append("\(path): \(other)")
            return data + dataLength
        }
        guard let kind = FileOperation.Kind(rawValue: bytes[start]) else {
            throw .brokenLog(reason: "it holds an unknown operation, \(bytes[start])")
        }
        operations.append(
            FileOperation(
                kind, number: Int(number(12, UInt32.self)), path: path, newPath: other,
                error: number(8, Int32.self), inode: number(16, UInt64.self), isUnlinked: bytes[start + 1] & 1 != 0,
                isFolder: bytes[start + 1] & 2 != 0, offset: Int(number(24, Int64.self)),
                length: Int(clamping: number(32, UInt64.self)), printed: Int(clamping: number(40, UInt64.self)),
                bytes: Array(bytes[data..<data + dataLength])))
        return data + dataLength
    }
}
