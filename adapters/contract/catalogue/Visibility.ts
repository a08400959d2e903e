// AI-visibility projects and their plans of order items.
import { Schema } from "effect"
import type { PlanLine, Project } from "#core/domain/catalogue/Visibility.ts"
import { type OrderItem, ProposedItem } from "../ordering/OrderRequest.ts"
import { Count, Eur, eurOfCents, integer, PageCount } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { NextCursor } from "../schema/Paging.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, timestamp } from "../schema/Text.ts"

export const ProjectRecord = Schema.Struct({
  project_id: answerId.project,
  name: Schema.String.annotate({ description: "What the account calls it." }),
  domain: Schema.String.annotate({ description: "The domain that answers should mention." }),
  language: Schema.String.annotate({ description: "ISO 639-1 code of the questions." }),
  opportunities_total: Count.annotate({ description: "Answers without the project that a link might change." }),
  opportunities_open: Count.annotate({ description: "Opportunities that no link was ordered for yet." }),
  updated_at: at("When its data were last imported.")
}).annotate({
  identifier: "Project",
  description: "A domain whose mentions in AI answers the account wants to improve."
})
export type ProjectRecord = typeof ProjectRecord.Type

export const ProjectList = Schema.Struct({
  ok: Ok,
  count: PageCount,
  projects: Schema.Array(ProjectRecord).annotate({ description: "By id." }),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "ProjectList", description: "A page of the account's AI-visibility projects." })
export type ProjectList = typeof ProjectList.Type

export const Plan = Schema.Struct({
  ok: Ok,
  project_id: answerId.project,
  count: Count.annotate({ description: "Entries of `items`." }),
  items: Schema.Array(ProposedItem).annotate({
    description: "At most 20 order items for opportunities not covered yet. Post them unchanged as `items` of an order."
  }),
  rationale: Schema.Array(
    Schema.Struct({
      index: integer(0).annotate({ description: "Position in `items`, from 0." }),
      prompt: Schema.String.annotate({ description: "The question people ask." }),
      engine: Schema.String.annotate({ description: "The assistant that answered without the project." }),
      reason: Schema.String.annotate({ description: "Why this site, in a sentence." })
    })
  ).annotate({ description: "Why each of `items` is proposed." }),
  estimated_total_eur: Eur.annotate({ description: "What `items` cost before discounts, euros." }),
  sandbox: Sandbox
}).annotate({ identifier: "Plan", description: "Order lines, ready for a human's review." })
export type Plan = typeof Plan.Type

export const showProject = (summary: {
  readonly project: Project
  readonly opportunitiesTotal: number
  readonly opportunitiesOpen: number
}): ProjectRecord => ({
  project_id: summary.project.projectId,
  name: summary.project.name,
  domain: summary.project.domain,
  language: summary.project.language,
  opportunities_total: summary.opportunitiesTotal,
  opportunities_open: summary.opportunitiesOpen,
  updated_at: timestamp(summary.project.updatedAtMs)
})

const showItem = ({ item, opportunity, site }: PlanLine): OrderItem => ({
  site_id: site.siteId,
  target_url: item.targetUrl,
  anchor_text: item.anchorText,
  anchor_type: item.anchorType,
  format: item.format,
  tier2_links: item.tier2Links,
  project_id: opportunity.projectId,
  opportunity_id: opportunity.opportunityId
})

const reasonFor = ({ site, opportunity }: PlanLine): string =>
  `${site.domain} is the strongest ${site.nicheLabel} site in ${site.language} (TF ${site.tf}) that does not link to this project yet; ${opportunity.engine} answered this question without mentioning the project.`

export const showPlan = (
  plan: { readonly project: Project; readonly lines: ReadonlyArray<PlanLine>; readonly estimatedTotalCents: number },
  sandbox: boolean
): Plan => ({
  ok: true,
  project_id: plan.project.projectId,
  count: plan.lines.length,
  items: plan.lines.map(showItem),
  rationale: plan.lines.map((line, index) => ({
    index,
    prompt: line.opportunity.prompt,
    engine: line.opportunity.engine,
    reason: reasonFor(line)
  })),
  estimated_total_eur: eurOfCents(plan.estimatedTotalCents),
  sandbox
})
