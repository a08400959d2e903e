// The speed that virtual time has had lately, which may be less than what was asked of a busy machine.

/** Real milliseconds that one measurement takes. */
const MEASURED_MS = 1_000

interface Moment {
  readonly realMs: number
  readonly virtualMs: number
}

export interface SpeedGauge {
  /** Begins a new measurement. */
  readonly restart: (now: Moment) => void
  /** Virtual milliseconds per real one in the last whole measurement; `null` before its end. */
  readonly read: (now: Moment) => number | null
}

export const makeSpeedGauge = (start: Moment): SpeedGauge => {
  let from = start
  let had: number | null = null
  return {
    restart: (now) => {
      from = now
      had = null
    },
    read: (now) => {
      const realMs = now.realMs - from.realMs
      if (realMs < MEASURED_MS) return had
      had = (now.virtualMs - from.virtualMs) / realMs
      from = now
      return had
    }
  }
}
