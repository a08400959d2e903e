// A store that lost all records of one kind: each record that names one of them is found.
import { HashMap } from "effect"
import { expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { violationsOf } from "#core/decisions/Invariants.ts"
import { MemberId, OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { given, insertion, item, key, NOON, orderBy, stock, subscription } from "#test/core/Given.ts"
import { placed } from "#test/core/RunDecision.ts"

const consent = {
  clientId: "chat",
  clientHost: "chat.example",
  memberId: MemberId.make("mem_rich"),
  atMs: NOON,
  seesAccount: true
}

const bought = placed(
  given({
    keys: [...stock.keys, key("con_rich", "acc_rich", { consent })],
    subscriptions: [subscription("wh_rich")]
  }),
  orderBy(
    "key_rich",
    {
      items: [insertion(11, { projectId: ProjectId.make("prj_rich"), opportunityId: OpportunityId.make("opp_rich") })],
      promoCode: "TEN"
    },
    { idempotency: { key: "first", fingerprint: "f" } }
  )
).books

/** An open quote holds all the credit that the order left. */
const sound = placed(bought, orderBy("key_rich", { items: Array.from({ length: 4 }, () => item({ siteId: 3 })) })).books

const lost = (books: Books): ReadonlySet<string> => {
  const found = violationsOf(books, NOON).filter(({ invariant }) => invariant === "named_is_there")
  return new Set(found.map(({ subject, message }) => `${subject}: ${message}`))
}

const none = HashMap.empty<never, never>()

const namedBy = (subject: string | number, ...tables: ReadonlyArray<string>): ReadonlyArray<string> =>
  tables.map((by) => `${subject}: it is not there, and named by ${by}`)

it("finds nothing where nothing was lost", () => {
  expect(lost(sound)).toEqual(new Set())
})

it.each<[what: string, over: Partial<Books>, found: ReadonlyArray<string>]>([
  [
    "accounts",
    { accounts: none },
    [
      ...namedBy("acc_rich", "members", "keys", "ledger", "quotes", "holds", "projects"),
      ...namedBy("acc_poor", "members", "keys", "projects")
    ]
  ],
  ["members", { members: none }, namedBy("mem_rich", "keys")],
  ["keys", { keys: none }, namedBy("key_rich", "quotes", "bindings", "subscriptions")],
  ["sites", { sites: none }, [...namedBy(1, "articles", "links"), ...namedBy(4, "articles")]],
  ["articles", { articles: none }, namedBy(11, "links")],
  [
    "projects",
    { projects: none },
    [...namedBy("prj_rich", "opportunities", "links"), ...namedBy("prj_poor", "opportunities")]
  ],
  ["opportunities", { opportunities: none }, namedBy("opp_rich", "links")],
  ["promos", { promos: none }, namedBy("TEN", "quotes")]
])("finds lost %s by all that name them", (_, over, found) => {
  expect(lost({ ...sound, ...over })).toEqual(new Set(found))
})
