// How answers and events get their bytes. Decisions freeze what these functions return and know nothing of its form.
import type { EventData, TestEventData } from "./Event.ts"
import type { Link } from "./Link.ts"
import type { Order } from "./Order.ts"
import type { Quote } from "./Quote.ts"

/** A quote as its maker is told of it. A dry run has everything but an id, and was never written. */
export interface Placement {
  readonly quote: Quote
  readonly order: Order | null
  readonly links: ReadonlyArray<Link>
  readonly dryRun: boolean
}

/** Pure: the same placement or occurrence always gives the same text. */
export interface Rendering {
  readonly response: (placement: Placement) => { readonly status: number; readonly body: string }
  readonly event: (occurrence: EventData) => string
  readonly test: (test: TestEventData) => string
}
