import ChatDBEncryption
import GRDBSQLite

/// The rollback journal of an encrypted database, as SQLite has it open.
///
/// Its form is SQLCipher's. A frame is the number of a page, the encrypted page, and SQLite's checksum over the
/// encrypted bytes; SQLite writes and reads these in three calls, one after the other. The headers are plain. With
/// checksums over the plain pages, SQLCipher would take every frame for torn, and delete the journal without rolling it
/// back.
final class EncryptedJournal {
    private let registered: RegisteredCodec
    private var codec: PageCodec { registered.codec }
    /// The page of a frame in its encrypted form.
    private let page: UnsafeMutableRawBufferPointer
    private var reading = Position()
    private var writing = Position()
    /// The random number with which the sums of the last header's frames begin; nil if no header was read or written.
    private var nonce: UInt32?

    /// Where SQLite is in a frame.
    ///
    /// Four bytes at any other place, such as a field of a header, are taken for the number of a page too. That is
    /// safe: such a number counts only for a call of the size of a page that begins where the number ends, and behind a
    /// field SQLite reads and writes another field, or goes on at the next sector. Each other call ends a position, and
    /// so does one that fails.
    private struct Position {
        /// The page number of the frame, and where it ends.
        var number: (page: UInt32, end: Int64)?
        /// The checksum of the encrypted page without that of the plain page, and where the page ends. The random
        /// number with which SQLite begins each sum is in both.
        var page: (difference: UInt32, end: Int64)?

        mutating func begin(_ number: UInt32, end: Int64) { self = Position(number: (number, end)) }
    }

    private init(_ registered: RegisteredCodec) {
        self.registered = registered
        page = .allocate(byteCount: registered.codec.pageSize, alignment: 16)
    }

    deinit { page.deallocate() }

    /// Begins a file whose part of the system is open.
    static func begin(_ file: WrappedFile.Handle, _ codec: RegisteredCodec) {
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
        if let number = frame(reading, buffer.count, offset) { return decrypt(system, buffer, number, offset) }
        guard buffer.count == 4 else {
            reading = Position()
            // SQLite reads the magic number first. The end of a journal may have it too, with nothing behind it.
            if buffer.elementsEqual(SideFiles.journalMagic) { nonce = try? Self.number(in: system, at: offset + 12) }
            return code
        }
        if let page = reading.page, page.end == offset {
            buffer.store(number: buffer.number &- page.difference)
            reading = Position()
        } else {
            reading.begin(buffer.number, end: offset + 4)
        }
        return code
    }

    /// Decrypts the page of a frame.
    private func decrypt(
        _ system: WrappedFile.System, _ page: UnsafeMutableRawBufferPointer, _ number: UInt32, _ offset: Int64
    ) -> CInt {
        let encrypted = Self.sum(UnsafeRawBufferPointer(page))
        guard codec.isAuthentic(UnsafeRawBufferPointer(page), number: number),
            (try? codec.decrypt(page, number: number)) != nil
        else {
            page.initializeMemory(as: UInt8.self, repeating: 0)
            reading = Position()
            return mismatch(system, encrypted, offset + Int64(page.count))
        }
        let difference = encrypted &- Self.sum(UnsafeRawBufferPointer(page))
        reading = Position(page: (difference, offset + Int64(page.count)))
        return SQLITE_OK
    }

    /// The code for a page whose authentication code does not fit. If its checksum does not fit either, the page is
    /// torn, and for SQLite the journal ends before it. If the checksum fits, the page has another key. SQLite must
    /// then keep the journal, as it does after an error: behind the last page it would delete it.
    private func mismatch(_ system: WrappedFile.System, _ sum: UInt32, _ offset: Int64) -> CInt {
        do {
            let stored = try Self.number(in: system, at: offset)
            if let nonce, stored != nonce &+ sum { return IOCode.shortRead }
            return registered.refuse(
                "a page of its journal was encrypted with another key, and the journal was kept; was the passphrase "
                    + "changed? Open the database again", IOCode.read)
        } catch {
            return error.code
        }
    }

    private struct ReadFailure: Error {
        let code: CInt
    }

    private static func number(in system: WrappedFile.System, at offset: Int64) throws(ReadFailure) -> UInt32 {
        var bytes: UInt32 = 0
        let code = system.methods.xRead(system.file, &bytes, 4, offset)
        guard code == SQLITE_OK else { throw ReadFailure(code: code) }
        return UInt32(bigEndian: bytes)
    }

    // MARK: Writing

    private func write(_ system: WrappedFile.System, _ content: UnsafeRawBufferPointer, _ offset: Int64) -> CInt {
        func put(_ bytes: UnsafeRawPointer?) -> CInt {
            let code = system.methods.xWrite(system.file, bytes, CInt(content.count), offset)
            // SQLite writes the frame again from its beginning, or none.
            if code != SQLITE_OK { writing = Position() }
            return code
        }
        if let number = frame(writing, content.count, offset) {
            page.copyMemory(from: content)
            guard (try? codec.encrypt(page, number: number)) != nil else {
                writing = Position()
                return registered.refuse("a page could not be encrypted")
            }
            let difference = Self.sum(UnsafeRawBufferPointer(page)) &- Self.sum(content)
            writing = Position(page: (difference, offset + Int64(content.count)))
            return put(page.baseAddress)
        }
        guard content.count == 4 else {
            writing = Position()
            // A header is zeros behind its fields. Anything else could be a page.
            guard content.dropFirst(Self.headerFields).allSatisfy({ $0 == 0 }) else {
                return registered.refuse("SQLite would write something unencrypted into the journal")
            }
            if content.count >= Self.headerFields {
                nonce = UInt32(bigEndian: content.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            }
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
