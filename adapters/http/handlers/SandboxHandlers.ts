// Serves the sandbox's own verbs: pay, give up, advance.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { showOrder } from "#adapters/contract/ShowOrder.ts"
import { showQuote } from "#adapters/contract/ShowQuote.ts"
import type { LinkStatus } from "#core/domain/Link.ts"
import { DriveSandbox } from "#core/usecases/DriveSandbox.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { leanGroup } from "../LeanGroup.ts"
import { refusing } from "../Refusing.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const sandbox = yield* DriveSandbox

    const pay = Effect.fnUntraced(function* (quoteId: string) {
      return showQuote(yield* sandbox.pay(yield* CurrentCaller, quoteId))
    })

    const abandon = Effect.fnUntraced(function* (quoteId: string) {
      return showQuote(yield* sandbox.abandon(yield* CurrentCaller, quoteId))
    })

    const advance = Effect.fnUntraced(function* (orderId: string, to: LinkStatus) {
      return showOrder(yield* sandbox.advance(yield* CurrentCaller, orderId, to))
    })

    return leanGroup(
      HttpApiBuilder.group(Api, "sandbox", (handlers) =>
        handlers
          .handle("paySandboxQuote", ({ params }) => refusing(pay(params.id)), { uninterruptible: true })
          .handle("abandonSandboxQuote", ({ params }) => refusing(abandon(params.id)), { uninterruptible: true })
          .handle("advanceSandboxOrder", ({ params, payload }) => refusing(advance(params.id, payload.to)))
      )
    )
  })
)
