// Operations of events: list them.
import { Effect } from "effect"
import { showListSummary } from "#adapters/contract/schema/ListSummary.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { readEventsQuery, showEvent } from "#adapters/contract/webhooks/EventList.ts"
import { EventId } from "#core/domain/shared/Ids.ts"
import { ListEvents } from "#core/usecases/webhooks/ListEvents.ts"
import type { EventsApi } from "../api/EventsApi.ts"
import type { OperationsOf } from "./Operation.ts"

const eventCursor = pageCursor("events", EventId)

export const eventsOperations = Effect.map(
  ListEvents,
  (events): OperationsOf<typeof EventsApi> => ({
    listEvents: Effect.fnUntraced(function* (caller, { query }) {
      const { limit = PAGE_SIZE, cursor, scope = "key" } = query
      const conditions = readEventsQuery(query)
      const filters = { scope, ...conditions }
      const beforeId = yield* Effect.fromResult(eventCursor.begin(filters, cursor))
      const page = yield* events.list(caller, { scope, ...conditions, limit, beforeId })
      const { bodies, nextBeforeId } = page
      return {
        ok: true,
        count: bodies.length,
        events: bodies.map(showEvent),
        ...showListSummary("event", page),
        ...eventCursor.next(filters, nextBeforeId),
        sandbox: caller.mode === "sandbox"
      }
    })
  })
)
