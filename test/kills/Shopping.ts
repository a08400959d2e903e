// One agent's life under fire, and the human behind it: orders of every kind, replayed until they are answered, paid, given up,
// left alone, cancelled. Keeps what it was answered; whether that was right is the verdict's.
import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { FulfilLinks } from "#core/usecases/FulfilLinks.ts"
import { type Call, type Client, type Failed, send } from "./Client.ts"
import type { Dice } from "./Dice.ts"
import { type Inside, insistently } from "./Inside.ts"
import type { Instances } from "./Instances.ts"
import { by, type Market, type Shopper, SITES } from "./Market.ts"

/** An order that was asked for, and what came back when something did. */
export interface Asked {
  readonly shopper: Shopper
  readonly call: Call
  readonly idempotencyKey: string
  readonly body: string
  readonly failed: ReadonlyArray<Failed>
  /** The answer had been made before: by a try that was cut off. */
  readonly replayed: boolean
}

export interface Diary {
  /** Answered with 201. */
  readonly answered: Array<Asked>
  /** Asked for by somebody who did not wait for the answer. */
  readonly left: Array<Call>
  /** How often each refusal was heard. */
  readonly refused: Map<string, number>
  cancelled: number
  paid: number
  abandoned: number
}

export const emptyDiary = (): Diary => ({
  answered: [],
  left: [],
  refused: new Map(),
  cancelled: 0,
  paid: 0,
  abandoned: 0
})

const Answer = Schema.fromJsonString(
  Schema.Struct({
    quote_id: Schema.String,
    status: Schema.Literals(["paid", "awaiting_payment"]),
    order_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
    payment_url: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)

export const decodeAnswer = Schema.decodeUnknownSync(Answer)

const Refused = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String }) }))

const decodeRefused = Schema.decodeUnknownSync(Refused)

const link = (siteId: number, more: Readonly<Record<string, unknown>> = {}) => ({
  site_id: siteId,
  target_url: "https://brand.example/page",
  anchor_text: "a fine page",
  anchor_type: "partial",
  ...more
})

const cart = ({ articles }: Market, dice: Dice): string => {
  const items: Array<unknown> = []
  const article = articles[dice.below(articles.length)]
  if (article !== undefined && dice.chance(0.25)) {
    items.push(link(article.siteId, { format: "insertion", article_id: article.articleId }))
  }
  for (let n = dice.below(3); n >= 0; n--) items.push(link(1 + dice.below(SITES)))
  const code = dice.chance(0.3) ? { promo_code: dice.pick(["TEN", "LAST", "ONCE"]) } : {}
  return JSON.stringify({ items, ...code })
}

export const orderCall = ({ key }: Shopper, idempotencyKey: string, body: string): Call => ({
  method: "POST",
  path: "/api/v1/agent/orders",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": idempotencyKey },
  body
})

/** The form's own address, at whichever instance. */
const atPage = (paymentUrl: string, deed: "pay" | "abandon"): Call => ({
  method: "POST",
  path: `${new URL(paymentUrl).pathname}/${deed}`,
  headers: { "content-type": "application/x-www-form-urlencoded" }
})

export interface Street {
  readonly market: Market
  readonly client: Client
  readonly instances: Instances
  readonly inside: Inside
}

const cancel = ({ inside }: Street, orderId: string): Promise<void> =>
  inside.run(
    Effect.gen(function* () {
      const links = yield* FulfilLinks
      // Cut off after it was written, it is refused when it is asked for again: cancelled is cancelled.
      yield* insistently(links.cancelOrder(orderId, "changed our mind", by)).pipe(
        Effect.catchTag("InvalidTransition", () => Effect.void)
      )
    })
  )

/** What a human does about a quote. One in five does nothing, and time gives it up. */
const settle = async ({ client }: Street, { key }: Shopper, quote: typeof Answer.Type, diary: Diary, dice: Dice) => {
  const { payment_url: url = null, quote_id: quoteId } = quote
  const fate = dice.roll()
  if (url !== null && fate < 0.5) {
    await client.insist(atPage(url, "pay"), dice)
    diary.paid++
  } else if (url !== null && fate < 0.65) {
    await client.insist(atPage(url, "abandon"), dice)
    diary.abandoned++
  } else if (fate < 0.8) {
    const headers = { authorization: `Bearer ${key}` }
    await client.insist({ method: "POST", path: `/api/v1/agent/quotes/${quoteId}/abandon`, headers }, dice)
    diary.abandoned++
  }
}

const order = async (street: Street, shopper: Shopper, diary: Diary, dice: Dice): Promise<void> => {
  const idempotencyKey = randomUUID()
  const call = orderCall(shopper, idempotencyKey, cart(street.market, dice))
  if (dice.chance(0.03)) {
    diary.left.push(call)
    const baseUrl = street.instances.somewhere(dice)
    const away = AbortSignal.timeout(dice.below(15))
    if (baseUrl !== undefined) await send(street.client.agent, baseUrl, call, away).catch(() => undefined)
    return
  }
  const { reply, failed } = await street.client.insist(call, dice)
  if (reply.status !== 201) {
    const { code } = decodeRefused(reply.body).error
    diary.refused.set(code, (diary.refused.get(code) ?? 0) + 1)
    return
  }
  diary.answered.push({ shopper, call, idempotencyKey, body: reply.body, failed, replayed: reply.replayed })
  const answer = decodeAnswer(reply.body)
  if (answer.status === "awaiting_payment") await settle(street, shopper, answer, diary, dice)
  else if (answer.order_id != null && dice.chance(0.1)) {
    await cancel(street, answer.order_id)
    diary.cancelled++
  }
}

/** Until it is told to stop, and whatever is underway then is brought to its answer. */
export const shop = async (street: Street, diary: Diary, dice: Dice, goesOn: () => boolean): Promise<void> => {
  while (goesOn()) await order(street, dice.pick(street.market.shoppers), diary, dice)
}

/**
 * Agents shop while something is done, and until it is done. An agent that throws ends it for all: the others, and the deed as far
 * as it asks whether it goes on. The deed may look into their diary as it is written.
 */
export const meanwhile = async <A>(
  street: Street,
  agents: number,
  dice: Dice,
  deed: (goesOn: () => boolean, soFar: Pick<Diary, "answered">) => Promise<A>
): Promise<{ readonly diary: Diary; readonly result: A }> => {
  const diary = emptyDiary()
  let over = false
  const goesOn = () => !over
  const finish = () => {
    over = true
  }
  const crowd = Array.from({ length: agents }, () => shop(street, diary, dice.others(), goesOn).finally(finish))
  const [result] = await Promise.all([deed(goesOn, diary).finally(finish), ...crowd])
  return { diary, result }
}
