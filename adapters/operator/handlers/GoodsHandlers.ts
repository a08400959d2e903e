// What the server does for calls about goods: all rows of a call are put on offer, or none.
import { Effect } from "effect"
import { ValidationFailed } from "#adapters/contract/AdapterFailure.ts"
import type { FieldError } from "#adapters/contract/ErrorBody.ts"
import { showFullSite, showSite } from "#adapters/contract/ShowCatalogue.ts"
import { showPlan, showProject } from "#adapters/contract/ShowPlan.ts"
import type { AccountNotFound, ProjectNotFound, SiteNotFound } from "#core/domain/Refusal.ts"
import { BrowseCatalogue } from "#core/usecases/BrowseCatalogue.ts"
import type { By } from "#core/usecases/FulfilLinks.ts"
import { ListGoods } from "#core/usecases/ListGoods.ts"
import { LookUp } from "#core/usecases/LookUp.ts"
import { PlanVisibility } from "#core/usecases/PlanVisibility.ts"
import { ReviewPromos } from "#core/usecases/ReviewPromos.ts"
import { GoodsRpcs } from "../calls/GoodsCalls.ts"
import { type Goods, missingFrom, twiceIn } from "./GoodsFaults.ts"
import { acting, refusing } from "./Refusing.ts"

const failing = (errors: ReadonlyArray<FieldError>): Effect.Effect<void, ValidationFailed> => {
  const [first, ...rest] = errors
  return first === undefined ? Effect.void : Effect.fail(new ValidationFailed({ errors: [first, ...rest] }))
}

/** Instead of what is not there, the rows that name it. */
const naming = (goods: Goods) => (missing: SiteNotFound | AccountNotFound | ProjectNotFound) =>
  Effect.andThen(failing(missingFrom(goods, missing)), Effect.fail(missing))

export const layer = GoodsRpcs.toLayer(
  Effect.gen(function* () {
    const shelf = yield* ListGoods
    const catalogue = yield* BrowseCatalogue
    const plans = yield* PlanVisibility
    const promos = yield* ReviewPromos
    const lookUp = yield* LookUp

    const list = Effect.fnUntraced(function* (goods: Goods, by: By) {
      yield* failing(twiceIn(goods))
      const missing = ["SiteNotFound", "AccountNotFound", "ProjectNotFound"] as const
      const listed = yield* shelf.list(goods, by).pipe(Effect.catchTag(missing, naming(goods)))
      const { sites, articles, promos, projects, opportunities } = listed
      return {
        sites: sites.length,
        articles: articles.length,
        promos: promos.length,
        projects: projects.length,
        opportunities: opportunities.length
      }
    })

    return GoodsRpcs.of({
      listGoods: ({ sites = [], articles = [], promos = [], projects = [], opportunities = [] }) =>
        acting((by) => list({ sites, articles, promos, projects, opportunities }, by)),
      findMissing: ({ siteIds = [], accountIds = [], projectIds = [] }) =>
        refusing(shelf.missing({ siteIds, accountIds, projectIds })),
      listSites: Effect.fnUntraced(function* ({ limit, afterId = 0 }) {
        const start = { kind: "after" as const, position: { rank: 0, siteId: afterId } }
        const { sites, total, next } = yield* refusing(catalogue.search({ filter: {}, sort: "id", start, limit }))
        return { sites: sites.map(showSite), total, nextAfterId: next?.siteId ?? null }
      }),
      showSite: ({ siteId }) =>
        Effect.map(refusing(catalogue.site(siteId)), (found) => ({
          site: showFullSite(found, catalogue.tier2PricesCents),
          open: found.site.open
        })),
      listPromos: ({ limit, afterCode = null }) => refusing(promos.page({ limit, afterCode })),
      listProjects: ({ accountId }) =>
        refusing(
          Effect.map(Effect.andThen(lookUp.wallet(accountId), plans.projects({ accountId })), (found) =>
            found.map(showProject)
          )
        ),
      planProject: ({ accountId, projectId }) =>
        Effect.map(refusing(plans.plan({ accountId }, projectId)), (plan) => showPlan(plan, false))
    })
  })
)
