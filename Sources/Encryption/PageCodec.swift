import Crypto
import CryptoExtras
import Foundation

/// Verifies, decrypts and encrypts the pages of one encrypted database.
package struct PageCodec: Sendable {
    /// The format of the file.
    package let format: CipherFormat
    /// Bytes of a page.
    package let pageSize: Int
    /// The first bytes of the file.
    private let salt: [UInt8]
    private let key: SymmetricKey
    private let code: Code

    /// The beginning of the code of each page, after the key: a copy of it saves hashing the key again.
    private enum Code: Sendable {
        case sha1(HMAC<Insecure.SHA1>)
        case sha512(HMAC<SHA512>)
    }

    /// A codec; nil when the key cannot be derived.
    ///
    /// - Parameter salt: that of the file. A key with a salt has precedence.
    package init?(_ passphrase: Passphrase, salt: [UInt8], _ format: CipherFormat, pageSize: Int) {
        // SQLCipher does not ask the file then, whose first page may be torn.
        let salt = passphrase.rawKey?.salt ?? salt
        guard let key = format.key(of: passphrase, salt: salt), let codeKey = format.codeKey(of: key, salt: salt) else {
            return nil
        }
        switch format.hash {
        case .sha1: self.init(key, .sha1(HMAC(key: codeKey)), salt, format, pageSize: pageSize)
        case .sha512: self.init(key, .sha512(HMAC(key: codeKey)), salt, format, pageSize: pageSize)
        }
    }

    private init(_ key: SymmetricKey, _ code: Code, _ salt: [UInt8], _ format: CipherFormat, pageSize: Int) {
        (self.key, self.code, self.salt, self.format, self.pageSize) = (key, code, salt, format, pageSize)
    }

    /// The same keys for pages of another size.
    package func with(pageSize: Int) -> PageCodec { PageCodec(key, code, salt, format, pageSize: pageSize) }

    /// A page that does not belong to the key, or was changed.
    package struct NotAuthentic: Error {}

    /// The first bytes of a decrypted database, in the place of the salt.
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Whether the code of a page fits its content and its number.
    ///
    /// - Parameter number: 1 for the first page.
    package func isAuthentic(_ page: UnsafeRawBufferPointer, number: UInt32) -> Bool {
        let end = pageSize - format.reserved + CipherFormat.vectorLength
        let stored = UnsafeRawBufferPointer(rebasing: page[end..<end + format.codeLength])
        // The codes are no secret: only bytes that differ say that a page was changed.
        return withCode(of: page, number: number) { $0.elementsEqual(stored) }
    }

    /// Calls a closure with the code of a page that has its vector.
    private func withCode<Result>(
        of page: UnsafeRawBufferPointer, number: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let end = pageSize - format.reserved + CipherFormat.vectorLength
        let content = UnsafeRawBufferPointer(rebasing: page[start(of: number)..<end])
        switch code {
        case .sha1(let code): return Self.code(code, content, number).withUnsafeBytes(body)
        case .sha512(let code): return Self.code(code, content, number).withUnsafeBytes(body)
        }
    }

    private static func code<Hash>(
        _ code: HMAC<Hash>, _ content: UnsafeRawBufferPointer, _ number: UInt32
    ) -> HashedAuthenticationCode<Hash> {
        var code = code
        code.update(data: content)
        withUnsafeBytes(of: number.littleEndian) { code.update(data: $0) }
        return code.finalize()
    }

    /// Verifies and decrypts a page in place. The reserved bytes at its end become zeros. A page of zeros stays as it
    /// is: SQLCipher reads a page that was never written in this way.
    ///
    /// - Parameter number: 1 for the first page.
    package func decrypt(_ page: UnsafeMutableRawBufferPointer, number: UInt32) throws(NotAuthentic) {
        guard isAuthentic(UnsafeRawBufferPointer(page), number: number) else {
            if number > 1, page.allSatisfy({ $0 == 0 }) { return }
            throw NotAuthentic()
        }
        try decryptUnverified(page, number: number)
    }

    /// Decrypts a page in place whose code was verified before.
    package func decryptUnverified(_ page: UnsafeMutableRawBufferPointer, number: UInt32) throws(NotAuthentic) {
        let (start, end) = (start(of: number), pageSize - format.reserved)
        do {
            let vector = try AES._CBC.IV(
                ivBytes: UnsafeRawBufferPointer(rebasing: page[end..<end + CipherFormat.vectorLength]))
            let content = UnsafeRawBufferPointer(rebasing: page[start..<end])
            let plain = try AES._CBC.decrypt(content, using: key, iv: vector, noPadding: true)
            plain.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: page[start..<end]))
        } catch {
            throw NotAuthentic()
        }
        if number == 1 { page.copyBytes(from: Self.magic) }
        UnsafeMutableRawBufferPointer(rebasing: page[end...]).initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// A page that cannot be encrypted.
    package struct NotEncrypted: Error {}

    /// Encrypts a page in place, with a new vector: the same content never gives the same bytes twice. What the
    /// reserved bytes at its end had is lost.
    ///
    /// - Parameter number: 1 for the first page, whose first bytes become the salt.
    package func encrypt(_ page: UnsafeMutableRawBufferPointer, number: UInt32) throws(NotEncrypted) {
        let (start, end) = (start(of: number), pageSize - format.reserved)
        do {
            let vector = AES._CBC.IV()
            let content = UnsafeRawBufferPointer(rebasing: page[start..<end])
            let encrypted = try AES._CBC.encrypt(content, using: key, iv: vector, noPadding: true)
            guard encrypted.count == content.count else { throw NotEncrypted() }
            encrypted.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: page[start..<end]))
            UnsafeMutableRawBufferPointer(rebasing: page[end...]).initializeMemory(as: UInt8.self, repeating: 0)
            UnsafeMutableRawBufferPointer(rebasing: page[end...]).copyBytes(from: Array(vector))
        } catch {
            throw NotEncrypted()
        }
        if number == 1 { page.copyBytes(from: salt) }
        let place = UnsafeMutableRawBufferPointer(rebasing: page[(end + CipherFormat.vectorLength)...])
        withCode(of: UnsafeRawBufferPointer(page), number: number) { place.copyMemory(from: $0) }
    }

    /// The first encrypted byte of a page: the salt is before that of the first.
    private func start(of number: UInt32) -> Int { number == 1 ? CipherFormat.saltLength : 0 }
}
