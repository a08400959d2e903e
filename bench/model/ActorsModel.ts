// The part of the model about actors: what each one does, and its last result.
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { BenchEvent, EventOf } from "../events/BenchEvent.ts"
import { appendOver, changeLast } from "./BoundedList.ts"

export interface ActorRow extends Pick<EventOf<"ActorJoined">, "actorId" | "kind" | "name" | "mode"> {
  /** `null` while it is idle. */
  readonly doing: string | null
  readonly last: Pick<EventOf<"ActionEnded">, "ok" | "action" | "answer"> | null
  readonly changedAtMs: Millis
}

export interface ActorsModel {
  /** In the order in which they joined. */
  readonly rows: ReadonlyArray<ActorRow>
  /** All that joined and have not left, also those that `rows` no longer has. */
  readonly present: number
  /** Actions that succeeded, and those that did not. */
  readonly answered: number
  readonly refused: number
}

export const MAX_ACTORS = 64

export const emptyActors: ActorsModel = { rows: [], present: 0, answered: 0, refused: 0 }

const joined = (actors: ActorsModel, event: EventOf<"ActorJoined">): ActorsModel => {
  if (actors.rows.some(({ actorId }) => actorId === event.actorId)) return actors
  const { actorId, kind, name, mode, atMs } = event
  const row: ActorRow = { actorId, kind, name, mode, doing: null, last: null, changedAtMs: atMs }
  const rows = appendOver(actors.rows, row, MAX_ACTORS, ({ doing }) => doing === null)
  return { ...actors, rows, present: actors.present + 1 }
}

const changeRow = (
  { rows }: ActorsModel,
  { actorId, atMs }: EventOf<"ActionBegan" | "ActionEnded">,
  change: Partial<ActorRow>
): ActorsModel["rows"] =>
  changeLast(
    rows,
    (row) => row.actorId === actorId,
    (row) => ({ ...row, ...change, changedAtMs: atMs })
  )

export const reduceActors = (actors: ActorsModel, event: BenchEvent): ActorsModel => {
  switch (event._tag) {
    case "ServiceOpened":
      return emptyActors
    case "ActorJoined":
      return joined(actors, event)
    case "ActorLeft": {
      const rows = actors.rows.filter(({ actorId }) => actorId !== event.actorId)
      return { ...actors, rows, present: Math.max(0, actors.present - 1) }
    }
    case "ActionBegan":
      return { ...actors, rows: changeRow(actors, event, { doing: event.action }) }
    case "ActionEnded": {
      const { ok, action, answer } = event
      const rows = changeRow(actors, event, { doing: null, last: { ok, action, answer } })
      return { ...actors, rows, answered: actors.answered + (ok ? 1 : 0), refused: actors.refused + (ok ? 0 : 1) }
    }
    default:
      return actors
  }
}
