// Every field of an entity is stored when its row is new, and again when the field has changed. The rows are those that a decision writes,
// the values are any that the field's schema allows, and the database has none of its rules on them.
import { it } from "@effect/vitest"
import { Effect, HashMap, HashSet, Predicate, type Redacted, type Schema } from "effect"
import { expect } from "vitest"
import { decodeRows } from "#adapters/postgres/database/Queries.ts"
import { writtenRows } from "#adapters/postgres/orderbook/CommitRows.ts"
import { type LoadedBooks, loadedBooks, makeWriteContext } from "#adapters/postgres/orderbook/LoadedBooks.ts"
import { type BookTable, bookTables } from "#adapters/postgres/rows/BookTables.ts"
import { promos } from "#adapters/postgres/rows/CatalogueRows.ts"
import { idOf } from "#core/decisions/Books.ts"
import { ApiKey } from "#core/domain/access/ApiKey.ts"
import { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import { Account } from "#core/domain/members/Account.ts"
import { Invitation } from "#core/domain/members/Invitation.ts"
import { Member } from "#core/domain/members/Member.ts"
import { DailyUsage } from "#core/domain/ordering/DailyCap.ts"
import { Link } from "#core/domain/ordering/Link.ts"
import { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { Payment, Quote } from "#core/domain/ordering/Quote.ts"
import { Reversal } from "#core/domain/ordering/Reversal.ts"
import { canonicalJson, type Json } from "#core/domain/shared/CanonicalJson.ts"
import { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { TopUp } from "#core/domain/wallet/TopUp.ts"
import { TopUpReversal } from "#core/domain/wallet/TopUpReversal.ts"
import { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { OrderEvent } from "#core/domain/webhooks/Event.ts"
import { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { membersOf, type Sample, samplesOf } from "#test/core/FieldSamples.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { execute } from "../TestDatabase.ts"

type Fields = Readonly<Record<string, Schema.Constraint>>

interface Entity {
  readonly fields: Fields
  /** Its table in the database, if the books name it otherwise. */
  readonly table?: string
  /** What never changes once the row is there, `sale.state` for a member of a member, or `all`. */
  readonly lasting: ReadonlyArray<string> | "all"
  /** What a new row has to have. */
  readonly fresh?: Sample
  /** What refers to another row, and what other columns are derived from. */
  readonly given?: Sample
}

const account = { accountId: "acc_given" }
const key = { ...account, keyId: "key_given" }

/** What refers to a quote is null in it. */
const { quoteId: __, ...ofOrder } = OrderEvent.fields

const { redeemed: _, ...described } = promos.schema.to.fields

/** The tables of the books. Holds, orders and bindings are columns of their quote, and a use of the welcome offer is stored by its domain. */
const ENTITIES: Readonly<
  Record<Exclude<keyof typeof bookTables, "holds" | "orders" | "bindings" | "welcomeUses"> | "promos", Entity>
> = {
  accounts: { fields: Account.fields, lasting: ["accountId", "createdAtMs"] },
  members: { fields: Member.fields, lasting: ["memberId", "createdAtMs"], given: account },
  invitations: {
    fields: Invitation.fields,
    lasting: ["invitationId", "email", "role", "invitedBy", "createdAtMs", "expiresAtMs"],
    given: account
  },
  topUps: {
    fields: TopUp.fields,
    table: "top_ups",
    lasting: ["topUpId", "memberId", "cents", "paymentToken", "createdAtMs", "expiresAtMs"],
    given: account
  },
  topUpReversals: {
    fields: TopUpReversal.fields,
    table: "top_up_reversals",
    lasting: ["reversalId", "topUpId", "chargeId", "kind", "atMs"]
  },
  keys: {
    fields: ApiKey.fields,
    lasting: ["keyId", "mode", "hash", "prefix", "lastFour", "createdAtMs", "consent.clientId"],
    given: account
  },
  dailyUsage: { fields: DailyUsage.fields, table: "tallies", lasting: ["day"], given: { keyId: key.keyId } },
  sites: { fields: Site.fields, lasting: ["siteId"] },
  articles: { fields: Article.fields, lasting: ["articleId"] },
  promos: {
    fields: described,
    lasting: ["code"],
    given: { redeemed: 0, redeemedBy: HashSet.empty(), reservations: [] }
  },
  projects: { fields: Project.fields, lasting: ["projectId"] },
  opportunities: { fields: Opportunity.fields, lasting: ["opportunityId"] },
  quotes: {
    fields: Quote.fields,
    lasting: [
      ...["quoteId", "mode", "lines", "itemsDigest", "grossCents", "discount", "totalCents", "creditCents"],
      ...["cardCents", "warnings", "idempotencyKey", "paymentToken", "createdAtMs"]
    ],
    // The lines of an order are those of its links.
    fresh: { orderId: null },
    given: key
  },
  ledger: { fields: LedgerEntry.fields, lasting: "all", given: account },
  payments: { fields: Payment.fields, lasting: "all" },
  setAside: {
    fields: PaymentSetAside.fields,
    table: "payments_set_aside",
    lasting: ["paymentId", "quoteId", "amountCents", "currency", "reason", "atMs"],
    fresh: { outcome: null }
  },
  reversals: { fields: Reversal.fields, lasting: ["reversalId", "quoteId", "kind", "atMs"] },
  links: {
    fields: Link.fields,
    lasting: [
      ...["linkId", "orderId", "quoteId", "mode", "index", "siteId", "domain", "shelf", "format", "articleId"],
      ...["anchorText", "anchorType", "tier2Links", "projectId", "opportunityId", "brief", "priceCents", "netCents"]
    ],
    given: { ...account, targetUrl: "https://brand.example/" }
  },
  events: { fields: ofOrder, lasting: "all", given: key },
  subscriptions: {
    fields: Subscription.fields,
    lasting: ["webhookId", "mode", "createdAtMs"],
    given: key
  },
  deliveries: {
    fields: Delivery.fields,
    lasting: ["deliveryId", "webhookId", "mode", "eventId", "event", "body", "createdAtMs"],
    given: key
  }
}

type Name = keyof typeof ENTITIES

const decodePromos = decodeRows(promos.schema)

const stored: Readonly<Record<Name, Pick<BookTable, "list" | "decode">>> = {
  ...bookTables,
  promos: { list: promos.list, decode: (rows) => decodePromos(rows).map((row) => [row]) }
}

/** The values of an entity, with those of a member's members by themselves. */
const leavesOf = (fields: Fields, entity: Sample): ReadonlyArray<readonly [path: string, value: unknown]> =>
  Object.entries(fields).flatMap(([name, field]) => {
    const members = membersOf(field)
    const value = entity[name]
    if (members === undefined || !Predicate.isObject(value)) return [[name, value] as const]
    return leavesOf(members, value).map(([path, leaf]) => [`${name}.${path}`, leaf] as const)
  })

/** The second sample with what lasts of the first. */
const changedFrom = ({ fields, lasting }: Entity, first: Sample, second: Sample, prefix = ""): Sample =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const path = `${prefix}${name}`
      const [before, after] = [first[name], second[name]]
      if (lasting === "all" || lasting.includes(path)) return [name, before]
      const members = membersOf(field)
      return members !== undefined && Predicate.isObject(before) && Predicate.isObject(after)
        ? [name, changedFrom({ fields: members, lasting }, before, after, `${path}.`)]
        : [name, after]
    })
  )

/** The books with one row, and the version under which it was loaded. */
const loadedWith = (name: Name, row: Sample | undefined, version: string): LoadedBooks => {
  // The version of the last listing is that of its rows.
  const siteDomains = { stem: version, bySite: null, ordered: null }
  const empty = loadedBooks({ books: { nowMs: 0, shop: { version: "", fulfilment: null }, siteDomains } })
  if (row === undefined) return empty
  const id = idOf(name)(row as never) // A sample of that table's entity.
  const versions = { [name]: new Map([[id, version]]), endpoints: new Map([[String(id), version]]) }
  return {
    ...empty,
    books: { ...empty.books, [name]: HashMap.make([id, row]) },
    versions: { ...empty.versions, ...versions }
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Writes the row as a decision does that has seen the row before. */
const write = (url: Redacted.Redacted, name: Name, before: Sample | undefined, after: Sample) => {
  const [seen, version] = before === undefined ? ["", "first"] : ["first", "second"]
  const { books } = loadedWith(name, after, version)
  const rows = writtenRows(makeWriteContext(loadedWith(name, before, seen), books, version))
  const { seen: _, ...written } = rows
  return execute(url, `SELECT write_changes(${literal(JSON.stringify(written))})`)
}

const read = Effect.fnUntraced(function* (url: Redacted.Redacted, name: Name, id: unknown) {
  const from = ENTITIES[name].table ?? name
  const [rows] = yield* execute(url, `SELECT json_agg(${stored[name].list("r")}) AS rows FROM ${from} r`)
  const found = stored[name].decode(rows?.[0]?.["rows"])
  // An entity is an object.
  return found.map(([row]) => row as Sample).find((row) => idOf(name)(row as never) === id)
})

/** No rule refuses a sample, and no row that it refers to has to be there. */
const WITHOUT_RULES = [
  `DO $$ DECLARE rule record; BEGIN
    FOR rule IN SELECT conrelid::regclass AS owner, conname FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0 LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', rule.owner, rule.conname);
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database());
  END $$`
]

const OWNERS = [
  `INSERT INTO accounts (account_id, version, name, email, balance_cents, held_cents, welcome_state, created_at_ms)
  VALUES ('${account.accountId}', '', '', '', 0, 0, 'available', 0)`,
  `INSERT INTO keys (key_id, account_id, mode, label, scopes, hash, prefix, last_four, created_at_ms)
  VALUES ('${key.keyId}', '${account.accountId}', 'live', '', '{}', '', '', '', 0)`
]

const database = Effect.tap(migratedDatabase, (url) => execute(url, ...WITHOUT_RULES, ...OWNERS))

/** Values as text: the members of JSON have no order. */
const textsOf = (fields: Fields, entity: Sample) =>
  leavesOf(fields, entity).map(([path, value]) => [path, canonicalJson((value ?? null) as Json)] as const) // Stored as JSON.

/** The fields that were read as something else than they were written. */
const lost = ({ fields }: Entity, written: Sample, found: Sample | undefined): ReadonlyArray<string> => {
  const read = new Map(textsOf(fields, found ?? {}))
  return textsOf(fields, written).flatMap(([path, text]) => (text === read.get(path) ? [] : [path]))
}

// The names of a literal.
const names = Object.keys(ENTITIES) as ReadonlyArray<Name>

it.live.each(names)("every field of %s is stored, new and changed", (name) =>
  Effect.gen(function* () {
    const url = yield* database
    const entity = ENTITIES[name]
    const [one, other] = samplesOf(entity.fields)
    const first = { ...one, ...entity.given, ...entity.fresh }
    const id = idOf(name)(first as never) // A sample of that table's entity.
    const second = { ...changedFrom(entity, one, other), ...entity.given }
    yield* write(url, name, undefined, first)
    expect(lost(entity, first, yield* read(url, name, id)), `fields of ${name} that a new row does not store`).toEqual(
      []
    )
    if (entity.lasting === "all") return
    yield* write(url, name, first, second)
    expect(
      lost(entity, second, yield* read(url, name, id)),
      `fields of ${name} that a changed row does not store`
    ).toEqual([])
  })
)
