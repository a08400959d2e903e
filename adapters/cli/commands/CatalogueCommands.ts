// `site` and `project`: sites, AI-visibility projects and their plans.
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { SiteRecord } from "#adapters/contract/catalogue/Catalog.ts"
import type { Plan, ProjectRecord } from "#adapters/contract/catalogue/Visibility.ts"
import { centsOfEur } from "#adapters/contract/schema/Amount.ts"
import { MAX_PAGE_SIZE } from "#core/domain/catalogue/Catalogue.ts"
import { amountColumn, idColumn, numberColumn, textColumn } from "../Columns.ts"
import { connect, withClient } from "../Connect.ts"
import { print, printResult } from "../Output.ts"
import { printPages } from "../Pages.ts"
import { fieldList, table } from "../Table.ts"
import { accountArgument, limitFlag, projectArgument } from "./Parameters.ts"

const siteColumns = [
  numberColumn<SiteRecord>("SITE", ({ id }) => id),
  idColumn<SiteRecord>("DOMAIN", ({ domain }) => domain),
  textColumn<SiteRecord>("NICHE", ({ niche_label }) => niche_label),
  idColumn<SiteRecord>("LANGUAGE", ({ language }) => language),
  idColumn<SiteRecord>("SHELF", ({ price_shelf }) => price_shelf),
  amountColumn<SiteRecord>("EUR", ({ price_eur }) => centsOfEur(price_eur)),
  numberColumn<SiteRecord>("TF", ({ tf }) => tf),
  numberColumn<SiteRecord>("TRAFFIC", ({ traffic_monthly }) => traffic_monthly)
]

const listSites = Command.make(
  "list",
  { limit: limitFlag },
  withClient((client, { limit }) =>
    printPages(siteColumns, limit, (size, afterId: number | null) =>
      client
        .listSites({ limit: Math.min(MAX_PAGE_SIZE, size), ...(afterId === null ? {} : { afterId }) })
        .pipe(Effect.map(({ sites, nextAfterId }) => ({ rows: sites, next: nextAfterId })))
    )
  )
).pipe(Command.withDescription("List the sites that take orders, by id"))

const showSite = Command.make(
  "show",
  { site: Argument.Int("site").pipe(Argument.withDescription("Site id, a number")) },
  withClient((client, { site: siteId }) =>
    printResult(client.showSite({ siteId }), ({ site, open }) =>
      fieldList([
        ["site", String(site.id)],
        ["domain", site.domain],
        ["takes orders", open ? "yes" : "no"],
        ["niche", site.niche_label],
        ["language", site.language],
        ["shelf", `${site.price_shelf}, ${site.price_eur.toFixed(2)} EUR`],
        ["tf, cf, moz da", `${site.tf}, ${site.cf}, ${site.moz_da}`],
        ["traffic", `${site.traffic_monthly} a month`],
        ["articles to sell", String(site.articles_available)],
        ["links ordered", String(site.measured?.orders ?? 0)]
      ])
    )
  )
).pipe(Command.withDescription("Show a site, open or not"))

export const siteCommand = Command.make("site").pipe(
  Command.withDescription("Sites of the network"),
  Command.withSubcommands([listSites, showSite])
)

const projectColumns = [
  idColumn<ProjectRecord>("PROJECT", ({ project_id }) => project_id),
  textColumn<ProjectRecord>("NAME", ({ name }) => name),
  idColumn<ProjectRecord>("DOMAIN", ({ domain }) => domain),
  idColumn<ProjectRecord>("LANGUAGE", ({ language }) => language),
  numberColumn<ProjectRecord>("OPPORTUNITIES", ({ opportunities_total }) => opportunities_total),
  numberColumn<ProjectRecord>("OPEN", ({ opportunities_open }) => opportunities_open)
]

const listProjects = Command.make(
  "list",
  { account: accountArgument },
  withClient((client, { account: accountId }) =>
    printResult(client.listProjects({ accountId }), (rows, width) => table(projectColumns, rows, width))
  )
).pipe(Command.withDescription("List the AI-visibility projects of an account"))

interface PlanLine {
  readonly item: Plan["items"][number]
  readonly why: Plan["rationale"][number] | undefined
}

const planColumns = [
  numberColumn<PlanLine>("SITE", ({ item }) => item.site_id),
  textColumn<PlanLine>("ANCHOR", ({ item }) => item.anchor_text),
  textColumn<PlanLine>("TARGET", ({ item }) => item.target_url),
  textColumn<PlanLine>("PEOPLE ASK", ({ why }) => why?.prompt ?? ""),
  idColumn<PlanLine>("OF", ({ why }) => why?.engine ?? "")
]

const plan = Command.make(
  "plan",
  { account: accountArgument, project: projectArgument },
  Effect.fnUntraced(function* ({ account: accountId, project: projectId }) {
    const client = yield* connect
    yield* print(
      yield* client.planProject({ accountId, projectId }),
      ({ items, rationale, estimated_total_eur }, width) => {
        const lines = items.map((item, at) => ({ item, why: rationale.find(({ index }) => index === at) }))
        return `${table(planColumns, lines, width)}\n\n${estimated_total_eur.toFixed(2)} EUR before discounts.`
      }
    )
  })
).pipe(Command.withDescription("Show the plan: one site for each open opportunity"))

export const projectCommand = Command.make("project").pipe(
  Command.withDescription("AI-visibility projects"),
  Command.withSubcommands([listProjects, plan])
)
