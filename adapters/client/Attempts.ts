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
  /** The media type that the answer has. */
  readonly answers: string
}

type Outcome =
  | { readonly body: unknown }
  | { readonly error: Error; readonly again: boolean; readonly afterSeconds: number | undefined }

export const JSON_TYPE = "application/json"

const FIRST_PAUSE_SECONDS = 0.5

/** Doubles from attempt to attempt, and varies so that clients that failed together do not return together. */
const backoffSeconds = (attempt: number): number => FIRST_PAUSE_SECONDS * 2 ** (attempt - 1) * (1 + Math.random())

/** Seconds, or the date at which they end; `undefined` where neither is said. */
const retryAfterSeconds = (headers: Headers): number | undefined => {
  const text = headers.get("retry-after")?.trim() ?? ""
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Resolves after so many seconds, or as soon as the caller ends the call. */
const pause = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, seconds * 1_000)
    if (signal?.aborted === true) end()
    else signal?.addEventListener("abort", end, { once: true })
  })

const mediaTypeOf = ({ headers }: Response): string => {
  const [type = ""] = (headers.get("content-type") ?? "").split(";")
  return type.trim().toLowerCase()
}

const bodyOf = (response: Response, type: string): Promise<unknown> => {
  if (type === JSON_TYPE) return response.json()
  return type.startsWith("text/") ? response.text() : response.arrayBuffer()
}

/** Statuses with which a proxy says that the request did not come through. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

const outcomeOf = async (response: Response, { idempotencyKey, answers }: Sent): Promise<Outcome> => {
  if (response.ok && mediaTypeOf(response) === answers) return { body: await bodyOf(response, answers) }
  const afterSeconds = retryAfterSeconds(response.headers)
  const said = refusalIn(await response.text())
  if (said !== undefined) {
    const error = new ServiceError(said.refusal, said.requestId, idempotencyKey)
    return { error, again: said.refusal.retryable, afterSeconds }
  }
  const { status } = response
  const error = new NoAnswerError(`Something other than the service answered ${status}.`, status, idempotencyKey)
  // A success of another type is the page of a proxy, such as a network's sign-in.
  return { error, again: response.ok || isPassing(status), afterSeconds }
}

/** The caller ended a call that was sent, which may have taken effect. */
const endedCall = ({ idempotencyKey, signal }: Sent): NoAnswerError =>
  new NoAnswerError("The caller ended the call before its answer came.", undefined, idempotencyKey, signal?.reason)

/** One attempt. What ends it is a lost answer, unless the caller ended the call. */
const attemptOf = async (sent: Sent, options: AttemptOptions): Promise<Outcome> => {
  const { url, init, idempotencyKey, signal } = sent
  const { fetch = globalThis.fetch, timeoutSeconds = 30 } = options
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000)
  try {
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    return await outcomeOf(await fetch(url, { ...init, signal: ended }), sent)
  } catch (cause) {
    if (signal?.aborted === true) throw endedCall(sent)
    const error = new NoAnswerError("No answer of the service came.", undefined, idempotencyKey, cause)
    return { error, again: true, afterSeconds: undefined }
  }
}

/** The body of the answer. Fails with the last attempt's error; a call that was ended before it was sent, with the reason of its signal. */
export const answerTo = async (sent: Sent, options: AttemptOptions): Promise<unknown> => {
  const { maxAttempts = 4, maxWaitSeconds = 60 } = options
  sent.signal?.throwIfAborted()
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOf(sent, options)
    if ("body" in outcome) return outcome.body
    const { error, again, afterSeconds = backoffSeconds(attempt) } = outcome
    if (!again || attempt >= maxAttempts || afterSeconds > maxWaitSeconds) throw error
    await pause(afterSeconds, sent.signal)
    if (sent.signal?.aborted === true) throw endedCall(sent)
  }
}
