// The migrations are the folders beside this file; `newest.json` and `newest`, which `make golden` writes, record the
// schema that they make. They are a target of their own because a build tool plugin notices new files only below its own target's
// folder; it generates `EmbeddedFiles`, which `ChatDBMigrations` reads.
