// What is on offer, as the operator looks at it: sites, and accounts' AI-visibility projects with their plans.
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { centsOfEur } from "#adapters/contract/Amount.ts"
import type { SiteRecord } from "#adapters/contract/Catalog.ts"
import type { Plan, ProjectRecord } from "#adapters/contract/Visibility.ts"
import { MAX_PAGE_SIZE } from "#core/domain/Catalogue.ts"
import { openDesk } from "../Desk.ts"
import { answer } from "../Output.ts"
import { pages } from "../Pages.ts"
import { facts, table } from "../Table.ts"
import { amount, count, whole, words } from "../Words.ts"
import { accountArgument, limitFlag, projectArgument } from "./Parameters.ts"

const siteColumns = [
  count<SiteRecord>("SITE", ({ id }) => id),
  whole<SiteRecord>("DOMAIN", ({ domain }) => domain),
  words<SiteRecord>("NICHE", ({ niche_label }) => niche_label),
  whole<SiteRecord>("LANGUAGE", ({ language }) => language),
  whole<SiteRecord>("SHELF", ({ price_shelf }) => price_shelf),
  amount<SiteRecord>("EUR", ({ price_eur }) => centsOfEur(price_eur)),
  count<SiteRecord>("TF", ({ tf }) => tf),
  count<SiteRecord>("TRAFFIC", ({ traffic_monthly }) => traffic_monthly)
]

const listSites = Command.make(
  "list",
  { limit: limitFlag },
  Effect.fnUntraced(function* ({ limit }) {
    const desk = yield* openDesk
    const sites = yield* pages(limit, (size, afterId: number | null) =>
      desk
        .listSites({ limit: Math.min(MAX_PAGE_SIZE, size), ...(afterId === null ? {} : { afterId }) })
        .pipe(Effect.map(({ sites, nextAfterId }) => ({ rows: sites, next: nextAfterId })))
    )
    yield* answer(sites, (rows, width) => table(siteColumns, rows, width))
  })
).pipe(Command.withDescription("List the sites that take orders, by id"))

const showSite = Command.make(
  "show",
  { site: Argument.Int("site").pipe(Argument.withDescription("Site id, a number")) },
  Effect.fnUntraced(function* ({ site: siteId }) {
    const desk = yield* openDesk
    yield* answer(yield* desk.showSite({ siteId }), ({ site, open }) =>
      facts([
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
  })
).pipe(Command.withDescription("Show a site, open or not"))

export const siteCommand = Command.make("site").pipe(
  Command.withDescription("Look at the sites of the network"),
  Command.withSubcommands([listSites, showSite])
)

const projectColumns = [
  whole<ProjectRecord>("PROJECT", ({ project_id }) => project_id),
  words<ProjectRecord>("NAME", ({ name }) => name),
  whole<ProjectRecord>("DOMAIN", ({ domain }) => domain),
  whole<ProjectRecord>("LANGUAGE", ({ language }) => language),
  count<ProjectRecord>("OPPORTUNITIES", ({ opportunities_total }) => opportunities_total),
  count<ProjectRecord>("OPEN", ({ opportunities_open }) => opportunities_open)
]

const listProjects = Command.make(
  "list",
  { account: accountArgument },
  Effect.fnUntraced(function* ({ account: accountId }) {
    const desk = yield* openDesk
    yield* answer(yield* desk.listProjects({ accountId }), (rows, width) => table(projectColumns, rows, width))
  })
).pipe(Command.withDescription("List the AI-visibility projects of an account"))

interface PlanLine {
  readonly item: Plan["items"][number]
  readonly why: Plan["rationale"][number] | undefined
}

const planColumns = [
  count<PlanLine>("SITE", ({ item }) => item.site_id),
  words<PlanLine>("ANCHOR", ({ item }) => item.anchor_text),
  words<PlanLine>("TARGET", ({ item }) => item.target_url),
  words<PlanLine>("PEOPLE ASK", ({ why }) => why?.prompt ?? ""),
  whole<PlanLine>("OF", ({ why }) => why?.engine ?? "")
]

const plan = Command.make(
  "plan",
  { account: accountArgument, project: projectArgument },
  Effect.fnUntraced(function* ({ account: accountId, project: projectId }) {
    const desk = yield* openDesk
    yield* answer(
      yield* desk.planProject({ accountId, projectId }),
      ({ items, rationale, estimated_total_eur }, width) => {
        const lines = items.map((item, at) => ({ item, why: rationale.find(({ index }) => index === at) }))
        return `${table(planColumns, lines, width)}\n\n${estimated_total_eur.toFixed(2)} EUR before discounts.`
      }
    )
  })
).pipe(Command.withDescription("Show which site would help with which open opportunity"))

export const projectCommand = Command.make("project").pipe(
  Command.withDescription("Look at AI-visibility projects"),
  Command.withSubcommands([listProjects, plan])
)
