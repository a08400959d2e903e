// Calls Stripe through its own package, with time limits and a few retries under the same idempotency key. Errors leave out
// Stripe's messages, which may contain parts of keys.
import { Data, Duration, Effect, Redacted } from "effect"
import Stripe from "stripe"

export interface StripeOptions {
  readonly secretKey: Redacted.Redacted<string>
  /** An origin other than Stripe's, for tests. */
  readonly apiUrl?: string | undefined
  readonly timeouts?: Timeouts | undefined
}

/** For one attempt, and for all attempts of a call together. */
export interface Timeouts {
  readonly attempt: Duration.Duration
  /** An order waits for the payment link of the new session. */
  readonly creation: Duration.Duration
  /** Any other call: a request may be waiting, and succeeds without it. */
  readonly call: Duration.Duration
  /** All calls that page through a list. */
  readonly search: Duration.Duration
}

const TIMEOUTS: Timeouts = {
  attempt: Duration.seconds(5),
  creation: Duration.seconds(12),
  call: Duration.seconds(4),
  search: Duration.seconds(60)
}

/** After the first attempt. The package waits 0.5 to 1 s in between, and does not retry where Stripe advises against it. */
const RETRIES = 2

/** Safe to log; `requestId` finds the call in Stripe's own log. */
export class StripeFault extends Data.TaggedError("StripeFault")<{
  /** The package's name of the error, `Timeout` after the time limit, `Suspended` for calls not made soon after one. */
  readonly type: string
  readonly status?: number | undefined
  readonly code?: string | undefined
  /** The refused parameter. */
  readonly param?: string | undefined
  readonly requestId?: string | undefined
  /** Stripe replayed the saved response of an earlier call with this idempotency key, and will keep doing so. */
  readonly replayed: boolean
}> {
  /** Stripe refused the request for good: an operator must look into it. */
  get needsOperator(): boolean {
    return this.status !== undefined && this.status >= 400 && this.status < 500 && ![409, 429].includes(this.status)
  }
}

const faultOf = (error: unknown): StripeFault => {
  if (!(error instanceof Stripe.errors.StripeError)) return new StripeFault({ type: "UnknownError", replayed: false })
  const { type, statusCode: status, code, param, requestId, headers } = error
  return new StripeFault({
    type,
    status,
    code,
    param,
    requestId,
    replayed: headers?.["idempotent-replayed"] === "true"
  })
}

/** The origin as the package's three options. */
const address = (origin: string) => {
  const { protocol, hostname: host, port } = new URL(origin)
  const isPlain = protocol === "http:"
  return { protocol: isPlain ? "http" : "https", host, port: port === "" ? (isPlain ? 80 : 443) : port } as const
}

export const makeStripe = ({ secretKey, apiUrl, timeouts = TIMEOUTS }: StripeOptions) => {
  const stripe = new Stripe(Redacted.value(secretKey), {
    maxNetworkRetries: RETRIES,
    timeout: Duration.toMillis(timeouts.attempt),
    telemetry: false,
    ...(apiUrl === undefined ? {} : address(apiUrl))
  })

  const limited =
    (limit: Duration.Duration) =>
    <A>(effect: Effect.Effect<A, StripeFault>): Effect.Effect<A, StripeFault> =>
      Effect.timeoutOrElse(effect, {
        duration: limit,
        orElse: () => Effect.fail(new StripeFault({ type: "Timeout", replayed: false }))
      })

  const send = <A>(request: (stripe: Stripe) => Promise<A>) =>
    Effect.tryPromise({ try: () => request(stripe), catch: faultOf })

  return {
    create: <A>(request: (stripe: Stripe) => Promise<A>) => limited(timeouts.creation)(send(request)),
    call: <A>(request: (stripe: Stripe) => Promise<A>) => limited(timeouts.call)(send(request)),
    /** The time limit around several calls. */
    search: limited(timeouts.search)
  }
}

export type StripeClient = ReturnType<typeof makeStripe>
