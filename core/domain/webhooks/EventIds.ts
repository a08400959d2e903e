// The ids of events. Each follows from the decision that made a revision of its order or quote, the type, and the link or the revision, so that
// an event has one id wherever it appears, stored or not.
import type { Mode } from "../shared/DecisionContext.ts"
import { EventId, type OrderId } from "../shared/Ids.ts"
import type { EventType } from "./Event.ts"

/** What ends the id of an event of that type. Those of one moment are in the order of an order's life. */
export const EVENT_CODES: Readonly<Record<EventType, string>> = {
  "order.accepted": "a",
  "quote.paid": "b",
  "order.published": "c",
  "order.completed": "d",
  "order.cancelled": "e",
  "order.updated": "f",
  "quote.approval_requested": "g",
  "quote.expired": "h",
  "quote.abandoned": "i"
}

const PREFIX_CHARACTERS = 26

interface Subject {
  readonly type: EventType
  readonly mode: Mode
  /** The link's index or the order's revision, where the type repeats. */
  readonly nth?: number
}

/** `idPrefix`: of the decision that made this revision of the order or quote. It ascends with time, and so do the ids of events. */
export const eventIdAt = ({ type, mode, nth }: Subject, idPrefix: string): EventId =>
  EventId.make(`evt_${mode === "sandbox" ? "test_" : ""}${idPrefix}${EVENT_CODES[type]}${nth ?? ""}`)

/** The id of an event that happens as the order comes to exist, whose id has the same prefix. */
export const eventIdOfNew = (type: "order.accepted" | "quote.paid", mode: Mode, orderId: OrderId): EventId => {
  const stem = orderId.slice(orderId.lastIndexOf("_") + 1)
  return eventIdAt({ type, mode }, stem.slice(0, PREFIX_CHARACTERS))
}
