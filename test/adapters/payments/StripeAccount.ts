// The state of a Stripe account, as Stripe's API reference documents it: Checkout Sessions from creation to payment or expiry, and
// their events.
import { randomBytes } from "node:crypto"

export interface StripeSession {
  readonly id: string
  readonly object: "checkout.session"
  readonly amount_total: number
  readonly cancel_url: string
  readonly client_reference_id: string | null
  readonly created: number
  readonly currency: string
  readonly expires_at: number
  readonly livemode: false
  readonly metadata: Readonly<Record<string, string>>
  readonly mode: "payment"
  readonly payment_intent: string | null
  readonly payment_status: "paid" | "unpaid"
  readonly status: "open" | "complete" | "expired"
  readonly success_url: string
  readonly url: string | null
}

export interface StripeEvent {
  readonly id: string
  readonly object: "event"
  readonly api_version: string
  readonly created: number
  readonly livemode: false
  readonly type: string
  readonly data: { readonly object: unknown }
}

/** A refusal of Stripe: the status, and the `error` of the body. */
export interface StripeRefusal {
  readonly status: number
  readonly error: { readonly type: string; readonly message: string; readonly code?: string; readonly param?: string }
}

interface Paying {
  readonly by?: "card" | "debit"
  readonly late?: boolean
  readonly cents?: number
}

/** A form body, with names such as `metadata[quote_id]`. */
export type Form = ReadonlyMap<string, string>

export const isRefusal = (answer: object): answer is StripeRefusal => "error" in answer

const invalid = (message: string, over: Partial<StripeRefusal["error"]> = {}, status = 400): StripeRefusal => ({
  status,
  error: { type: "invalid_request_error", message, ...over }
})

const MINUTES = 60
const HOURS = 3_600

const random = (prefix: string): string => `${prefix}${randomBytes(18).toString("hex")}`

/** The session that a form describes, without the fields that its creation adds. */
const read = (form: Form, nowSeconds: number) => {
  const wanted = [
    "mode",
    "success_url",
    "line_items[0][price_data][unit_amount]",
    "line_items[0][price_data][currency]"
  ]
  const missing = wanted.find((name) => !form.has(name))
  if (missing !== undefined) return invalid(`Missing required param: ${missing}.`, { param: missing })
  const cents = Number(form.get("line_items[0][price_data][unit_amount]")) * Number(form.get("line_items[0][quantity]"))
  if (!Number.isSafeInteger(cents) || cents < 50) {
    return invalid("The total amount must be at least €0.50", { code: "amount_too_small" })
  }
  const expiresAt = Number(form.get("expires_at") ?? nowSeconds + 24 * HOURS)
  if (expiresAt < nowSeconds + 30 * MINUTES || expiresAt > nowSeconds + 24 * HOURS) {
    return invalid("The `expires_at` timestamp must be 30 minutes to 24 hours from creation.", { param: "expires_at" })
  }
  const metadata = [...form].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(.+)\]$/.exec(name) ?? []
    return key === undefined ? [] : [[key, value] as const]
  })
  return {
    amount_total: cents,
    cancel_url: form.get("cancel_url") ?? "",
    client_reference_id: form.get("client_reference_id") ?? null,
    currency: form.get("line_items[0][price_data][currency]") ?? "",
    expires_at: expiresAt,
    metadata: Object.fromEntries(metadata),
    success_url: form.get("success_url") ?? ""
  }
}

export class StripeAccount {
  /** Sessions by id, oldest first. */
  readonly #sessions = new Map<string, StripeSession>()
  /** Sessions whose bank debit failed. */
  readonly #failed = new Set<string>()
  readonly #nowMs: () => number
  readonly #pageOf: (id: string) => string

  constructor(nowMs: () => number, pageOf: (id: string) => string) {
    this.#nowMs = nowMs
    this.#pageOf = pageOf
  }

  get #nowSeconds(): number {
    return Math.floor(this.#nowMs() / 1_000)
  }

  get sessions(): ReadonlyArray<StripeSession> {
    return [...this.#sessions.keys()].flatMap((id) => this.#find(id) ?? [])
  }

  sessionsOf(quoteId: string): ReadonlyArray<StripeSession> {
    return this.sessions.filter((session) => session.client_reference_id === quoteId)
  }

  create(form: Form): StripeSession | StripeRefusal {
    const fields = read(form, this.#nowSeconds)
    if (isRefusal(fields)) return fields
    const id = random("cs_test_")
    return this.#keep({
      id,
      object: "checkout.session",
      created: this.#nowSeconds,
      livemode: false,
      mode: "payment",
      payment_intent: null,
      payment_status: "unpaid",
      status: "open",
      url: this.#pageOf(id),
      ...fields
    })
  }

