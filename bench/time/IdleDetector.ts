// Detects when nothing is running, so that virtual time may move, and lets one request run at a time. Counts pending turns of the
// scheduler, open requests, and deliveries that the service has claimed.
import { Context, Effect, Layer, Scheduler, Semaphore } from "effect"
import type { DeliveryId } from "#core/domain/shared/Ids.ts"

/** After this long without a turn, in real time, open work will never end: a bug of the bench or the service. */
const STUCK_AFTER_MS = 30_000

export class IdleDetector extends Context.Service<
  IdleDetector,
  {
    /** One request at a time holds the network, in the order of asking. */
    readonly acquireNetwork: Effect.Effect<void>
    readonly releaseNetwork: Effect.Effect<void>
    readonly trackDeliveries: (deliveryIds: ReadonlyArray<DeliveryId>) => void
    readonly untrackDelivery: (deliveryId: DeliveryId) => void
    /** For actors: resolves when all consequences of their request have happened. */
    readonly idleForActors: Effect.Effect<void>
    /** For the clock driver: resolves when nothing runs and no actor waits for that. Dies when that never comes. */
    readonly idle: Effect.Effect<void>
    /** Calls `act` each time the process is idle. Costs a tenth of a fiber that waits for `idle` each time. */
    readonly wheneverIdle: (act: () => void) => Effect.Effect<never>
    /** Calls `act` each time the process is idle, until it returns false. */
    readonly whileIdle: (act: () => boolean) => Effect.Effect<void>
  }
>()("backlinks/bench/time/IdleDetector") {}

/** Effect's own scheduler, with a callback after each turn and a count of the turns to come. */
const countingScheduler = (afterTurn: () => void) => {
  let pending = 0
  let taken = 0
  const schedule = (turn: () => void) => {
    pending++
    const handle = setImmediate(() => {
      pending--
      taken++
      turn()
      afterTurn()
    })
    return () => {
      pending--
      clearImmediate(handle)
    }
  }
  const scheduler = new Scheduler.MixedScheduler("async", schedule)
  return { scheduler, turnsPending: () => pending, turnsTaken: () => taken }
}

const makeIdleDetector = () => {
  const network = Semaphore.makeUnsafe(1)
  const claimed = new Set<string>()
  const actors: Array<() => void> = []
  let requests = 0
  let clockDriver: (() => void) | undefined
  let checkScheduled = false

  const isIdle = () => turnsPending() === 0 && requests === 0 && claimed.size === 0

  /** Resumes one waiter, actors first: its next step may end the idleness for the others. */
  const check = () => {
    checkScheduled = false
    if (!isIdle()) return
    const next = actors.shift() ?? clockDriver
    next?.()
    scheduleCheck()
  }

  /** The check has a turn of the event loop to itself, between the steps of fibers. */
  const scheduleCheck = () => {
    if (checkScheduled || (actors.length === 0 && clockDriver === undefined)) return
    checkScheduled = true
    setImmediate(check)
  }

  const { scheduler, turnsPending, turnsTaken } = countingScheduler(scheduleCheck)

  /** A slow machine still takes turns; only an interval without any counts. */
  const watchTurns = (onStuck: () => void): (() => void) => {
    let takenBefore = turnsTaken()
    const interval = setInterval(() => {
      if (turnsTaken() === takenBefore) onStuck()
      takenBefore = turnsTaken()
    }, STUCK_AFTER_MS)
    return () => clearInterval(interval)
  }

  const driveClock = <A>(act: (end: (result: Effect.Effect<A>) => void) => void) =>
    Effect.callback<A>((resume) => {
      const stop = () => {
        stopWatching()
        clockDriver = undefined
      }
      const end = (result: Effect.Effect<A>) => {
        stop()
        resume(result)
      }
      const stopWatching = watchTurns(() => {
        const open = `${turnsPending()} turns ahead, ${requests} requests, ${claimed.size} deliveries in hand`
        end(Effect.die(new Error(`The bench has been waiting for ${STUCK_AFTER_MS / 1_000} s: ${open}.`)))
      })
      clockDriver = () => act(end)
      scheduleCheck()
      return Effect.sync(stop)
    })

  const service = IdleDetector.of({
    acquireNetwork: Effect.suspend(() => {
      requests++
      return Effect.onInterrupt(Effect.asVoid(network.take(1)), () => Effect.sync(() => requests--))
    }),
    releaseNetwork: Effect.suspend(() => {
      requests--
      scheduleCheck()
      return Effect.asVoid(network.release(1))
    }),
    trackDeliveries: (deliveryIds) => {
      for (const deliveryId of deliveryIds) claimed.add(deliveryId)
    },
    untrackDelivery: (deliveryId) => {
      claimed.delete(deliveryId)
      scheduleCheck()
    },
    idleForActors: Effect.callback<void>((resume) => {
      actors.push(() => resume(Effect.void))
      scheduleCheck()
    }),
    idle: driveClock<void>((end) => end(Effect.void)),
    wheneverIdle: (act) => driveClock<never>(act),
    whileIdle: (act) => driveClock<void>((end) => (act() ? undefined : end(Effect.void)))
  })
  return { scheduler, service }
}

/** Also provides the `Scheduler` to all that is built with it. */
export const layer: Layer.Layer<IdleDetector> = Layer.effectContext(
  Effect.sync(() => {
    const { scheduler, service } = makeIdleDetector()
    return Context.make(IdleDetector, service).pipe(Context.add(Scheduler.Scheduler, scheduler))
  })
)
