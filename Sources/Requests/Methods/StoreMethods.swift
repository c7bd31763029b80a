import ChatDBKit
import ChatDBReports

/// `store`: the store as a whole.
enum StoreMethods {
    static let all: [RequestMethod] = [
        .service(
            "store.status", .read, "Shows which store the service has open, and how.",
            result: .members([
                "prefix": .text, "readOnly": .flag, "open": .flag, "clients": .integer,
                "problem": .nullable(.members(["code": .text, "message": .text])),
            ])
        ) { call in
            let service = call.service
            var problem = JSONValue.null
            do {
                _ = try service.store()
            } catch {
                let info = service.describe(error)
                problem = [
                    "code": .string(info.chatdbCode ?? "internalError"), "message": .string(info.message),
                ]
            }
            return [
                "prefix": .string(service.context.location.prefix), "readOnly": .bool(service.mode == .readOnly),
                "open": .bool(problem == .null), "clients": JSONValue(service.clients), "problem": problem,
            ]
        }
    ]
}
