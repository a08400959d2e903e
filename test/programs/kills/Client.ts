// An HTTP client that behaves as an agent should: it sends the same request again, to any running instance, until it has an answer.
import { Agent, request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { Instances } from "./Instances.ts"
import type { SeededRandom } from "./SeededRandom.ts"

export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly replayed: boolean
  readonly cookies: ReadonlyArray<string>
  readonly body: string
}

const RESPONSE_TIMEOUT_MS = 20_000

/** One try. Rejects without an answer; `signal` makes the caller disconnect. */
export const send = (agent: Agent, baseUrl: string, call: Call, signal?: AbortSignal): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { method, headers, path, body } = call
    const options = {
      method,
      headers,
      agent,
      timeout: RESPONSE_TIMEOUT_MS,
      ...(signal === undefined ? {} : { signal })
    }
    const sent = request(`${baseUrl}${path}`, options, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.once("error", reject)
      answer.once("end", () => {
        const replayed = answer.headers["idempotent-replayed"] === "true"
        const cookies = answer.headers["set-cookie"] ?? []
        resolve({ status: answer.statusCode ?? 0, replayed, cookies, body: Buffer.concat(chunks).toString() })
      })
    })
    sent.once("timeout", () => sent.destroy(new Error("no answer in time")))
    sent.once("error", reject)
    sent.end(body)
  })

/** A try without an answer, or with one that asks for another try. */
export interface FailedTry {
  readonly baseUrl: string
  readonly startedAtMs: number
  readonly endedAtMs: number
  /** An HTTP status, or the error's code. */
  readonly why: string
}

export interface AnsweredCall {
  readonly reply: Reply
  readonly failed: ReadonlyArray<FailedTry>
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error)

/** To be sent again: the service failed. */
const isTransient = ({ status }: Reply): boolean => status >= 500

const retryDelay = (random: SeededRandom): Promise<void> => sleep(10 + random.below(90))

export class Client {
  readonly agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  readonly failures: Array<FailedTry> = []
  readonly #instances: Instances

  constructor(instances: Instances) {
    this.#instances = instances
  }

  async callUntilAnswered(call: Call, random: SeededRandom): Promise<AnsweredCall> {
    const failed: Array<FailedTry> = []
    for (;;) {
      const baseUrl = this.#instances.anyBaseUrl(random)
      if (baseUrl !== undefined) {
        const startedAtMs = performance.now()
        const tried = await send(this.agent, baseUrl, call).catch(codeOf)
        if (typeof tried !== "string" && !isTransient(tried)) return { reply: tried, failed }
        const why = typeof tried === "string" ? tried : String(tried.status)
        const failure = { baseUrl, startedAtMs, endedAtMs: performance.now(), why }
        failed.push(failure)
        this.failures.push(failure)
      }
      await retryDelay(random)
    }
  }

  close(): void {
    this.agent.destroy()
  }
}
