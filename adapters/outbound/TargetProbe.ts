// Checks a webhook URL before it is subscribed: the policy on its text, on every address it resolves to, and one POST with an
// empty body to a vetted address. A refusal names the rule and reveals nothing about the network behind it.
import { request } from "@effect/platform-node/Undici"
import { Duration, Effect, Layer, Schema } from "effect"
import type { UrlFault } from "#core/domain/shared/PublicAddress.ts"
import { NoAnswer, WebhookUrlRefused } from "#core/domain/webhooks/WebhookRefusal.ts"
import { TargetProbe } from "#core/ports/webhooks/TargetProbe.ts"
import { dialFault } from "./DialFault.ts"
import { HostResolver } from "./HostResolver.ts"
import { pinnedDispatcher, type Trust } from "./PinnedDispatcher.ts"
import { type Sender, userAgent } from "./UserAgent.ts"
import { type Policy, type VettedTarget, vet } from "./VettedTarget.ts"

const RESPONSE_TIMEOUT = Duration.seconds(5)

const isNoAnswer = Schema.is(NoAnswer)

/** A machine without sockets tells nothing about the receiver. */
const noAnswerBy = (error: unknown): NoAnswer => {
  const fault = dialFault(error)
  return isNoAnswer(fault) ? fault : "unreachable"
}

const refused = (reason: UrlFault) => new WebhookUrlRefused({ reason })

const unanswered = (noAnswer: NoAnswer) => new WebhookUrlRefused({ reason: "unreachable", noAnswer })

/** The response status of an empty POST. The response's body is never read. */
const post = Effect.fnUntraced(function* (
  { target, addresses }: VettedTarget,
  trust: Trust,
  headers: Readonly<Record<string, string>>
) {
  const dispatcher = yield* pinnedDispatcher(addresses, trust)
  return yield* Effect.tryPromise({
    try: async (signal) => {
      const { statusCode, body } = await request(target.href, { method: "POST", headers, dispatcher, signal })
      // Destroying the unread body closes the connection and emits an error, which would crash the process without a listener.
      body.on("error", () => undefined).destroy()
      return statusCode
    },
    catch: (error) => unanswered(noAnswerBy(error))
  })
}, Effect.scoped)

const isRedirect = (status: number): boolean => status >= 300 && status < 400

export const layer = (options: Policy & Sender & Trust): Layer.Layer<TargetProbe, never, HostResolver> =>
  Layer.effect(
    TargetProbe,
    Effect.gen(function* () {
      const resolver = yield* HostResolver
      const { insecure, publicUrl, ...trust } = options
      const headers = { "user-agent": userAgent({ publicUrl }) }

      const status = (vetted: VettedTarget): Effect.Effect<number, WebhookUrlRefused> =>
        post(vetted, trust, headers).pipe(
          Effect.timeoutOrElse({ duration: RESPONSE_TIMEOUT, orElse: () => Effect.fail(unanswered("timeout")) })
        )

      const check = Effect.fn("TargetProbe.check")(
        function* (url: string) {
          const vetted = yield* vet(url, { insecure }).pipe(
            Effect.mapError((fault) => refused(typeof fault === "string" ? fault : "unresolvable"))
          )
          if (isRedirect(yield* status(vetted))) return yield* refused("redirects")
        },
        Effect.provideService(HostResolver, resolver)
      )

      return TargetProbe.of({ check })
    })
  )
