// AI-visibility projects and plans as the wire has them.
import type { PlanLine, Project } from "#core/domain/Visibility.ts"
import { eurOfCents } from "./Amount.ts"
import type { OrderItem } from "./OrderRequest.ts"
import { timestamp } from "./Text.ts"
import type { Plan, ProjectRecord } from "./Visibility.ts"

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