  retrieve(id: string): StripeSession | StripeRefusal {
    return this.#find(id) ?? invalid(`No such checkout.session: ${id}`, { code: "resource_missing" }, 404)
  }

  expire(id: string): StripeSession | StripeRefusal {
    const session = this.retrieve(id)
    if (isRefusal(session)) return session
    return session.status === "open"
      ? this.#keep({ ...session, status: "expired", url: null })
      : invalid(`Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`)
  }

  /** Newest first, one page. */
  list(query: Form): object {
    const after = query.get("starting_after")
    const since = Number(query.get("created[gte]") ?? 0)
    const asked = this.sessions.toReversed().filter(({ created }) => created >= since)
    const rest = after === undefined ? asked : asked.slice(asked.findIndex(({ id }) => id === after) + 1)
    const limit = Number(query.get("limit") ?? 10)
    return { object: "list", url: "/v1/checkout/sessions", has_more: rest.length > limit, data: rest.slice(0, limit) }
  }

  /**
   * A human pays an open session; with `late` also an expired one, which Stripe rules out, but the service must not rely on it. A
   * bank debit completes the session at once, and its money comes with `arrive`. `cents` is an amount other than the session's.
   */
  pay(id: string, { by = "card", late = false, cents }: Paying = {}) {
    const session = this.#find(id)
    if (session === undefined) throw new Error(`no session ${id}`)
    if (session.status === "expired" && !late) throw new Error(`session ${id} has expired`)
    if (session.status === "complete") return this.event("checkout.session.completed", session)
    const paid = by === "card" ? "paid" : "unpaid"
    const complete = { ...session, status: "complete", payment_status: paid, url: null } as const
    const amount_total = cents ?? session.amount_total
    return this.event(
      "checkout.session.completed",
      this.#keep({ ...complete, amount_total, payment_intent: random("pi_") })
    )
  }

  /** The money of a bank debit, days later. */
  arrive(id: string): StripeEvent {
    const session = this.#find(id)
    if (session?.status !== "complete") throw new Error(`nothing is under way for ${id}`)
    return this.event("checkout.session.async_payment_succeeded", this.#keep({ ...session, payment_status: "paid" }))
  }

  /** The bank gives no money for a debit: the session stays complete and unpaid, and its payment says so. */
  fail(id: string): StripeEvent {
    const session = this.#find(id)
    if (session?.status !== "complete" || session.payment_status === "paid") throw new Error(`no debit of ${id}`)
    this.#failed.add(id)
    return this.event("checkout.session.async_payment_failed", session)
  }

  /** A session with its payment in full, as with `expand[]=payment_intent`. */
  expanded(id: string): object {
    const session = this.retrieve(id)
    if (isRefusal(session) || session.payment_intent === null) return session
    const unpaid = this.#failed.has(id) ? "requires_payment_method" : "processing"
    const status = session.payment_status === "paid" ? "succeeded" : unpaid
    return { ...session, payment_intent: { id: session.payment_intent, object: "payment_intent", status } }
  }

  /** The charge of a paid session, with the metadata of its payment. */
  charge(id: string): object {
    const session = this.#sessions.get(id.replace(/^ch_/, ""))
    if (session === undefined) return invalid(`No such charge: ${id}`, { code: "resource_missing" }, 404)
    const { amount_total: amount, currency, metadata } = session
    return { id, object: "charge", amount, amount_refunded: 0, currency, metadata }
  }

  event(type: string, object: unknown): StripeEvent {
    const created = this.#nowSeconds
    return { id: random("evt_"), object: "event", api_version: "any", created, livemode: false, type, data: { object } }
  }

  #keep(session: StripeSession): StripeSession {
    this.#sessions.set(session.id, session)
    return session
  }

  /** The session as it is now; an open one expires by time. */
  #find(id: string): StripeSession | undefined {
    const session = this.#sessions.get(id)
    if (session?.status !== "open" || session.expires_at > this.#nowSeconds) return session
    return this.#keep({ ...session, status: "expired", url: null })
  }
}
