// The receivers of a load as its own thread sees them: their addresses, and when each order was heard of.
import { Worker } from "node:worker_threads"
import { Deferred, Effect, Exit, type Scope } from "effect"
import type { FromThread, ThreadData } from "./ReceiverThread.ts"

export const RECEIVER_HOST = "hooks.example"

export interface Receivers {
  readonly urls: ReadonlyArray<string>
  /** Never answers, until it is told to hang up on all that wait. */
  readonly holeUrl: string
  readonly hangUp: Effect.Effect<void>
  /** When an order was first heard of, by `monotonicMs`. */
  readonly heardAtMs: (orderId: string) => number | undefined
  readonly heard: () => number
  readonly excess: () => Excess
  /** Waits until so many orders in all were heard of. */
  readonly untilHeard: (count: number) => Effect.Effect<void>
}

/** Deliveries that were one too many. */
export interface Excess {
  /** Of an event that had come before. */
  readonly ofEvents: number
  /** Among them, of the very attempt that had come before. */
  readonly ofAttempts: number
}

const urlOf = (port: number): string => `https://${RECEIVER_HOST}:${port}/in`

export const receivers = (data: ThreadData): Effect.Effect<Receivers, never, Scope.Scope> =>
  Effect.gen(function* () {
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => new Worker(new URL("./ReceiverThread.ts", import.meta.url), { workerData: data })),
      (worker) => Effect.promise(() => worker.terminate())
    )
    const first = new Map<string, number>()
    const events = new Set<string>()
    const attempts = new Set<string>()
    let deliveries = 0
    let awaited: { readonly count: number; readonly reached: Deferred.Deferred<void> } | undefined
    const listening = yield* Deferred.make<Extract<FromThread, { readonly kind: "listening" }>>()
    thread.on("message", (message: FromThread) => {
      if (message.kind === "listening") return void Deferred.doneUnsafe(listening, Exit.succeed(message))
      for (const { orderId, eventId, signedAt, atMs } of message.heard) {
        deliveries++
        events.add(eventId)
        attempts.add(`${eventId} ${signedAt}`)
        if (!first.has(orderId)) first.set(orderId, atMs)
      }
      if (awaited !== undefined && first.size >= awaited.count) Deferred.doneUnsafe(awaited.reached, Exit.void)
    })
    const { ports, holePort } = yield* Deferred.await(listening)
    return {
      urls: ports.map(urlOf),
      holeUrl: urlOf(holePort),
      hangUp: Effect.sync(() => thread.postMessage("hang up")),
      heardAtMs: (orderId) => first.get(orderId),
      heard: () => first.size,
      excess: () => ({ ofEvents: deliveries - events.size, ofAttempts: deliveries - attempts.size }),
      untilHeard: Effect.fnUntraced(function* (count) {
        const reached = yield* Deferred.make<void>()
        awaited = { count, reached }
        if (first.size < count) yield* Deferred.await(reached)
      })
    }
  })
