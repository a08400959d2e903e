// Arguments as clients that serialise them send them, and whole sets of arguments of each tool to be sent so.
import fc from "fast-check"

export type Args = Readonly<Record<string, unknown>>

/** Members whose value is never guessed, and texts in which `null` may be meant. */
export const GUARDS: ReadonlySet<string> = new Set(["idempotency_key", "max_total_eur", "dry_run"])
export const FREE_TEXTS: ReadonlySet<string> = new Set(["brief", "query", "article_query", "anchor_text", "reference"])

const item = {
  site_id: 7,
  target_url: "https://brand.example/[page]?a={1}",
  anchor_text: "7",
  anchor_type: "partial",
  format: "insertion",
  article_id: 9,
  tier2_links: 3,
  project_id: "prj_1",
  opportunity_id: "opp_1",
  brief: '["plain", true, 1]'
}

const { brief: _brief, project_id: _project, opportunity_id: _opportunity, ...withoutWishes } = item

/** Arguments of each tool that has any; those that are not here have a value of their schema. */
const wholeArguments: Readonly<Record<string, Args>> = {
  search_sites: {
    niche: ["Bell founding", "[a]"],
    shelf: ["Corail", "Nautilus"],
    query: "1",
    language: ["fr"],
    link_rel: "dofollow",
    not_linking_to: "brand.example",
    min_tf: 20,
    min_traffic: 0,
    max_price_eur: 7.5,
    sort: "-tf",
    limit: 5,
    offset: 0
  },
  get_site: { site_id: 7 },
  list_site_articles: { site_id: 7, limit: 2, cursor: "7" },
  create_order: {
    items: [item, withoutWishes],
    promo_code: "10",
    max_total_eur: 60.5,
    dry_run: true,
    sandbox_credit_cents: 100,
    idempotency_key: "1"
  },
  get_quote_status: { quote_id: "q_1" },
  list_orders: {
    status: "paid",
    created_from: "2026-10-01",
    created_to: "2026-10-31",
    target_domain: "brand.example",
    project_id: "prj_1",
    limit: 2,
    cursor: "true"
  },
  get_order_status: { order_id: "1" },
  list_ai_visibility_projects: { limit: 2, cursor: "null-or-so" },
  get_ai_visibility_plan: { project_id: "7" },
  cancel_links: { order_id: "ord_1", link_ids: ["lnk_1", "2"], only: "cancellable", idempotency_key: "1" },
  change_link: {
    order_id: "ord_1",
    link_id: "7",
    target_url: "https://brand.example/[page]",
    anchor_text: "7",
    anchor_type: "exact",
    brief: "{}",
    dry_run: true,
    idempotency_key: "1"
  },
  list_links: {
    scope: "account",
    status: "published",
    overdue: false,
    target_domain: "brand.example",
    reference: "PO 7",
    site_id: 7,
    limit: 2
  },
  list_invoices: { order_id: "7", issued_from: "2026-05-01", limit: 2 },
  request_top_up: { amount_eur: 12.5 }
}

interface Shown {
  readonly type?: unknown
  readonly enum?: ReadonlyArray<string>
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, Shown>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Shown
}

/** Not to be sent beside others. */
const ALONE: ReadonlySet<string> = new Set(["get_quote_status.idempotency_key", "search_sites.cursor"])

const sampleOf = ({ type, enum: [choice] = [], minimum = 1, items = {} }: Shown): unknown => {
  if (type === "integer" || type === "number") return minimum
  if (type === "array") return [sampleOf(items)]
  return type === "boolean" ? true : (choice ?? "1")
}

/** Every argument of the tool. */
export const wholeOf = ({ name, inputSchema }: { readonly name: string; readonly inputSchema: unknown }): Args => {
  const { properties = {} } = inputSchema as Shown // the schema of a tool's input
  const named = Object.entries(properties).filter(([argument]) => !ALONE.has(`${name}.${argument}`))
  return {
    ...Object.fromEntries(named.map(([argument, shown]) => [argument, sampleOf(shown)])),
    ...wholeArguments[name]
  }
}

const ABSENT = Symbol("absent")

/** What stands for a member that is left out. */
const absences = (name: string): ReadonlyArray<unknown> => {
  if (GUARDS.has(name) || name === "brief") return [ABSENT, null]
  return FREE_TEXTS.has(name) ? [ABSENT, null, ""] : [ABSENT, null, "", "null", "undefined"]
}

const isRecord = (value: unknown): value is Args => typeof value === "object" && value !== null && !Array.isArray(value)

/** The value, or the text of its JSON. */
const orItsJson = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(value, fc.constantFrom(false, true), fc.constantFrom(0, 2))
    .map(([plain, isSerialised, indent]) =>
      isSerialised && typeof plain !== "string" ? JSON.stringify(plain, null, indent) : plain
    )

const dressedMembers = ({ properties = {} }: Shown, args: Args): fc.Arbitrary<Args> =>
  fc
    .tuple(
      ...Object.entries(properties).map(([name, schema]) => {
        const value = name in args ? dressed(schema, args[name]) : fc.constantFrom(...absences(name))
        return value.map((one) => [name, one] as const)
      })
    )
    .map((members) => Object.fromEntries(members.filter(([, value]) => value !== ABSENT)))

const dressed = (schema: Shown, value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) return orItsJson(fc.tuple(...value.map((entry) => dressed(schema.items ?? {}, entry))))
  return orItsJson(isRecord(value) ? dressedMembers(schema, value) : fc.constant(value))
}

/** Its tool takes this or another one. */
const ONE_OF_TWO = "quote_id"

/** Some of the arguments, among them all that are required, at any depth. */
const someOf = (schema: Shown, value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) return fc.tuple(...value.map((entry) => someOf(schema.items ?? {}, entry)))
  return isRecord(value) ? someMembers(schema, value) : fc.constant(value)
}

const someMembers = ({ properties = {}, required = [] }: Shown, args: Args): fc.Arbitrary<Args> =>
  fc
    .tuple(
      ...Object.entries(args).map(([name, value]) =>
        fc
          .tuple(
            someOf(properties[name] ?? {}, value),
            required.includes(name) || name === ONE_OF_TWO ? fc.constant(true) : fc.boolean()
          )
          .map(([one, isGiven]) => [name, one, isGiven] as const)
      )
    )
    .map((members) => Object.fromEntries(members.flatMap(([name, value, isGiven]) => (isGiven ? [[name, value]] : []))))

/** Some of these arguments, plain and in another dress of the same meaning. */
export const inAnyDress = (inputSchema: unknown, whole: Args): fc.Arbitrary<readonly [plain: Args, dressed: Args]> => {
  const shown = inputSchema as Shown // the schema of a tool's input
  return someMembers(shown, whole).chain((plain) =>
    dressedMembers(shown, plain).map((other) => [plain, other] as const)
  )
}
