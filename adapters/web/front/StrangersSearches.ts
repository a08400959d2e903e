// Searches of people who have not signed in: each page of sites is kept for a moment, two are made at a time, and few of one network within a
// minute, so that a flood of strangers leaves the store to agents.
import { Cache, Clock, Effect, Exit, Semaphore } from "effect"
import { waitingForStore } from "#adapters/concurrency/AnswerInTime.ts"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"

const MINUTE_MS = 60_000

/** New searches within a minute: of one network, and of all strangers together. */
export const SEARCHES = { network: 30, all: 300 } as const

const NETWORKS_COUNTED = 10_000

const PAGES_KEPT = 200

const KEPT_FOR = "30 seconds"

const AT_ONCE = 2

/** The names and values of a search, the same text whatever their order. */
export const searchKey = (query: URLSearchParams): string => {
  const sorted = [...query].map(([name, value]) => new URLSearchParams([[name, value]]).toString()).sort()
  return [...new Set(sorted)].join("&")
}

/** The search without conditions, which everyone opens first. */
const FIRST = ""

/** Counts the searches of the present minute. */
class MinuteCount {
  readonly #ofNetwork = new BoundedMap<string, number>(NETWORKS_COUNTED)
  #minute = 0
  #all = 0

  /** Seconds to wait, if this search is one too many. */
  refuse(network: string, nowMs: number): number | null {
    const minute = Math.floor(nowMs / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#ofNetwork.clear()
      this.#minute = minute
      this.#all = 0
    }
    const count = this.#ofNetwork.get(network) ?? 0
    if (count >= SEARCHES.network || this.#all >= SEARCHES.all)
      return Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1_000)
    this.#ofNetwork.set(network, count + 1)
    this.#all++
    return null
  }
}

/** `make`: makes the page of a search; a failure is not kept. `tooMany`: shown instead, with the seconds to wait. */
export const makeStrangersSearches = <Page, E>(
  make: (key: string) => Effect.Effect<Page, E>,
  tooMany: (seconds: number) => Page
) =>
  Effect.gen(function* () {
    const turns = yield* Semaphore.make(AT_ONCE)
    const pages = yield* Cache.makeWith((key: string) => waitingForStore(turns.withPermits(1)(make(key))), {
      capacity: PAGES_KEPT,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? KEPT_FOR : 0)
    })
    const counted = new MinuteCount()
    return Effect.fnUntraced(function* (key: string, network: string) {
      if (key === FIRST || (yield* Cache.has(pages, key))) return yield* Cache.get(pages, key)
      const seconds = counted.refuse(network, yield* Clock.currentTimeMillis)
      return seconds === null ? yield* Cache.get(pages, key) : tooMany(seconds)
    })
  })
