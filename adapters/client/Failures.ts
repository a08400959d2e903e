// How a call fails: the service refused it, or no answer of the service came.

/** What the service says of a refusal, in `error`. */
export interface Refusal {
  /** What to branch on. */
  readonly code: string
  readonly message: string
  readonly status: number
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** Who or what can fix it. */
  readonly recovery: "retry" | "correct" | "wait" | "human" | "none"
  readonly suggestion?: string
  readonly param?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly errors?: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

/** The service refused the call. */
export class ServiceError extends Error {
  override readonly name = "ServiceError"
  readonly code: string
  readonly refusal: Refusal
  /** To be quoted when asking for help. */
  readonly requestId: string
  /** The key that the call was sent with. */
  readonly idempotencyKey: string | undefined

  constructor(refusal: Refusal, requestId: string, idempotencyKey: string | undefined) {
    super(`${refusal.code}: ${refusal.message}${refusal.suggestion === undefined ? "" : ` ${refusal.suggestion}`}`)
    this.code = refusal.code
    this.refusal = refusal
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
  }
}

/** No answer of the service came: the connection failed, it took too long, a proxy answered, or the caller ended it. It may have taken effect. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError"
  /** The status of what answered in the service's place. */
  readonly status: number | undefined
  /** The key that the call was sent with: the same call with it takes effect once, and `findQuote` tells what became of an order. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, status: number | undefined, idempotencyKey: string | undefined, cause?: unknown) {
    const again = idempotencyKey === undefined ? "" : ` Send it again with the idempotency key ${idempotencyKey}.`
    super(`${message}${again}`, { cause })
    this.status = status
    this.idempotencyKey = idempotencyKey
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isRefusal = (error: unknown): error is Refusal =>
  isObject(error) && typeof error["code"] === "string" && typeof error["retryable"] === "boolean"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The service's refusal in a body; `undefined` for the body of another. */
export const refusalIn = (text: string): { readonly refusal: Refusal; readonly requestId: string } | undefined => {
  const body = parsed(text)
  if (!isObject(body) || !isRefusal(body["error"])) return undefined
  return { refusal: body["error"], requestId: String(body["request_id"] ?? "") }
}
