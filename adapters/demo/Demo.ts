// Demo data: two accounts, four fixed keys and the demo's goods, put into an empty store through the same use cases that an
// operator uses. The keys are public knowledge: they are for a store that holds nothing of value.
import { Effect, Redacted } from "effect"
import { ALL_SCOPES, noLimits, type Scope } from "#core/domain/ApiKey.ts"
import { withChecksum } from "#core/domain/ApiKeyFormat.ts"
import { ListGoods } from "#core/usecases/ListGoods.ts"
import { ManageAccounts } from "#core/usecases/ManageAccounts.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import { demoCatalogue } from "./DemoCatalogue.ts"

export interface DemoKey {
  readonly label: string
  readonly text: string
  readonly scopes: ReadonlyArray<Scope>
  /** Whether it belongs to the account that has credit. */
  readonly credit: boolean
}

/** In the order in which they are printed. */
export const demoKeys: ReadonlyArray<DemoKey> = [
  {
    label: "demo live key",
    text: withChecksum("sn_live_DemoLiveKeyWithCreditForReadme01"),
    scopes: ALL_SCOPES,
    credit: true
  },
  {
    label: "demo no-credit key",
    text: withChecksum("sn_live_DemoLiveKeyWithoutCredit00000001"),
    scopes: ALL_SCOPES,
    credit: false
  },
  {
    label: "demo test key",
    text: withChecksum("sn_test_DemoTestKeyForTheSandbox00000001"),
    scopes: ALL_SCOPES,
    credit: true
  },
  {
    label: "demo read-only key",
    text: withChecksum("sn_live_DemoReadOnlyKey00000000000000001"),
    scopes: ["read"],
    credit: true
  }
]

const CREDIT_CENTS = 10_000

const by = { actor: "demo" }

/** Loads the demo where no account exists yet. */
export const loadDemo = Effect.gen(function* () {
  const accounts = yield* ManageAccounts
  const keys = yield* ManageKeys
  const goods = yield* ListGoods
  const { accounts: known } = yield* accounts.list({ limit: 1, beforeId: null })
  if (known.length > 0) return
  const rich = yield* accounts.open({ name: "Willow & Spade", email: "owner@willow-and-spade.example" }, by)
  const poor = yield* accounts.open({ name: "Cardboard Robots", email: "owner@cardboard-robots.example" }, by)
  yield* accounts.topUp({ accountId: rich.accountId, cents: CREDIT_CENTS, reference: "demo" }, by)
  for (const { label, text, scopes, credit } of demoKeys) {
    const { accountId } = credit ? rich : poor
    yield* keys.adopt(Redacted.make(text), { accountId, label, scopes, limits: noLimits }, by)
  }
  yield* goods.list(demoCatalogue(rich.accountId), by)
}).pipe(
  // The demo is ours: a refusal of it is a bug, while a store may simply not be there.
  Effect.catchTag(
    ["AccountNotFound", "InvalidApiKey", "KeyLimitReached", "ProjectNotFound", "SiteNotFound"],
    Effect.die
  ),
  Effect.withSpan("Demo.load")
)
