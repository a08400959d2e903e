// Takes a backup of the store while it takes orders, for an operator, whose name is recorded first.
import { Context, Effect, Layer, type Stream } from "effect"
import { takeBackup } from "#core/decisions/operations/TakeBackup.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { BackupPart } from "#core/domain/operations/Backup.ts"
import { Backup } from "#core/ports/operations/Backup.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { BackupUnsupported, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

const NO_LISTING = { siteIds: [], articleIds: [], promoCodes: [], projectIds: [], opportunityIds: [], accountIds: [] }

export class TakeBackup extends Context.Service<
  TakeBackup,
  {
    /** Each run of the stream is another snapshot. */
    readonly take: (
      actor: Actor
    ) => Effect.Effect<Stream.Stream<BackupPart, StoreUnavailable>, BackupUnsupported | StoreUnavailable>
  }
>()("backlinks/usecases/operations/TakeBackup") {
  static readonly layer = Layer.effect(
    TakeBackup,
    Effect.gen(function* () {
      const backup = yield* Backup
      const book = yield* OrderBook

      return TakeBackup.of({
        take: Effect.fn("TakeBackup.take")(function* (actor) {
          const parts = yield* backup.read
          yield* book.transact({ _tag: "ForListing", ...NO_LISTING }, takeBackup(actor))
          return parts
        })
      })
    })
  )
}
