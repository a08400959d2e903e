// A service with its operator plane for tests: the typed client, and valid rows of the catalogue.
import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import { makeOperatorClient, type OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { OpportunityRow, ProjectRow, SiteRow } from "#adapters/operator/records/CatalogueRecords.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { type AccountId, OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"

export const TOKEN = "operator-token-of-a-test-0123456789"

/** The service with `OPERATOR_TOKEN` set. */
export const operatorService = (env: Readonly<Record<string, string>> = {}) => shop({ OPERATOR_TOKEN: TOKEN, ...env })

export const operatorClientWith = Effect.fnUntraced(function* (token: string, actor?: string) {
  const { url } = yield* RunningService
  return yield* makeOperatorClient({ url, token: Redacted.make(token), ...(actor === undefined ? {} : { actor }) })
})

export const operatorClient = (actor?: string) => operatorClientWith(TOKEN, actor)

const number = Effect.flatMap(UniqueNumbers, ({ next }) => next)

/** A Plancton site (5.00 EUR) by default. */
export const siteRow = Effect.fnUntraced(function* (
  over: Partial<SiteRow> = {}
): Effect.fn.Return<SiteRow, never, UniqueNumbers> {
  const siteId = yield* number
  const metrics = { tf: 20, cf: 20, rd: 100, mozDa: 20, rankedKeywords: 100, trafficMonthly: 1_000 }
  const kind = { nicheLabel: "Gardening", language: "en", shelf: "Plancton", linkRel: "dofollow", open: true } as const
  return { siteId, domain: `site${siteId}.example`, ...metrics, ...kind, ...over }
})

/** A site that the operator has listed. */
export const listedSite = Effect.fnUntraced(function* (over: Parameters<typeof siteRow>[0] = {}) {
  const client = yield* operatorClient()
  const site = yield* siteRow(over)
  yield* client.listGoods({ sites: [site] })
  return site
})

export const projectRow = Effect.fnUntraced(function* (
  accountId: AccountId
): Effect.fn.Return<ProjectRow, never, UniqueNumbers> {
  const projectId = ProjectId.make(`prj_${yield* number}`)
  return { projectId, accountId, name: "Spades", domain: "brand.example", language: "en" }
})

export const opportunityRow = Effect.fnUntraced(function* (
  projectId: ProjectId,
  over: Partial<OpportunityRow> = {}
): Effect.fn.Return<OpportunityRow, never, UniqueNumbers> {
  const position = yield* number
  return {
    opportunityId: OpportunityId.make(`opp_${position}`),
    projectId,
    prompt: "Which spade lasts?",
    engine: "Oracle",
    niche: "gardening",
    targetUrl: "https://brand.example/spades",
    anchorText: "spades that last",
    position,
    ...over
  }
})

/** An account with credit and a key with both scopes. */
export const customer = Effect.fnUntraced(function* (client: OperatorClient, creditCents = 0) {
  const { accountId } = yield* client.openAccount({ name: "Ada", email: `${randomUUID()}@brand.example` })
  if (creditCents > 0) yield* client.topUp({ accountId, cents: creditCents, reference: `transfer ${yield* number}` })
  const order = { accountId, mode: "live", label: "agent", scopes: ["read", "order"], limits: noLimits } as const
  const { key, text } = yield* client.issueKey(order)
  return { accountId, keyId: key.keyId, key: text }
})
