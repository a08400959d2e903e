// One line for each account: what must not run beside other work on it, in order of arrival. Calls at the heads of
// several lines run together, in batches; work that is no decision on books alone runs by itself.
import { type Context, Deferred, Effect, Exit, type Scope } from "effect"
import type { AdmissionQueue, Waiter } from "#adapters/concurrency/AdmissionQueue.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { queueFull, unavailable } from "../database/SqlErrors.ts"
import { type Batch, Batches, type BatchesOptions, completeAll, type QueuedCall } from "./Batches.ts"

export interface LinesOptions<Reads> extends BatchesOptions<Reads> {
  /** Where calls and work wait. */
  readonly admission: AdmissionQueue
  readonly keyOf: (reads: Reads) => string
}

/** Work that runs alone. */
interface Work extends Waiter {
  /** Completed with what ends its turn. */
  readonly done: Deferred.Deferred<() => void, StoreUnavailable>
  /** Set once its turn has come. */
  end: (() => void) | undefined
}

/** It refers to nothing of a call that has ended: a `Map` that resizes keeps its earlier entries until the next major garbage collection. */
interface Line<Reads> {
  readonly key: string
  readonly waiting: Array<QueuedCall<Reads> | Work>
}

const isCall = <Reads>(one: QueuedCall<Reads> | Work): one is QueuedCall<Reads> => "reads" in one

export class Lines<Reads> {
  readonly #admission: AdmissionQueue
  readonly #keyOf: (reads: Reads) => string
  readonly #batches: Batches<Reads>
  /** Those of which something waits or runs. */
  readonly #lines = new Map<string, Line<Reads>>()
  /** Heads that are in a batch, or wait for one. */
  #heads = 0
  readonly #drained = Deferred.makeUnsafe<void>()
  #isClosed = false

  constructor({ admission, keyOf, ...run }: LinesOptions<Reads>) {
    this.#admission = admission
    this.#keyOf = keyOf
    this.#batches = new Batches(run)
  }

  /** Decides and writes a call in the turn of its line, with others or singly. From its turn on it runs to its end. */
  call<A, E extends Refusal>(reads: Reads, decide: Decide<A, E>): Effect.Effect<A, E | StoreUnavailable> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.contextWith((services: Context.Context<never>) => {
        if (this.#isClosed) return Effect.fail(unavailable)
        const done = Deferred.makeUnsafe<A, E | StoreUnavailable>()
        const refuse = () => void Deferred.doneUnsafe(done, Exit.fail(queueFull))
        const account = this.#keyOf(reads)
        // `done` is only completed with the result of this call's own decision.
        const one = { reads, decide, done, refuse, account, services } as QueuedCall<Reads>
        if (!this.#admission.admit(one)) return Effect.fail(queueFull)
        this.#enqueue(account, one)
        return Effect.onInterrupt(restore(Deferred.await(done)), () =>
          Effect.sync(() => void this.#admission.remove(one))
        )
      })
    )
  }

  /** Runs work alone in the turn of a line; `waited` says that it had to wait, so that state read before may be stale. */
  run<A, E, R>(
    key: string,
    work: (waited: boolean) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StoreUnavailable, R> {
    return Effect.uninterruptibleMask((restore) => {
      const until = (end: () => void, waited: boolean) =>
        Effect.ensuring(restore(Effect.suspend(() => work(waited))), Effect.sync(end))
      return Effect.suspend((): Effect.Effect<A, E | StoreUnavailable, R> => {
        if (this.#lines.has(key)) return Effect.flatMap(this.#wait(key, restore), (end) => until(end, true))
        const line = { key, waiting: [] }
        this.#lines.set(key, line)
        return until(() => this.#next(line), false)
      })
    })
  }

  /** Fails what waits, and ends once all calls that run have ended. Work ends with its caller. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.#isClosed = true
    for (const { waiting } of this.#lines.values()) {
      const admitted = waiting.splice(0).filter((one) => this.#admission.remove(one))
      // A failure completes results of any type.
      completeAll(admitted as ReadonlyArray<QueuedCall<Reads>>, Exit.fail(unavailable))
    }
    return this.#heads === 0 ? Effect.void : Deferred.await(this.#drained)
  })

  #wait(key: string, restore: <B, F>(effect: Effect.Effect<B, F>) => Effect.Effect<B, F>) {
    const done = Deferred.makeUnsafe<() => void, StoreUnavailable>()
    const refuse = () => void Deferred.doneUnsafe(done, Exit.fail(queueFull))
    const one: Work = { done, account: key, refuse, end: undefined }
    if (!this.#admission.admit(one)) return Effect.fail(queueFull)
    this.#enqueue(key, one)
    return Effect.onInterrupt(restore(Deferred.await(done)), () =>
      Effect.sync(() => {
        // Work that is interrupted just after its turn has come hands it on.
        if (!this.#admission.remove(one)) one.end?.()
      })
    )
  }

  #enqueue(key: string, one: QueuedCall<Reads> | Work): void {
    const line = this.#lines.get(key)
    if (line !== undefined) {
      line.waiting.push(one)
      return
    }
    const first = { key, waiting: [one] }
    this.#lines.set(key, first)
    this.#next(first)
  }

  /** Begins the next turn of a line, or ends the line. */
  #next(line: Line<Reads>): void {
    for (let one = line.waiting[0]; one !== undefined; one = line.waiting[0]) {
      if (isCall(one)) {
        this.#addHead(line, one)
        return
      }
      line.waiting.shift()
      if (this.#admission.remove(one)) {
        one.end = () => this.#next(line)
        Deferred.doneUnsafe(one.done, Exit.succeed(one.end))
        return
      }
    }
    this.#lines.delete(line.key)
  }

  #addHead(line: Line<Reads>, { services }: QueuedCall<Reads>): void {
    this.#heads++
    this.#batches.add({
      key: line.key,
      services,
      start: (count) => this.#start(line, count),
      end: () => {
        this.#heads--
        this.#next(line)
        if (this.#isClosed && this.#heads === 0) Deferred.doneUnsafe(this.#drained, Exit.void)
      }
    })
  }

  /** Up to as many calls as come before the next work and have been neither refused nor interrupted. From here on they run to their end. */
  #start({ waiting }: Line<Reads>, count: number): Batch<Reads> {
    const work = waiting.findIndex((one) => !isCall(one))
    const calls = waiting.splice(0, work < 0 ? count : Math.min(count, work)).filter(isCall)
    return calls.filter((one) => this.#admission.remove(one))
  }
}

export const makeLines = Effect.fnUntraced(function* <Reads>(
  options: LinesOptions<Reads>
): Effect.fn.Return<Lines<Reads>, never, Scope.Scope> {
  const lines = new Lines(options)
  yield* Effect.addFinalizer(() => lines.close)
  return lines
})
