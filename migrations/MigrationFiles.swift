// The migrations are the folders beside this file; `newest.json`, `newest` and `versions.json`, which `make golden`
// writes, record the schemas that they make. They are a target of their own because a build tool plugin notices new
// files only below its own target's folder; it generates `EmbeddedFiles`, which `ChatDBMigrations` reads.
