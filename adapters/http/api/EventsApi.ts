import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EventList, EventsQuery } from "#adapters/contract/webhooks/EventList.ts"
import { describe, errorsOf } from "./EndpointDescription.ts"

const listEvents = HttpApiEndpoint.get("listEvents", "/events", {
  query: EventsQuery,
  success: EventList,
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "List what became of this key's orders and quotes",
    "Newest first, of the last 30 days, whether a webhook received it or not; `scope=account` lists those of the whole account in this key's mode. An event has one id here and in deliveries."
  )
)

export class EventsApi extends HttpApiGroup.make("events")
  .add(listEvents)
  .annotateMerge(
    OpenApi.annotations({ title: "Events", description: "What became of orders and quotes, also without a webhook." })
  ) {}
