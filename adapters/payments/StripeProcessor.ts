// Stripe as the payment processor: one Checkout Session per quote, paid by a human on Stripe's own page. Payments are reported
// by notices (`StripeNotices`).
import { Clock, Effect, Layer } from "effect"
import type Stripe from "stripe"
import {
  PaymentProcessor,
  type SessionOutcome,
  type SessionRequest,
  type SessionState
} from "#core/ports/ordering/PaymentProcessor.ts"
import { ProcessorUnavailable } from "#core/ports/shared/PortErrors.ts"
import { makeStripe, StripeFault, type StripeOptions } from "./StripeClient.ts"
import { idempotencyKey, paidUrl, sessionFor, sessionWithoutEnd, stateOf } from "./StripeSessions.ts"

type Session = Stripe.Checkout.Session

const RETRY_AFTER_SECONDS = 5

/** A session lasts 24 hours at most; one hour more for clock differences. An older session cannot be paid any more. */
const MAX_SESSION_AGE_SECONDS = 25 * 3_600

const PAGE = 100

const EXPIRED: SessionOutcome = { outcome: "expired" }

/**
 * Whether this idempotency key can never create a session: the session's end is nearer than 30 minutes or further than 24
 * hours, Stripe saved a server error as the key's response, or the key was used with other parameters, as before a change of
 * PUBLIC_URL.
 */
const isUnusableKey = ({ status = 0, type, param, replayed }: StripeFault): boolean =>
  (status === 400 && (param === "expires_at" || type === "StripeIdempotencyError")) || (status >= 500 && replayed)

export const layer = (options: StripeOptions): Layer.Layer<PaymentProcessor> =>
  Layer.sync(PaymentProcessor, () => {
    const stripe = makeStripe(options)
    let suspendedUntilMs = Number.NEGATIVE_INFINITY

    const create = (params: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
      stripe.create(({ checkout }) => checkout.sessions.create(params, { idempotencyKey }))

    /** Stripe has no look-up by client reference; needed only for a session whose id was never stored. */
    const findByQuote = Effect.fnUntraced(function* (quoteId: string) {
      const gte = Math.floor((yield* Clock.currentTimeMillis) / 1_000) - MAX_SESSION_AGE_SECONDS
      let after: Stripe.Checkout.SessionListParams = {}
      for (;;) {
        const query = { created: { gte }, limit: PAGE, ...after }
        const { data, has_more } = yield* stripe.call(({ checkout }) => checkout.sessions.list(query))
        const found = data.find(({ client_reference_id }) => client_reference_id === quoteId)
        const last = data.at(-1)
        if (found !== undefined || !has_more || last === undefined) return found
        after = { starting_after: last.id }
      }
    }, stripe.search)

    /** The second key derives from the quote as the first does, so that concurrent calls get the same session. */
    const openWithoutEnd = Effect.fnUntraced(function* (request: SessionRequest) {
      const existing = request.endedSessionId === null ? yield* findByQuote(request.quoteId) : undefined
      return existing ?? (yield* create(sessionWithoutEnd(request), `${idempotencyKey(request)}-without-end`))
    })

    const openSession = (request: SessionRequest): Effect.Effect<Session, StripeFault> =>
      Effect.catchIf(create(sessionFor(request), idempotencyKey(request)), isUnusableKey, () => openWithoutEnd(request))

    /** With its payment where only that tells a bank debit that failed from one under way, and where the key may read payments. */
    const retrieve = Effect.fnUntraced(function* (sessionId: string) {
      const session = yield* stripe.call(({ checkout }) => checkout.sessions.retrieve(sessionId))
      if (stateOf(session).outcome !== "pending") return session
      return yield* stripe
        .call(({ checkout }) => checkout.sessions.retrieve(sessionId, { expand: ["payment_intent"] }))
        .pipe(
          Effect.catchIf(
            ({ needsOperator }) => needsOperator,
            () => Effect.succeed(session)
          )
        )
    })

    /** The outcome of a session that Stripe refused to expire. */
    const outcomeAfterRefusal = Effect.fnUntraced(function* (refusal: StripeFault, sessionId: string) {
      const state = stateOf(yield* retrieve(sessionId))
      return state.outcome === "open" ? yield* refusal : state
    })

    /** A session that this Stripe account does not have, as after a change of processors, tells nothing. */
    const look = (sessionId: string): Effect.Effect<SessionState, StripeFault> =>
      retrieve(sessionId).pipe(
        Effect.map(stateOf),
        Effect.catchIf(
          ({ status }) => status === 404,
          () => Effect.succeed({ outcome: "open" as const })
        )
      )

    const close = (sessionId: string): Effect.Effect<SessionOutcome, StripeFault> =>
      stripe
        .call(({ checkout }) => checkout.sessions.expire(sessionId))
        .pipe(
          Effect.as<SessionOutcome>(EXPIRED),
          Effect.catchTag("StripeFault", (fault) => {
            if (fault.status === 400) return outcomeAfterRefusal(fault, sessionId)
            // Not a session of this Stripe account, as after a change of processors: it cannot be paid here.
            return fault.status === 404 ? Effect.succeed(EXPIRED) : Effect.fail(fault)
          })
        )

    /** A request that closes several expired quotes must not wait for an unreachable Stripe once for each of them. */
    const suspendAfterTimeout = Effect.fnUntraced(function* ({ type }: StripeFault) {
      if (type === "Timeout" || type === "StripeConnectionError")
        suspendedUntilMs = (yield* Clock.currentTimeMillis) + RETRY_AFTER_SECONDS * 1_000
    })

    const unlessSuspended = <A>(call: Effect.Effect<A, StripeFault>): Effect.Effect<A, StripeFault> =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
        nowMs < suspendedUntilMs
          ? Effect.fail(new StripeFault({ type: "Suspended", replayed: false }))
          : Effect.tapError(call, suspendAfterTimeout)
      )

    const closeSession = Effect.fnUntraced(function* (quoteId: string, storedId: string | null) {
      const sessionId = storedId ?? (yield* findByQuote(quoteId))?.id
      return sessionId === undefined ? EXPIRED : yield* close(sessionId)
    })

    const reported = <A>(operation: string, quoteId: string, effect: Effect.Effect<A, StripeFault>) =>
      Effect.catchTag(
        effect,
        "StripeFault",
        Effect.fnUntraced(function* (fault) {
          const { type, status, code, param, requestId } = fault
          const log = fault.needsOperator ? Effect.logError : Effect.logWarning
          yield* log("A call to Stripe failed", { operation, quoteId, type, status, code, param, requestId })
          return yield* new ProcessorUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, quoteId })
        })
      )

    return PaymentProcessor.of({
      open: Effect.fn("Stripe.open")(function* (request) {
        const { id, url } = yield* reported("open", request.quoteId, openSession(request))
        // A session that has been paid has no page of its own any more.
        return { sessionId: id, paymentUrl: url ?? paidUrl(request.pageUrl) }
      }),
      look: Effect.fn("Stripe.look")(function* ({ quoteId, sessionId }) {
        return yield* reported("look", quoteId, unlessSuspended(look(sessionId)))
      }),
      expire: Effect.fn("Stripe.expire")(function* ({ quoteId, sessionId }) {
        return yield* reported("expire", quoteId, unlessSuspended(closeSession(quoteId, sessionId)))
      }),
      simulatePayment: null
    })
  })
