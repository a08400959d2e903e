// A clock that stands at one moment, in UTC: the libraries of PDF write the present time into their files, which would be other bytes at
// each rendering. For a thread that does nothing but render.

const RealDate = Date

let atMs = 0

/** The time of every `new Date()` from now on. */
export const setTime = (ms: number): void => {
  atMs = ms
}

class FixedDate extends RealDate {
  constructor(...args: ReadonlyArray<unknown>) {
    // Any arguments that a date can be made from; without one, the fixed time.
    super(...((args.length === 0 ? [atMs] : args) as [number]))
  }

  static override now(): number {
    return atMs
  }

  override getTimezoneOffset(): number {
    return 0
  }
}

const PARTS = ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"] as const

/** Replaces the clock of this thread. */
export const fixClock = (): void => {
  for (const part of PARTS) {
    Object.defineProperty(FixedDate.prototype, `get${part}`, {
      value(this: Date): number {
        return this[`getUTC${part}`]()
      }
    })
  }
  globalThis.Date = FixedDate as DateConstructor // `Date()` as a function is used by none of the libraries.
}
