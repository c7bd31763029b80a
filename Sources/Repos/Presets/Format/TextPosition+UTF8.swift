import ChatDBSchema

extension TextPosition {
    /// Where bytes stop being UTF-8; nil when they are UTF-8 to the end.
    init?(ofNoUTF8In bytes: [UInt8]) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var (line, column) = (1, 1)
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar) where scalar.first == UInt8(ascii: "\n"): (line, column) = (line + 1, 1)
            case .valid: column += 1
            case .error:
                self.init(line: line, column: column)
                return
            case .emptyInput: return nil
            }
        }
    }
}
