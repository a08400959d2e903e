// How many searches may run at once: all that their connections take, but one while orders are being committed. Service and database
// share processors, and of an order every step would wait for all the searches that were begun before it.

/** Longer than a buyer takes from one order to the next, when it orders without a pause. */
const ORDERS_LAST_MS = 100

const WHILE_ORDERS_COME = 1

export class SearchLimit {
  readonly #most: number
  readonly #monotonicMs: () => number
  #lastCommitMs = Number.NEGATIVE_INFINITY

  constructor(most: number, monotonicMs: () => number = () => performance.now()) {
    this.#most = most
    this.#monotonicMs = monotonicMs
  }

  recordCommit(): void {
    this.#lastCommitMs = this.#monotonicMs()
  }

  get inFlight(): number {
    return this.#monotonicMs() - this.#lastCommitMs < ORDERS_LAST_MS ? WHILE_ORDERS_COME : this.#most
  }
}
