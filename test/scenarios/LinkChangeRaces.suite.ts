// A link is changed by its agent while the operator works on it and while it is cancelled: whole or not at all, and the operator never writes
// by a text that was changed unseen.
import { Effect } from "effect"
import { expect } from "vitest"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { known } from "../core/BookReads.ts"
import { by } from "./Buyers.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { change, customer, ordered } from "./LinkChangeSteps.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const ROUNDS = 12

export const linkChangeRacesSuite = scenarios("races for a link", {}, (it) => {
  it.effect(
    `${ROUNDS} links are changed by their agent on every instance while the operator assigns, drafts or publishes them, and while they are cancelled`,
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { assign, advance, publish, cancelLink } = yield* FulfilLinks
        const instances = yield* (yield* ServiceInstances).all
        const who = yield* customer({ creditCents: 100_000, limits: { dailyOrderCap: 0 } })
        const all = yield* Effect.forEach(
          times(ROUNDS, () => 0),
          () => ordered(who)
        )
        const before = yield* books
        const work = ({ linkId }: (typeof all)[number], nth: number) =>
          [
            assign(linkId, by),
            advance(linkId, "drafted", by),
            publish(linkId, `https://${known(before.links, linkId).domain}/post`, by),
            cancelLink(linkId, "No longer wanted.", by)
          ][nth % 4] ?? assign(linkId, by)
        const ends = yield* concurrently(
          all.map((link, nth) =>
            concurrently([
              Effect.map(Effect.exit(work(link, nth)), ({ _tag }) => _tag === "Success"),
              ...instances.map(({ url }, at) => {
                const body = { anchor_text: `text ${at}`, target_url: `https://brand.example/${at}` }
                return Effect.map(change(who, link, body, url), ({ status }) => status === 200)
              })
            ])
          )
        )
        const after = yield* books
        for (const [nth, { linkId }] of all.entries()) {
          const { history, anchorText, targetUrl, status } = known(after.links, linkId)
          const [isWorked, ...changes] = ends[nth] ?? []
          const steps = history.filter(({ changed }) => changed !== undefined)
          expect(steps).toHaveLength(changes.filter((isChanged) => isChanged).length)
          // Each change is whole: anchor and target are of one request.
          const texts = [
            "a fine page https://brand.example/page",
            ...instances.map((_, at) => `text ${at} https://brand.example/${at}`)
          ]
          expect(texts).toContain(`${anchorText} ${targetUrl}`)
          const last = steps.at(-1)?.changed?.find(({ field }) => field === "anchorText")
          expect(anchorText).toBe(last?.to ?? "a fine page")
          // Nothing was written by a text that had been changed before unseen, and nothing changed after it was written or cancelled.
          const written = history.findIndex((step) => !["to_assign", "assigned"].includes(step.status))
          if (written >= 0 && status !== "cancelled") expect(history[written - 1]?.changed).toBeUndefined()
          if (written >= 0) expect(history.slice(written).filter(({ changed }) => changed !== undefined)).toEqual([])
          expect(status === "to_assign").toBe(!isWorked)
        }
        yield* expectConsistentBooks
      })
  )
})
