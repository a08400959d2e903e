// How answers and events get their bytes. Decisions freeze what these functions return and know nothing of its form.
import type { Occurrence, TestOccurrence } from "./Event.ts"
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
  readonly answer: (placement: Placement) => { readonly status: number; readonly body: string }
  readonly event: (occurrence: Occurrence) => string
  readonly test: (test: TestOccurrence) => string
}
