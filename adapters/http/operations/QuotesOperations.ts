// Operations of quotes: read one, abandon one.
import { Effect } from "effect"
import { showQuote } from "#adapters/contract/ordering/Quotes.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import type { QuotesApi } from "../api/QuotesApi.ts"
import type { OperationsOf } from "./Operation.ts"

export const quotesOperations = Effect.map(
  TrackOrders,
  (orders): OperationsOf<typeof QuotesApi> => ({
    findQuote: (caller, { query }) =>
      Effect.map(orders.quoteByIdempotencyKey(caller, query.idempotency_key), showQuote),

    getQuote: (caller, { params }) => Effect.map(orders.quote(caller, params.id), showQuote),

    abandonQuote: (caller, { params }) =>
      orders.abandon(caller, params.id).pipe(Effect.map(showQuote), Effect.uninterruptible)
  })
)
