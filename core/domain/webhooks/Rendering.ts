// How responses and events get their bytes. Decisions store what these functions return as opaque text.

import type { StoredResponse } from "../ordering/Idempotency.ts"
import type { Link } from "../ordering/Link.ts"
import type { Order } from "../ordering/Order.ts"
import type { Quote } from "../ordering/Quote.ts"
import type { ReplayWarning } from "../ordering/Warning.ts"
import type { EventData, QuoteEventData, TestEventData } from "./Event.ts"

/** What the response to an order shows. The quote of a dry run was never written; its id is not shown. */
export interface Placement {
  readonly quote: Quote
  readonly order: Order | null
  readonly links: ReadonlyArray<Link>
  readonly dryRun: boolean
}

/** Pure: the same input always gives the same text. */
export interface Rendering {
  readonly response: (placement: Placement) => StoredResponse
  /** The response with one warning more. */
  readonly withWarning: (response: StoredResponse, warning: ReplayWarning) => StoredResponse
  readonly event: (data: EventData) => string
  readonly quoteEvent: (data: QuoteEventData) => string
  readonly test: (data: TestEventData) => string
}
