// What an instance from before step 060 writes again, beside newer ones: it knows fewer members of what is stored as JSON, and takes none away.
import { layer } from "@effect/vitest"
import { Effect, Record } from "effect"
import { expect } from "vitest"
import { LinkStep } from "#core/domain/ordering/Link.ts"
import { QuoteLine } from "#core/domain/ordering/Quote.ts"
import { OrderItem } from "#core/domain/pricing/Cart.ts"
import { EndpointHealth } from "#core/domain/webhooks/EndpointHealth.ts"
import { PreviousKey } from "#core/domain/webhooks/Subscription.ts"
import { addSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { otherSession, sharedDatabase } from "./OtherSession.ts"

/** The members that it knows. */
const EARLIER = {
  step: ["status", "atMs", "refunded", "creditedCents"],
  health: ["consecutiveFailures", "failingSinceMs", "disabledAtMs", "lastAttempt"],
  key: ["sealedSigningKey", "untilMs"],
  line: ["item", "domain", "shelf", "priceCents", "netCents"],
  item: [
    ...["siteId", "targetUrl", "anchorText", "anchorType", "format", "articleId", "tier2Links"],
    ...["projectId", "opportunityId", "brief"]
  ]
}

const later = (fields: object, earlier: ReadonlyArray<string>) =>
  Object.keys(fields).filter((name) => !earlier.includes(name))

/** Every member, with a value that is told from the others. */
const whole = (fields: object) => Record.fromEntries(Object.keys(fields).map((name) => [name, `${name} of today`]))

const json = (value: unknown): string => JSON.stringify(value)

layer(sharedDatabase, { excludeTestServices: true })("an older instance", (it) => {
  it.effect("keeps all that the history of a link says, with the entry that it adds", () =>
    Effect.gen(function* () {
      const { query } = yield* otherSession
      const { caller } = yield* buyer(10_000)
      const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
      const write = (history: unknown) =>
        query("UPDATE links SET history = $2 WHERE quote_id = $1", [quote.quoteId, json(history)])
      const steps = [whole(LinkStep.fields), { status: "assigned", atMs: 2, changed: [] }]
      yield* write(steps)
      const known = steps.map((step) => Record.filter(step, (_, name) => EARLIER.step.includes(name)))
      const added = { status: "drafted", atMs: 3 }
      yield* write([...known, added])
      const { rows } = yield* query("SELECT history FROM links WHERE quote_id = $1", [quote.quoteId])
      expect(rows).toEqual([{ history: [...steps, added] }])
    }).pipe(Effect.scoped)
  )

  it.effect("gives a link what the quote promised", () =>
    Effect.gen(function* () {
      expect(later(QuoteLine.fields, EARLIER.line)).toEqual(["turnaroundDays"])
      expect(later(OrderItem.fields, EARLIER.item)).toEqual(["reference"])
      const { query } = yield* otherSession
      const { caller } = yield* buyer(10_000)
      const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
      const lines = [{ item: { reference: "PO 7" }, turnaroundDays: 9 }]
      yield* query("UPDATE quotes SET lines = $2 WHERE quote_id = $1", [quote.quoteId, json(lines)])
      const copied = { link_id: "lnk_older", order_id: "ord_older", turnaround_days: null, reference: null }
      yield* query(
        `INSERT INTO links SELECT (jsonb_populate_record(NULL::links, to_jsonb(l) || $2::jsonb)).* FROM links l WHERE quote_id = $1`,
        [quote.quoteId, json(copied)]
      )
      const { rows } = yield* query("SELECT turnaround_days, reference FROM links WHERE link_id = 'lnk_older'", [])
      expect(rows).toEqual([{ turnaround_days: 9, reference: "PO 7" }])
    }).pipe(Effect.scoped)
  )

  it.effect("enables no endpoint that was disabled on purpose, and ends no replay", () =>
    Effect.gen(function* () {
      const { query } = yield* otherSession
      const { caller } = yield* buyer()
      const { webhookId } = yield* addSubscription(caller)
      const write = (health: unknown) =>
        query("UPDATE subscriptions SET health = $2 WHERE webhook_id = $1", [webhookId, json(health)])
      const stored = Effect.map(
        query("SELECT health FROM subscriptions WHERE webhook_id = $1", [webhookId]),
        ({ rows }) => rows[0]?.["health"]
      )
      const paused = { ...whole(EndpointHealth.fields), disabledAtMs: 5, isPaused: true }
      yield* write(paused)
      // A test succeeded.
      const works = { consecutiveFailures: 0, failingSinceMs: null, disabledAtMs: null, lastAttempt: "a test" }
      yield* write(works)
      expect(yield* stored).toEqual({ ...paused, ...works, disabledAtMs: 5 })
      // One that was not is enabled, by either instance.
      const failed = { ...works, disabledAtMs: 7, isPaused: false }
      yield* write(failed)
      yield* write(works)
      expect(yield* stored).toEqual({ ...works, isPaused: false })
      yield* write(paused)
      yield* write({ ...works, isPaused: false })
      expect(yield* stored).toEqual({ ...works, isPaused: false })
    }).pipe(Effect.scoped)
  )

  it.effect("leaves each secret its key of Standard Webhooks, and gives none to a secret that it makes", () =>
    Effect.gen(function* () {
      expect(later(PreviousKey.fields, EARLIER.key)).toEqual(["sealedStandardKey"])
      const { query } = yield* otherSession
      const { caller } = yield* buyer()
      const [sealedSigningKey, sealedStandardKey] = ["signing 2", "standard 2"]
      const { webhookId } = yield* addSubscription(caller, { keys: { sealedSigningKey, sealedStandardKey } })
      const write = (signing: string, previous: ReadonlyArray<unknown>) =>
        query("UPDATE subscriptions SET sealed_signing_key = $2, previous_keys = $3 WHERE webhook_id = $1", [
          ...[webhookId, signing, json(previous)]
        ])
      const stored = Effect.map(
        query(
          "SELECT sealed_standard_key AS standard, previous_keys AS previous FROM subscriptions WHERE webhook_id = $1",
          [webhookId]
        ),
        ({ rows }) => rows[0]
      )
      const earlier = { sealedSigningKey: "signing 1", sealedStandardKey: "standard 1", untilMs: 1 }
      const oldest = { sealedSigningKey: "signing 0", untilMs: 0 }
      yield* write(sealedSigningKey, [earlier, oldest])
      expect(yield* stored).toEqual({ standard: sealedStandardKey, previous: [earlier, oldest] })
      // Sealed again, under another encryption key.
      yield* write("signing 2 again", [{ sealedSigningKey: "signing 1 again", untilMs: 1 }, oldest])
      const again = { ...earlier, sealedSigningKey: "signing 1 again" }
      expect(yield* stored).toEqual({ standard: sealedStandardKey, previous: [again, oldest] })
      // Rotated.
      const former = { sealedSigningKey: "signing 2 again", untilMs: 2 }
      yield* write("signing 3", [former, { sealedSigningKey: "signing 1 again", untilMs: 1 }, oldest])
      expect(yield* stored).toEqual({ standard: null, previous: [{ ...former, sealedStandardKey }, again, oldest] })
    }).pipe(Effect.scoped)
  )
})
