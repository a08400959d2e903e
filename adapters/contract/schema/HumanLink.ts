// Addresses that a human opens to pay or to approve. They are marked, so that what is for readers alone can leave them out.
import { Schema } from "effect"

/** JSON Schema keyword of such a text; no document shows it. */
export const HUMAN_LINK = "x-human-link"

export const HumanLink = Schema.String.check(
  Schema.makeFilter(() => true, { toJsonSchema: () => ({ format: "uri", [HUMAN_LINK]: true }) })
)
