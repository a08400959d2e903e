// Serves quotes: what became of one, and giving one up.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { InternalError } from "#adapters/contract/AdapterFailure.ts"
import { showQuote } from "#adapters/contract/ShowQuote.ts"
import { TrackOrders } from "#core/usecases/TrackOrders.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { leanGroup } from "../LeanGroup.ts"
import { refusing } from "../Refusing.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const tracking = yield* TrackOrders

    const find = Effect.fnUntraced(function* (idempotencyKey: string) {
      return showQuote(yield* tracking.quoteByIdempotencyKey(yield* CurrentCaller, idempotencyKey))
    })

    const get = Effect.fnUntraced(function* (quoteId: string) {
      return showQuote(yield* tracking.quote(yield* CurrentCaller, quoteId))
    })

    const abandon = Effect.fnUntraced(function* (quoteId: string) {
      const abandoned = tracking.abandon(yield* CurrentCaller, quoteId)
      // The agent can do nothing about it, and must not be told that no money has moved.
      return showQuote(yield* Effect.catchTag(abandoned, "PaymentMismatch", () => new InternalError()))
    })

    return leanGroup(
      HttpApiBuilder.group(Api, "quotes", (handlers) =>
        handlers
          .handle("findQuote", ({ query }) => refusing(find(query.idempotency_key)))
          .handle("getQuote", ({ params }) => refusing(get(params.id)))
          .handle("abandonQuote", ({ params }) => refusing(abandon(params.id)), { uninterruptible: true })
      )
    )
  })
)
