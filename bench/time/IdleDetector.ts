// Knows when nothing moves any more, so that time may go on, and lets one request travel at a time. Counts what the scheduler
// has idle to run, requests on their way, and deliveries that the service took on. Decides nothing about time itself.
import { Context, Effect, Layer, Scheduler, Semaphore } from "effect"

/** Real milliseconds without any turn after which something that never ends is taken for a bug of the bench or the service. */
const STUCK_AFTER_MS = 30_000

export class IdleDetector extends Context.Service<
  IdleDetector,
  {
    /** The one road: whoever sends a request takes it first, in order of asking. */
    readonly acquireNetwork: Effect.Effect<void>
    readonly releaseNetwork: Effect.Effect<void>
    /** The service has deliveries in hand, and is done with one. */
    readonly trackDeliveries: (deliveryIds: ReadonlyArray<string>) => void
    readonly untrackDelivery: (deliveryId: string) => void
    /** For actors: everything that follows from what they did has happened. */
    readonly idleForActors: Effect.Effect<void>
    /** For whoever moves time: nothing moves, and no actor waits for that. Dies where it never comes to that. */
    readonly idle: Effect.Effect<void>
  }
>()("backlinks/bench/IdleDetector") {}

/** Effect's own scheduler, which tells when a turn of it is over and how many are idle to come. */
const countingScheduler = (afterTurn: () => void) => {
  let ahead = 0
  let taken = 0
  const soon = (turn: () => void) => {
    ahead++
    const handle = setImmediate(() => {
      ahead--
      taken++
      turn()
      afterTurn()
    })
    return () => {
      ahead--
      clearImmediate(handle)
    }
  }
  return { scheduler: new Scheduler.MixedScheduler("async", soon), turnsAhead: () => ahead, turnsTaken: () => taken }
}

const makeStillness = () => {
  const road = Semaphore.makeUnsafe(1)
  const inHand = new Set<string>()
  const actors: Array<() => void> = []
  let onRoad = 0
  let mover: (() => void) | undefined
  let looksAhead = false

  const isStill = () => turnsAhead() === 0 && onRoad === 0 && inHand.size === 0

  /** One at a time, actors first: what each does next may end the idleDetector for the others. */
  const look = () => {
    looksAhead = false
    if (!isStill()) return
    const next = actors.shift() ?? mover
    if (next === mover) mover = undefined
    next?.()
    lookSoon()
  }

  /** In a turn of the event loop of its own, never in the middle of somebody's step. */
  const lookSoon = () => {
    if (looksAhead || (actors.length === 0 && mover === undefined)) return
    looksAhead = true
    setImmediate(look)
  }

  const { scheduler, turnsAhead, turnsTaken } = countingScheduler(lookSoon)
  const why = () => `${turnsAhead()} turns ahead, ${onRoad} requests, ${inHand.size} deliveries in hand`

  const idleForActors = Effect.callback<void>((resume) => {
    actors.push(() => resume(Effect.void))
    lookSoon()
  })

  /** However long a crowd takes to move in on a busy machine, it is stuck only once nothing is done about it any more. */
  const untilStuck = (stuck: () => void): (() => void) => {
    let takenBefore = turnsTaken()
    const watch = setInterval(() => {
      if (turnsTaken() === takenBefore) stuck()
      takenBefore = turnsTaken()
    }, STUCK_AFTER_MS)
    return () => clearInterval(watch)
  }

  const idle = Effect.callback<void>((resume) => {
    const stopWatch = untilStuck(() => {
      stopWatch()
      resume(Effect.die(new Error(`The bench has been waiting for ${STUCK_AFTER_MS / 1_000} s: ${why()}.`)))
    })
    mover = () => {
      stopWatch()
      resume(Effect.void)
    }
    lookSoon()
    return Effect.sync(() => {
      stopWatch()
      mover = undefined
    })
  })

  return {
    scheduler,
    idleDetector: IdleDetector.of({
      acquireNetwork: Effect.suspend(() => {
        onRoad++
        return Effect.onInterrupt(Effect.asVoid(road.take(1)), () => Effect.sync(() => onRoad--))
      }),
      releaseNetwork: Effect.suspend(() => {
        onRoad--
        lookSoon()
        return Effect.asVoid(road.release(1))
      }),
      trackDeliveries: (deliveryIds) => {
        for (const deliveryId of deliveryIds) inHand.add(deliveryId)
      },
      untrackDelivery: (deliveryId) => {
        inHand.delete(deliveryId)
        lookSoon()
      },
      idleForActors,
      idle
    })
  }
}

/** Also the `Scheduler` of whatever is built with it. */
export const layer: Layer.Layer<IdleDetector> = Layer.effectContext(
  Effect.sync(() => {
    const { scheduler, idleDetector } = makeStillness()
    return Context.make(IdleDetector, idleDetector).pipe(Context.add(Scheduler.Scheduler, scheduler))
  })
)
