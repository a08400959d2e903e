// Makes one attempt to deliver a webhook: applies the URL policy of its creation again, connects to exactly the addresses that
// passed, and returns the outcome. Ten seconds in all; redirects are not followed.
import { Clock, Duration, Effect, Layer } from "effect"
import type { UrlFault } from "#core/domain/shared/PublicAddress.ts"
import type { Outcome } from "#core/domain/webhooks/Delivery.ts"
import { parseRetryAfter } from "#core/domain/webhooks/DeliverySchedule.ts"
import { type Dispatch, WebhookSender } from "#core/ports/webhooks/WebhookSender.ts"
import { makeConnectionPool } from "./ConnectionPool.ts"
import type { DialFault } from "./DialFault.ts"
import { HostResolver } from "./HostResolver.ts"
import { pinnedDispatcher, type Trust } from "./PinnedDispatcher.ts"
import { post, type ReceiverResponse } from "./PostRequest.ts"
import { type Sender, userAgent } from "./UserAgent.ts"
import { type Policy, vet } from "./VettedTarget.ts"

const ATTEMPT_TIMEOUT = Duration.seconds(10)

/** Our own network counts as working for this long after any receiver was reached. */
const REACHABLE_FOR_MS = 10_000

const faultOfUrl = (reason: UrlFault): DialFault => (reason === "unresolvable" ? "unresolvable" : "address_refused")

type Fault = DialFault | "resolver_unavailable"

/** The receiver's machine reacted, although not with a response. */
const provesNetwork = (fault: Fault): boolean =>
  fault === "connection_refused" || fault === "connection_reset" || fault === "tls" || fault === "invalid_response"

export const layer = (options: Policy & Sender & Trust): Layer.Layer<WebhookSender, never, HostResolver> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const resolver = yield* HostResolver
      const { insecure, publicUrl, ...trust } = options
      const name = { "user-agent": userAgent({ publicUrl }) }
      const connectionFor = yield* makeConnectionPool(trust)
      let reachedAtMs = Number.NEGATIVE_INFINITY

      const attempt = Effect.fnUntraced(function* (
        dispatch: Dispatch
      ): Effect.fn.Return<ReceiverResponse, Fault, HostResolver> {
        const vetted = yield* vet(dispatch.url, { insecure }).pipe(
          Effect.mapError((fault) => (typeof fault === "string" ? faultOfUrl(fault) : "resolver_unavailable"))
        )
        const { addresses } = vetted
        const url = new URL(vetted.target.href)
        const postOnce = Effect.flatMap(pinnedDispatcher(addresses, trust), (agent) => post(url, dispatch, agent))
        const postPooled = Effect.flatMap(connectionFor(url.origin, addresses), (pooled) =>
          post(url, dispatch, pooled.agent).pipe(
            // The receiver may have closed an idle connection just as it was reused: one retry over a new one.
            Effect.catchIf(
              (fault) => fault === "connection_reset" && pooled.hasResponded,
              () => Effect.scoped(postOnce)
            ),
            Effect.tap(() =>
              Effect.sync(() => {
                pooled.hasResponded = true
              })
            )
          )
        )
        return yield* Effect.scoped(postPooled)
      })

      /** A missing resolver or route is a local fault, unless another receiver was reached recently. */
      const outcomeOf = (fault: Fault, nowMs: number, durationMs: number): Outcome => {
        if (provesNetwork(fault)) reachedAtMs = nowMs
        const isOffline = nowMs - reachedAtMs >= REACHABLE_FOR_MS
        if (fault === "exhausted" || (isOffline && (fault === "resolver_unavailable" || fault === "unreachable"))) {
          return { kind: "local_fault", durationMs }
        }
        return { kind: "failed", fault: fault === "resolver_unavailable" ? "unresolvable" : fault, durationMs }
      }

      const send = Effect.fn("WebhookSender.send")(function* (dispatch: Dispatch) {
        const [took, result] = yield* attempt({ ...dispatch, headers: { ...dispatch.headers, ...name } }).pipe(
          Effect.provideService(HostResolver, resolver),
          Effect.timeoutOrElse({ duration: ATTEMPT_TIMEOUT, orElse: () => Effect.fail("timeout" as const) }),
          Effect.result,
          Effect.timed
        )
        const nowMs = yield* Clock.currentTimeMillis
        const durationMs = Math.round(Duration.toMillis(took))
        if (result._tag === "Failure") return outcomeOf(result.failure, nowMs, durationMs)
        const { httpStatus, retryAfter } = result.success
        reachedAtMs = nowMs
        return { kind: "answered", httpStatus, retryAfterMs: parseRetryAfter(retryAfter, nowMs), durationMs } as const
      })

      return WebhookSender.of({ send })
    })
  )
