// Decides when each request starts, so that one client with many requests cannot make those of others wait: few of each kind start in a
// turn of the event loop, one of each account in turn, and searches make room while orders come.
import { AdmissionQueue, type Waiter } from "#adapters/concurrency/AdmissionQueue.ts"
import { Turns, type Waiting } from "#adapters/concurrency/Turns.ts"

/**
 * `order`: places an order. `search`: reads the catalogue. `stranger`: has neither a key nor the cookie of a member. No kind waits for another
 * one.
 */
export type RequestKind = "order" | "search" | "other" | "stranger"

/** The clock and the timers of the process. */
export interface EventLoop {
  readonly nowMs: () => number
  /** Runs in the next turn of the event loop, after what has arrived was read. */
  readonly runNextTurn: (run: () => void) => void
  readonly runAfterMs: (run: () => void, ms: number) => void
}

interface Callbacks {
  /** Called when its turn comes. */
  readonly start: () => void
  /** Called instead, when it has waited too long or another account's request takes its place. */
  readonly refuse: () => void
}

const AT_ONCE: Callbacks = { start: () => undefined, refuse: () => undefined }

/** A request that was admitted: it waits, runs or is over. */
export class AdmittedRequest implements Waiter {
  readonly kind: RequestKind
  /** Its owner's share of the waiting requests of its kind. */
  readonly account: string
  readonly start: () => void
  readonly refuse: () => void
  slot: Waiter["slot"]
  /** Where it waits, while it does. */
  waiting: Waiting<AdmittedRequest> | undefined
  readonly arrivedAtMs: number
  /** `undefined` until it starts. */
  startedAtMs: number | undefined
  isOver = false

  constructor(kind: RequestKind, account: string, arrivedAtMs: number, { start, refuse }: Callbacks) {
    this.kind = kind
    this.arrivedAtMs = arrivedAtMs
    this.account = account
    this.start = start
    this.refuse = refuse
  }

  /** 0 until it starts. */
  get waitedMs(): number {
    return this.startedAtMs === undefined ? 0 : this.startedAtMs - this.arrivedAtMs
  }
}

/**
 * Requests that start in one turn of the event loop: whatever is under way waits for these, at 0.1 to 0.3 ms each. As many orders as are
 * written together, because they cost less so.
 */
const STARTS_PER_TURN: Readonly<Record<RequestKind, number>> = { order: 64, search: 8, other: 8, stranger: 2 }

/** More searches at once would wait for one another in the store, where accounts take no turns. */
const MAX_SEARCHES = 32

const KINDS = ["order", "other", "search", "stranger"] as const

const NONE: Readonly<Record<RequestKind, number>> = { order: 0, search: 0, other: 0, stranger: 0 }

/** The number of connections that there may be. */
const MAX_WAITING = 5_000

const MAX_WAIT_MS = 5_000

/** How often requests that have waited too long are looked for, and how many are then refused at most: refusals take time, too. */
const REFUSAL_INTERVAL_MS = 20
const REFUSALS_AT_ONCE = 20

/** Longer than a buyer takes from one order to the next, when it orders without a pause. */
const ORDERS_LAST_MS = 100

/** The longest pause after a search while orders come. */
const MAX_PAUSE_MS = 50

