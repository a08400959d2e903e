// Orders with a limited promotion code beside the same orders with an unlimited one: one service, in rounds that alternate. The peers
// have no limited codes, so that it runs the same with `--alone`.
import { Console, Effect } from "effect"
import { checkpoint, round, show, WARM_UP_SECONDS } from "./Contender.ts"
import { databaseServer } from "./DatabaseServer.ts"
import { figuresOf } from "./Drive.ts"
import { rounded, type Summary } from "./Load.ts"
import type { Options } from "./Options.ts"
import { startOrderService } from "./OrderComparison.ts"
import { missedFloors } from "./PeerComparison.ts"
import { LIMITED_CODE } from "./SeedData.ts"

const ACCOUNTS = 1_000

/** Of the speed with an unlimited code. */
const FLOORS = { unlimited: 0.9 }

const CODES = { unlimited: "TEN", limited: LIMITED_CODE } as const

export const compareLimitedCode = Effect.fnUntraced(function* (options: Options) {
  const { connections, seconds, rounds } = options
  const url = yield* (yield* databaseServer)("service")
  let code: string = CODES.unlimited
  const service = yield* startOrderService(url, ACCOUNTS, options, () => code)
  const run = Effect.fnUntraced(function* (name: keyof typeof CODES, length: number) {
    code = CODES[name]
    yield* checkpoint(url)
    return yield* round(service, connections, length)
  })
  yield* run("unlimited", WARM_UP_SECONDS)
  yield* run("limited", WARM_UP_SECONDS)
  const each = Math.max(1, Math.round(seconds / rounds))
  const measured = yield* Effect.forEach(
    Array.from({ length: rounds }),
    Effect.fnUntraced(function* () {
      return { unlimited: yield* run("unlimited", each), limited: yield* run("limited", each) }
    })
  )
  const unlimited = figuresOf(measured.map((one) => one.unlimited))
  const limited = figuresOf(measured.map((one) => one.limited))
  yield* show("unlimited", unlimited)
  yield* show("limited", limited)
  const summary: Summary = {
    name: "orders",
    per_second: Math.round(limited.perSecond),
    p50_ms: rounded(limited.p50Ms),
    p99_ms: rounded(limited.p99Ms),
    ratios: { unlimited: rounded(limited.perSecond / unlimited.perSecond, 3) }
  }
  yield* Console.log(`limited beside unlimited ${summary.ratios["unlimited"]}`)
  return { summary, missed: missedFloors(summary, FLOORS) }
}, Effect.scoped)
