import ChatDBKit

/// A request while it runs: its arguments, and the session of its client.
struct Call: Sendable {
    let arguments: Arguments
    let session: RequestSession

    var service: RequestService { session.service }
    /// The hidden profiles that the client has unlocked.
    var unlocked: UnlockedProfiles { session.unlocked }

    /// The value of a parameter.
    subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        get throws(RequestError) { try arguments[parameter] }
    }

    /// The hidden profiles that the method may see.
    var hidden: HiddenProfiles { unlocked.profiles }

    /// Runs `body` with the open store.
    func store<T>(_ body: (Store) throws -> T) throws -> T { try body(service.store()) }

    /// The profile that the request names, or the active one.
    func user(in chat: any ReadTransaction) throws -> User {
        let users = UsersRepo(chat)
        if let id = try self[RequestMethod.user] { return try users.get(id, hidden: hidden) }
        guard let active = try users.active(hidden: hidden) else { throw ServiceError.noActiveProfile }
        return active
    }
}
