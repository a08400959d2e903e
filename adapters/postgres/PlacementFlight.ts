// One flight of placements: loads, decides and writes them all at once, and tells each what became of it. What goes wrong for one of
// them does not touch the others. Who flies when is `Placements`'.
import { Cause, Deferred, Effect, Exit } from "effect"
import type { Change } from "#core/decisions/Change.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Moment } from "#core/domain/Moment.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { COMMIT } from "./Commits.ts"
import type { Database } from "./Database.ts"
import { type LoadedBooks, loadedBooks } from "./LoadedBooks.ts"
import { type DecidedBatch, decideTogether, onTop, type Placement } from "./PlacementBatch.ts"
import { type ForPlacement, queryForPlacements } from "./PlacementQuery.ts"
import { isLockedOut, isRefusedByDatabase } from "./SqlFaults.ts"
import { commitOf } from "./WrittenRows.ts"

export interface Waiting extends Placement {
  readonly done: Deferred.Deferred<unknown, Refusal | StoreUnavailable>
}

/** Placements of one account. */
export type Party = ReadonlyArray<Waiting>

/** Of a busy account's parties, so many follow the first before others who want something of the account have their turn. */
const FOLLOWERS = 3

/** Times that all may lose a race before each goes alone. */
const TRIES = 2

const tell = (all: Party, exits: ReadonlyArray<Exit.Exit<unknown, Refusal | StoreUnavailable>>): void => {
  for (const [index, { done }] of all.entries()) {
    Deferred.doneUnsafe(done, exits[index] ?? Exit.die("every placement has its answer"))
  }
}

export const tellAll = (all: Party, exit: Exit.Exit<never, StoreUnavailable>): void =>
  tell(
    all,
    Array.from(all, () => exit)
  )

interface Decided extends DecidedBatch {
  /** As they are written; `null` where there is nothing to write. */
  readonly rows: string | null
}

/** Where it is not written, certainly nothing was: who lost may be quicker the next time. */
type Written = "written" | "refused" | "lost"

export type Place = <A, E extends Refusal>(
  reads: ForPlacement,
  decide: Decide<A, E>
) => Effect.Effect<A, E | StoreUnavailable>

export interface Placing {
  readonly database: Database["Service"]
  /** So many moments that follow all that was loaded. */
  readonly moments: (loaded: LoadedBooks, count: number) => Effect.Effect<() => Moment>
  /** Decides one placement by itself, in its account's turn and again wherever it loses a race. */
  readonly alone: Place
  /** Hears of all that was written. */
  readonly written: (changes: ReadonlyArray<Change>) => Effect.Effect<void>
}

export const placementFlight = ({ database, moments, alone, written }: Placing) => {
  const load = (all: ReadonlyArray<Waiting>) => {
    const { sql, params } = queryForPlacements(all.map(({ reads }) => reads))
    return Effect.map(database.read(sql, params), ([row]) => loadedBooks(row))
  }

  const decideOn = (loaded: LoadedBooks, all: ReadonlyArray<Waiting>): Effect.Effect<Decided> =>
    Effect.map(moments(loaded, all.length), (nextMoment) => {
      const batch = decideTogether(loaded, all, nextMoment)
      const { writing } = batch
      return { ...batch, rows: writing === null ? null : JSON.stringify(commitOf(writing).rows) }
    })

  const decideAll = (all: ReadonlyArray<Waiting>) => Effect.flatMap(load(all), (loaded) => decideOn(loaded, all))

  /** Decides while an earlier party is being written; `null` where that has to be done first. */
  const decideAhead = (accountId: string, party: Party, earlier: Decided) =>
    load(party).pipe(
      Effect.flatMap((loaded) => {
        const after = onTop(loaded, accountId, earlier)
        return after === null ? Effect.succeed(null) : decideOn(after, party)
      }),
      Effect.catchCause(() => Effect.succeed(null))
    )

  const write = ({ rows, changes }: Decided): Effect.Effect<Written, StoreUnavailable> =>
    rows === null
      ? Effect.succeed<Written>("written")
      : database.write(COMMIT, [rows]).pipe(
          Effect.andThen(Effect.suspend(() => written(changes))),
          Effect.as<Written>("written"),
          Effect.catchTag("LostRace", (race) => Effect.succeed<Written>(isLockedOut(race) ? "refused" : "lost")),
          Effect.catchCause((cause) =>
            isRefusedByDatabase(cause) ? Effect.succeed<Written>("refused") : Effect.failCause(cause)
          )
        )

  /** Tells those who were written, and nobody else; but first whoever comes next goes on, so that the database has work meanwhile. */
  const writeAndTell = (all: Party, decided: Decided) =>
    Effect.map(Effect.exit(write(decided)), (outcome) => {
      if (Exit.isSuccess(outcome) && outcome.value === "written") setImmediate(() => tell(all, decided.answers))
      return outcome
    })

  const goAlone = (one: Waiting) =>
    Effect.flatMap(Effect.exit(alone(one.reads, one.decide)), (exit) => Effect.sync(() => tell([one], [exit])))

  const eachAlone = (parties: ReadonlyArray<Party>): Effect.Effect<void> =>
    Effect.forEach(parties, (party) => Effect.forEach(party, goAlone, { discard: true }), {
      concurrency: "unbounded",
      discard: true
    })

  /**
   * Where it is certain that nothing was written, all go once more together, and then each alone. `ready` is what was decided ahead,
   * `meanwhile` goes on while they are being written; what comes of it is answered if they were written together.
   */
  const settle = Effect.fnUntraced(function* <A>(
    parties: ReadonlyArray<Party>,
    ready: Decided | null,
    meanwhile: (decided: Decided) => Effect.Effect<A>
  ) {
    const all = parties.flat()
    let ahead = ready
    for (let tries = all.length > 1 ? TRIES : 0; tries > 0; tries--) {
      const decided = ahead === null ? yield* Effect.exit(decideAll(all)) : Exit.succeed(ahead)
      ahead = null
      if (Exit.isFailure(decided)) {
        // A row that nobody can read is only in the way of those who look at it.
        if (Cause.hasDies(decided.cause)) break
        tellAll(all, Exit.failCause(decided.cause))
        return null
      }
      const { value } = decided
      const sideBySide = [writeAndTell(all, value), meanwhile(value)] as const
      const [outcome, next] = yield* Effect.all(sideBySide, { concurrency: 2 })
      if (Exit.isFailure(outcome)) {
        tellAll(all, Exit.failCause(outcome.cause))
        return null
      }
      if (outcome.value === "written") return next
      if (outcome.value === "refused") break
    }
    yield* eachAlone(parties)
    return null
  })

  /** Parties of one account in their order: each is loaded and decided while the one before it is being written. */
  const follow = Effect.fnUntraced(function* (first: Party, accountId: string, takeNext: () => Party) {
    let party = first
    let ready: Decided | null = null
    for (let left = FOLLOWERS; party.length > 0; left--) {
      let next: Party = []
      const prepare = (earlier: Decided) =>
        Effect.suspend(() => {
          if (left > 0 && next.length === 0) next = takeNext()
          return next.length < 2 ? Effect.succeed(null) : decideAhead(accountId, next, earlier)
        })
      ready = yield* Effect.onError(settle([party], ready, prepare), (cause) =>
        Effect.sync(() => tellAll([...party, ...next], Exit.failCause(cause)))
      )
      party = next
    }
  })

  return {
    /** Parties of several accounts. */
    together: (parties: ReadonlyArray<Party>) => settle(parties, null, () => Effect.void),
    follow
  }
}
