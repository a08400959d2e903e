// A call with an idempotency key takes effect once: sent again, sent by 20 at once on every instance, and after an answer was lost between
// the commit and the client.

import { Effect } from "effect"
import { expect } from "vitest"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { receiver, WRITES, type Write } from "./BoundWrites.ts"
import { type Buyer, freshKey, issueKey } from "./Buyers.ts"
import { expectConsistent } from "./ConsistentBooks.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { call, isReplay, refusalIn, WEBHOOKS } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** Sends it under this idempotency key, to the instance at that address. */
const sending =
  ({ by, method, path, body }: Write, idempotencyKey: string) =>
  (url = "") =>
    call(method ?? "POST", `${url}${path}`, {
      key: by.key,
      headers: { "idempotency-key": idempotencyKey },
      ...(body === undefined ? {} : { body })
    })

export const boundCallsSuite = scenarios("calls under an idempotency key", {}, (it) => {
  for (const [name, prepare] of Object.entries(WRITES)) {
    it.effect(`${name}: three at once on every instance, and one later, are one effect and one answer`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const instances = yield* (yield* ServiceInstances).all
        const write: Write = yield* prepare
        const send = sending(write, freshKey())
        const answers = yield* concurrently(instances.flatMap(({ url }) => times(3, () => send(url))))
        const later = yield* send()
        for (const { status, text } of [...answers, later]) expect(status, text).toBeLessThan(300)
        expect(new Set([...answers, later].map(({ text }) => text)).size, later.text).toBe(1)
        expect(isReplay(later)).toBe(true)
        expect(write.effects(yield* books)).toBe(1)
        expectConsistent(yield* books)
      })
    )

    it.effect(`${name}: an answer that is lost after the commit; sent again, it is one effect, and then a replay`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { injectFaults } = yield* OrderBookFaults
        const write: Write = yield* prepare
        const send = sending(write, freshKey())
        yield* injectFaults("loses its answer")
        const lost = refusalIn(yield* send())
        expect(lost).toMatchObject({ code: "store_unavailable", status: 503, retryable: true })
        expect(write.effects(yield* books)).toBe(1)
        const found = yield* send()
        expect(found.status, found.text).toBeLessThan(300)
        const again = yield* send()
        expect([isReplay(found), isReplay(again), again.text]).toEqual([false, true, found.text])
        expect(write.effects(yield* books)).toBe(1)
        expectConsistent(yield* books)
      })
    )
  }

  const cutOff = [
    "cancelling an order",
    "changing a link",
    "changing a webhook",
    "replaying",
    "advancing in the sandbox"
  ] as const
  for (const name of cutOff) {
    it.effect(`${name}: cut off between any two steps and sent again, whatever happened meanwhile, is one effect`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { injectFaults, injectCallFaults } = yield* OrderBookFaults
        const steps = [
          injectCallFaults("is refused"),
          injectCallFaults("loses its answer"),
          injectFaults("is refused"),
          injectFaults("loses its answer"),
          injectCallFaults("passes", "is refused"),
          injectCallFaults("passes", "loses its answer")
        ]
        const before: Array<number> = []
        for (const cut of steps) {
          const write: Write = yield* WRITES[name]
          const send = sending(write, freshKey())
          yield* cut
          expect(refusalIn(yield* send())).toMatchObject({ code: "store_unavailable", retryable: true })
          const isDone = write.effects(yield* books) === 1
          before.push(isDone ? 1 : 0)
          if (isDone && write.meanwhile !== undefined) yield* write.meanwhile.act
          const again = yield* send()
          expect(again.status, again.text).toBeLessThan(300)
          expect(isReplay(yield* send())).toBe(true)
          expect(write.effects(yield* books)).toBe(1)
          if (isDone && write.meanwhile !== undefined) expect(write.meanwhile.stays(yield* books)).toBe(true)
          expectConsistent(yield* books)
        }
        expect(before).toEqual([0, 0, 0, 1, 1, 1])
      })
    )
  }

  it.effect("a secret is in replays for ten minutes, and a key is free after a day", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { advance } = yield* MovableClock
      const write: Write = yield* WRITES["adding a webhook"]
      const send = sending(write, freshKey())
      const first = JSON.parse((yield* send()).text)
      expect(first.secret).toMatch(/^whsec_/)
      yield* advance("9 minutes")
      expect(JSON.parse((yield* send()).text)).toEqual(first)
      yield* advance("1 minute")
      const late = yield* send()
      const { secret: _, ...shown } = first
      expect([isReplay(late), JSON.parse(late.text)]).toEqual([true, shown])
      yield* advance("24 hours")
      const next = yield* send()
      expect([next.status, isReplay(next), JSON.parse(next.text).id === first.id]).toEqual([201, false, false])
      expect(write.effects(yield* books)).toBe(2)
    })
  )

  it.effect("another body is refused; another credential, path or refused request is independent", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { by, path, body, effects }: Write = yield* WRITES["adding a webhook"]
      const key = freshKey()
      const send = (who: Pick<Buyer, "key">, sent: unknown, target = path) =>
        call("POST", target, { key: who.key, body: sent, headers: { "idempotency-key": key } })
      const refused = refusalIn(yield* send(by, { url: "ftp://hooks.example/", events: ["order.accepted"] }))
      expect(refused.code).toBe("webhook_url_refused")
      const first = yield* send(by, body)
      expect(first.status, first.text).toBe(201)
      // What has its default is the same as what is left out, today and once a later version has more of them.
      for (const spelled of [{ scope: "key" }, { scope: null }]) {
        const again = yield* send(by, Object.assign({}, body, spelled))
        expect([isReplay(again), again.text]).toEqual([true, first.text])
      }
      const reused = refusalIn(yield* send(by, { ...(yield* receiver), events: ["order.cancelled"] }))
      expect(reused).toMatchObject({ code: "idempotency_key_reused", status: 422, param: "Idempotency-Key" })
      const sibling = yield* issueKey(by.accountId)
      const other = yield* send(sibling, body)
      expect([other.status, JSON.parse(other.text).id === JSON.parse(first.text).id]).toEqual([201, false])
      const rotated = yield* send(by, {}, `${WEBHOOKS}/${JSON.parse(first.text).id}/rotate-secret`)
      expect([rotated.status, isReplay(rotated)]).toEqual([200, false])
      expect(effects(yield* books)).toBe(1)
    })
  )
})
