// Operations of the sandbox: pay, abandon, advance.
import { Effect } from "effect"
import { showOrder } from "#adapters/contract/Orders.ts"
import { showQuote } from "#adapters/contract/Quotes.ts"
import { SandboxControls } from "#core/usecases/SandboxControls.ts"
import type { SandboxApi } from "../api/SandboxApi.ts"
import type { OperationsOf } from "./Operation.ts"

export const sandboxOperations = Effect.map(
  SandboxControls,
  (sandbox): OperationsOf<typeof SandboxApi> => ({
    paySandboxQuote: (caller, { params }) =>
      sandbox.pay(caller, params.id).pipe(Effect.map(showQuote), Effect.uninterruptible),

    abandonSandboxQuote: (caller, { params }) =>
      sandbox.abandon(caller, params.id).pipe(Effect.map(showQuote), Effect.uninterruptible),

    advanceSandboxOrder: (caller, { params, payload }) =>
      Effect.map(sandbox.advance(caller, params.id, payload.to), showOrder)
  })
)
