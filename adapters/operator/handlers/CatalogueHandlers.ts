// Handlers of the catalogue calls.
import { Effect } from "effect"
import { showFullSite, showSite } from "#adapters/contract/catalogue/Catalog.ts"
import { showPlan, showProject } from "#adapters/contract/catalogue/Visibility.ts"
import { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import type { FieldError } from "#adapters/contract/errors/ErrorBody.ts"
import type { ProjectNotFound, SiteNotFound } from "#core/domain/catalogue/CatalogueRefusal.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { ListPromos } from "#core/usecases/catalogue/ListPromos.ts"
import { PlanVisibility } from "#core/usecases/catalogue/PlanVisibility.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import { FindById } from "#core/usecases/operations/FindById.ts"
import { asOperator } from "../CurrentOperator.ts"
import { CatalogueRpcs } from "../calls/CatalogueCalls.ts"
import { withOperatorError } from "../OperatorError.ts"
import { type CatalogueUpdate, duplicateErrors, missingReferenceErrors } from "./CatalogueErrors.ts"

const failing = (errors: ReadonlyArray<FieldError>): Effect.Effect<void, ValidationFailed> => {
  const [first, ...rest] = errors
  return first === undefined ? Effect.void : Effect.fail(new ValidationFailed({ errors: [first, ...rest] }))
}

/** Replaces the refusal that names the missing record by one that names the rows referring to it. */
const referringRows = (update: CatalogueUpdate) => (missing: SiteNotFound | AccountNotFound | ProjectNotFound) =>
  Effect.andThen(failing(missingReferenceErrors(update, missing)), Effect.fail(missing))

export const layer = CatalogueRpcs.toLayer(
  Effect.gen(function* () {
    const updates = yield* UpdateCatalogue
    const catalogue = yield* BrowseCatalogue
    const plans = yield* PlanVisibility
    const promos = yield* ListPromos
    const lookUp = yield* FindById

    const list = Effect.fnUntraced(function* (update: CatalogueUpdate, by: Actor) {
      yield* failing(duplicateErrors(update))
      const missing = ["SiteNotFound", "AccountNotFound", "ProjectNotFound"] as const
      const written = yield* updates.update(update, by).pipe(Effect.catchTag(missing, referringRows(update)))
      const { sites, articles, promos, projects, opportunities } = written
      return {
        sites: sites.length,
        articles: articles.length,
        promos: promos.length,
        projects: projects.length,
        opportunities: opportunities.length
      }
    })

    return CatalogueRpcs.of({
      listGoods: ({ sites = [], articles = [], promos = [], projects = [], opportunities = [] }) =>
        asOperator((by) => list({ sites, articles, promos, projects, opportunities }, by)),
      findMissing: ({ siteIds = [], accountIds = [], projectIds = [] }) =>
        withOperatorError(updates.missing({ siteIds, accountIds, projectIds })),
      listSites: Effect.fnUntraced(function* ({ limit, afterId = 0 }) {
        const start = { kind: "after" as const, sortKey: { rank: 0, siteId: afterId } }
        const { sites, total, next } = yield* withOperatorError(
          catalogue.search({ filter: {}, sort: "id", start, limit })
        )
        return { sites: sites.map(showSite), total, nextAfterId: next?.siteId ?? null }
      }),
      showSite: ({ siteId }) =>
        Effect.map(withOperatorError(catalogue.site(siteId)), (found) => ({
          site: showFullSite(found, catalogue.tier2PricesCents),
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
