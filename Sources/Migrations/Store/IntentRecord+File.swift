import ChatDBEngine
import ChatDBSchema
import Foundation

extension IntentRecord {
    /// The record at a path, or nil when there is none. A file that is no record is an error: somebody must look at it.
    static func read(_ path: String) throws(MigrationError) -> IntentRecord? {
        guard let json = try RecordFile.read(path) else { return nil }
        guard let record = IntentRecord(json: json) else { throw .unreadableIntentRecord(path: path) }
        return record
    }

    /// Whether there is a record, readable or not.
    static func isThere(_ location: StoreLocation) -> Bool {
        FileState(at: location.intentPath) != .missing
    }

    /// Puts the record on the disk: whole or not at all, and there to stay when this returns.
    func write(_ path: String) throws(StoreError) {
        try DurableFile.write(json.text(.pretty) + "\n", to: path)
    }

    /// Takes the record away.
    static func remove(_ path: String) throws(StoreError) {
        try DurableFile.remove(path)
    }

    private init?(json: JSONValue) {
        guard let run = json["run"]?.stringValue, let startedAt = json["startedAt"]?.stringValue,
            let creates = json["creates"]?.boolValue, let storeID = json["storeId"]?.stringValue,
            let generation = json["generation"]?.integerValue, let databases = json["databases"]?.members
        else { return nil }
        var courses: [DatabaseName: Course] = [:]
        for member in databases {
            guard let database = DatabaseName(rawValue: member.name),
                let steps = member.value["steps"]?.arrayValue?.compactMap(\.stringValue)
            else { return nil }
            courses[database] = Course(
                from: member.value["from"]?.stringValue, to: member.value["to"]?.stringValue, steps: steps)
        }
        self.init(
            run: run, startedAt: startedAt, creates: creates, storeID: storeID, generation: generation,
            courses: courses, backup: json["backup"]?.stringValue)
    }

    private var json: JSONValue {
        let databases = courses.sorted { $0.key.rawValue < $1.key.rawValue }.map { database, course in
            JSONValue.Member(
                database.rawValue,
                ["from": JSONValue(course.from), "to": JSONValue(course.to), "steps": JSONValue(course.steps)])
        }
        return [
            "run": .string(run), "startedAt": .string(startedAt), "creates": .bool(creates),
            "storeId": .string(storeID), "generation": .integer(generation), "databases": .object(databases),
            "backup": JSONValue(backup),
        ]
    }
}
