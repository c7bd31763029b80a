import ChatDBKit
import Testing

/// One public method of a repository, as the tests over all methods call it.
struct CatalogueEntry: Sendable, CustomTestStringConvertible {
    /// Whom the method concerns.
    enum Scope: Sendable {
        /// It takes a profile: whatever belongs to another is not found, and stays as it is.
        case profile
        /// It is about the whole store.
        case store
    }

    /// As the declaration has it: `ChatRelaysRepo.find(_:of:includingDeleted:)`.
    let name: String
    let scope: Scope
    /// Calls the method as `Call.user` with the ids of `Call.things`, once for each way in which its statements differ,
    /// and answers what it answered. Succeeds for the profile's own things.
    let call: @Sendable (Call) throws -> Any

    /// A method that takes a profile.
    init(_ name: String, _ call: @escaping @Sendable (Call) throws -> Any) {
        (self.name, self.call, scope) = (name, call, .profile)
    }

    /// A method that does not.
    static func store(_ name: String, _ call: @escaping @Sendable (Call) throws -> Any) -> CatalogueEntry {
        CatalogueEntry(name: name, scope: .store, call: call)
    }

    private init(name: String, scope: Scope, call: @escaping @Sendable (Call) throws -> Any) {
        (self.name, self.scope, self.call) = (name, scope, call)
    }

    var testDescription: String { name }
}

/// Who asks for whose things, and where.
struct Call {
    let chat: any WriteTransaction
    let agent: any WriteTransaction
    let user: UserID
    let things: Things
}
