// Orders that compete for something limited beside the same orders without it: one service, in rounds that alternate. The peers have
// nothing limited, so that it runs the same with `--alone`.
import { Console, Effect } from "effect"
import { checkpoint, round, show, WARM_UP_SECONDS } from "./Contender.ts"
import { databaseServer } from "./DatabaseServer.ts"
import { figuresOf } from "./Drive.ts"
import { rounded, type Summary } from "./Load.ts"
import type { Options } from "./Options.ts"
import { type OrderedThings, startOrderService } from "./OrderComparison.ts"
import { missedFloors } from "./PeerComparison.ts"
import { LIMITED_CODE, seedArticles } from "./SeedData.ts"

const ACCOUNTS = 1_000

/** The least share of the speed without the limit. */
const FLOORS = { unlimited: 0.9 }

/** More than any machine has ordered. */
const ARTICLES_PER_SECOND = 4_000

interface Variants {
  readonly unlimited: OrderedThings
  readonly limited: OrderedThings
}

const compareVariants = Effect.fnUntraced(function* (variants: Variants, options: Options, articles: number) {
  const { connections, seconds, rounds } = options
  const url = yield* (yield* databaseServer)("service")
  let things = variants.unlimited
  const service = yield* startOrderService(url, ACCOUNTS, options, () => things)
  if (articles > 0) yield* seedArticles(url, ACCOUNTS, articles)
  const run = Effect.fnUntraced(function* (name: keyof Variants, length: number) {
    things = variants[name]
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

export const compareLimitedCode = (options: Options) =>
  compareVariants({ unlimited: { code: "TEN" }, limited: { code: LIMITED_CODE } }, options, 0)

/** Each insertion takes its own article, of which there is one. */
export const compareLimitedArticles = (options: Options) =>
  compareVariants(
    { unlimited: { code: "TEN" }, limited: { code: "TEN", isInsertion: true } },
    options,
    2 * (options.seconds + 2 * WARM_UP_SECONDS) * ARTICLES_PER_SECOND
  )
