// Handlers of the catalogue calls.
import { Effect, Record } from "effect"
import { showFullSite, showSite } from "#adapters/contract/catalogue/Catalog.ts"
import { showPlan, showProject } from "#adapters/contract/catalogue/Visibility.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { ListPromos } from "#core/usecases/catalogue/ListPromos.ts"
import { PlanVisibility } from "#core/usecases/catalogue/PlanVisibility.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import { FindById } from "#core/usecases/operations/FindById.ts"
import { asOperator } from "../CurrentOperator.ts"
import { CatalogueRpcs } from "../calls/CatalogueCalls.ts"
import { importRows } from "../imports/ImportRows.ts"
import { withOperatorError } from "../OperatorError.ts"

export const layer = CatalogueRpcs.toLayer(
  Effect.gen(function* () {
    const updates = yield* UpdateCatalogue
    const catalogue = yield* BrowseCatalogue
    const plans = yield* PlanVisibility
    const promos = yield* ListPromos
    const lookUp = yield* FindById

    return CatalogueRpcs.of({
      listGoods: ({ changeDomain, ...rows }) =>
        Effect.map(
          asOperator((by) => updates.update(rows, by, changeDomain)),
          ({ sites, articles, promos, projects, opportunities }) =>
            Record.map({ sites, articles, promos, projects, opportunities }, ({ length }) => length)
        ),
      importRows: (file) => asOperator((by) => importRows(updates, file, by)),
      findMissing: ({ siteIds = [], accountIds = [], projectIds = [] }) =>
        withOperatorError(updates.missing({ siteIds, accountIds, projectIds })),
      listSites: Effect.fnUntraced(function* ({ limit, afterId = 0 }) {
        const start = { kind: "after" as const, sortKey: { rank: 0, siteId: afterId } }
        const { sites, total, next } = yield* withOperatorError(
          catalogue.search({ filter: {}, sort: "id", start, limit })
        )
        return {
          sites: sites.map((site) => showSite(site, catalogue.turnaroundDays)),
          total,
          nextAfterId: next?.siteId ?? null
        }
      }),
      showSite: ({ siteId }) =>
        Effect.map(withOperatorError(catalogue.site(siteId)), (found) => ({
          site: showFullSite(found, catalogue),
          open: found.site.open
        })),
      listPromos: ({ limit, afterCode = null }) => withOperatorError(promos.page({ limit, afterCode })),
      listProjects: ({ accountId }) =>
        withOperatorError(
          Effect.map(Effect.andThen(lookUp.wallet(accountId), plans.projects({ accountId })), (found) =>
            found.map(showProject)
          )
        ),
      planProject: ({ accountId, projectId }) =>
        Effect.map(withOperatorError(plans.plan({ accountId }, projectId)), (plan) => showPlan(plan, false))
    })
  })
)
