// Webhook deliveries: the time from commit to receipt at 50 and 200 per second, the drain of a backlog, two deliverers, and healthy
// endpoints beside one that never responds. Receivers speak TLS.
import { parseArgs } from "node:util"
import { Console, Effect } from "effect"
import { authority } from "#test/adapters/outbound/SelfSigned.ts"
import { type Load, monotonicMs, type Percentiles, percentiles, rounded, type Summary } from "./Load.ts"
import { RECEIVER_HOST, type Receivers, startReceivers } from "./Receivers.ts"
import {
  deliverer,
  inexact,
  isStore,
  leave,
  type Owner,
  owner,
  type Placed,
  placeAtRate,
  placeOne,
  type StoreName,
  serviceLayer
} from "./WebhookSetup.ts"

const ENDPOINTS = 20
const WARM_UP = { perSecond: 100, seconds: 2 }

const FLOORS = { p95Ms: 120, drainPerSecond: 800, blackHoleRatio: 1.2 }

/** Pairs of short windows, without and with the endpoint that never responds, so that other work on the machine affects both. */
const PAIRS = 9
const WINDOW_SHARE = 0.375
const HOLE_PER_SECOND = 50

interface Options {
  readonly store: StoreName
  readonly seconds: number
  readonly backlog: number
}

const optionsFrom = (args: ReadonlyArray<string>): Effect.Effect<Options, string> =>
  Effect.gen(function* () {
    const options = {
      store: { type: "string", default: "embedded" },
      seconds: { type: "string", default: "8" },
      backlog: { type: "string", default: "20000" }
    } as const
    const { values } = yield* Effect.try({
      try: () => parseArgs({ args: [...args], options }),
      catch: (error) => `${String(error)}\nOptions: --store embedded | memory, --seconds 8, --backlog 20000`
    })
    const { store } = values
    if (!isStore(store)) return yield* Effect.fail(`This load cannot be run over the store "${store}" yet.`)
    return { store, seconds: Number(values.seconds), backlog: Number(values.backlog) }
  })

