// `site` and `project`: sites, AI-visibility projects and their plans.
import { Schema } from "effect"
import { SiteRecord } from "#adapters/contract/catalogue/Catalog.ts"
import { Plan, ProjectRecord } from "#adapters/contract/catalogue/Visibility.ts"
import { centsOfEur } from "#adapters/contract/schema/Amount.ts"
import { MAX_PAGE_SIZE } from "#core/domain/catalogue/Catalogue.ts"
import { command, group, pages, tableOf } from "../CallCommand.ts"
import { amount, columns, text } from "../Columns.ts"
import { fieldList, table } from "../Table.ts"

const siteColumns = columns(SiteRecord, {
  SITE: "id",
  DOMAIN: "domain",
  NICHE: text("niche_label"),
  LANGUAGE: "language",
  SHELF: "price_shelf",
  EUR: amount(({ price_eur }) => centsOfEur(price_eur)),
  TF: "tf",
  TRAFFIC: "traffic_monthly",
  DAYS: "turnaround_days"
})

export const siteCommand = group("site", "Sites of the network", [
  pages("list", "listSites", {
    about: "List the sites that take orders, by id",
    pageSize: MAX_PAGE_SIZE,
    columns: siteColumns
  }),
  command("show", "showSite", {
    about: "Show a site, open or not",
    says: ({ site, open }) =>
      fieldList([
        ["site", String(site.id)],
        ["domain", site.domain],
        ["takes orders", open ? "yes" : "no"],
        ["niche", site.niche_label],
        ["language", site.language],
        ["shelf", `${site.price_shelf}, ${site.price_eur.toFixed(2)} EUR`],
        ["tf, cf, moz da", `${site.tf}, ${site.cf}, ${site.moz_da}`],
        ["traffic", `${site.traffic_monthly} a month`],
        ["days to a link", String(site.turnaround_days)],
        ["articles to sell", String(site.articles_available)],
        ["links ordered", String(site.measured?.orders ?? 0)]
      ])
  })
])

const projectColumns = columns(ProjectRecord, {
  PROJECT: "project_id",
  NAME: text("name"),
  DOMAIN: "domain",
  LANGUAGE: "language",
  OPPORTUNITIES: "opportunities_total",
  OPEN: "opportunities_open"
})

const { items, rationale } = Plan.fields

const planColumns = columns(Schema.Struct({ item: items.value, why: Schema.UndefinedOr(rationale.value) }), {
  SITE: "item.site_id",
  ANCHOR: text("item.anchor_text"),
  TARGET: text("item.target_url"),
  "PEOPLE ASK": text("why.prompt"),
  OF: "why.engine"
})

export const projectCommand = group("project", "AI-visibility projects", [
  command("list", "listProjects", {
    about: "List the AI-visibility projects of an account",
    says: tableOf(projectColumns)
  }),
  command("plan", "planProject", {
    about: "Show the plan: one site for each open opportunity",
    says: ({ items, rationale, estimated_total_eur }, _, width) => {
      const lines = items.map((item, at) => ({ item, why: rationale.find(({ index }) => index === at) }))
      return `${table(planColumns, lines, width)}\n\n${estimated_total_eur.toFixed(2)} EUR before discounts.`
    }
  })
])
