// The attempts of one call: it is sent again while the service says that it may be, and waits as long as the service says.
import { NoAnswerError, refusalIn, ServiceError } from "./Failures.ts"

export interface AttemptOptions {
  /** Attempts of one call, the first one included: 4 unless set. */
  readonly maxAttempts?: number
  /** A call that would have to wait longer before its next attempt fails instead: 60 unless set. */
  readonly maxWaitSeconds?: number
  /** Ends an attempt that takes longer, which counts as a lost answer: 30 unless set. */
  readonly timeoutSeconds?: number
  /** Sends each request: the global `fetch` unless set. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** A request, the same at each attempt. */
export interface Sent {
  readonly url: string
  readonly init: RequestInit
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal | undefined
}

type Outcome =
  | { readonly body: unknown }
  | { readonly error: Error; readonly again: boolean; readonly afterSeconds: number | undefined }

const FIRST_PAUSE_SECONDS = 0.5

/** Doubles from attempt to attempt, and varies so that clients that failed together do not return together. */
const backoffSeconds = (attempt: number): number => FIRST_PAUSE_SECONDS * 2 ** (attempt - 1) * (1 + Math.random())

/** Seconds, or the date at which they end; `undefined` where neither is said. */
const retryAfterSeconds = (headers: Headers): number | undefined => {
  const text = headers.get("retry-after")?.trim() ?? ""
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Resolves after so many seconds; rejects as soon as the caller ends the call. */
const pause = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end)
      resolve()
    }, seconds * 1_000)
    if (signal?.aborted === true) end()
    else signal?.addEventListener("abort", end, { once: true })
  })

const bodyOf = (response: Response): Promise<unknown> => {
  const type = response.headers.get("content-type") ?? ""
  if (type.includes("json")) return response.json()
  return type.startsWith("text/") ? response.text() : response.arrayBuffer()
}

/** Statuses with which a proxy says that the request did not come through. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

const outcomeOf = async (response: Response, idempotencyKey: string | undefined): Promise<Outcome> => {
  if (response.ok) return { body: await bodyOf(response) }
  const afterSeconds = retryAfterSeconds(response.headers)
  const said = refusalIn(await response.text())
  if (said !== undefined) {
    const error = new ServiceError(said.refusal, said.requestId, idempotencyKey)
    return { error, again: said.refusal.retryable, afterSeconds }
  }
  const { status } = response
  const error = new NoAnswerError(`Something other than the service answered ${status}.`, status, idempotencyKey)
  return { error, again: isPassing(status), afterSeconds }
}

/** One attempt. What ends it is a lost answer, unless the caller ended the call. */
const attemptOf = async ({ url, init, idempotencyKey, signal }: Sent, options: AttemptOptions): Promise<Outcome> => {
  const { fetch = globalThis.fetch, timeoutSeconds = 30 } = options
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000)
  try {
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    return await outcomeOf(await fetch(url, { ...init, signal: ended }), idempotencyKey)
  } catch (cause) {
    if (signal?.aborted === true) throw cause
    const error = new NoAnswerError("No answer of the service came.", undefined, idempotencyKey, cause)
    return { error, again: true, afterSeconds: undefined }
  }
}

/** The body of the answer. Fails with the last attempt's error. */
export const answerTo = async (sent: Sent, options: AttemptOptions): Promise<unknown> => {
  const { maxAttempts = 4, maxWaitSeconds = 60 } = options
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOf(sent, options)
    if ("body" in outcome) return outcome.body
    const { error, again, afterSeconds = backoffSeconds(attempt) } = outcome
    if (!again || attempt >= maxAttempts || afterSeconds > maxWaitSeconds) throw error
    await pause(afterSeconds, sent.signal)
  }
}
