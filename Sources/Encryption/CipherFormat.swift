import Crypto
import CryptoExtras
import Foundation

/// A version of SQLCipher's format of files. Rule: docs/encryption.md, "The format".
package struct CipherFormat: Sendable, Hashable {
    /// The first number of the version.
    package let version: Int
    /// The algorithm that derives keys and authenticates pages.
    let hash: Hash
    /// The rounds that derive the key from a passphrase.
    let rounds: Int
    /// Bytes at the end of each page, beside the content: the initialization vector, the code, and what rounds them up
    /// to whole blocks.
    package let reserved: Int

    enum Hash: Sendable, Hashable {
        case sha1, sha512
    }

    /// SimpleX Chat's.
    package static let version4 = CipherFormat(version: 4, hash: .sha512, rounds: 256_000, reserved: 80)
    /// The one before.
    package static let version3 = CipherFormat(version: 3, hash: .sha1, rounds: 64_000, reserved: 48)

    /// Bytes of the initialization vector of a page.
    static let vectorLength = 16
    /// Bytes of the salt, with which the file begins.
    package static let saltLength = 16

    /// Bytes of the authentication code of a page.
    var codeLength: Int { hash == .sha1 ? 20 : 64 }

    /// The page sizes that SQLite allows; that of the version first.
    package var pageSizes: [Int] {
        let usual = version == 4 ? 4_096 : 1_024
        return [usual] + stride(from: 9, through: 16, by: 1).map { 1 << $0 }.filter { $0 != usual }
    }

    /// Bytes of a key.
    private static let keyLength = 32
    /// The rounds that derive the key of the codes from the other key.
    private static let codeRounds = 2

    /// The salt of a new file: that of the passphrase if it is a key with a salt, otherwise another one each time.
    package static func newSalt(for passphrase: Passphrase) -> [UInt8] {
        passphrase.rawKey?.salt ?? (0..<saltLength).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// The key of a passphrase, or the key that it is, for a file with this salt.
    func key(of passphrase: Passphrase, salt: [UInt8]) -> SymmetricKey? {
        if let raw = passphrase.rawKey { return raw.key }
        return passphrase.bytes.withUnsafeBytes { derived(from: Data($0), salt: salt, rounds: rounds) }
    }

    /// The key of the authentication codes.
    func codeKey(of key: SymmetricKey, salt: [UInt8]) -> SymmetricKey? {
        key.withUnsafeBytes { derived(from: Data($0), salt: salt.map { $0 ^ 0x3A }, rounds: Self.codeRounds) }
    }

    private func derived(from secret: Data, salt: [UInt8], rounds: Int) -> SymmetricKey? {
        var secret = secret
        defer { secret.resetBytes(in: 0..<secret.count) }
        return try? KDF.Insecure.PBKDF2.deriveKey(
            from: secret, salt: salt, using: hash == .sha1 ? .insecureSHA1 : .sha512, outputByteCount: Self.keyLength,
            unsafeUncheckedRounds: rounds)
    }
}
