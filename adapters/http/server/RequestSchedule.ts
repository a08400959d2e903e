// Decides when each request starts, so that one client with many requests cannot make those of others wait: few of each kind start in a
// turn of the event loop, one of each account in turn, and searches make room while orders come.
import { Turns, type Waiting } from "#adapters/concurrency/Turns.ts"

/** `order`: places an order. `search`: reads the catalogue. No kind waits for another one. */
export type RequestKind = "order" | "search" | "other"

/** The clock and the timers of the process. */
export interface EventLoop {
  readonly nowMs: () => number
  /** Runs in the next turn of the event loop, after what has arrived was read. */
  readonly runNextTurn: (run: () => void) => void
  readonly runAfterMs: (run: () => void, ms: number) => void
}

/** A request that was admitted: it waits, runs or is over. */
export class AdmittedRequest {
  readonly kind: RequestKind
  readonly admittedAtMs: number
  /** `undefined` until it starts. */
  startedAtMs: number | undefined
  isOver = false
  /** Where it waits, while it does. */
  waiting: Waiting<AdmittedRequest> | undefined
  readonly start: () => void
  readonly refuse: () => void

  constructor(kind: RequestKind, admittedAtMs: number, { start, refuse }: Callbacks) {
    this.kind = kind
    this.admittedAtMs = admittedAtMs
    this.start = start
    this.refuse = refuse
  }
}

interface Callbacks {
  /** Called when its turn comes. */
  readonly start: () => void
  /** Called instead, when it has waited too long or another account's request takes its place. */
  readonly refuse: () => void
}

/**
 * Requests that start in one turn of the event loop: whatever is under way waits for these, at 0.1 to 0.3 ms each. As many orders as are
 * written together, because they cost less so.
 */
const STARTS_PER_TURN: Readonly<Record<RequestKind, number>> = { order: 64, search: 8, other: 8 }

const KINDS = ["order", "other", "search"] as const

const NONE: Readonly<Record<RequestKind, number>> = { order: 0, search: 0, other: 0 }

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
  readonly #turns: Readonly<Record<RequestKind, Turns<AdmittedRequest>>> = {
    order: new Turns(),
    search: new Turns(),
    other: new Turns()
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
  }

  get waiting(): number {
    return KINDS.reduce((sum, kind) => sum + this.#turns[kind].size, 0)
  }

  /** Starts a request at once, unless others of its kind wait or enough have started in this turn; then it has to be added. */
  startAtOnce(kind: RequestKind): AdmittedRequest | undefined {
    if (this.#turns[kind].size > 0 || !this.#mayStart(kind)) return undefined
    const request = new AdmittedRequest(kind, this.#loop.nowMs(), { start: () => undefined, refuse: () => undefined })
    this.#begin(request)
    this.#planNextTurn()
    return request
  }

  /**
   * Adds a request to the line of its owner. `undefined` if too many wait; of these, the newest of the owner with most gives way to a
   * request of an owner with fewer.
   */
  add(owner: string, kind: RequestKind, callbacks: Callbacks): AdmittedRequest | undefined {
    const turns = this.#turns[kind]
    if (this.waiting >= MAX_WAITING && !this.#makeRoom(turns.countOf(owner))) return undefined
    const request = new AdmittedRequest(kind, this.#loop.nowMs(), callbacks)
    request.waiting = turns.add(owner, request)
    this.#planNextTurn()
    this.#planRefusals()
    return request
  }

  /** Ends a request, whatever its state. */
  end(request: AdmittedRequest): void {
    const { kind, startedAtMs, waiting, isOver } = request
    if (isOver) return
    request.isOver = true
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
    return !this.#areOrdersComing() || (this.#running.search === 0 && !this.#isPausing)
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
        this.#begin(request)
        request.start()
        hasStarted = true
      }
    }
    // Also without any that wait: those that arrive are counted from zero then.
    if (hasStarted) this.#planNextTurn()
  }

  #makeRoom(held: number): boolean {
    const newest = this.#longest().newestOfMost()
    if (newest === undefined || held + 1 >= (newest.line?.count ?? 0)) return false
    this.#refuse(newest.item)
    return true
  }

  /** The turns of the kind of which most wait. */
  #longest(): Turns<AdmittedRequest> {
    return KINDS.map((kind) => this.#turns[kind]).reduce((one, other) => (other.size > one.size ? other : one))
  }

  #refuse(request: AdmittedRequest): void {
    this.end(request)
    request.refuse()
  }

  #planRefusals(): void {
    if (this.#hasRefusalTimer) return
    this.#hasRefusalTimer = true
    this.#loop.runAfterMs(() => {
      this.#hasRefusalTimer = false
      this.#refuseExpired()
      if (this.waiting > 0) this.#planRefusals()
    }, REFUSAL_INTERVAL_MS)
  }

  #refuseExpired(): void {
    const latestMs = this.#loop.nowMs() - MAX_WAIT_MS
    const isExpired = ({ item }: Waiting<AdmittedRequest>) => item.admittedAtMs < latestMs
    for (let refused = 0; refused < REFUSALS_AT_ONCE; refused++) {
      const expired = KINDS.values()
        .flatMap((kind) => this.#turns[kind].oldest())
        .find(isExpired)
      if (expired === undefined) return
      this.#refuse(expired.item)
    }
  }
}
