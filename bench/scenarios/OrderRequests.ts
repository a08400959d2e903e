// Order requests for a number of links on each shelf, on random sites of the demo catalogue, with invented targets and anchors.
import { Effect, Random } from "effect"
import type { OrderItem, OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { SHELVES, type Shelf } from "#core/domain/pricing/Shelf.ts"
import type { LinksPerShelf } from "./Scenario.ts"

/** The demo catalogue has this many sites on each shelf; consecutive site ids take turns between the shelves. */
const SITES_PER_SHELF = 30

const ANCHORS = [
  "spring garden tools",
  "a slow travel guide",
  "kitchen herb kits",
  "quiet keyboards",
  "trail shoes"
] as const

const itemOn = Effect.fnUntraced(function* (shelf: Shelf) {
  const row = yield* Random.nextIntBetween(0, SITES_PER_SHELF - 1)
  const anchor_text = ANCHORS[yield* Random.nextIntBetween(0, ANCHORS.length - 1)] ?? ANCHORS[0]
  const item: OrderItem = {
    site_id: row * SHELVES.length + SHELVES.findIndex((one) => one.shelf === shelf) + 1,
    target_url: `https://willow-and-spade.example/${anchor_text.replaceAll(" ", "-")}`,
    anchor_text,
    anchor_type: "partial",
    format: "new_article",
    tier2_links: 0
  }
  return item
})

export const requestFor = Effect.fnUntraced(function* (links: LinksPerShelf, promo?: string) {
  const shelves = SHELVES.flatMap(({ shelf }) => Array.from({ length: links[shelf] ?? 0 }, () => shelf))
  const items = yield* Effect.forEach(shelves, itemOn)
  const request: OrderRequest = { items, dry_run: false, ...(promo === undefined ? {} : { promo_code: promo }) }
  return request
})

/** One to three links, each on a shelf drawn from `shelves`. */
export const randomLinks = Effect.fnUntraced(function* (shelves: ReadonlyArray<Shelf>) {
  const links: Partial<Record<Shelf, number>> = {}
  const count = yield* Random.nextIntBetween(1, 3)
  for (let number = 0; number < count; number++) {
    const shelf = shelves[yield* Random.nextIntBetween(0, shelves.length - 1)] ?? "Plancton"
    links[shelf] = (links[shelf] ?? 0) + 1
  }
  return links
})
