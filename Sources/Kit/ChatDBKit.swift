// Everything of chatdb that an app needs, under one name: `import ChatDBKit`.
@_exported public import ChatDBEngine
@_exported public import ChatDBEngineSQLite
@_exported public import ChatDBMigrations
@_exported public import ChatDBRepos
@_exported public import ChatDBSchema
