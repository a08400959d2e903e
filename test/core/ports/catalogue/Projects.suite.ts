// What every store promises of Projects: covered and open opportunities, and the material of a plan.
import { Effect } from "effect"
import { expect } from "vitest"
import { compareStrength, plan } from "#core/domain/catalogue/Visibility.ts"
import { AccountId, LinkId, type OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { Projects } from "#core/ports/catalogue/Projects.ts"
import { item } from "#test/core/Given.ts"
import { cancelLinkById } from "../ordering/OrderSteps.ts"
import { buyer, createOpportunity, createProject, issueKeyTo, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

export const projectsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Projects of ${name}`, store, (it) => {
    it.effect("counts opportunities: open until a live link is ordered for them, and again once it is cancelled", () =>
      Effect.gen(function* () {
        const projects = yield* Projects
        const { account, caller } = yield* buyer(5_000)
        const { accountId } = account
        const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox" })
        const project = yield* createProject(accountId)
        const empty = yield* createProject(accountId)
        yield* createProject((yield* buyer()).account.accountId)
        const { projectId } = project
        const [first, second] = [yield* createOpportunity(projectId), yield* createOpportunity(projectId)]
        const { siteId } = yield* listSite()
        const wish = (opportunityId: OpportunityId) => ({ items: [item({ siteId, projectId, opportunityId })] })
        const counts = Effect.map(projects.ofAccount(accountId), (all) =>
          all.map((one) => [one.project.projectId, one.opportunitiesTotal, one.opportunitiesOpen])
        )
        const rest = [empty.projectId, 0, 0]
        expect(yield* counts).toEqual([[projectId, 2, 2], rest])
        yield* order({ ...caller, keyId: sandbox.keyId, mode: "sandbox" }, wish(first.opportunityId))
        expect(yield* counts).toEqual([[projectId, 2, 2], rest])
        const once = yield* order(caller, wish(first.opportunityId))
        const twice = yield* order(caller, wish(first.opportunityId))
        expect(yield* counts).toEqual([[projectId, 2, 1], rest])
        yield* cancelLinkById(once.links[0]?.linkId ?? LinkId.make(""))
        expect(yield* counts).toEqual([[projectId, 2, 1], rest])
        yield* cancelLinkById(twice.links[0]?.linkId ?? LinkId.make(""))
        yield* order(caller, wish(second.opportunityId))
        expect(yield* counts).toEqual([[projectId, 2, 1], rest])
        const [summary] = yield* projects.ofAccount(accountId)
        expect(summary?.project).toEqual({ ...project, updatedAtMs: summary?.project.updatedAtMs })
        expect(yield* projects.ofAccount(AccountId.make("acc_unknown"))).toEqual([])
      })
    )

    it.effect("returns a plan's material: open opportunities, and sites of their niches and language", () =>
      Effect.gen(function* () {
        const projects = yield* Projects
        const { account, caller } = yield* buyer(5_000)
        const { projectId } = yield* createProject(account.accountId, { language: "FR", domain: "plan.example" })
        const covered = yield* createOpportunity(projectId, { niche: "Never seen again", position: 1 })
        const later = yield* createOpportunity(projectId, { niche: "santé plan", position: 3 })
        const sooner = yield* createOpportunity(projectId, { niche: "Vélo plan", position: 2 })
        const near = yield* Effect.all(
          times(63, (index) => listSite({ nicheLabel: "Santé Plan", language: "fr", tf: index % 50 }))
        )
        const bike = yield* listSite({ nicheLabel: "velo plan", language: "fr" })
        yield* listSite({ nicheLabel: "Santé plan", language: "en" })
        yield* listSite({ nicheLabel: "Santé plan", language: "fr", open: false })
        const gone = yield* listSite({ nicheLabel: "Never seen again", language: "fr" })
        const { opportunityId } = covered
        yield* order(caller, { items: [item({ siteId: gone.siteId, projectId, opportunityId })] })
        const material = yield* projects.planMaterial(projectId)
        expect(material?.project.projectId).toBe(projectId)
        expect([...(material?.open ?? [])].sort((a, b) => a.position - b.position)).toEqual([sooner, later])
        const listed = material?.candidates.map(({ siteId }) => siteId) ?? []
        expect(new Set(listed).size).toBe(listed.length)
        const allowed = [...near, bike].map(({ siteId }) => siteId)
        expect(listed.filter((siteId) => !allowed.includes(siteId))).toEqual([])
        const strongest = [...near].sort(compareStrength).slice(0, 60)
        expect(listed).toEqual(expect.arrayContaining([bike, ...strongest].map(({ siteId }) => siteId)))
        expect(yield* projects.planMaterial(ProjectId.make("prj_unknown"))).toBeNull()
      })
    )

    it.effect("returns the sites with live links to the project's domain or below it, cancelled links excluded", () =>
      Effect.gen(function* () {
        const projects = yield* Projects
        const { account, caller } = yield* buyer(10_000)
        const { accountId } = account
        const rival = yield* buyer(5_000)
        const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox" })
        const { projectId } = yield* createProject(accountId, { domain: "Brand.example", language: "en" })
        yield* createOpportunity(projectId, { niche: "Linking" })
        const sites = yield* Effect.all(times(8, () => listSite({ nicheLabel: "Linking", language: "en" })))
        const to = (index: number, host: string) => ({
          items: [item({ siteId: sites[index]?.siteId ?? 0, targetUrl: `https://${host}/` })]
        })
        yield* order(caller, to(0, "brand.example"))
        yield* order(caller, to(0, "shop.brand.example"))
        yield* order(caller, to(1, "a.b.BRAND.example"))
        yield* order(caller, to(2, "notbrand.example"))
        yield* order(caller, to(3, "brand.example.org"))
        yield* order(rival.caller, to(4, "brand.example"))
        yield* order({ ...caller, keyId: sandbox.keyId, mode: "sandbox" }, to(5, "brand.example"))
        const dropped = yield* order(caller, to(6, "brand.example"))
        yield* cancelLinkById(dropped.links[0]?.linkId ?? LinkId.make(""))
        const material = yield* projects.planMaterial(projectId)
        const linking = [sites[0], sites[1]].map((site) => site?.siteId)
        expect([...(material?.linkingSiteIds ?? [])].sort((a, b) => a - b)).toEqual(linking)
        if (material === null) throw new Error("the project is there")
        const lines = plan(material.project, material.open, material.candidates, material.linkingSiteIds)
        expect(lines.map(({ site }) => site.siteId)).toEqual([sites[2]?.siteId])
      })
    )
  })
