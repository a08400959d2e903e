// The calls that open, look at and close a Checkout Session of Stripe.
import { Clock, Effect } from "effect"
import type Stripe from "stripe"
import { type PayableId, PaymentSessionId } from "#core/domain/shared/Ids.ts"
import type { SessionOutcome, SessionRequest, SessionState } from "#core/ports/ordering/PaymentProcessor.ts"
import type { StripeClient, StripeFault } from "./StripeClient.ts"
import { idempotencyKey, sessionFor, sessionWithoutEnd, stateOf } from "./StripeSessions.ts"

type Session = Stripe.Checkout.Session

/** A session lasts 24 hours at most; one hour more for clock differences. An older session cannot be paid any more. */
const MAX_SESSION_AGE_SECONDS = 25 * 3_600

const PAGE = 100

const EXPIRED = { outcome: "expired" } as const

/**
 * Whether this idempotency key can never create a session: the session's end is nearer than 30 minutes or further than 24
 * hours, Stripe saved a server error as the key's response, or the key was used with other parameters, as before a change of
 * PUBLIC_URL.
 */
const isUnusableKey = ({ status = 0, type, param, replayed }: StripeFault): boolean =>
  (status === 400 && (param === "expires_at" || type === "StripeIdempotencyError")) || (status >= 500 && replayed)

const create = (stripe: StripeClient, params: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
  stripe.create(({ checkout }) => checkout.sessions.create(params, { idempotencyKey }))

/** Stripe has no look-up by client reference; needed only for a session whose id was never stored. */
const findByQuote = (stripe: StripeClient, quoteId: PayableId): Effect.Effect<Session | undefined, StripeFault> =>
  Effect.gen(function* () {
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
  }).pipe(stripe.search)

/** The second key derives from the quote as the first does, so that concurrent calls get the same session. */
const openWithoutEnd = Effect.fnUntraced(function* (stripe: StripeClient, request: SessionRequest) {
  const existing = request.endedSessionId === null ? yield* findByQuote(stripe, request.quoteId) : undefined
  return existing ?? (yield* create(stripe, sessionWithoutEnd(request), `${idempotencyKey(request)}-without-end`))
})

export const openSession = (stripe: StripeClient, request: SessionRequest): Effect.Effect<Session, StripeFault> =>
  Effect.catchIf(create(stripe, sessionFor(request), idempotencyKey(request)), isUnusableKey, () =>
    openWithoutEnd(stripe, request)
  )

/** Includes the payment where only that tells a bank debit that failed from one under way, if the key may read payments. */
const retrieve = Effect.fnUntraced(function* (stripe: StripeClient, sessionId: PaymentSessionId) {
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

/** A session that this Stripe account does not have, as after a change of processors, tells nothing. */
export const lookAtSession = <Id extends PayableId>(
  stripe: StripeClient,
  sessionId: PaymentSessionId
): Effect.Effect<SessionState<Id>, StripeFault> =>
  retrieve(stripe, sessionId).pipe(
    Effect.map((session) => stateOf<Id>(session)),
    Effect.catchIf(
      ({ status }) => status === 404,
      () => Effect.succeed({ outcome: "open" as const })
    )
  )

/** The outcome of a session that Stripe refused to expire. */
const outcomeAfterRefusal = Effect.fnUntraced(function* <Id extends PayableId>(
  stripe: StripeClient,
  refusal: StripeFault,
  sessionId: PaymentSessionId
) {
  const state = stateOf<Id>(yield* retrieve(stripe, sessionId))
  return state.outcome === "open" ? yield* refusal : state
})

const close = <Id extends PayableId>(
  stripe: StripeClient,
  sessionId: PaymentSessionId
): Effect.Effect<SessionOutcome<Id>, StripeFault> =>
  stripe
    .call(({ checkout }) => checkout.sessions.expire(sessionId))
    .pipe(
      Effect.as<SessionOutcome<Id>>(EXPIRED),
      Effect.catchTag("StripeFault", (fault) => {
        if (fault.status === 400) return outcomeAfterRefusal<Id>(stripe, fault, sessionId)
        // Not a session of this Stripe account, as after a change of processors: it cannot be paid here.
        return fault.status === 404 ? Effect.succeed(EXPIRED) : Effect.fail(fault)
      })
    )

/** `storedId` is `null` if the session's id was never stored. */
export const closeSession = Effect.fnUntraced(function* <Id extends PayableId>(
  stripe: StripeClient,
  quoteId: Id,
  storedId: PaymentSessionId | null
) {
  const sessionId = storedId ?? (yield* findByQuote(stripe, quoteId))?.id
  return sessionId === undefined ? EXPIRED : yield* close<Id>(stripe, PaymentSessionId.make(sessionId))
})
