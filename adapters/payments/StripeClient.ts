// How Stripe is called: through its own package, for a bounded time, with a few retries under the same idempotency key. Says
// what went wrong without a word of Stripe's own, because its messages may hold pieces of keys. What is asked is not its business.
import { Data, Duration, Effect, Redacted } from "effect"
import Stripe from "stripe"

export interface StripeOptions {
  readonly secretKey: Redacted.Redacted<string>
  /** An origin other than Stripe's own, such as a stand-in's. */
  readonly apiUrl?: string | undefined
  readonly patience?: Patience | undefined
}

/** How long Stripe may take: for one attempt, and for all attempts of a call together. */
export interface Patience {
  readonly attempt: Duration.Duration
  /** Somebody waits for the link that only a new session has. */
  readonly creation: Duration.Duration
  /** Any other call: a reader of a quote may be waiting, and can do without. */
  readonly call: Duration.Duration
  /** For as many calls as it takes to go through a list. */
  readonly search: Duration.Duration
}

const PATIENCE: Patience = {
  attempt: Duration.seconds(5),
  creation: Duration.seconds(12),
  call: Duration.seconds(4),
  search: Duration.seconds(60)
}

/** After the first attempt. The package waits 0.5 to 1 s between them, and leaves out those that Stripe says are useless. */
const RETRIES = 2

/** What is safe to log and enough to find the call in Stripe's own log by `requestId`. */
export class StripeFault extends Data.TaggedError("StripeFault")<{
  /** The package's name of the error, `Timeout` where all the time was used up, `Silence` soon after that. */
  readonly type: string
  readonly status?: number | undefined
  readonly code?: string | undefined
  /** Which parameter was refused. */
  readonly param?: string | undefined
  readonly requestId?: string | undefined
  /** Stripe gave the saved answer of an earlier call with this idempotency key, and will go on doing so. */
  readonly replayed: boolean
}> {
  /** Stripe understood the request and will not have it, now or later: somebody has to look into it. */
  get needsHuman(): boolean {
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

/** An origin in the package's three parts. */
const address = (origin: string) => {
  const { protocol, hostname: host, port } = new URL(origin)
  const isPlain = protocol === "http:"
  return { protocol: isPlain ? "http" : "https", host, port: port === "" ? (isPlain ? 80 : 443) : port } as const
}

export const makeStripe = ({ secretKey, apiUrl, patience = PATIENCE }: StripeOptions) => {
  const stripe = new Stripe(Redacted.value(secretKey), {
    maxNetworkRetries: RETRIES,
    timeout: Duration.toMillis(patience.attempt),
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

  const send = <A>(ask: (stripe: Stripe) => Promise<A>) => Effect.tryPromise({ try: () => ask(stripe), catch: faultOf })

  return {
    create: <A>(ask: (stripe: Stripe) => Promise<A>) => limited(patience.creation)(send(ask)),
    call: <A>(ask: (stripe: Stripe) => Promise<A>) => limited(patience.call)(send(ask)),
    /** Around calls that belong together. */
    search: limited(patience.search)
  }
}
