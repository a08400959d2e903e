import { Effect } from "effect"
import { authority } from "#test/adapters/outbound/SelfSigned.ts"
import { RECEIVER_HOST, receivers } from "./Receivers.ts"
import { deliverer, owner, placeOne, world } from "./WebhookWorld.ts"

const { ca, issue } = authority()
const n = Number(process.argv[2] ?? 20000)
const p = Effect.gen(function* () {
  const there = yield* receivers({ identity: issue(RECEIVER_HOST), healthy: 20 })
  yield* Effect.gen(function* () {
    const owners = yield* Effect.forEach(there.urls, (u) => owner(u))
    let t = performance.now()
    for (let i = 0; i < n; i++) yield* placeOne(owners[i % 20]!)
    console.log("placed", (n / (performance.now() - t)) * 1000, "/s")
    t = performance.now()
    let last = 0,
      c = process.cpuUsage()
    const iv = setInterval(() => {
      const h = there.heard()
      const c2 = process.cpuUsage(c)
      c = process.cpuUsage()
      console.log(
        ((performance.now() - t) / 1000).toFixed(1),
        h - last,
        "cpu ms",
        ((c2.user + c2.system) / 1000).toFixed(0)
      )
      last = h
    }, 500)
    yield* deliverer; yield* deliverer
    yield* there.untilHeard(n)
    clearInterval(iv)
    console.log("rate", (n / (performance.now() - t)) * 1000, "twice", there.twice())
  }).pipe(Effect.scoped, Effect.provide(world("memory", ca)))
}).pipe(Effect.scoped)
Effect.runPromise(p).then(
  () => process.exit(0),
  (e) => {
    console.error(e)
    process.exit(1)
  }
)
