// Operations of quotes: list, read one, abandon one.
import { Effect } from "effect"
import { type QuoteList, type QuotesQuery, showListedQuote, showQuote } from "#adapters/contract/ordering/Quotes.ts"
import { showListSummary } from "#adapters/contract/schema/ListSummary.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { ListPurchases } from "#core/usecases/ordering/ListPurchases.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import type { QuotesApi } from "../api/QuotesApi.ts"
import { JsonResponse } from "./JsonResponse.ts"
import type { OperationsOf } from "./Operation.ts"

const quoteCursor = pageCursor("quotes", QuoteId)

const listQuotes = Effect.fnUntraced(function* (
  purchases: ListPurchases["Service"],
  caller: Caller,
  query: Omit<QuotesQuery, "idempotency_key">
) {
  const { scope = "key", limit = PAGE_SIZE, cursor } = query
  const status = query.status ?? null
  const filters = { status, scope }
  const beforeId = yield* Effect.fromResult(quoteCursor.begin(filters, cursor))
  const { quotes, leftOutCount, nextBeforeId } = yield* purchases.quotes(caller, { scope, status, limit, beforeId })
  const page: QuoteList = {
    ok: true,
    count: quotes.length,
    quotes: quotes.map(showListedQuote),
    ...showListSummary("quote", { leftOutCount }),
    ...quoteCursor.next(filters, nextBeforeId),
    sandbox: caller.mode === "sandbox"
  }
  return JsonResponse.fromBody(200, page)
})

export const quotesOperations = Effect.map(
  Effect.all([TrackOrders, ListPurchases]),
  ([orders, purchases]): OperationsOf<typeof QuotesApi> => ({
    findQuote: (caller, { query: { idempotency_key: key, ...query } }) =>
      key === undefined
        ? listQuotes(purchases, caller, query)
        : Effect.map(orders.quoteByIdempotencyKey(caller, key), showQuote),

    getQuote: (caller, { params }) => Effect.map(orders.quote(caller, params.id), showQuote),

    abandonQuote: (caller, { params }) =>
      orders.abandon(caller, params.id).pipe(Effect.map(showQuote), Effect.uninterruptible)
  })
)
