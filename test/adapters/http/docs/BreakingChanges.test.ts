// The document is a file of the repository. No change of it breaks a client, unless the changelog names it.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { openApiDocument } from "#adapters/http/docs/OpenApiDocument.ts"
import { breakingChanges } from "./BreakingChanges.ts"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const FILE = "adapters/contract/openapi.json"

const PUBLIC_URL = "https://links.example"
const document = openApiDocument({
  publicUrl: PUBLIC_URL,
  oauth: { authorizationUrl: `${PUBLIC_URL}/oauth/authorize`, tokenUrl: `${PUBLIC_URL}/oauth/token` },
  supportContact: null
})
const present: unknown = JSON.parse(JSON.stringify(document))

const majorOf = (text: string): string => String(JSON.parse(text).info.version).split(".")[0] ?? ""

/** The first version of the file with the present major version that the repository has; `undefined` without a history. */
const firstPromised = (): string | undefined => {
  const git = (...words: ReadonlyArray<string>) =>
    execFileSync("git", words, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26, stdio: ["ignore", "pipe", "ignore"] })
  try {
    const commits = git("log", "--reverse", "--diff-filter=AM", "--format=%H", "--", FILE).split("\n").filter(Boolean)
    const versions = commits.values().map((commit) => git("show", `${commit}:${FILE}`))
    return versions.find((text) => majorOf(text) === majorOf(JSON.stringify(document)))
  } catch {
    return undefined
  }
}

describe("the document in the repository", () => {
  it("is the one that the service shows (`vitest run`, this file and `-u` write it)", async () => {
    await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot(`${ROOT}${FILE}`)
  })

  it("breaks no client of an earlier one of this major version, unless the changelog says so", () => {
    const promised = firstPromised() ?? readFileSync(`${ROOT}${FILE}`, "utf8")
    const [, unreleased = ""] = readFileSync(`${ROOT}CHANGELOG.md`, "utf8").split(/^## /m)
    const said = unreleased.replace(/\s+/g, " ")
    const unsaid = breakingChanges(JSON.parse(promised), present).filter((change) => !said.includes(`\`${change}\``))
    expect(unsaid).toEqual([])
  })
})

type Path = ReadonlyArray<string | number>

/** What lies there; the path is one of the document. */
const valueAt = (path: Path, within: unknown = present): unknown =>
  // Objects and lists of JSON alike.
  path.reduce((node, key) => (node as Readonly<Record<string | number, unknown>>)[key], within)

/** A copy of the document with another value there; without it, if that is `undefined`. */
const changed = (path: Path, value: unknown): unknown => {
  const copy: unknown = structuredClone(present)
  const last = path.at(-1) ?? ""
  // Objects and arrays of the copy take any value.
  const parent = valueAt(path.slice(0, -1), copy) as Record<string | number, unknown>
  if (value !== undefined) parent[last] = value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
  return copy
}

const ORDERS: Path = ["paths", "/api/v1/agent/orders"]
const schema = (name: string): Path => ["components", "schemas", name]

// A list, as in every operation.
const parameters = valueAt([...ORDERS, "get", "parameters"]) as ReadonlyArray<{ readonly name: string }>
const firstOfBalance = String(valueAt([...schema("Balance"), "required", 0]))
// A list of names, as in any schema of an object.
const required = valueAt([...schema("OrderItem"), "required"]) as ReadonlyArray<string>

describe("a change that breaks clients", () => {
  it.each<[what: string, path: Path, value: unknown, line: string]>([
    ["an operation that is gone", [...ORDERS, "get"], undefined, "listOrders is gone"],
    [
      "a parameter that is gone",
      [...ORDERS, "get", "parameters", 0],
      undefined,
      `listOrders ?${parameters[0]?.name} is gone`
    ],
    [
      "a request's member that is gone",
      [...schema("OrderRequest"), "properties", "promo_code"],
      undefined,
      "createOrder request.promo_code is gone"
    ],
    [
      "a request's member that is required now",
      [...schema("OrderItem"), "required"],
      [...required, "brief"],
      "createOrder request.items[].brief is required now"
    ],
    [
      "a request's enumeration with fewer values",
      [...schema("AdvanceRequest"), "properties", "to", "enum"],
      ["published"],
      "advanceSandboxOrder request.to takes fewer values"
    ],
    [
      "a closer bound of a request",
      [...schema("OrderRequest"), "properties", "items", "maxItems"],
      3,
      "createOrder request.items has closer bounds"
    ],
    [
      "an answer's member that is gone",
      [...schema("Balance"), "properties", "available_cents"],
      undefined,
      "getBalance 200.available_cents is gone"
    ],
    [
      "an answer's member that is not always there",
      [...schema("Balance"), "required", 0],
      undefined,
      `getBalance 200.${firstOfBalance} is not always there`
    ],
    [
      "a kind of an answer's object without a member that was always there",
      schema("DeliveryAttempt"),
      { oneOf: [valueAt(schema("DeliveryAttempt")), { type: "object", properties: {}, required: [] }] },
      "listDeliveries 200.deliveries[].attempts[].at is not always there"
    ],
    [
      "another type of an answer's member",
      [...schema("Balance"), "properties", "available_cents"],
      { type: "string" },
      "getBalance 200.available_cents has another type"
    ]
  ])("%s", (_, path, value, line) => {
    expect(breakingChanges(present, changed(path, value))).toContain(line)
  })

  it.each<[what: string, path: Path, value: unknown]>([
    ["a new operation", ["paths", "/api/v1/agent/news"], { get: { operationId: "getNews", responses: {} } }],
    ["a new parameter", [...ORDERS, "get", "parameters"], [...parameters, { name: "colour", in: "query", schema: {} }]],
    ["a new member of an answer", [...schema("Balance"), "properties", "colour"], { type: "string" }],
    ["a new optional member of a request", [...schema("OrderRequest"), "properties", "colour"], { type: "string" }],
    [
      "kinds of an answer's object that all have its members",
      schema("DeliveryAttempt"),
      { oneOf: [valueAt(schema("DeliveryAttempt")), valueAt(schema("DeliveryAttempt"))] }
    ],
    ["a wider bound of a request", [...schema("OrderRequest"), "properties", "items", "maxItems"], 50]
  ])("is not %s", (_, path, value) => {
    expect(breakingChanges(present, changed(path, value))).toEqual([])
  })
})
