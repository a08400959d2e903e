// Operations of the sandbox: pay, abandon, approve, decline, advance.
import { Clock, Effect } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { showOrder } from "#adapters/contract/ordering/Orders.ts"
import { showQuote } from "#adapters/contract/ordering/Quotes.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import type { QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { SandboxControls } from "#core/usecases/ordering/SandboxControls.ts"
import { type PlacedQuoteReport, TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import type { SandboxApi } from "../api/SandboxApi.ts"
import type { OperationsOf } from "./Operation.ts"

export const sandboxOperations = Effect.gen(function* () {
  const sandbox = yield* SandboxControls
  const orders = yield* TrackOrders

  /** Under an idempotency key, what is done already is a success, whatever became of it since: the call itself may have done it. */
  const orDone =
    (caller: Caller, origin: CallOrigin | null, isDone: (quote: Quote) => boolean) =>
    (refusal: QuoteNotOpen): Effect.Effect<PlacedQuoteReport, Failure> =>
      origin === null
        ? Effect.fail(refusal)
        : Effect.filterOrFail(
            orders.quote(caller, refusal.quoteId),
            ({ quote }) => isDone(quote),
            () => refusal
          )

  const operations: OperationsOf<typeof SandboxApi> = {
    paySandboxQuote: (caller, { params }, origin) =>
      sandbox.pay(caller, params.id).pipe(
        Effect.catchTag(
          "QuoteNotOpen",
          orDone(caller, origin, ({ status }) => status === "paid")
        ),
        Effect.map(showQuote),
        Effect.uninterruptible
      ),

    abandonSandboxQuote: (caller, { params }) =>
      sandbox.abandon(caller, params.id).pipe(Effect.map(showQuote), Effect.uninterruptible),

    approveSandboxQuote: (caller, { params }, origin) =>
      sandbox.approve(caller, params.id).pipe(
        Effect.catchTag(
          "QuoteNotOpen",
          orDone(caller, origin, ({ approvedAtMs }) => approvedAtMs !== null)
        ),
        Effect.map(showQuote),
        Effect.uninterruptible
      ),

    declineSandboxQuote: (caller, { params, payload }) =>
      sandbox.decline(caller, params.id, payload.reason ?? "").pipe(Effect.map(showQuote), Effect.uninterruptible),

    advanceSandboxOrder: Effect.fnUntraced(function* (caller, { params, payload: { to } }, origin) {
      const found = yield* sandbox.advance(caller, params.id, to, origin)
      const asOfMs = yield* Clock.currentTimeMillis
      // Sandbox orders are not invoiced.
      return showOrder(yield* orders.placed(caller, found), yield* orders.reorder(found), { invoices: [], asOfMs })
    })
  }
  return operations
})
