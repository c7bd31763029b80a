// Everything of chatdb that an app needs, under one name: `import ChatDBKit`.
@_exported public import ChatDBArchives
@_exported public import ChatDBEncryption
@_exported public import ChatDBEngine
@_exported public import ChatDBEnginePostgres
@_exported public import ChatDBEngineSQLite
@_exported public import ChatDBInspection
@_exported public import ChatDBMigrations
@_exported public import ChatDBNetwork
@_exported public import ChatDBPresets
@_exported public import ChatDBQRCodes
@_exported public import ChatDBReposAgent
@_exported public import ChatDBReposBoth
@_exported public import ChatDBReposChat
@_exported public import ChatDBReposKit
@_exported public import ChatDBSalvage
@_exported public import ChatDBSchema
@_exported public import ChatDBSimplex
