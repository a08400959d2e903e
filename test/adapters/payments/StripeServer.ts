// Stripe's HTTP API over an account, as documented: bearer keys, form bodies, idempotency keys with saved responses and conflicts.
// Tests can make it slow, failing or hanging up, before or after it executed a request.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { type Form, isRefusal, type StripeAccount, type StripeRefusal } from "./StripeAccount.ts"

/**
 * The fault of a request. `refuses`, `limits`, `declines` and `hangs up first` execute nothing. `hangs up` and `never answers`
 * execute the request and lose the response; `waits` sends it once a concurrent request with the same key was refused. `breaks`
 * executes nothing and saves a 500 under the idempotency key, as Stripe does once an endpoint has begun; `breaks late` executes
 * the request first.
 */
export type Trouble =
  | "refuses"
  | "limits"
  | "declines"
  | "hangs up first"
  | "hangs up"
  | "never answers"
  | "waits"
  | "breaks"
  | "breaks late"

export interface Asked {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | undefined
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

interface Saved {
  readonly fingerprint: string
  /** `null` while the first request with the key is in progress. */
  answer: Answer | null
}

const refuse = (status: number, error: StripeRefusal["error"]): Answer => ({ status, body: { error } })

const BROKEN = refuse(500, { type: "api_error", message: "Something went wrong on Stripe's end." })
const UNAVAILABLE = refuse(503, { type: "api_error", message: "Stripe is not available." })
const LIMITED = refuse(429, { type: "invalid_request_error", code: "rate_limit", message: "Too many requests." })
const DECLINED = refuse(400, { type: "invalid_request_error", message: "Not now." })
const IN_PROGRESS = refuse(409, {
  type: "invalid_request_error",
  code: "idempotency_key_in_use",
  message: "There is currently another in-progress request using this Idempotent Key."
})
const MISUSED = refuse(400, {
  type: "idempotency_error",
  message: "Keys for idempotent requests can only be used with the same parameters they were first used with."
})

const formOf = (encoded: string): Form => new Map(new URLSearchParams(encoded))

const answerOf = (result: object): Answer =>
  isRefusal(result) ? refuse(result.status, result.error) : { status: 200, body: result }

export class StripeServer {
  /** The faults of the next requests in turn; later requests have none. */
  readonly troubles: Array<Trouble> = []
  /** Every request, faulty or not. */
  readonly asked: Array<Asked> = []
  /** Requests that were not answered, and whose clients still wait. */
  readonly unanswered = new Set<ServerResponse>()
  /** Whether a refusal of parameters is saved under the idempotency key; Stripe's reference says that it is not. */
  savesRefusals = false
  readonly #account: StripeAccount
  readonly #secretKey: string
  readonly #saved = new Map<string, Saved>()
  /** Continues the request that waits for a concurrent one. */
  #release: () => void = () => {}

  constructor(account: StripeAccount, secretKey: string) {
    this.#account = account
    this.#secretKey = secretKey
  }

  readonly listener: RequestListener = (request, response) => {
    void this.#serve(request, response)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "/", headers } = request
    const key = headers["idempotency-key"]
    const idempotencyKey = typeof key === "string" ? key : undefined
    const body = await text(request)
    this.asked.push({ method, path: url, idempotencyKey, body })
    if (headers.authorization !== `Bearer ${this.#secretKey}`) {
      const message = `Invalid API Key provided: ${headers.authorization}`
      return this.#send(response, refuse(401, { type: "invalid_request_error", message }), false)
    }
    const trouble = this.troubles.shift()
    if (trouble === "hangs up first") return void response.destroy()
    if (trouble === "refuses") return this.#send(response, UNAVAILABLE, false)
    if (trouble === "limits") return this.#send(response, LIMITED, false)
    if (trouble === "declines") return this.#send(response, DECLINED, false)
    const { answer, replayed } = await this.#answerOnce(request, body, idempotencyKey, trouble)
    if (trouble === "hangs up") return void response.destroy()
    if (trouble === "never answers") {
      this.unanswered.add(response)
      response.once("close", () => this.unanswered.delete(response))
    } else this.#send(response, answer, replayed)
    if (answer === IN_PROGRESS) this.#release()
  }

  /** The response saved for the key, or the request's own. */
  async #answerOnce(request: IncomingMessage, body: string, key: string | undefined, trouble: Trouble | undefined) {
    const { method = "", url = "/" } = request
    const fingerprint = `${method} ${url} ${body}`
    const known = key === undefined ? undefined : this.#saved.get(key)
    if (known !== undefined && known.fingerprint !== fingerprint) return { answer: MISUSED, replayed: false }
    if (known !== undefined) return { answer: known.answer ?? IN_PROGRESS, replayed: known.answer !== null }
    const saved: Saved = { fingerprint, answer: null }
    if (key !== undefined) this.#saved.set(key, saved)
    const done = trouble === "breaks" ? BROKEN : this.#do(method, new URL(url, "http://stripe"), formOf(body))
    if (trouble === "waits") await new Promise<void>((resolve) => (this.#release = resolve))
    const answer = trouble === "breaks late" ? BROKEN : done
    saved.answer = answer
    const isRefused = answer.status >= 400 && answer.status < 500
    if (key !== undefined && isRefused && !this.savesRefusals) this.#saved.delete(key)
    return { answer, replayed: false }
  }

  #do(method: string, { pathname, search }: URL, form: Form): Answer {
    const [, charge = ""] = /^\/v1\/charges\/(\w+)$/.exec(pathname) ?? []
    if (method === "GET" && charge !== "") return answerOf(this.#account.charge(charge))
    const [, id = "", action] = /^\/v1\/checkout\/sessions(?:\/(\w+))?(?:\/(\w+))?$/.exec(pathname) ?? []
    if (method === "POST" && id === "") return answerOf(this.#account.create(form))
    if (method === "POST" && action === "expire") return answerOf(this.#account.expire(id))
    if (method === "GET" && id !== "") {
      const isExpanded = [...formOf(search).values()].includes("payment_intent")
      return answerOf(isExpanded ? this.#account.expanded(id) : this.#account.retrieve(id))
    }
    if (method === "GET") return answerOf(this.#account.list(formOf(search)))
    return refuse(404, { type: "invalid_request_error", message: `Unrecognized request URL (${method}: ${pathname}).` })
  }

  #send(response: ServerResponse, { status, body }: Answer, replayed: boolean): void {
    const headers = { "content-type": "application/json", "request-id": `req_${this.asked.length}` }
    response.writeHead(status, { ...headers, ...(replayed ? { "idempotent-replayed": "true" } : {}) })
    response.end(JSON.stringify(body))
  }
}
