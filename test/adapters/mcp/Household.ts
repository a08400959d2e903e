// An account in which an assistant buys links for a bakery, and what its chats share.
import { Effect, type Layer } from "effect"
import { expect } from "vitest"
import { buyer, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import type { layer } from "#test/scenarios/RunningService.ts"
import type { Chat } from "./Chats.ts"

/** What a request may need of the running service. */
type Needs = ReturnType<typeof layer> extends Layer.Layer<infer Provided, infer _> ? Provided : never

const NICHE = "Bakery"

/** An account with credit in which an agent works with `key`, and three sites that fit a bakery. */
export const household = Effect.gen(function* () {
  const who = yield* buyer({ creditCents: 20_000 })
  const niche = `${NICHE} ${who.keyId}`
  const sites = yield* Effect.all([1, 2, 3].map(() => listSite({ nicheLabel: niche, language: "fr", tf: 30 })))
  yield* listSite({ nicheLabel: niche, language: "fr", tf: 10 })
  return { ...who, niche, sites }
})
export type Household = Effect.Success<typeof household>

const TARGET = "https://bakery.example/bread"

export const itemFor = ({ siteId }: { readonly siteId: number }) =>
  item(siteId, { target_url: TARGET, anchor_text: "fresh bread" })

/** Buys a link on each of the first sites, in a chat that is not the one of the request. */
export const bought = Effect.fnUntraced(function* ({ api, sites }: Household, count = 1, idempotencyKey = freshKey()) {
  const payload = { items: sites.slice(0, count).map(itemFor), dry_run: false }
  const placed = yield* api.orders.createOrder({ payload, headers: { "idempotency-key": idempotencyKey } })
  const order = yield* api.orders.getOrder({ params: { id: placed.order_id ?? ("" as never) } }) // paid from credit
  return { ...order, idempotencyKey }
})

export interface Request {
  readonly number: number
  readonly says: string
  /** `newChat`: a chat of another key. */
  readonly play: (chat: Chat, who: Household, newChat: (key: string) => Chat) => Effect.Effect<void, unknown, Needs>
}

/** Shows the price, asks, and buys what was agreed to. */
export const buys = Effect.fnUntraced(function* ({ ask }: Chat, items: ReadonlyArray<unknown>, more: object = {}) {
  const price = yield* ask("create_order", { items, dry_run: true, ...more })
  expect(price).toMatchObject({ status: "dry_run", summary: expect.any(String) })
  const agreed = { items, ...more, max_total_eur: price["total_eur"], idempotency_key: freshKey() }
  return { price, placed: yield* ask("create_order", agreed) }
})
