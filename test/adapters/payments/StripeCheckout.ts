// Stripe's own pages: where a human pays a session. Once the bank has answered, Stripe tells the service's endpoint, waits for
// it, and then sends the human back to the service.
import type { RequestListener, ServerResponse } from "node:http"
import { setTimeout as bank } from "node:timers/promises"
import Stripe from "stripe"
import type { StripeAccount, StripeEvent } from "./StripeAccount.ts"

export interface Notice {
  readonly body: string
  readonly signature: string
}

/** As Stripe would send it at that time. */
export const signed = (event: StripeEvent, secret: string, atMs: number): Notice => {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(atMs / 1_000)
  return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) }
}

/** Banks differ, so that payments meet whatever else happens in every order. The same in every run. */
const BANKS_MS = [0, 12, 3, 25, 6]

export class StripeCheckout {
  /** Where notices go, once there is somebody to take them. */
  endpoint: string | null = null
  /** How they get there. */
  fetch: typeof globalThis.fetch = globalThis.fetch
  /** How the endpoint answered, notice by notice. */
  readonly answers: Array<number> = []

  readonly #account: StripeAccount
  readonly #sign: (event: StripeEvent) => Notice
  #payments = 0

  constructor(account: StripeAccount, sign: (event: StripeEvent) => Notice) {
    this.#account = account
    this.#sign = sign
  }

  /** Tells the endpoint of an event; answers the status it was told. */
  async tell(event: StripeEvent): Promise<number> {
    if (this.endpoint === null) throw new Error("there is no endpoint")
    const { body, signature } = this.#sign(event)
    const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature }
    const { status } = await this.fetch(this.endpoint, { method: "POST", headers, body })
    this.answers.push(status)
    return status
  }

  readonly listener: RequestListener = ({ method, url = "" }, response) => {
    const [, id, deed] = /^\/c\/pay\/(\w+)(?:\/(\w+))?$/.exec(url) ?? []
    const isPayment = method === "POST" && id !== undefined && deed === "pay"
    void (isPayment ? this.#pay(id, response) : response.writeHead(404).end())
  }

  /** A form that was left open is paid too: the service must not lose what Stripe says cannot come. */
  async #pay(id: string, response: ServerResponse): Promise<void> {
    const session = this.#account.retrieve(id)
    if ("error" in session) return void response.writeHead(404).end()
    await bank(BANKS_MS[this.#payments++ % BANKS_MS.length])
    await this.tell(this.#account.pay(id, { late: true }))
    response.writeHead(303, { location: session.success_url }).end()
  }
}
