// Hands on what an outbox holds, at least once: claims items with a lease, attempts each, and records what became of it. Any number of
// instances may run it. A slow receiver delays only its own items.
import { Cause, Clock, Duration, Effect, FiberSet, Queue, Stream } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type Bounds, InFlight, type Receiver } from "./InFlight.ts"

/** The sleep while a due item waits for the bound of its receiver, perhaps because of another instance. */
const BLOCKED_POLL_MS = 1_000

const ERROR_BACKOFF = Duration.seconds(1)

/** Attempts that are nearly done when the service stops may finish, so that their receivers do not get them twice. */
const GRACE = Duration.seconds(1)

/** What differs between the queues. */
export interface Outbox<Item, Outcome> {
  /** The items in the log, such as "deliveries". */
  readonly what: string
  /** What tells an item from others in the log. */
  readonly annotate: (item: Item) => Record<string, unknown>
  /** Leases at most `limit` items that are due, each to one caller over all instances; as many mean that more may be due. */
  readonly claim: (nowMs: Millis, limit: number) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>
  /** A failure of the receiver is an outcome; an item whose attempt fails otherwise comes again when its lease expires. */
  readonly attempt: (item: Item) => Effect.Effect<Outcome>
  /** Ends the lease: the item is done, due again later, or given up. */
  readonly record: (item: Item, outcome: Outcome) => Effect.Effect<void, StoreUnavailable>
  /** Ends the lease of an item whose attempt was interrupted, so that it can be claimed at once. */
  readonly release: (item: Item) => Effect.Effect<void, StoreUnavailable>
  readonly bounds: Bounds
  readonly receiverOf?: (item: Item) => Receiver
  /** The longest sleep while nothing is due, and so the longest delay after a lost notification. */
  readonly pollMs: Millis
  /** Emits once when it listens, and soon after an item was queued. Without it, items wait for the next poll. */
  readonly queued?: Stream.Stream<void>
  /** When the next item that is not leased is due; `null` without one. */
  readonly nextDueAtMs?: () => Effect.Effect<Millis | null, StoreUnavailable>
}

const ANYONE: Receiver = { id: "", max: Number.POSITIVE_INFINITY }

export interface HandingOn<Outcome> {
  /** Claims and attempts until nothing more is due. */
  readonly pass: Effect.Effect<ReadonlyArray<Outcome>, StoreUnavailable>
  /** Runs until it is interrupted; then releases the items that are not handed on. */
  readonly run: Effect.Effect<never>
}

export const handOn = <Item, Outcome>(outbox: Outbox<Item, Outcome>): HandingOn<Outcome> => {
  const { what, bounds, pollMs, receiverOf = () => ANYONE, queued = Stream.never } = outbox
  const { nextDueAtMs = () => Effect.succeed(null) } = outbox

  /** The outcome of a finished attempt is recorded even after an interruption. */
  const attempt = (item: Item) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        Effect.onInterrupt(restore(outbox.attempt(item)), () => Effect.ignore(outbox.release(item))),
        (outcome) => Effect.as(outbox.record(item, outcome), outcome)
      )
    )

  /** If an attempt or its record fails, the lease expires and the item is attempted again: at least once. */
  const attemptLogged = (item: Item) =>
    Effect.catchCause(attempt(item), (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logWarning(`${what}: an attempt failed or was not recorded, and is repeated`, cause).pipe(
            Effect.annotateLogs(outbox.annotate(item))
          )
    )

  const pass = Effect.gen(function* () {
    const outcomes: Array<Outcome> = []
    for (;;) {
      const claimed = yield* outbox.claim(yield* Clock.currentTimeMillis, bounds.total)
      outcomes.push(...(yield* Effect.forEach(claimed, attempt, { concurrency: "unbounded" })))
      if (claimed.length < bounds.total) return outcomes
    }
  })

  const run = Effect.gen(function* () {
    const wakeUps = yield* Queue.sliding<void>(1)
    const wake = Queue.offer(wakeUps, undefined)
    const fibers = yield* FiberSet.make()
    yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(fibers), GRACE))
    yield* queued.pipe(
      Stream.runForEach(() => wake),
      Effect.catchCause((cause) => Effect.logWarning(`${what}: notifications were interrupted`, cause)),
      Effect.andThen(Effect.sleep(ERROR_BACKOFF)),
      Effect.forever,
      // Listens before the first claim, so that no item that is queued in between is missed.
      Effect.forkScoped({ startImmediately: true })
    )
    const inFlight = new InFlight(bounds)
    let pollAtMs = 0

    const start = (item: Item, nowMs: number) => {
      const release = inFlight.acquire(receiverOf(item), nowMs)
      const ended = Effect.suspend(() => (release() ? wake : Effect.void))
      return FiberSet.run(fibers, Effect.ensuring(attemptLogged(item), ended))
    }

    /** Uninterruptible between claim and start, or the claimed items would wait for their leases to expire. */
    const claimBatch = Effect.fnUntraced(function* (nowMs: number) {
      const limit = inFlight.capacityAt(nowMs)
      const claimed = limit === 0 ? [] : yield* outbox.claim(nowMs, limit)
      for (const item of claimed) yield* start(item, nowMs)
      inFlight.recordClaim({ isFull: claimed.length === limit })
    }, Effect.uninterruptible)

    /** Plans the next claim without a wake-up. A retry that is planned after this read is not due before it. */
    const poll = Effect.fnUntraced(function* (nowMs: number) {
      if (inFlight.isBlocked) pollAtMs = Math.min(pollAtMs, nowMs + BLOCKED_POLL_MS)
      if (nowMs < pollAtMs) return
      const dueAtMs = (yield* nextDueAtMs()) ?? Number.POSITIVE_INFINITY
      inFlight.isBlocked = dueAtMs <= nowMs
      pollAtMs = inFlight.isBlocked ? nowMs + BLOCKED_POLL_MS : Math.min(dueAtMs, nowMs + pollMs)
    })

    const wait = Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      yield* Effect.sleep(inFlight.isFull ? InFlight.SLOW_AFTER : Duration.millis(Math.max(0, pollAtMs - nowMs)))
    })

    const turn = Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      yield* claimBatch(nowMs)
      if (!inFlight.isFull) yield* poll(nowMs)
      // An item that was queued since the claim has left a wake-up, so it is not missed.
      yield* Effect.raceFirst(Queue.take(wakeUps), wait)
    }).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.andThen(Effect.logWarning(`${what} could not be claimed`, cause), Effect.sleep(ERROR_BACKOFF))
      )
    )
    return yield* Effect.forever(turn)
  }).pipe(Effect.scoped)

  return { pass, run }
}
