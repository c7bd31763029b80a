import CChatDBZlib
import Foundation

extension QRCode {
    /// The code as an SVG picture: dark modules on a light ground, with the quiet zone.
    public var svg: String {
        let side = places.count
        var path = ""
        for row in 0..<size {
            for column in 0..<size where isDark(row, column) {
                path += "M\(column + Self.quietZone) \(row + Self.quietZone)h1v1h-1z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(side * 8)" height="\(side * 8)" \
            viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            </svg>

            """
    }

    /// The code as a PNG picture in black and white, with the quiet zone.
    /// - Parameter pixelsPerModule: the side of a module, from 1 to 32.
    public func png(pixelsPerModule scale: Int = 8) -> [UInt8] {
        let scale = min(max(scale, 1), 32)
        let side = places.count * scale
        var rows: [UInt8] = []
        for row in places {
            // No filter, then one bit a pixel: 1 is white.
            var line = [UInt8](repeating: 0, count: 1 + (side + 7) / 8)
            for pixel in 0..<side where !isDark(row, pixel / scale - Self.quietZone) {
                line[1 + pixel / 8] |= 0x80 >> UInt8(pixel % 8)
            }
            for _ in 0..<scale { rows += line }
        }
        let header = Self.bigEndian(side) + Self.bigEndian(side) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
            + Self.chunk("IDAT", Self.compressed(rows)) + Self.chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        let sum = checked.withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
        return bigEndian(content.count) + checked + bigEndian(Int(sum))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(uLong(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(size))
        // The buffer has the size that zlib asks for, so it cannot be too small.
        compress2(&result, &size, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
        return Array(result.prefix(Int(size)))
    }
}

extension QRCode {
    /// The code for a terminal: a line has two rows of modules, in half blocks.
    /// - Parameter darkIsInk: whether dark modules are drawn, for dark ink on a light ground; else light modules are,
    ///   for a dark ground.
    package func halfBlocks(darkIsInk: Bool) -> [String] {
        stride(from: places.lowerBound, to: places.upperBound, by: 2).map { row in
            places.map { column in
                let upper = isDark(row, column) == darkIsInk
                // An odd number of rows ends with half a line, which belongs to the quiet zone too.
                let lower = isDark(row + 1, column) == darkIsInk
                return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
            }.joined()
        }
    }

    /// The code in ASCII: two characters a module, `##` for a dark one. Its quiet zone has one module, because what
    /// surrounds it is blank too: so the address of a relay fits into 80 columns.
    package var asciiLines: [String] {
        (-1...size).map { row in (-1...size).map { isDark(row, $0) ? "##" : "  " }.joined() }
    }

    /// The rows without the quiet zone: `1` for a dark module, `0` for a light one.
    package var rows: [String] {
        (0..<size).map { row in (0..<size).map { isDark(row, $0) ? "1" : "0" }.joined() }
    }
}
