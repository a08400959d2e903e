// Makes one attempt at a webhook: judges the URL as at creation, dials the very addresses it judged, and says what came of it.
// Ten seconds in all, redirects are not followed, and of the answer no more is read than its head and 4 KiB.
import { type Dispatcher, request } from "@effect/platform-node/Undici"
import { Clock, Duration, Effect, Layer } from "effect"
import type { Outcome } from "#core/domain/Delivery.ts"
import { parseRetryAfter } from "#core/domain/DeliverySchedule.ts"
import type { UrlFault } from "#core/domain/Refusal.ts"
import { type Dispatch, WebhookSender } from "#core/ports/WebhookSender.ts"
import { type DialFault, dialFault } from "./DialFault.ts"
import { HostResolver } from "./HostResolver.ts"
import { makeLines } from "./Lines.ts"
import { pinnedDispatcher, type Trust } from "./PinnedDispatcher.ts"
import { type Policy, vet } from "./VettedTarget.ts"

const ATTEMPT_WITHIN = Duration.seconds(10)
const ANSWER_BYTES = 4 * 1_024

/** Our network is taken to work for so long after anybody was reached; only otherwise can it be blamed. */
const PROVEN_FOR_MS = 10_000

interface Answer {
  readonly httpStatus: number
  readonly retryAfter: string | undefined
}

const first = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" ? header : header?.[0]

/** Leaving the loop early tears the connection down; an answer read to its end leaves it open for the next request. */
const readSome = async (body: Dispatcher.ResponseData["body"]): Promise<void> => {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES) break
  }
}

// The one limit in time is the attempt's own, so undici's are off.
const timeouts = { headersTimeout: 0, bodyTimeout: 0 }

const post = (href: string, { headers, body }: Dispatch, dispatcher: Dispatcher): Effect.Effect<Answer, DialFault> =>
  Effect.tryPromise({
    try: async (signal) => {
      const answer = await request(href, { method: "POST", headers, body, dispatcher, signal, ...timeouts })
      await readSome(answer.body)
      return { httpStatus: answer.statusCode, retryAfter: first(answer.headers["retry-after"]) }
    },
    catch: dialFault
  })

const faultOfUrl = (reason: UrlFault): DialFault => (reason === "unresolvable" ? "unresolvable" : "address_refused")

/** `silent`: the resolver did not answer. */
type Fault = DialFault | "silent"

/** Somebody sent something back, though it was no answer. */
const isProof = (fault: Fault): boolean =>
  fault === "connection_refused" || fault === "connection_reset" || fault === "tls" || fault === "invalid_response"

export const layer = (options: Policy & Trust): Layer.Layer<WebhookSender, never, HostResolver> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const resolver = yield* HostResolver
      const { insecure, ...trust } = options
      const lineTo = yield* makeLines(trust)
      let reachedAtMs = Number.NEGATIVE_INFINITY

      const attempt = Effect.fnUntraced(function* (dispatch: Dispatch): Effect.fn.Return<Answer, Fault, HostResolver> {
        const vetted = yield* vet(dispatch.url, { insecure }).pipe(
          Effect.mapError((fault) => (typeof fault === "string" ? faultOfUrl(fault) : "silent"))
        )
        const { href } = vetted.target
        const { addresses } = vetted
        const anew = Effect.flatMap(pinnedDispatcher(addresses, trust), (agent) => post(href, dispatch, agent))
        const overLine = Effect.flatMap(lineTo(vetted), (line) =>
          post(href, dispatch, line.agent).pipe(
            // It may have hung up on an idle connection just as we spoke, and is owed the benefit of the doubt.
            Effect.catchIf(
              (fault) => fault === "connection_reset" && line.hasAnswered,
              () => Effect.scoped(anew)
            ),
            Effect.tap(() =>
              Effect.sync(() => {
                line.hasAnswered = true
              })
            )
          )
        )
        return yield* Effect.scoped(overLine)
      })

      /** No resolver and no route are ours while nobody is reached; while others are, it is this receiver that cannot be. */
      const outcomeOf = (fault: Fault, nowMs: number, durationMs: number): Outcome => {
        if (isProof(fault)) reachedAtMs = nowMs
        const isOurs = nowMs - reachedAtMs >= PROVEN_FOR_MS
        if (fault === "exhausted" || (isOurs && (fault === "silent" || fault === "unreachable"))) {
          return { kind: "ours", durationMs }
        }
        return { kind: "failed", fault: fault === "silent" ? "unresolvable" : fault, durationMs }
      }

      const send = Effect.fn("WebhookSender.send")(function* (dispatch: Dispatch) {
        const [took, result] = yield* attempt(dispatch).pipe(
          Effect.provideService(HostResolver, resolver),
          Effect.timeoutOrElse({ duration: ATTEMPT_WITHIN, orElse: () => Effect.fail("timeout" as const) }),
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
