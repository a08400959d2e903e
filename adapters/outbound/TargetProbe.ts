// Checks a webhook URL before it is subscribed: the policy on its text, on every address it resolves to, and one POST with an
// empty body to the address that was judged. Says which rule refused it and nothing of what was found inside.
import { request } from "@effect/platform-node/Undici"
import { Duration, Effect, Layer } from "effect"
import { type UrlFault, WebhookUrlRefused } from "#core/domain/Refusal.ts"
import { TargetProbe } from "#core/ports/TargetProbe.ts"
import { HostResolver } from "./HostResolver.ts"
import { pinnedDispatcher, type Trust } from "./PinnedDispatcher.ts"
import { type Policy, type VettedTarget, vet } from "./VettedTarget.ts"

const ANSWER_WITHIN = Duration.seconds(5)

/** The status of the answer to an empty POST. The answer's body is never read. */
const post = Effect.fnUntraced(function* ({ target, addresses }: VettedTarget, trust: Trust) {
  const dispatcher = yield* pinnedDispatcher(addresses, trust)
  return yield* Effect.tryPromise({
    try: async (signal) => {
      const { statusCode, body } = await request(target.href, { method: "POST", dispatcher, signal })
      // The connection is torn down under the unread body, which is what the error says that nobody else listens for.
      body.on("error", () => undefined).destroy()
      return statusCode
    },
    catch: (): UrlFault => "unreachable"
  })
}, Effect.scoped)

const isRedirect = (status: number): boolean => status >= 300 && status < 400

export const layer = (options: Policy & Trust): Layer.Layer<TargetProbe, never, HostResolver> =>
  Layer.effect(
    TargetProbe,
    Effect.gen(function* () {
      const resolver = yield* HostResolver
      const { insecure, ...trust } = options

      const status = (vetted: VettedTarget): Effect.Effect<number, UrlFault> =>
        post(vetted, trust).pipe(
          Effect.timeoutOrElse({ duration: ANSWER_WITHIN, orElse: () => Effect.fail("unreachable" as const) })
        )

      const check = Effect.fn("TargetProbe.check")(
        function* (url: string) {
          const vetted = yield* vet(url, { insecure }).pipe(
            Effect.catchTag("ResolverSilent", () => Effect.fail<UrlFault>("unresolvable"))
          )
          if (isRedirect(yield* status(vetted))) return yield* Effect.fail<UrlFault>("redirects")
        },
        Effect.mapError((reason: UrlFault) => new WebhookUrlRefused({ reason })),
        Effect.provideService(HostResolver, resolver)
      )

      return TargetProbe.of({ check })
    })
  )
