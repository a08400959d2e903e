// Why a store cannot be opened, as sentences for the operator.
import type { MigrationFault } from "#adapters/postgres/database/Migrations.ts"
import { reasonOf } from "#adapters/postgres/database/SqlErrors.ts"
import type { EmbeddedServerError } from "#adapters/postgres/embedded/EmbeddedServer.ts"

export const storeFaultMessage = (error: EmbeddedServerError | MigrationFault): string => {
  switch (error._tag) {
    case "DatabaseReadOnly":
      return "The database is read-only: it is a standby, or its provider made it read-only, as happens when the disk is full."
    case "DatabaseRefuses":
      return `The database at ${error.server} cannot be used: ${error.reason}`
    case "DatabaseDiffers":
      return [
        `The database was made by another development version. ${error.difference}`,
        "Start the version that made it, or restore a dump into a new database; a database without data that matters can be deleted."
      ].join(" ")
    case "DatabaseTooNew":
      return `The database was migrated by a newer version (${error.step}). Start that version, or restore a dump from before the migration.`
    case "DatabaseTooOld":
      return `The database was made by an older version (${error.step}): take a backup, let commit 7bfe73a of the service take the database over by one start, and start this version again.`
    case "EmbeddedServerError":
      return error.reason
    case "SessionsNotKept":
      return "The database is behind a pooler that shares sessions between transactions, in which prepared statements and notifications are lost: let DATABASE_URL name the database itself, or set the pooler to session mode."
    case "SqlError":
      return `The database cannot be used: ${reasonOf(error)}`
    case "StoreUnavailable":
      return "The store does not answer."
  }
}
