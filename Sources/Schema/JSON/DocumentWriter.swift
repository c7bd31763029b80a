/// Writes a document piece by piece. `JSONWriter` and `YAMLWriter` take the same calls.
package protocol DocumentWriter {
    /// Writes a whole value: the document, the next element of an array, or what belongs to the name before it.
    mutating func value(_ value: JSONValue) throws
    /// Writes the name of the next value in an object.
    mutating func name(_ name: String)
    mutating func beginObject()
    mutating func endObject()
    mutating func beginArray()
    mutating func endArray()
    /// Ends the document with a newline and hands everything to the sink.
    mutating func finish() throws
}

extension DocumentWriter {
    /// Writes a name and its value.
    package mutating func member(_ name: String, _ value: JSONValue) throws {
        self.name(name)
        try self.value(value)
    }
}
