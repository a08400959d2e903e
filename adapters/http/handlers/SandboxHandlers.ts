// Serves the sandbox's own verbs: pay, give up, advance.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { showOrder } from "#adapters/contract/Orders.ts"
import { showQuote } from "#adapters/contract/Quotes.ts"
import type { LinkStatus } from "#core/domain/Link.ts"
import { SandboxControls } from "#core/usecases/SandboxControls.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { withMinimalContext } from "../MinimalContext.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const sandbox = yield* SandboxControls

    const pay = Effect.fnUntraced(function* (quoteId: string) {
      return showQuote(yield* sandbox.pay(yield* CurrentCaller, quoteId))
    })

    const abandon = Effect.fnUntraced(function* (quoteId: string) {
      return showQuote(yield* sandbox.abandon(yield* CurrentCaller, quoteId))
    })

    const advance = Effect.fnUntraced(function* (orderId: string, to: LinkStatus) {
      return showOrder(yield* sandbox.advance(yield* CurrentCaller, orderId, to))
    })

    return withMinimalContext(
      HttpApiBuilder.group(Api, "sandbox", (handlers) =>
        handlers
          .handle("paySandboxQuote", ({ params }) => withErrorResponses(pay(params.id)), { uninterruptible: true })
          .handle("abandonSandboxQuote", ({ params }) => withErrorResponses(abandon(params.id)), {
            uninterruptible: true
          })
          .handle("advanceSandboxOrder", ({ params, payload }) => withErrorResponses(advance(params.id, payload.to)))
      )
    )
  })
)
