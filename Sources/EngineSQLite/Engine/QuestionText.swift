import ChatDBEngine

/// What can be told of a question before SQLite sees it.
enum QuestionText {
    /// Throws when the text is not one statement, or uses what cannot be watched.
    static func check(_ sql: String, _ tables: QuestionTables, _ mask: ColumnMask) throws(QuestionError) {
        do {
            let statements = try SQLStatements.split(sql)
            if statements.isEmpty { throw QuestionError.invalid("there is no statement in it") }
            if statements.count > 1 {
                throw QuestionError.refused("it has \(statements.count) statements, and one is run")
            }
            var lexer = SQLLexer(sql)
            while let token = try lexer.nextSignificant() {
                // SQLite compares the columns of such a join without asking whether they may be read.
                for word in ["NATURAL", "USING"] where lexer.isWord(token, word) {
                    throw QuestionError.refused("\(word) compares columns unseen; write ON")
                }
                // A module's own statements read such tables too, so that the authorizer cannot tell who asks.
                if let name = lexer.name(of: token), let reason = tables.refusal(of: name, mask) {
                    throw QuestionError.refused(reason)
                }
            }
        } catch let error as SQLTextError {
            throw .invalid(error.description)
        } catch let error as QuestionError {
            throw error
        } catch {
            throw .invalid("it cannot be read")
        }
    }
}
