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
        },
        .service(
            "store.inspect", .read, "Shows the store on one page, as chatdb inspect does.", [sizes],
            result: .members([
                "store": .map(.any), "interrupted": .any, "users": .any, "hiddenUsers": .nullable(.integer),
                "channelCreation": .any, "servers": .any, "relays": .any, "deletedRelays": .any, "channels": .any,
                "inactiveRelays": .any, "relaysOff": .any, "incompleteRelays": .any, "preparedGroups": .any,
                "unfinishedChannels": .any, "relayService": .any, "unreadable": .any, "timeline": .array(.any),
                "warnings": .array(.text),
                "notes": .array(.text), "next": .array(.text),
            ])
        ) { call in
            let context = call.service.context
            return try InspectReport(
                reading: context.location, with: context.engine, build: context.build, sizes: try call[sizes],
                hidden: { _ in call.hidden }
            ).json
        },
        .service(
            "store.check", .read, "Checks the store for damage and broken rules, as chatdb check does.",
            result: .members([
                "findings": .array(
                    .members([
                        "id": .text, "severity": .word(CheckSeverity.allCases.map(\.rawValue)), "message": .text,
                        "count": .integer, "sample": .array(.any), "detail": .nullable(.text), "remedy": .text,
                        "fixable": .flag, "damage": .array(.any), "rows": .array(foundRow),
                    ])),
                "ok": .flag, "leftOut": .array(.members(["id": .text, "reason": .text])), "fixed": .array(.any),
                "backup": .nullable(.text), "kept": .any, "notes": .array(.text), "applied": .flag,
            ])
        ) { call in
            let context = call.service.context
            let found = try CheckedStore.check(
                context.location, with: context.engine, build: context.build, cancellation: call.service.checks)
            return CheckReport(found: found, .none).json
        },
    ]

    private static let foundRow = Shape.members([
        "database": .text, "table": .text, "row": .integer, "userId": .nullable(.integer),
        "groupId": .nullable(.integer), "missing": .array(.text),
    ])

    private static let sizes = Parameter.flag(
        "sizes", "Whether the tables of a large database are measured too. This reads the whole file."
    ).or(false)
}
