// Serves quotes: what became of one, and giving one up.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { InternalError } from "#adapters/contract/errors/AdapterFailure.ts"
import { showQuote } from "#adapters/contract/Quotes.ts"
import { TrackOrders } from "#core/usecases/TrackOrders.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { withMinimalContext } from "../MinimalContext.ts"

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

    return withMinimalContext(
      HttpApiBuilder.group(Api, "quotes", (handlers) =>
        handlers
          .handle("findQuote", ({ query }) => withErrorResponses(find(query.idempotency_key)))
          .handle("getQuote", ({ params }) => withErrorResponses(get(params.id)))
          .handle("abandonQuote", ({ params }) => withErrorResponses(abandon(params.id)), { uninterruptible: true })
      )
    )
  })
)
