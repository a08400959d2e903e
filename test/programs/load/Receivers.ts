// Starts the receivers' thread, and collects when each order arrived.
import { Worker } from "node:worker_threads"
import { Deferred, Effect, Exit, type Scope } from "effect"
import type { FromThread, ThreadData } from "./ReceiverThread.ts"

export const RECEIVER_HOST = "hooks.example"

export interface Receivers {
  readonly urls: ReadonlyArray<string>
  /** Never responds, until `closeSilent` closes its connections. */
  readonly holeUrl: string
  readonly closeSilent: Effect.Effect<void>
  /** When an order first arrived, by `monotonicMs`. */
  readonly receivedAtMs: (orderId: string) => number | undefined
  readonly received: () => number
  readonly excess: () => Excess
  /** Waits until `count` orders in all have arrived. */
  readonly waitForReceived: (count: number) => Effect.Effect<void>
}

/** Repeated deliveries. */
export interface Excess {
  /** Deliveries of an event that had arrived before. */
  readonly ofEvents: number
  /** Among them, of the same attempt. */
  readonly ofAttempts: number
}

const urlOf = (port: number): string => `https://${RECEIVER_HOST}:${port}/in`

export const startReceivers = (data: ThreadData): Effect.Effect<Receivers, never, Scope.Scope> =>
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
      for (const { orderId, eventId, signedAt, atMs } of message.received) {
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
      closeSilent: Effect.sync(() => thread.postMessage("hang up")),
      receivedAtMs: (orderId) => first.get(orderId),
      received: () => first.size,
      excess: () => ({ ofEvents: deliveries - events.size, ofAttempts: deliveries - attempts.size }),
      waitForReceived: Effect.fnUntraced(function* (count) {
        const reached = yield* Deferred.make<void>()
        awaited = { count, reached }
        if (first.size < count) yield* Deferred.await(reached)
      })
    }
  })
