// Agents under load, each with the human behind it: orders of every kind, sent until they are answered, then paid, abandoned, left
// open or cancelled. Records the answers for the final checks.
import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { type Call, type Client, type FailedTry, send } from "./Client.ts"
import { type DirectAccess, retryWhileUnavailable } from "./DirectAccess.ts"
import type { Instances } from "./Instances.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import { by, type Customer, SITES, type TestData } from "./TestData.ts"

/** An order and its answer. */
export interface AnsweredOrder {
  readonly customer: Customer
  readonly call: Call
  readonly idempotencyKey: string
  readonly body: string
  readonly failed: ReadonlyArray<FailedTry>
  /** The answer is a replay: an earlier try had placed the order but was cut off. */
  readonly replayed: boolean
}

export interface LoadRecord {
  /** Answered with 201. */
  readonly answered: Array<AnsweredOrder>
  /** Sent by clients that disconnected before the answer. */
  readonly disconnected: Array<Call>
  /** Refusals by code. */
  readonly refused: Map<string, number>
  cancelled: number
  paid: number
  abandoned: number
}

export const emptyRecord = (): LoadRecord => ({
  answered: [],
  disconnected: [],
  refused: new Map(),
  cancelled: 0,
  paid: 0,
  abandoned: 0
})

const OrderResponse = Schema.fromJsonString(
  Schema.Struct({
    quote_id: Schema.String,
    status: Schema.Literals(["paid", "awaiting_payment"]),
    order_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
    payment_url: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)

export const decodeOrderResponse = Schema.decodeUnknownSync(OrderResponse)

const Refused = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String }) }))

const decodeRefused = Schema.decodeUnknownSync(Refused)

const link = (siteId: number, more: Readonly<Record<string, unknown>> = {}) => ({
  site_id: siteId,
  target_url: "https://brand.example/page",
  anchor_text: "a fine page",
  anchor_type: "partial",
  ...more
})

const cart = ({ articles, codes }: TestData, random: SeededRandom): string => {
  const items: Array<unknown> = []
  const article = articles[random.below(articles.length)]
  if (article !== undefined && random.chance(0.25)) {
    items.push(link(article.siteId, { format: "insertion", article_id: article.articleId }))
  }
  for (let n = random.below(3); n >= 0; n--) items.push(link(1 + random.below(SITES)))
  const code = random.chance(0.3) ? { promo_code: random.pick(codes) } : {}
  return JSON.stringify({ items, ...code })
}

export const orderCall = ({ key }: Customer, idempotencyKey: string, body: string): Call => ({
  method: "POST",
  path: "/api/v1/agent/orders",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": idempotencyKey },
  body
})

/** The payment page's form, at any instance. */
const pageAction = (paymentUrl: string, action: "pay" | "abandon"): Call => ({
  method: "POST",
  path: `${new URL(paymentUrl).pathname}/${action}`,
  headers: { "content-type": "application/x-www-form-urlencoded" }
})

export interface LoadContext {
  readonly testData: TestData
  readonly client: Client
  readonly instances: Instances
  readonly direct: DirectAccess
}

const cancel = ({ direct }: LoadContext, orderId: OrderId): Promise<void> =>
  direct.run(
    Effect.gen(function* () {
      const links = yield* FulfilLinks
      // A retry is refused if the first try was written before it was cut off.
      yield* retryWhileUnavailable(links.cancelOrder(orderId, "changed our mind", by)).pipe(
        Effect.catchTag("InvalidTransition", () => Effect.void)
      )
    })
  )

/** Pays or abandons a quote. One in five is left to expire. */
const payOrAbandon = async (
  { client }: LoadContext,
  { key }: Customer,
  quote: typeof OrderResponse.Type,
  record: LoadRecord,
  random: SeededRandom
) => {
  const { payment_url: url = null, quote_id: quoteId } = quote
  const choice = random.next()
  if (url !== null && choice < 0.5) {
    await client.callUntilAnswered(pageAction(url, "pay"), random)
    record.paid++
  } else if (url !== null && choice < 0.65) {
    await client.callUntilAnswered(pageAction(url, "abandon"), random)
    record.abandoned++
  } else if (choice < 0.8) {
    const headers = { authorization: `Bearer ${key}` }
    await client.callUntilAnswered({ method: "POST", path: `/api/v1/agent/quotes/${quoteId}/abandon`, headers }, random)
    record.abandoned++
  }
}

const placeOrder = async (
  context: LoadContext,
  customer: Customer,
  record: LoadRecord,
  random: SeededRandom
): Promise<void> => {
  const idempotencyKey = randomUUID()
  const call = orderCall(customer, idempotencyKey, cart(context.testData, random))
  if (random.chance(0.03)) {
    record.disconnected.push(call)
    const baseUrl = context.instances.anyBaseUrl(random)
    const away = AbortSignal.timeout(random.below(15))
    if (baseUrl !== undefined) await send(context.client.agent, baseUrl, call, away).catch(() => undefined)
    return
  }
  const { reply, failed } = await context.client.callUntilAnswered(call, random)
  if (reply.status !== 201) {
    const { code } = decodeRefused(reply.body).error
    record.refused.set(code, (record.refused.get(code) ?? 0) + 1)
    return
  }
  record.answered.push({ customer, call, idempotencyKey, body: reply.body, failed, replayed: reply.replayed })
  const answer = decodeOrderResponse(reply.body)
  if (answer.status === "awaiting_payment") await payOrAbandon(context, customer, answer, record, random)
  else if (answer.order_id != null && random.chance(0.1)) {
    await cancel(context, OrderId.make(answer.order_id))
    record.cancelled++
  }
}

/** Places orders until `isRunning` is false, and completes the one in progress. */
const runAgent = async (
  context: LoadContext,
  record: LoadRecord,
  random: SeededRandom,
  isRunning: () => boolean
): Promise<void> => {
  while (isRunning()) await placeOrder(context, random.pick(context.testData.customers), record, random)
}

/**
 * Runs `action` while agents place orders. An agent that throws stops the others, and the action if it checks `isRunning`. The action
 * may read the record as it is written.
 */
export const underLoad = async <A>(
  context: LoadContext,
  agents: number,
  random: SeededRandom,
  action: (isRunning: () => boolean, soFar: Pick<LoadRecord, "answered">) => Promise<A>
): Promise<{ readonly record: LoadRecord; readonly result: A }> => {
  const record = emptyRecord()
  let over = false
  const isRunning = () => !over
  const finish = () => {
    over = true
  }
  const running = Array.from({ length: agents }, () =>
    runAgent(context, record, random.fork(), isRunning).finally(finish)
  )
  const [result] = await Promise.all([action(isRunning, record).finally(finish), ...running])
  return { record, result }
}
