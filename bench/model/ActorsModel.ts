// What the bench knows of each actor: what it is doing, and its last answer. One part of the model.
import type { Millis, Mode } from "#core/domain/DecisionContext.ts"
import type { ActorEvent, ActorKind, BenchEvent } from "../events/BenchEvent.ts"
import { appendSparing, changeLast } from "./BoundedList.ts"

export interface ActorRow {
  readonly actorId: string
  readonly kind: ActorKind
  readonly name: string
  readonly mode: Mode | null
  /** `null` while it rests. */
  readonly doing: string | null
  readonly last: { readonly ok: boolean; readonly action: string; readonly answer: string } | null
  readonly changedAtMs: Millis
}

export interface Actors {
  /** In the order in which they joined. */
  readonly rows: ReadonlyArray<ActorRow>
  /** Everyone who is there, remembered or not. */
  readonly present: number
  /** Answers so far: those hoped for, and the others. */
  readonly answered: number
  readonly refused: number
}

export const MAX_ACTORS = 64

export const emptyActors: Actors = { rows: [], present: 0, answered: 0, refused: 0 }

type At<A> = A & { readonly atMs: Millis }

const join = (actors: Actors, event: At<Extract<ActorEvent, { _tag: "ActorJoined" }>>): Actors => {
  if (actors.rows.some(({ actorId }) => actorId === event.actorId)) return actors
  const { actorId, kind, name, mode, atMs } = event
  const row: ActorRow = { actorId, kind, name, mode, doing: null, last: null, changedAtMs: atMs }
  const rows = appendSparing(actors.rows, row, MAX_ACTORS, ({ doing }) => doing === null)
  return { ...actors, rows, present: actors.present + 1 }
}

const change = (actors: Actors, id: string, next: (row: ActorRow) => ActorRow): Actors["rows"] =>
  changeLast(actors.rows, ({ actorId }) => actorId === id, next)

export const reduceActors = (actors: Actors, event: BenchEvent): Actors => {
  switch (event._tag) {
    case "ServiceOpened":
      return emptyActors
    case "ActorJoined":
      return join(actors, event)
    case "ActorLeft":
      return {
        ...actors,
        rows: actors.rows.filter(({ actorId }) => actorId !== event.actorId),
        present: Math.max(0, actors.present - 1)
      }
    case "ActionBegan":
      return {
        ...actors,
        rows: change(actors, event.actorId, (row) => ({ ...row, doing: event.action, changedAtMs: event.atMs }))
      }
    case "ActionEnded": {
      const { actorId, ok, action, answer, atMs } = event
      const rows = change(actors, actorId, (row) => ({
        ...row,
        doing: null,
        last: { ok, action, answer },
        changedAtMs: atMs
      }))
      return { ...actors, rows, answered: actors.answered + (ok ? 1 : 0), refused: actors.refused + (ok ? 0 : 1) }
    }
    default:
      return actors
  }
}
