// What every store promises of the links that an account ordered before.
import { Effect } from "effect"
import { expect } from "vitest"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { Purchases } from "#core/ports/ordering/Purchases.ts"
import { buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { cancelLinkById } from "./OrderSteps.ts"

export const orderedBeforeSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Links ordered before of ${name}`, store, (it) => {
    it.effect(
      "finds the live links that an account ordered on some sites for some hosts since a time, without cancelled ones",
      () =>
        Effect.gen(function* () {
          const { orderedOn } = yield* Purchases
          const { caller } = yield* buyer(100_000)
          const { accountId } = caller
          const other = yield* buyer(100_000)
          const sandbox = { ...caller, ...(yield* issueKeyTo({ accountId, mode: "sandbox" })) }
          const [site, another] = [yield* listSite(), yield* listSite()]
          const targets = [
            "https://www.brand.example/a#b",
            "https://Brand.example/a",
            "https://brand.example.shop.example/"
          ]
          const items = [site, another].flatMap((one) =>
            linksOn(one, one, one).map((link, index) => ({ ...link, targetUrl: targets[index] ?? "" }))
          )
          const { links } = yield* order(caller, { items })
          const { siteId } = site
          yield* cancelLinkById(links[1]?.linkId ?? LinkId.make(""))
          yield* order(other.caller, { items })
          yield* order(sandbox, { items, sandboxCreditCents: 100_000 })
          const madeMs = links[0]?.history[0]?.atMs ?? 0
          const hosts = ["brand.example", "www.brand.example"]
          const found = (sinceMs: number, siteIds = [siteId, 999_999_999]) =>
            Effect.map(orderedOn({ accountId, siteIds, hosts, sinceMs }), (all) =>
              all.map(({ targetUrl }) => targetUrl)
            )
          const [first] = links
          expect(yield* orderedOn({ accountId, siteIds: [siteId], hosts, sinceMs: madeMs })).toEqual([
            {
              siteId,
              targetUrl: targets[0],
              anchorText: first?.anchorText,
              orderId: first?.orderId,
              orderedAtMs: madeMs
            }
          ])
          expect(yield* found(madeMs + 1)).toEqual([])
          expect(yield* found(0, [])).toEqual([])
          expect((yield* found(0, [siteId, another.siteId])).toSorted()).toEqual(
            [targets[1], targets[0], targets[0]].toSorted()
          )
          expect(yield* orderedOn({ accountId, siteIds: [siteId], hosts: [], sinceMs: 0 })).toEqual([])
        })
    )
  })
