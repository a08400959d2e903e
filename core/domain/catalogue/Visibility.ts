// AI visibility: prompts for which assistants do not mention a project yet, and the plan that picks a site for each.
import { Schema } from "effect"
import type { OrderItem } from "../pricing/Cart.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, OpportunityId, ProjectId } from "../shared/Ids.ts"
import { foldText, type Site } from "./Catalogue.ts"

export const Project = Schema.Struct({
  projectId: ProjectId,
  accountId: AccountId,
  name: Schema.String,
  domain: Schema.String,
  language: Schema.String,
  updatedAtMs: Millis
})
export type Project = typeof Project.Type

export const Opportunity = Schema.Struct({
  opportunityId: OpportunityId,
  projectId: ProjectId,
  /** A question that people ask assistants. */
  prompt: Schema.String,
  /** The assistant whose answer did not mention the project. */
  engine: Schema.String,
  niche: Schema.String,
  targetUrl: Schema.String,
  anchorText: Schema.String,
  position: Schema.Int
})
export type Opportunity = typeof Opportunity.Type

export interface PlanLine {
  readonly item: OrderItem
  readonly opportunity: Opportunity
  readonly site: Site
}

export const MAX_PLAN_LINES = 20

/**
 * The most bytes (UTF-8) of prompts, URLs and anchors in a plan, so that its response fits into 25,000 tokens of a model: a byte is at
 * most three quarters of a token, and the rest is for the other fields of twenty lines.
 */
export const MAX_PLAN_BYTES = 26_000

const utf8 = new TextEncoder()

const bytesOf = ({ prompt, targetUrl, anchorText }: Opportunity): number =>
  utf8.encode(prompt + targetUrl + anchorText).length

/** Stronger first: authority, then traffic, then the lower id. */
export const compareStrength = (a: Site, b: Site): number =>
  b.tf - a.tf || b.trafficMonthly - a.trafficMonthly || a.siteId - b.siteId

export const suits = (site: Site, niche: string, language: string): boolean =>
  site.open && foldText(site.nicheLabel) === foldText(niche) && site.language.toLowerCase() === language.toLowerCase()

const lineFor = (project: Project, opportunity: Opportunity, site: Site): PlanLine => ({
  opportunity,
  site,
  item: {
    siteId: site.siteId,
    targetUrl: opportunity.targetUrl,
    anchorText: opportunity.anchorText,
    anchorType: "partial",
    format: "new_article",
    tier2Links: 0,
    projectId: project.projectId,
    opportunityId: opportunity.opportunityId
  }
})

/**
 * For each open opportunity, in order, the strongest site of its niche and the project's language that neither links to the project's
 * domain yet nor is used by an earlier line. Opportunities without such a site are skipped. A plan that would be too long is truncated;
 * the remaining opportunities follow once the first ones are ordered.
 */
export const plan = (
  project: Project,
  open: ReadonlyArray<Opportunity>,
  sites: ReadonlyArray<Site>,
  linkingSiteIds: ReadonlySet<number>
): ReadonlyArray<PlanLine> => {
  const ranked = [...sites].sort(compareStrength)
  const taken = new Set(linkingSiteIds)
  const lines: Array<PlanLine> = []
  let bytes = 0
  for (const opportunity of [...open].sort((a, b) => a.position - b.position)) {
    if (lines.length === MAX_PLAN_LINES) break
    const site = ranked.find((one) => !taken.has(one.siteId) && suits(one, opportunity.niche, project.language))
    if (site === undefined) continue
    bytes += bytesOf(opportunity)
    if (lines.length > 0 && bytes > MAX_PLAN_BYTES) break
    taken.add(site.siteId)
    lines.push(lineFor(project, opportunity, site))
  }
  return lines
}
