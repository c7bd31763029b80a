/// Writes JSON piece by piece, so that a long array needs not be in memory at once. The same pieces give the same
/// bytes as `JSONValue.text`, and a newline at the end.
///
///     var writer = JSONWriter { try file.write($0) }
///     writer.beginObject()
///     writer.name("relays")
///     writer.beginArray()
///     for relay in relays { try writer.value(relay.json) }
///     writer.endArray()
///     writer.endObject()
///     try writer.finish()
package struct JSONWriter: DocumentWriter {
    /// Takes what is written, in the order it was written.
    package typealias Sink = (_ bytes: [UInt8]) throws -> Void

    private static let fullBuffer = 64 * 1024

    private let layout: JSONLayout
    private let sink: Sink
    private var buffer: [UInt8] = []
    /// How many elements each open array or object has so far.
    private var counts: [Int] = []
    private var followsName = false

    package init(_ layout: JSONLayout = .pretty, to sink: @escaping Sink) {
        self.layout = layout
        self.sink = sink
    }

    /// Writes a whole value: the document, the next element of an array, or what belongs to the name before it.
    package mutating func value(_ value: JSONValue) throws {
        beginValue()
        JSONText.append(value, layout, depth: counts.count, to: &buffer)
        if buffer.count >= Self.fullBuffer { try flush() }
    }

    /// Writes the name of the next value in an object.
    package mutating func name(_ name: String) {
        beginValue()
        JSONText.append(name: name, layout, to: &buffer)
        followsName = true
    }

    package mutating func beginObject() { open("{") }
    package mutating func endObject() { close("}") }
    package mutating func beginArray() { open("[") }
    package mutating func endArray() { close("]") }

    /// Ends the document with a newline and hands everything to the sink.
    package mutating func finish() throws {
        buffer.append(UInt8(ascii: "\n"))
        try flush()
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        beginValue()
        buffer.append(UInt8(ascii: bracket))
        counts.append(0)
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        let count = counts.popLast() ?? 0
        JSONText.close(bracket, afterElements: count, layout, depth: counts.count, in: &buffer)
    }

    private mutating func beginValue() {
        defer { followsName = false }
        guard !followsName, let count = counts.last else { return }
        JSONText.separate(count, layout, depth: counts.count, in: &buffer)
        counts[counts.count - 1] = count + 1
    }

    private mutating func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try sink(buffer)
    }
}
