import ChatDBKit

/// A request while it runs: its arguments, the service, and what its client has unlocked.
struct Call: Sendable {
    let arguments: Arguments
    let service: RequestService
    /// The hidden profiles that the client has unlocked.
    let unlocked: UnlockedProfiles
    /// Subscribes the client to events, or ends that.
    let setSubscribed: @Sendable (Bool) throws -> Void

    /// The value of a parameter.
    subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        get throws(RequestError) { try arguments[parameter] }
    }

    /// The hidden profiles that the method may see.
    var hidden: HiddenProfiles { unlocked.profiles(service.hiding) }

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