const show = ({ p50, p95, p99 }: Percentiles): string =>
  `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

/** The times from commit to receipt, after all have arrived. */
const latencies = Effect.fnUntraced(function* (receivers: Receivers, placed: ReadonlyArray<Placed>) {
  while (placed.some(({ orderId }) => receivers.receivedAtMs(orderId) === undefined)) yield* Effect.sleep("20 millis")
  return placed.map(({ orderId, atMs }) => (receivers.receivedAtMs(orderId) ?? Number.NaN) - atMs)
})

const atRate = Effect.fnUntraced(function* (
  receivers: Receivers,
  owners: ReadonlyArray<Owner>,
  perSecond: number,
  seconds: number
) {
  const figures = percentiles(yield* latencies(receivers, yield* placeAtRate(owners, { perSecond, seconds })))
  yield* Console.log(`commit → received at ${perSecond}/s: ${show(figures)}`)
  return figures
})

/** Processor time of this thread, without the receivers, in microseconds. */
const cpuMicros = (): number => {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Drains a backlog, queued without a deliverer, with this many deliverers. */
const drain = Effect.fnUntraced(function* (
  receivers: Receivers,
  owners: ReadonlyArray<Owner>,
  backlog: number,
  deliverers: number
) {
  const before = receivers.received()
  yield* Effect.forEach(
    Array.from({ length: backlog }, (_, n) => owners[n % owners.length]),
    (one) => (one === undefined ? Effect.void : placeOne(one))
  )
  const startMs = monotonicMs()
  const startMicros = cpuMicros()
  yield* Effect.gen(function* () {
    for (let n = 0; n < deliverers; n++) yield* deliverer
    yield* receivers.waitForReceived(before + backlog)
  }).pipe(Effect.scoped)
  const perSecond = (backlog * 1_000) / (monotonicMs() - startMs)
  const cpuMicrosEach = (cpuMicros() - startMicros) / backlog
  const who = deliverers === 1 ? "one deliverer" : `${deliverers} deliverers at once`
  yield* Console.log(
    `a backlog of ${backlog}, ${who}: ${perSecond.toFixed(0)}/s, ${cpuMicrosEach.toFixed(0)} µs of our processor each`
  )
  return { perSecond, cpuMicrosEach }
})

/** The p95 of healthy endpoints at 200/s while another endpoint gets 50/s: a healthy one, or one that never responds. */
const window = Effect.fnUntraced(function* (
  receivers: Receivers,
  owners: ReadonlyArray<Owner>,
  { url, seconds }: { readonly url: string; readonly seconds: number }
) {
  const other = yield* owner(url)
  const rates = [
    placeAtRate(owners, { perSecond: 200, seconds }),
    placeAtRate([other], { perSecond: HOLE_PER_SECOND, seconds })
  ]
  const [placed = []] = yield* Effect.all(rates, { concurrency: 2 })
  const { p95 } = percentiles(yield* latencies(receivers, placed))
  // Leaves nothing for the next window.
  yield* leave(other)
  yield* receivers.closeSilent
  return p95
})

const besideBlackHole = Effect.fnUntraced(function* (
  receivers: Receivers,
  owners: ReadonlyArray<Owner>,
  seconds: number
) {
  const of = (url: string) => window(receivers, owners, { url, seconds: seconds * WINDOW_SHARE })
  const pairs = yield* Effect.forEach(Array.from({ length: PAIRS }), () =>
    Effect.all([of(receivers.urls[0] ?? ""), of(receivers.holeUrl)])
  )
  const median = (values: ReadonlyArray<number>): number => percentiles(values).p50
  const without = median(pairs.map(([healthy]) => healthy))
  const beside = median(pairs.map(([, hole]) => hole))
  // The ratio of each pair, because the machine changes over time.
  const ratio = median(pairs.map(([healthy, hole]) => hole / healthy))
  yield* Console.log(
    `healthy endpoints at 200/s, median p95 of ${PAIRS} windows: ${beside.toFixed(1)} ms beside a black hole, ${without.toFixed(1)} ms without, median of the ratios ×${ratio.toFixed(2)}`
  )
  return ratio
})

const measure = Effect.fnUntraced(function* ({ seconds, backlog }: Options, receivers: Receivers) {
  const owners = yield* Effect.forEach(receivers.urls, owner)
  const live = yield* Effect.gen(function* () {
    yield* deliverer
    yield* latencies(receivers, yield* placeAtRate(owners, WARM_UP))
    const slow = yield* atRate(receivers, owners, 50, seconds)
    const fast = yield* atRate(receivers, owners, 200, seconds)
    return { slow, fast, ratio: yield* besideBlackHole(receivers, owners, seconds) }
  }).pipe(Effect.scoped)
  const drained = yield* drain(receivers, owners, backlog, 1)
  const shared = yield* drain(receivers, owners, Math.round(backlog / 4), 2)
  const { ofEvents, ofAttempts } = receivers.excess()
  const unsure = yield* inexact(owners)
  yield* Console.log(
    `of ${receivers.received()} events, ${ofEvents} came more than once (${ofAttempts} of them as the same attempt); ${unsure} were not noted with one attempt`
  )
  return { ...live, drained, shared, isExact: ofEvents === 0 && unsure === 0 }
})

export const load: Load = Effect.fnUntraced(function* (args) {
  const options = yield* optionsFrom(args)
  const { ca, issue } = authority()
  const receivers = yield* startReceivers({ identity: issue(RECEIVER_HOST), healthy: ENDPOINTS })
  const { fast, slow, ratio, drained, shared, isExact } = yield* Effect.provide(
    measure(options, receivers),
    serviceLayer(options.store, ca)
  )
  const missed = [
    [fast.p95 <= FLOORS.p95Ms, `p95 at 200/s is ${fast.p95.toFixed(1)} ms, not within ${FLOORS.p95Ms} ms`],
    [
      drained.perSecond >= FLOORS.drainPerSecond,
      `the backlog drains at ${drained.perSecond.toFixed(0)}/s, below ${FLOORS.drainPerSecond}/s`
    ],
    [
      ratio <= FLOORS.blackHoleRatio,
      `a black hole costs the healthy ×${ratio.toFixed(2)}, more than ×${FLOORS.blackHoleRatio}`
    ],
    [isExact, "events were not sent and recorded exactly once without a fault"]
  ] as const
  const summary: Summary & Readonly<Record<string, unknown>> = {
    name: "webhooks",
    per_second: Math.round(drained.perSecond),
    p50_ms: rounded(fast.p50),
    p95_ms: rounded(fast.p95),
    p99_ms: rounded(fast.p99),
    cpu_us_each: Math.round(drained.cpuMicrosEach),
    ratios: {
      p95_beside_black_hole: rounded(ratio),
      p95_at_200_to_50: rounded(fast.p95 / slow.p95),
      drain_with_two_to_one: rounded(shared.perSecond / drained.perSecond)
    }
  }
  return {
    summary,
    missed: missed.flatMap(([kept, words]) => (kept ? [] : [words]))
  }
}, Effect.scoped)
