// Streams a backup to an operator, outside the RPC protocol, which sends a stream as fast as it is made, whatever the client takes.
// Here, a slow client slows the reading of the database.
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { encodeBackup } from "#adapters/backup/BackupFile.ts"
import { InsufficientRole } from "#adapters/contract/errors/AdapterFailure.ts"
import { mayAct } from "#core/domain/members/Actor.ts"
import { TakeBackup } from "#core/usecases/operations/TakeBackup.ts"
import type { Authenticate } from "./RequestChecks.ts"

/** For `admin` alone. A backup that breaks off ends the connection before the end of the body. */
export const makeBackupResponse = (authenticate: Authenticate) =>
  Effect.map(TakeBackup, ({ take }) =>
    Effect.gen(function* () {
      const { actor, role } = yield* authenticate(yield* HttpServerRequest.HttpServerRequest)
      if (!mayAct(role, "admin")) return yield* new InsufficientRole({ call: "backup", required: "admin", held: role })
      const bytes = encodeBackup(yield* take(actor))
      const logged = Stream.tapError(bytes, (error) => Effect.logError("A backup broke off", { reason: error._tag }))
      return HttpServerResponse.stream(logged, { contentType: "application/gzip" })
    })
  )
