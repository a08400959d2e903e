// Demo data: two accounts, four fixed API keys and a catalogue, loaded into an empty store by the use cases of the operator plane. The
// keys are public, so they belong only in a store without anything of value.
import { Effect, Redacted } from "effect"
import { ALL_SCOPES, noLimits, type Scope } from "#core/domain/access/ApiKey.ts"
import { withChecksum } from "#core/domain/access/ApiKeyFormat.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { demoCatalogue } from "./DemoCatalogue.ts"

export interface DemoKey {
  readonly label: string
  readonly text: string
  readonly scopes: ReadonlyArray<Scope>
  /** Whether it belongs to the account with credit. */
  readonly credit: boolean
}

const demoKey = (label: string, body: string, options: Partial<Pick<DemoKey, "scopes" | "credit">> = {}): DemoKey => ({
  label,
  text: withChecksum(body),
  scopes: ALL_SCOPES,
  credit: true,
  ...options
})

/** In the order of printing. */
export const demoKeys: ReadonlyArray<DemoKey> = [
  demoKey("demo live key", "sn_live_DemoLiveKeyWithCreditForReadme01"),
  demoKey("demo no-credit key", "sn_live_DemoLiveKeyWithoutCredit00000001", { credit: false }),
  demoKey("demo test key", "sn_test_DemoTestKeyForTheSandbox00000001"),
  demoKey("demo read-only key", "sn_live_DemoReadOnlyKey00000000000000001", { scopes: ["read"] })
]

/** Who the printed sign-in link signs in: the owner of the account with credit. */
export const DEMO_OWNER = "owner@willow-and-spade.example"

const OTHER_DEMO_OWNER = "owner@cardboard-robots.example"

const CREDIT_CENTS = 10_000

const by = "demo"

/** Loads the demo data if the store has no account yet. */
const loadDemo = Effect.gen(function* () {
  const accounts = yield* ManageAccounts
  const keys = yield* Credentials
  const catalogue = yield* UpdateCatalogue
  const { accounts: existing } = yield* accounts.list({ limit: 1, beforeId: null })
  if (existing.length > 0) return
  const withCredit = yield* accounts.open({ name: "Willow & Spade", email: DEMO_OWNER }, by)
  const withoutCredit = yield* accounts.open({ name: "Cardboard Robots", email: OTHER_DEMO_OWNER }, by)
  yield* accounts.topUp({ accountId: withCredit.accountId, cents: CREDIT_CENTS, reference: "demo" }, by)
  for (const { label, text, scopes, credit } of demoKeys) {
    const { accountId } = credit ? withCredit : withoutCredit
    yield* keys.adopt(Redacted.make(text), { accountId, label, scopes, limits: noLimits }, by)
  }
  yield* catalogue.update(demoCatalogue(withCredit.accountId), by)
}).pipe(
  // A refusal of the demo data is a bug; an unavailable store is not.
  Effect.catchTag(
    [
      "AccountClosed",
      "AccountNotFound",
      "InvalidApiKey",
      "KeyExpiryInvalid",
      "KeyLimitReached",
      "ListingRefused",
      "SandboxAccount"
    ],
    Effect.die
  ),
  // Another instance, which started at the same time, loads it.
  Effect.catchTag("EmailTaken", () => Effect.void),
  Effect.withSpan("Demo.load")
)

/**
 * Ends what a store that was tried with the demo data has of it: the demo's keys, all that the demo's members made, and these members
 * with their sessions. Webhooks end with the key that they belong to. Several instances may do it at once.
 */
export const revokeDemo = Effect.gen(function* () {
  const credentials = yield* Credentials
  const members = yield* ManageMembers
  const found = yield* Effect.forEach(demoKeys, ({ label, text }) =>
    Effect.map(credentials.withText(Redacted.make(text)), (key) => ({ label, key }))
  )
  const labelOf = new Map(found.flatMap(({ label, key }) => (key === null ? [] : [[key.keyId, label] as const])))
  // Keys stay known, while members of the demo may have changed all else of its accounts.
  for (const accountId of new Set(found.flatMap(({ key }) => key?.accountId ?? []))) {
    const ended = yield* members.endAccess(accountId, by)
    if (ended.length > 0) yield* Effect.logWarning(`Ended the members of ${accountId}, the demo's: DEMO is off.`)
    for (const { keyId, label } of yield* credentials.revokeAll(accountId, by)) {
      const demoLabel = labelOf.get(keyId)
      yield* Effect.logWarning(
        demoLabel === undefined
          ? `Revoked ${keyId} (${label}), which a member of the demo made: DEMO is off.`
          : `Revoked ${keyId}, the ${demoLabel}: its text is published, and DEMO is off.`
      )
    }
  }
}).pipe(Effect.withSpan("Demo.revoke"))

/** What a start does about the demo. */
export const prepareDemo = (on: boolean) =>
  Effect.gen(function* () {
    yield* on ? loadDemo : revokeDemo
  })
