import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema
import Crypto
import Foundation

/// What protects a hidden profile. It never leaves this target.
///
/// Rule: docs/domain.md, "Profiles", Hidden: SHA-512 over the password followed by a salt of 16 random bytes, as SimpleX
/// Chat has it.
struct ViewPassword {
    let hash: [UInt8]
    let salt: [UInt8]

    private static let saltLength = 16

    /// What is stored for a password, with a new salt.
    init(_ password: String) {
        var generator = SystemRandomNumberGenerator()
        salt = (0..<Self.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        hash = Array(Self.digest(password, salt))
    }

    init(hash: [UInt8], salt: [UInt8]) {
        self.hash = hash
        self.salt = salt
    }

    /// Whether a password is the one. How long that takes does not depend on how much of the hash is the same.
    func matches(_ password: String) -> Bool { Self.digest(password, salt) == hash }

    private static func digest(_ password: String, _ salt: [UInt8]) -> SHA512.Digest {
        SHA512.hash(data: Array(password.utf8) + salt)
    }
}

/// A hidden profile and what protects it.
struct ProtectedUser: RowRecord {
    let id: UserID
    let password: ViewPassword

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("user_id")
        password = ViewPassword(hash: try row.get("view_pwd_hash"), salt: try row.get("view_pwd_salt") ?? [])
    }
}
