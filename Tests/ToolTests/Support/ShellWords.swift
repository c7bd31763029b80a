/// The words of a command line as a shell splits them, as far as help and documents need it: up to a comment, and up to
/// a pipe or a redirection.
func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in line + " " {
        if character == quote {
            quote = nil
        } else if quote == nil, character == "'" || character == "\"" {
            quote = character
        } else if quote == nil, character == " " {
            if ["|", "||", ">", "&&"].contains(word) || word.hasPrefix("#") { return words }
            if !word.isEmpty { words.append(word) }
            word = ""
        } else {
            word.append(character)
        }
    }
    return words
}
