package import ChatDBKit

/// The file that becomes the first migration of a database of another program: its present schema.
package struct FirstMigration {
    /// The name of the migration.
    let name: String
    let database: DatabaseName
    /// The folder of the migrations, or a word that the reader replaces.
    let folder: String

    package init(_ name: String, of database: DatabaseName, in folder: String) {
        self.name = name
        self.database = database
        self.folder = folder
    }

    /// The line of a shell that writes it, also if the folder does not exist.
    /// - Parameter options: the options that name the database, quoted where a shell needs it.
    package func line(_ options: String) -> String {
        let place = ShellWord.quoted("\(folder)/\(database)")
        return "mkdir -p \(place) && chatdb schema dump \(options) > \(place)/\(name).up.sql"
    }
}
