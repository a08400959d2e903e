// An account with an owner and a viewer, and an order of its agent that waits for approval.
import { Effect, Redacted } from "effect"
import { ALL_SCOPES, noLimits } from "#core/domain/access/ApiKey.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import type { openAccount } from "./Visitors.ts"

/** A request of the agent. */
const ask = Effect.fnUntraced(function* (text: string, path: string, body?: unknown) {
  const { url } = yield* RunningService.RunningService
  return yield* Effect.promise(() =>
    fetch(new URL(`/api/v1/agent${path}`, url), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).then((response) => response.json())
  )
})

type People = Pick<Effect.Success<typeof openAccount>, "account">

/** An agent of the account, with a key that asks for every order and what it ordered. */
export const agentOf = Effect.fnUntraced(function* ({ account: { accountId } }: People, creditCents = 5_000) {
  yield* (yield* ManageAccounts).topUp({ accountId, cents: creditCents, reference: "test" }, "test")
  const limits = { ...noLimits, approveAboveCents: 0, maxDayCents: 2_000, dailyOrderCap: 3 }
  const wanted = { accountId, mode: "live", label: "Assistant", scopes: ALL_SCOPES, limits } as const
  const { key, text } = yield* (yield* Credentials).issue(wanted, "test")
  const secret = Redacted.value(text)
  const { siteId } = yield* listSite()
  const item = { site_id: siteId, target_url: "https://shop.example/", anchor_text: "tools", anchor_type: "exact" }
  const order = (over: Readonly<Record<string, unknown>> = {}) =>
    ask(secret, "/orders", { items: [{ ...item, ...over }] })
  return { key, secret, order, ask: (path: string) => ask(secret, path) }
})

interface Answered {
  readonly quote_id: unknown
  readonly approval_url: string
  readonly total_eur: number
}

/** The page of the order that waits, and the form that approves it. */
export const pageOf = ({ quote_id, approval_url, total_eur }: Answered) => ({
  quoteId: String(quote_id),
  path: new URL(approval_url).pathname,
  form: { quote: String(quote_id), state: "awaiting_approval", total: String(Math.round(total_eur * 100)) }
})
