// An HTTP client as an agent should be: whatever fails is sent again, the very same, to whoever is there, until an answer comes.
import { Agent, request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { Dice } from "./Dice.ts"
import type { Instances } from "./Instances.ts"

export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly replayed: boolean
  readonly body: string
}

const NO_ANSWER_WITHIN_MS = 20_000

/** One try. Without an answer the promise fails; `signal` is a caller who goes away. */
export const send = (agent: Agent, baseUrl: string, call: Call, signal?: AbortSignal): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { method, headers, path, body } = call
    const options = {
      method,
      headers,
      agent,
      timeout: NO_ANSWER_WITHIN_MS,
      ...(signal === undefined ? {} : { signal })
    }
    const sent = request(`${baseUrl}${path}`, options, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.once("error", reject)
      answer.once("end", () => {
        const replayed = answer.headers["idempotent-replayed"] === "true"
        resolve({ status: answer.statusCode ?? 0, replayed, body: Buffer.concat(chunks).toString() })
      })
    })
    sent.once("timeout", () => sent.destroy(new Error("no answer in time")))
    sent.once("error", reject)
    sent.end(body)
  })

/** A try that came to no answer that could be kept. */
export interface Failed {
  readonly baseUrl: string
  readonly startedAtMs: number
  readonly endedAtMs: number
  /** An HTTP status, or the error's code. */
  readonly why: string
}

export interface Insisted {
  readonly reply: Reply
  readonly failed: ReadonlyArray<Failed>
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error)

/** To be sent again: the service says that it could not, or that a twin is at work. */
const isPassing = ({ status, body }: Reply): boolean =>
  status >= 500 || (status === 409 && body.includes("idempotency_key_in_progress"))

const breath = (dice: Dice): Promise<void> => sleep(10 + dice.below(90))

export class Client {
  readonly agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  readonly failures: Array<Failed> = []
  readonly #instances: Instances

  constructor(instances: Instances) {
    this.#instances = instances
  }

  async insist(call: Call, dice: Dice): Promise<Insisted> {
    const failed: Array<Failed> = []
    for (;;) {
      const baseUrl = this.#instances.somewhere(dice)
      if (baseUrl !== undefined) {
        const startedAtMs = performance.now()
        const tried = await send(this.agent, baseUrl, call).catch(codeOf)
        if (typeof tried !== "string" && !isPassing(tried)) return { reply: tried, failed }
        const why = typeof tried === "string" ? tried : String(tried.status)
        const failure = { baseUrl, startedAtMs, endedAtMs: performance.now(), why }
        failed.push(failure)
        this.failures.push(failure)
      }
      await breath(dice)
    }
  }

  close(): void {
    this.agent.destroy()
  }
}
