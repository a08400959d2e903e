import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { QuoteList, QuoteStatus, QuotesQuery } from "#adapters/contract/ordering/Quotes.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { describe, errorsOf, PATH_ERRORS, WRITE_ERRORS } from "./EndpointDescription.ts"

const params = {
  id: text(1).annotate({ description: "`quote_id` of an order's answer." }).pipe(idBrands.QuoteId)
}

const findQuote = HttpApiEndpoint.get("findQuote", "/quotes", {
  query: QuotesQuery,
  // The list is what comes without an Idempotency-Key.
  success: [QuoteStatus, QuoteList],
  error: errorsOf("quote_not_found")
}).annotateMerge(
  describe(
    "read",
    "List quotes, or find the one that an Idempotency-Key made",
    "Newest first: those that wait for a payment or an approval, paid ones and abandoned ones, of this key, or of the whole account with `scope=account`. With `idempotency_key` alone, the one quote.",
    "That answers “did it go through?” after a lost connection: `quote_not_found` means that no key or connection of the account has made an order with it, in this mode; `details.order_again` says whether it may be sent."
  )
)

const getQuote = HttpApiEndpoint.get("getQuote", "/quotes/:id", {
  params,
  success: QuoteStatus,
  error: errorsOf("quote_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "read",
    "Read whether a quote was paid, and under which order",
    "Poll this while a human pays; read it before showing a payment link again."
  )
)

const abandonQuote = HttpApiEndpoint.post("abandonQuote", "/quotes/:id/abandon", {
  params,
  success: QuoteStatus,
  error: errorsOf(
    ...WRITE_ERRORS,
    "quote_not_found",
    "quote_not_open",
    "not_cancellable",
    "payment_processor_unavailable",
    ...PATH_ERRORS
  )
}).annotateMerge(
  describe(
    "order",
    "Give up an unpaid quote",
    "Held credit, reserved articles and the discount come back at once. If it turns out to be paid already, the order stands."
  )
)

export class QuotesApi extends HttpApiGroup.make("quotes")
  .add(findQuote, getQuote, abandonQuote)
  .annotateMerge(
    OpenApi.annotations({ title: "Quotes", description: "What became of an order that waits for payment." })
  ) {}
