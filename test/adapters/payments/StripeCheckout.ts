// Stripe's own payment pages. After a payment Stripe notifies the service's endpoint, waits for its response, and then redirects
// the human to the service.
import type { RequestListener, ServerResponse } from "node:http"
import { setTimeout as bank } from "node:timers/promises"
import Stripe from "stripe"
import type { StripeAccount, StripeEvent } from "./StripeAccount.ts"

export interface Notice {
  readonly body: string
  readonly signature: string
}

/** The notice of an event, as Stripe would send it at that time. */
export const signed = (event: StripeEvent, secret: string, atMs: number): Notice => {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(atMs / 1_000)
  return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) }
}

/** The delays of the payments' banks in turn, so that payments interleave with other calls in different ways. */
const BANKS_MS = [0, 12, 3, 25, 6]

export class StripeCheckout {
  /** The URL for notices; `null` until the service runs. */
  endpoint: string | null = null
  /** Sends the notices. */
  fetch: typeof globalThis.fetch = globalThis.fetch
  /** The endpoint's response status for each notice. */
  readonly answers: Array<number> = []

  readonly #account: StripeAccount
  readonly #sign: (event: StripeEvent) => Notice
  #payments = 0

  constructor(account: StripeAccount, sign: (event: StripeEvent) => Notice) {
    this.#account = account
    this.#sign = sign
  }

  /** Sends an event to the endpoint, and returns the response status. */
  async notify(event: StripeEvent): Promise<number> {
    if (this.endpoint === null) throw new Error("there is no endpoint")
    const { body, signature } = this.#sign(event)
    const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature }
    const { status } = await this.fetch(this.endpoint, { method: "POST", headers, body })
    this.answers.push(status)
    return status
  }

  readonly listener: RequestListener = ({ method, url = "" }, response) => {
    const [, id, action] = /^\/c\/pay\/(\w+)(?:\/(\w+))?$/.exec(url) ?? []
    if (id === undefined) return void response.writeHead(404).end()
    if (method === "POST" && action === "pay") return void this.#pay(id, response)
    if (method !== "GET" || action !== undefined) return void response.writeHead(404).end()
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(
        `<!doctype html><title>Checkout</title><form method="post" action="/c/pay/${id}/pay"><button>Pay</button></form>`
      )
  }

  /** Also takes the payment of an expired session, from a form left open. */
  async #pay(id: string, response: ServerResponse): Promise<void> {
    const session = this.#account.retrieve(id)
    if ("error" in session) return void response.writeHead(404).end()
    await bank(BANKS_MS[this.#payments++ % BANKS_MS.length])
    await this.notify(this.#account.pay(id, { late: true }))
    response.writeHead(303, { location: session.success_url }).end()
  }
}
