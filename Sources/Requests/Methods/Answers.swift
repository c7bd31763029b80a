import ChatDBKit
import ChatDBReports
import Crypto

/// An answer that has no table: JSON, and nothing else.
struct PlainAnswer: Report {
    let json: JSONValue
    var document: Document { [] }

    init(_ json: JSONValue) { self.json = json }
}

/// The consent to a change that removes something. The first request shows the change and its fingerprint, and the
/// second one, with the fingerprint, makes it.
enum Fingerprint {
    static let parameter = Parameter.text(
        "fingerprint", "The fingerprint of the change, from the answer without it. Nothing is changed without it."
    ).optional

    /// The fingerprint of a shown change. It depends on all that the answer shows.
    static func of(_ shown: JSONValue) -> String {
        SHA256.hash(data: Array(shown.text(.compact).utf8)).prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Throws `planOutdated` if the fingerprint is not that of the change.
    static func require(_ given: String, of shown: JSONValue) throws(ServiceError) {
        guard given == of(shown) else { throw .planOutdated }
    }

    /// The answer that shows a change.
    static func shown(_ change: JSONValue) -> JSONValue { adding(.string(of(change)), to: change) }

    /// The answer that the change was made.
    static func made(_ change: JSONValue) -> JSONValue { adding(.null, to: change) }

    private static func adding(_ fingerprint: JSONValue, to change: JSONValue) -> JSONValue {
        .object((change.members ?? []) + [.init("fingerprint", fingerprint)])
    }
}

extension Call {
    /// Makes a change of relays, servers or operators, and answers with the problems that it causes.
    func changingServers(
        of user: User?, in chat: any WriteTransaction, _ change: () throws -> some Report
    ) throws -> JSONValue {
        try ConfigChange(for: user, hidden: hidden, in: chat, change).json
    }
}