export class RequestSchedule {
  readonly #loop: EventLoop
  readonly #admission: AdmissionQueue
  readonly #turns: Readonly<Record<RequestKind, Turns<AdmittedRequest>>> = {
    order: new Turns(),
    search: new Turns(),
    other: new Turns(),
    stranger: new Turns()
  }
  /** Requests that have started and not ended. */
  readonly #running = { ...NONE }
  readonly #startedThisTurn = { ...NONE }
  #hasNextTurn = false
  #hasRefusalTimer = false
  #lastOrderEndMs = Number.NEGATIVE_INFINITY
  /** Between two searches while orders come. */
  #isPausing = false

  constructor(loop: EventLoop) {
    this.#loop = loop
    this.#admission = new AdmissionQueue({ capacity: MAX_WAITING, maxWaitMs: MAX_WAIT_MS, nowMs: loop.nowMs })
  }

  get waiting(): number {
    return this.#admission.size
  }

  /** Starts a request at once, unless others of its kind wait or enough have started in this turn; then it has to be added. */
  startAtOnce(kind: RequestKind): AdmittedRequest | undefined {
    if (this.#turns[kind].size > 0 || !this.#mayStart(kind)) return undefined
    const request = new AdmittedRequest(kind, "", this.#loop.nowMs(), AT_ONCE)
    this.#begin(request)
    this.#planNextTurn()
    return request
  }

  /** Adds a request to the line of its owner. `undefined` if too many wait. */
  add(owner: string, kind: RequestKind, { start, refuse }: Callbacks): AdmittedRequest | undefined {
    const request = new AdmittedRequest(kind, `${kind} ${owner}`, this.#loop.nowMs(), {
      start,
      refuse: () => {
        this.end(request)
        refuse()
      }
    })
    if (!this.#admission.admit(request)) return undefined
    request.waiting = this.#turns[kind].add(owner, request)
    this.#planNextTurn()
    this.#planRefusals()
    return request
  }

  /** Ends a request, whatever its state. */
  end(request: AdmittedRequest): void {
    const { kind, startedAtMs, waiting, isOver } = request
    if (isOver) return
    request.isOver = true
    this.#admission.remove(request)
    if (waiting !== undefined) this.#turns[kind].remove(waiting)
    if (startedAtMs === undefined) return
    this.#running[kind]--
    if (kind === "order") this.#lastOrderEndMs = this.#loop.nowMs()
    if (kind === "search" && this.#areOrdersComing()) this.#pause(this.#loop.nowMs() - startedAtMs)
    if (this.waiting > 0) this.#planNextTurn()
  }

  #areOrdersComing(): boolean {
    return this.#running.order > 0 || this.#loop.nowMs() - this.#lastOrderEndMs < ORDERS_LAST_MS
  }

  /**
   * While orders come, one search at a time, and as long a pause after it as it took: service and database share processors, and every
   * step of an order waits for what has begun before.
   */
  #maySearch(): boolean {
    const { search } = this.#running
    return this.#areOrdersComing() ? search === 0 && !this.#isPausing : search < MAX_SEARCHES
  }

  #mayStart(kind: RequestKind): boolean {
    return this.#startedThisTurn[kind] < STARTS_PER_TURN[kind] && (kind !== "search" || this.#maySearch())
  }

  #pause(ms: number): void {
    this.#isPausing = true
    this.#loop.runAfterMs(
      () => {
        this.#isPausing = false
        if (this.waiting > 0) this.#planNextTurn()
      },
      Math.min(ms, MAX_PAUSE_MS)
    )
  }

  #begin(request: AdmittedRequest): void {
    request.waiting = undefined
    request.startedAtMs = this.#loop.nowMs()
    this.#startedThisTurn[request.kind]++
    this.#running[request.kind]++
  }

  #planNextTurn(): void {
    if (this.#hasNextTurn) return
    this.#hasNextTurn = true
    this.#loop.runNextTurn(() => {
      this.#hasNextTurn = false
      Object.assign(this.#startedThisTurn, NONE)
      this.#startNext()
    })
  }

  #startNext(): void {
    let hasStarted = false
    for (const kind of KINDS) {
      while (this.#mayStart(kind)) {
        const request = this.#turns[kind].take()
        if (request === undefined) break
        this.#admission.remove(request)
        this.#begin(request)
        request.start()
        hasStarted = true
      }
    }
    // Also without any that wait: those that arrive are counted from zero then.
    if (hasStarted) this.#planNextTurn()
  }

  #planRefusals(): void {
    if (this.#hasRefusalTimer) return
    this.#hasRefusalTimer = true
    this.#loop.runAfterMs(() => {
      this.#hasRefusalTimer = false
      this.#admission.refuseExpired(REFUSALS_AT_ONCE)
      if (this.waiting > 0) this.#planRefusals()
    }, REFUSAL_INTERVAL_MS)
  }
}
