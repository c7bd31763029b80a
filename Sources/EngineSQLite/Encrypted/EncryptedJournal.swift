import ChatDBEncryption
import GRDBSQLite

/// The rollback journal of an encrypted database, as SQLite has it open.
///
/// Its form is SQLCipher's. A frame is the number of a page, the encrypted page, and SQLite's checksum over the
/// encrypted bytes; SQLite writes and reads these in three calls, one after the other. The headers are plain. With
/// checksums over the plain pages, SQLCipher would take every frame for torn, and delete the journal without rolling it
/// back.
final class EncryptedJournal {
    private let codec: PageCodec
    /// The page of a frame in its encrypted form.
    private let page: UnsafeMutableRawBufferPointer
    private var reading = Position()
    private var writing = Position()

    /// Where SQLite is in a frame.
    private struct Position {
        /// The page number of the frame, and where it ends.
        var number: (page: UInt32, end: Int64)?
        /// The checksum of the encrypted page without that of the plain page, and where the page ends. The random
        /// number with which SQLite begins each sum is in both.
        var page: (difference: UInt32, end: Int64)?

        mutating func begin(_ number: UInt32, end: Int64) { self = Position(number: (number, end)) }
    }

    private init(_ codec: PageCodec) {
        self.codec = codec
        page = .allocate(byteCount: codec.pageSize, alignment: 16)
    }

    deinit { page.deallocate() }

    /// Begins a file whose part of the system is open.
    static func begin(_ file: WrappedFile.Handle, _ codec: PageCodec) {
        WrappedFile.begin(file, methods, EncryptedJournal(codec))
    }

    // Nothing changes the functions after they are made.
    nonisolated(unsafe) private static let methods = WrappedFile.methods { methods in
        methods.xRead = { file, buffer, count, offset in
            guard let system = WrappedFile.system(file), let buffer,
                let journal = WrappedFile.object(file, EncryptedJournal.self)
            else { return SQLITE_IOERR }
            return journal.read(system, UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), offset)
        }
        methods.xWrite = { file, buffer, count, offset in
            guard let system = WrappedFile.system(file), let buffer,
                let journal = WrappedFile.object(file, EncryptedJournal.self)
            else { return SQLITE_IOERR }
            return journal.write(system, UnsafeRawBufferPointer(start: buffer, count: Int(count)), offset)
        }
    }

    // MARK: Reading

    private func read(
        _ system: WrappedFile.System, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
    ) -> CInt {
        let code = system.methods.xRead(system.file, buffer.baseAddress, CInt(buffer.count), offset)
        defer { if code != SQLITE_OK { reading = Position() } }
        guard code == SQLITE_OK else { return code }
        if let number = frame(reading, buffer.count, offset) { return decrypt(buffer, number, offset) }
        guard buffer.count == 4 else { return code }
        if let page = reading.page, page.end == offset {
            buffer.store(number: buffer.number &- page.difference)
            reading = Position()
        } else {
            reading.begin(buffer.number, end: offset + 4)
        }
        return code
    }

    /// Decrypts the page of a frame. A page that does not fit is torn: for SQLite, the journal ends before it. Its
    /// checksum alone could fit by chance.
    private func decrypt(_ page: UnsafeMutableRawBufferPointer, _ number: UInt32, _ offset: Int64) -> CInt {
        let encrypted = Self.sum(UnsafeRawBufferPointer(page))
        guard codec.isAuthentic(UnsafeRawBufferPointer(page), number: number),
            (try? codec.decrypt(page, number: number)) != nil
        else {
            page.initializeMemory(as: UInt8.self, repeating: 0)
            return IOCode.shortRead
        }
        let difference = encrypted &- Self.sum(UnsafeRawBufferPointer(page))
        reading = Position(page: (difference, offset + Int64(page.count)))
        return SQLITE_OK
    }

    // MARK: Writing

    private func write(_ system: WrappedFile.System, _ content: UnsafeRawBufferPointer, _ offset: Int64) -> CInt {
        func put(_ bytes: UnsafeRawPointer?) -> CInt {
            system.methods.xWrite(system.file, bytes, CInt(content.count), offset)
        }
        if let number = frame(writing, content.count, offset) {
            page.copyMemory(from: content)
            guard (try? codec.encrypt(page, number: number)) != nil else { return IOCode.write }
            let difference = Self.sum(UnsafeRawBufferPointer(page)) &- Self.sum(content)
            writing = Position(page: (difference, offset + Int64(content.count)))
            return put(page.baseAddress)
        }
        guard content.count == 4 else {
            writing = Position()
            // A header is zeros behind its fields. Anything else could be a page.
            guard content.dropFirst(Self.headerFields).allSatisfy({ $0 == 0 }) else { return IOCode.write }
            return put(content.baseAddress)
        }
        if let page = writing.page, page.end == offset {
            writing = Position()
            return withUnsafeBytes(of: (content.number &+ page.difference).bigEndian) { put($0.baseAddress) }
        }
        writing.begin(content.number, end: offset + 4)
        return put(content.baseAddress)
    }

    /// Bytes of the fields of a header.
    private static let headerFields = 28

    // MARK: Frames

    /// The number of the page, if the bytes at a place are the page of a frame.
    private func frame(_ position: Position, _ count: Int, _ offset: Int64) -> UInt32? {
        guard count == codec.pageSize, let number = position.number, number.end == offset, number.page > 0,
            Int64(number.page) != 0x4000_0000 / Int64(codec.pageSize) + 1
        else { return nil }
        return number.page
    }

    /// SQLite's checksum of a page, without the random number with which it begins: every 200th byte from the end.
    private static func sum(_ page: UnsafeRawBufferPointer) -> UInt32 {
        stride(from: page.count - 200, to: 0, by: -200).reduce(0) { $0 &+ UInt32(page[$1]) }
    }
}

extension UnsafeRawBufferPointer {
    /// The first four bytes as a number.
    fileprivate var number: UInt32 { UInt32(bigEndian: loadUnaligned(as: UInt32.self)) }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate var number: UInt32 { UnsafeRawBufferPointer(self).number }

    fileprivate func store(number: UInt32) { storeBytes(of: number.bigEndian, as: UInt32.self) }
}
