// Operations of the sandbox: pay, abandon, approve, decline, advance.
import { Clock, Effect } from "effect"
import { showOrder } from "#adapters/contract/ordering/Orders.ts"
import { showQuote } from "#adapters/contract/ordering/Quotes.ts"
import { SandboxControls } from "#core/usecases/ordering/SandboxControls.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import type { SandboxApi } from "../api/SandboxApi.ts"
import type { OperationsOf } from "./Operation.ts"

export const sandboxOperations = Effect.gen(function* () {
  const sandbox = yield* SandboxControls
  const orders = yield* TrackOrders

  const operations: OperationsOf<typeof SandboxApi> = {
    paySandboxQuote: (caller, { params }) =>
      sandbox.pay(caller, params.id).pipe(Effect.map(showQuote), Effect.uninterruptible),

    abandonSandboxQuote: (caller, { params }) =>
      sandbox.abandon(caller, params.id).pipe(Effect.map(showQuote), Effect.uninterruptible),

    approveSandboxQuote: (caller, { params }) =>
      sandbox.approve(caller, params.id).pipe(Effect.map(showQuote), Effect.uninterruptible),

    declineSandboxQuote: (caller, { params, payload }) =>
      sandbox.decline(caller, params.id, payload.reason ?? "").pipe(Effect.map(showQuote), Effect.uninterruptible),

    advanceSandboxOrder: Effect.fnUntraced(function* (caller, { params, payload }) {
      const found = yield* sandbox.advance(caller, params.id, payload.to)
      const asOfMs = yield* Clock.currentTimeMillis
      // Sandbox orders are not invoiced.
      return showOrder(yield* orders.placed(caller, found), yield* orders.reorder(found), { invoices: [], asOfMs })
    })
  }
  return operations
})
