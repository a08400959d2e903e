// Stripe as the payment processor: one Checkout Session for each quote, paid by a human on Stripe's own page. What Stripe says
// afterwards comes as notices, which `StripeNotices` reads; whether a payment becomes an order is not its business.
import { Clock, Effect, Layer } from "effect"
import type Stripe from "stripe"
import { ProcessorUnavailable } from "#core/ports/Faults.ts"
import { type Closed, PaymentProcessor, type SessionRequest } from "#core/ports/PaymentProcessor.ts"
import { makeStripe, StripeFault, type StripeOptions } from "./StripeClient.ts"
import { paidUrl, paymentOf, sessionFor, sessionWithoutEnd } from "./StripeSessions.ts"

type Session = Stripe.Checkout.Session

const RETRY_AFTER_SECONDS = 5

/** A session lives 24 hours at most, and clocks differ: what is older cannot be paid any more. */
const LONGEST_LIFE_SECONDS = 25 * 3_600

const PAGE = 100

const EXPIRED: Closed = { closed: "expired" }

/**
 * No session will ever come of this idempotency key: the session's end is nearer than 30 minutes or further than 24 hours, a
 * failure of Stripe's was saved as the key's answer, or the key belongs to other parameters, as after a change of PUBLIC_URL.
 */
const isDeadEnd = ({ status = 0, type, param, replayed }: StripeFault): boolean =>
  (status === 400 && (param === "expires_at" || type === "StripeIdempotencyError")) || (status >= 500 && replayed)

export const layer = (options: StripeOptions): Layer.Layer<PaymentProcessor> =>
  Layer.sync(PaymentProcessor, () => {
    const stripe = makeStripe(options)
    let silentUntilMs = Number.NEGATIVE_INFINITY

    const create = (params: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
      stripe.create(({ checkout }) => checkout.sessions.create(params, { idempotencyKey }))

    /** Stripe has no look-up by our own reference; this is for the rare session whose id we never learnt. */
    const find = Effect.fnUntraced(function* (quoteId: string) {
      const gte = Math.floor((yield* Clock.currentTimeMillis) / 1_000) - LONGEST_LIFE_SECONDS
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

    /** The second key is as much the quote's as the first: whoever else comes this way gets the same session. */
    const openOtherwise = Effect.fnUntraced(function* (request: SessionRequest) {
      const known = yield* find(request.quoteId)
      return known ?? (yield* create(sessionWithoutEnd(request), `${request.quoteId}-without-end`))
    })

    const openSession = (request: SessionRequest): Effect.Effect<Session, StripeFault> =>
      Effect.catchIf(create(sessionFor(request), request.quoteId), isDeadEnd, () => openOtherwise(request))

    /** What became of a session that Stripe would not expire. */
    const inquire = Effect.fnUntraced(function* (refusal: StripeFault, sessionId: string) {
      const session = yield* stripe.call(({ checkout }) => checkout.sessions.retrieve(sessionId))
      if (session.status === "open") return yield* refusal
      const payment = paymentOf(session)
      // A bank debit under way counts as expired too: if its money comes, it comes late, and is dealt with then.
      return payment === null ? EXPIRED : { closed: "paid" as const, payment }
    })

    const close = (sessionId: string): Effect.Effect<Closed, StripeFault> =>
      stripe
        .call(({ checkout }) => checkout.sessions.expire(sessionId))
        .pipe(
          Effect.as<Closed>(EXPIRED),
          Effect.catchTag("StripeFault", (fault) => {
            if (fault.status === 400) return inquire(fault, sessionId)
            // Not one of this Stripe account, as after a change of processors: nobody can pay it here.
            return fault.status === 404 ? Effect.succeed(EXPIRED) : Effect.fail(fault)
          })
        )

    /** Whoever orders or reads a balance closes all lapsed quotes first, and must not wait for an unreachable Stripe once for each. */
    const noteSilence = Effect.fnUntraced(function* ({ type }: StripeFault) {
      if (type === "Timeout" || type === "StripeConnectionError")
        silentUntilMs = (yield* Clock.currentTimeMillis) + RETRY_AFTER_SECONDS * 1_000
    })

    const closeSession = Effect.fnUntraced(function* (quoteId: string, stored: string | null) {
      const nowMs = yield* Clock.currentTimeMillis
      if (nowMs < silentUntilMs) return yield* new StripeFault({ type: "Silence", replayed: false })
      const sessionId = stored ?? (yield* find(quoteId))?.id
      return sessionId === undefined ? EXPIRED : yield* close(sessionId)
    }, Effect.tapError(noteSilence))

    const reported = <A>(deed: string, quoteId: string, effect: Effect.Effect<A, StripeFault>) =>
      Effect.catchTag(
        effect,
        "StripeFault",
        Effect.fnUntraced(function* (fault) {
          const { type, status, code, param, requestId } = fault
          const log = fault.needsHuman ? Effect.logError : Effect.logWarning
          yield* log("Stripe did not do what it was asked", { deed, quoteId, type, status, code, param, requestId })
          return yield* new ProcessorUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, quoteId })
        })
      )

    return PaymentProcessor.of({
      open: Effect.fn("Stripe.open")(function* (request) {
        const { id, url } = yield* reported("open", request.quoteId, openSession(request))
        // A session that was paid meanwhile has no page of its own any more.
        return { sessionId: id, paymentUrl: url ?? paidUrl(request.pageUrl) }
      }),
      expire: Effect.fn("Stripe.expire")(function* ({ quoteId, sessionId }) {
        return yield* reported("expire", quoteId, closeSession(quoteId, sessionId))
      }),
      pretend: null
    })
  })
