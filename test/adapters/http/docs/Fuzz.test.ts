// The document against the service, by calls that are made from it: what it allows is answered as it says, and refused only for what a
// sentence of it names; what it forbids is refused; nothing is a fault of the service. `PROPERTY_RUNS=3000` is the long run.
import { Effect, ManagedRuntime, Schema } from "effect"
import fc from "fast-check"
import { afterAll, expect, it } from "vitest"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { describeRun, planFrom } from "#test/Property.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"
import { allowedCalls, type Call, forbiddenCalls, operationOf, targetOf } from "./DocumentedCalls.ts"
import { responseError } from "./DocumentedResponses.ts"
import { namedRule } from "./NamedRules.ts"
import type { Known } from "./SchemaArbitraries.ts"

const runtime = ManagedRuntime.make(shop({ DEMO: "on" }))
afterAll(() => runtime.dispose())

const { url } = await runtime.runPromise(RunningService.pipe(Effect.map(({ url }) => ({ url }))))

const [LIVE = "", , SANDBOX = ""] = demoKeys.map(({ text }) => text)

interface Answer {
  readonly status: number
  readonly text: string
}

const send = async (
  key: string,
  {
    method,
    target,
    headers = {},
    body
  }: Readonly<{ method: string; target: string; headers?: Call["headers"]; body?: unknown }>
): Promise<Answer> => {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, text: await response.text() }
}

/** The values of a member wherever an answer has it. */
const valuesIn = (text: string, member: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`"${member}":"?([^",}]+)`, "g"))].map(([, value = ""]) => value)

const numbersIn = (text: string, member: string) => valuesIn(text, member).map(Number)

const API = "/api/v1/agent"
const get = (key: string, path: string) => send(key, { method: "GET", target: `${API}${path}` })
const post = (key: string, path: string, body: unknown) => send(key, { method: "POST", target: `${API}${path}`, body })

/** Things of both keys: links bought and not paid for, a webhook and what it was sent. */
const prepared = async () => {
  const item = { site_id: 2, target_url: "https://brand.example/", anchor_text: "a page", anchor_type: "partial" }
  const placed: Array<string> = []
  for (const key of [LIVE, SANDBOX, SANDBOX, SANDBOX]) {
    const credit = key === SANDBOX ? { sandbox_credit_cents: placed.length === 2 ? 0 : 9_000 } : {}
    placed.push((await post(key, "/orders", { items: [item, { ...item, site_id: 3 }], ...credit })).text)
  }
  const made = await post(LIVE, "/webhooks", { url: `${url}/in`, events: ["*"] })
  const [webhook = ""] = valuesIn(made.text, "id")
  const tested = await post(LIVE, `/webhooks/${webhook}/test`, {})
  const orders = `${(await get(LIVE, "/links")).text}${(await get(SANDBOX, "/links")).text}`
  const [, ...sites] = numbersIn((await get(LIVE, "/catalog?limit=50")).text, "id")
  const articles = await Promise.all(sites.slice(0, 10).map((site) => get(LIVE, `/catalog/${site}/articles`)))
  const projects = await get(LIVE, "/ai-visibility/projects")
  return {
    placed: placed.join(),
    webhook,
    deliveries: valuesIn(tested.text, "delivery_id"),
    orders,
    sites,
    articles: articles.flatMap(({ text }) => numbersIn(text, "article_id")),
    projects: valuesIn(projects.text, "project_id")
  }
}

const world = await prepared()
const quotes = valuesIn(world.placed, "quote_id")
const orders = [...new Set(valuesIn(world.orders, "order_id"))]

const DAYS = ["2026-11-20", "2026-11-21T09:00:00Z"]

const common: Known = {
  ...{ site_id: world.sites, article_id: [...world.articles, 1], project_id: world.projects },
  ...{ link_id: valuesIn(world.orders, "link_id"), link_ids: valuesIn(world.orders, "link_id") },
  ...{ order_id: orders, quote_id: quotes, delivery_id: world.deliveries },
  target_url: ["https://brand.example/spring", "http://shop.example:8080/a?b=c", "https://münchen.example/ü"],
  anchor_text: ["spring garden tools", "👍 tools"],
  promo_code: ["TEN", "FIVER", "NONE"],
  url: [`${url}/in`],
  reason: ["Not now."],
  language: ["en", "fr"],
  niche: ["Gardening"],
  target_domain: ["brand.example"],
  not_linking_to: ["brand.example"],
  ...{ created_from: DAYS, created_to: DAYS, issued_from: DAYS, issued_to: DAYS, from: DAYS },
  "Replay-Unkeyed": ["true"]
}

const IDS: ReadonlyArray<readonly [within: RegExp, ids: Known[string]]> = [
  [/\/catalog\/\{id\}/, world.sites],
  [/\/quotes\/\{id\}/, quotes],
  [/\/orders\/\{id\}/, orders],
  [/\/webhooks\/\{id\}/, [world.webhook]],
  [/\/projects\/\{id\}/, world.projects],
  [/\/invoices\/\{id\}/, orders.map((id) => id.replace("ord_", "inv_"))]
]

const knownOf = (path: string): Known => {
  const [, id] = IDS.find(([within]) => within.test(path)) ?? []
  return id === undefined ? common : { ...common, id }
}

const key = fc.constantFrom(LIVE, SANDBOX)

const answered = async (asked: string, call: Call) => {
  const target = targetOf(call)
  const answer = await send(call.path.includes("/sandbox/") ? SANDBOX : asked, {
    ...{ method: call.method, target, headers: call.headers, body: call.body }
  })
  const shown = `${call.method} ${target} ${JSON.stringify(call.body)}: ${answer.status} ${answer.text}`.slice(0, 4_000)
  expect(answer.status, shown).toBeLessThan(500)
  expect(responseError(call.method, target, answer), shown).toBeUndefined()
  return { ...answer, shown }
}

const refusalIn = Schema.decodeUnknownSync(Schema.fromJsonString(ErrorBody))

/** CI tries no more than a developer's machine, because each of these is a call. */
const { runs: numRuns, seed } = planFrom({ ...process.env, CI: undefined })

const every = (name: string, calls: fc.Arbitrary<Call>, check: (asked: string, call: Call) => Promise<void>) =>
  it(name, async () =>
    console.log(describeRun(name, await fc.check(fc.asyncProperty(key, calls, check), { numRuns, seed })))
  )

every("call that the document allows is refused only for what it names", allowedCalls(knownOf), async (asked, call) => {
  const { status, text, shown } = await answered(asked, call)
  if (status < 400) return
  const { code, errors = [{ path: "", message: code }] } = refusalIn(text).error
  for (const fault of errors) expect(namedRule(operationOf(call), code, fault), shown).toBe("named")
})

/** How a call is refused whose form is wrong, whatever it is about. */
const OF_FORM = new Set(["validation_failed", "invalid_idempotency_key", "route_not_found", "body_too_large"])

every("call that the document forbids is refused", forbiddenCalls(knownOf), async (asked, call) => {
  const { status, text, shown } = await answered(asked, call)
  expect(status, shown).toBeGreaterThanOrEqual(400)
  expect(OF_FORM, shown).toContain(refusalIn(text).error.code)
})
