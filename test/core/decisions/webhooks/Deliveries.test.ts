// Attempts that are recorded together have the same result as one after another, except for time and jitter.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apply } from "#core/decisions/Apply.ts"
import type { Books } from "#core/decisions/Books.ts"
import { type MadeAttempt, recordAttempts } from "#core/decisions/webhooks/Deliveries.ts"
import { AccountId, DeliveryId, EventId, KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Delivery, Outcome } from "#core/domain/webhooks/Delivery.ts"
import { known } from "#test/core/BookReads.ts"
import { given, NOON, subscription } from "#test/core/Given.ts"
import { when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const WEBHOOKS = ["wh_a", "wh_b"] as const
const COUNT = 6

const idOf = (n: number): string => `dlv_${n}`

/** Even ones belong to the first webhook, odd ones to the second. */
const pending = (n: number): Delivery => ({
  deliveryId: DeliveryId.make(idOf(n)),
  webhookId: WebhookId.make(WEBHOOKS[n % 2 === 0 ? 0 : 1]),
  accountId: AccountId.make("acc_rich"),
  keyId: KeyId.make("key_rich"),
  mode: "live",
  eventId: EventId.make(`evt_${n}`),
  event: "order.accepted",
  body: "{}",
  createdAtMs: NOON,
  state: "pending",
  attempts: [],
  attemptsInRun: 0,
  nextAttemptAtMs: NOON
})

const queued: Books = Array.from({ length: COUNT }, (_, n) => pending(n)).reduce(
  (books, delivery) => apply(books, { _tag: "DeliveryQueued", delivery }),
  given({ subscriptions: WEBHOOKS.map((webhookId) => subscription(webhookId)) })
)

const answered = (httpStatus: number): Outcome => ({ kind: "answered", httpStatus, retryAfterMs: null, durationMs: 7 })

const noted = (books: Books, ...made: ReadonlyArray<MadeAttempt>) => when(books, recordAttempts(made), NOON)

const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom(200, 204, 301, 404, 410, 500).map(answered),
  fc.constant<Outcome>({ kind: "failed", fault: "timeout", durationMs: 10_000 }),
  fc.constant<Outcome>({ kind: "local_fault", durationMs: 3 })
)

/** Some of unknown deliveries, several of the same delivery. */
const attempts = fc.array(fc.record({ claimed: fc.integer({ min: 0, max: COUNT }).map(pending), outcome: outcomes }), {
  maxLength: 12
})

/** Everything but the jitter of the next wait. */
const seen = ({ deliveries, subscriptions }: Books) => ({
  deliveries: Array.from(HashMap.values(deliveries), ({ nextAttemptAtMs, ...rest }) => ({
    ...rest,
    isDue: nextAttemptAtMs !== null
  })),
  subscriptions: Array.from(HashMap.values(subscriptions))
})

describe("attempts that are recorded together", () => {
  property("have the same result as one after another", [attempts], (made) => {
    const together = noted(queued, ...made).books
    const oneByOne = made.reduce((books, one) => noted(books, one).books, queued)
    expect(seen(together)).toEqual(seen(oneByOne))
  })

  it("return the deliveries as they are afterwards, without unknown ones", () => {
    const { reply } = noted(
      queued,
      { claimed: pending(0), outcome: answered(200) },
      { claimed: pending(COUNT), outcome: answered(200) },
      { claimed: pending(2), outcome: answered(410) },
      { claimed: pending(4), outcome: answered(200) }
    )
    expect(reply.map(({ deliveryId, state }) => [deliveryId, state])).toEqual([
      [idOf(0), "delivered"],
      [idOf(2), "failed"],
      // Dropped, because the 410 just before disabled the endpoint.
      [idOf(4), "dropped"]
    ])
  })

  it("and fail together are retried at different times", () => {
    const made = Array.from({ length: COUNT }, (_, n) => ({ claimed: pending(n), outcome: answered(500) }))
    const { books } = noted(queued, ...made)
    const waits = made.map(
      ({ claimed }) => (known(books.deliveries, claimed.deliveryId).nextAttemptAtMs ?? 0) - (NOON - 7)
    )
    for (const waitMs of waits) expect(waitMs >= 24_000 && waitMs <= 36_000).toBe(true)
    const ascending = waits.toSorted((a, b) => a - b)
    // The six retries spread over twelve seconds, at least one second apart.
    const gaps = ascending.slice(1).map((waitMs, n) => waitMs - (ascending[n] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(1_000)
  })

  it("change nothing if nothing is pending", () => {
    const { books } = noted(queued, { claimed: pending(0), outcome: answered(200) })
    expect(noted(books, { claimed: pending(0), outcome: answered(500) }).written).toEqual([])
    expect(noted(queued).written).toEqual([])
  })
})

describe("an attempt that is recorded again, because the first confirmation was lost", () => {
  const firstIn = (books: Books) => known(books.deliveries, idOf(0))
  const failed = { claimed: pending(0), outcome: answered(500) }
  const once = noted(queued, failed).books

  it("changes nothing, nor does a local fault", () => {
    expect(noted(once, failed).written).toEqual([])
    const ours = { claimed: pending(0), outcome: { kind: "local_fault", durationMs: 3 } } as const
    expect(noted(noted(queued, ours).books, ours).written).toEqual([])
  })

  it("changes nothing after a redelivery was requested", () => {
    const sent = { claimed: pending(0), outcome: answered(200) }
    const done = noted(queued, sent).books
    const again = { ...firstIn(done), state: "pending" as const, attemptsInRun: 0, nextAttemptAtMs: NOON }
    const hurried = apply(done, { _tag: "DeliveryMoved", delivery: again })
    expect(noted(hurried, sent).written).toEqual([])
    expect(firstIn(noted(hurried, { ...sent, claimed: again }).books)).toMatchObject({ state: "delivered" })
  })

  it("counts as another attempt if its outcome differs or it was claimed later", () => {
    expect(firstIn(noted(once, { ...failed, outcome: answered(200) }).books)).toMatchObject({ state: "delivered" })
    expect(firstIn(noted(once, { ...failed, claimed: firstIn(once) }).books).attempts).toHaveLength(2)
  })
})
