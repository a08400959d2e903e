// AI-visibility projects and their plans on the wire (contract §9).
import { Schema } from "effect"
import { Count, Eur } from "./Amount.ts"
import { Ok, Sandbox } from "./Envelope.ts"
import { OrderItem } from "./OrderRequest.ts"
import { Timestamp } from "./Text.ts"

export const ProjectRecord = Schema.Struct({
  project_id: Schema.String,
  name: Schema.String,
  domain: Schema.String,
  language: Schema.String,
  opportunities_total: Count,
  opportunities_open: Count.annotate({ description: "Opportunities that no link was ordered for yet." }),
  updated_at: Timestamp
}).annotate({
  identifier: "Project",
  description: "A domain whose mentions in AI answers the account wants to improve."
})
export type ProjectRecord = typeof ProjectRecord.Type

export const ProjectList = Schema.Struct({
  ok: Ok,
  count: Count,
  projects: Schema.Array(ProjectRecord),
  sandbox: Sandbox
}).annotate({ identifier: "ProjectList", description: "The account's AI-visibility projects." })
export type ProjectList = typeof ProjectList.Type

export const Plan = Schema.Struct({
  ok: Ok,
  project_id: Schema.String,
  count: Count,
  items: Schema.Array(OrderItem).annotate({
    description: "At most 20 order items for opportunities not covered yet. Post them unchanged as `items` of an order."
  }),
  rationale: Schema.Array(
    Schema.Struct({
      index: Schema.Int.annotate({ description: "Position in `items`, from 0." }),
      prompt: Schema.String.annotate({ description: "The question people ask." }),
      engine: Schema.String.annotate({ description: "The assistant that answered without the project." }),
      reason: Schema.String
    })
  ),
  estimated_total_eur: Eur.annotate({ description: "Before discounts." }),
  sandbox: Sandbox
}).annotate({ identifier: "Plan", description: "Order lines, ready for a human's review." })
export type Plan = typeof Plan.Type
