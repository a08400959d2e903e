// The promotions that a batch loads: one view of a code without limits, and one for each account of a code with limits.
import { layer } from "@effect/vitest"
import { Effect, HashSet } from "effect"
import { expect } from "vitest"
import { loadedBooks } from "#adapters/postgres/orderbook/LoadedBooks.ts"
import { type ForPlacement, queryForPlacements } from "#adapters/postgres/orderbook/PlacementQuery.ts"
import { EVERY_ACCOUNT, promoId } from "#adapters/postgres/rows/CatalogueRows.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { emptyPlacementReads } from "#test/core/ports/ordering/VisibleBooks.ts"
import { buyer, definePromo, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { otherSession, sharedDatabase } from "../OtherSession.ts"

const load = Effect.fnUntraced(function* (placements: ReadonlyArray<ForPlacement>) {
  const session = yield* otherSession
  const { sql, params } = queryForPlacements(placements)
  const { rows } = yield* session.query(sql, params)
  return loadedBooks(rows[0])
})

layer(sharedDatabase, { excludeTestServices: true })("a batch loads", (it) => {
  it.effect("a code without limits once, and one with limits as each of its accounts sees it", () =>
    Effect.gen(function* () {
      const site = yield* listSite()
      const [plain, limited, once] = yield* Effect.all([
        definePromo(),
        definePromo({ maxRedemptions: 5 }),
        definePromo({ oncePerAccount: true })
      ])
      const [{ caller: one }, { caller: other }] = yield* Effect.all([buyer(100_000), buyer(100_000)])
      for (const { code } of [plain, limited, once]) yield* order(one, { items: linksOn(site), promoCode: code })
      const codes = [plain.code, limited.code, once.code, "UNKNOWN"]
      const { promos } = yield* load(
        codes.flatMap((code) => [one, other].map((caller) => ({ ...emptyPlacementReads(caller), promoCode: code })))
      )
      expect(new Set(promos.keys())).toEqual(
        new Set([
          promoId(plain.code, EVERY_ACCOUNT),
          ...[limited, once].flatMap(({ code }) => [one, other].map(({ accountId }) => promoId(code, accountId)))
        ])
      )
      const hasRedeemed = ({ accountId }: Caller) => {
        const view = promos.get(promoId(once.code, accountId))
        return view !== undefined && HashSet.has(view.redeemedBy, accountId)
      }
      expect([one, other].map(hasRedeemed)).toEqual([true, false])
    }).pipe(Effect.scoped)
  )
})
