// What the document says of each member: that every one is described, that unions can be told apart, and nothing that a generator takes
// for more than it is.
import { describe, expect, it } from "vitest"
import { ERROR_DETAILS } from "#adapters/contract/errors/ErrorDetails.ts"
import { isObject, type JsonObject, type JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { openApiDocument } from "#adapters/http/docs/OpenApiDocument.ts"

const document: JsonObject = JSON.parse(
  JSON.stringify(openApiDocument({ publicUrl: "https://links.example", oauth: null, supportContact: null }))
)

const nodeAt = (node: JsonValue | undefined, ...path: ReadonlyArray<string>): JsonObject => {
  const found = path.reduce<JsonValue | undefined>((at, key) => (isObject(at) ? at[key] : undefined), node)
  return isObject(found) ? found : {}
}

const listOf = (value: JsonValue | undefined): ReadonlyArray<JsonValue> => (Array.isArray(value) ? value : [])

const schemas = nodeAt(document, "components", "schemas")

const named = (name: string): JsonObject => nodeAt(schemas, name)

const target = ({ $ref }: JsonObject): JsonObject =>
  typeof $ref === "string" ? named($ref.split("/").at(-1) ?? "") : {}

const isDescribed = (node: JsonObject): boolean =>
  typeof node["description"] === "string" || ("$ref" in node && isDescribed(target(node)))

interface Member {
  readonly place: string
  readonly node: JsonObject
}

/** Every member of a schema at any depth, but for what it refers to. */
function* membersOf(node: JsonValue | undefined, place: string): Iterable<Member> {
  if (!isObject(node)) return
  for (const [name, member] of Object.entries(nodeAt(node, "properties"))) {
    yield { place: `${place}.${name}`, node: nodeAt(member) }
    yield* membersOf(member, `${place}.${name}`)
  }
  yield* membersOf(node["items"], `${place}[]`)
  for (const union of ["anyOf", "oneOf", "allOf"]) {
    for (const kind of listOf(node[union])) yield* membersOf(kind, place)
  }
}

const operations = Object.values(nodeAt(document, "paths")).flatMap((methods) =>
  Object.values(nodeAt(methods)).map((operation) => nodeAt(operation))
)

const parameters = [...operations, ...Object.values(nodeAt(document, "webhooks")).map((one) => nodeAt(one, "post"))]
  .flatMap((operation) =>
    listOf(operation["parameters"]).map((parameter) => ({
      place: `${operation["operationId"]} ?${nodeAt(parameter)["name"]}`,
      node: nodeAt(parameter)
    }))
  )
  .values()

const members = Object.entries(schemas).flatMap(([name, schema]) => [...membersOf(schema, name)])

const inResponses = operations.flatMap((operation) =>
  Object.entries(nodeAt(operation, "responses")).flatMap(([status, response]) =>
    Object.values(nodeAt(response, "content")).flatMap((content) => [
      ...membersOf(nodeAt(content)["schema"], `${operation["operationId"]} ${status}`)
    ])
  )
)

describe("the document", () => {
  it("describes every parameter and every member of every schema", () => {
    expect(members.length).toBeGreaterThan(500)
    const silent = [...parameters, ...members, ...inResponses].filter(({ node }) => !isDescribed(node))
    expect(silent.map(({ place }) => place)).toEqual([])
  })

  it("describes every schema that has a name", () => {
    expect(Object.keys(schemas).filter((name) => !isDescribed(named(name)))).toEqual([])
  })

  it("says when a member is `null`, and of a time what happens then", () => {
    const nullable = members.filter(({ node }) => listOf(node["anyOf"]).some((kind) => nodeAt(kind)["type"] === "null"))
    expect(nullable.length).toBeGreaterThan(50)
    const unsaid = nullable.filter(({ node }) => !String(node["description"]).includes("`null`"))
    expect(unsaid.map(({ place }) => place)).toEqual([])
    const times = members.filter(({ node }) => node["format"] === "date-time")
    expect(times.filter(({ node }) => node["description"] === "RFC 3339, UTC.").map(({ place }) => place)).toEqual([])
  })

  it("says when a member of an answer is absent", () => {
    const requests = new Set(["OrderRequest", "OrderItem", "ProposedItem", "CancelRequest", "LinkChangeRequest"])
    const optional = Object.entries(schemas)
      .filter(([name]) => !requests.has(name) && !/Request$|Change$/.test(name))
      .flatMap(([name, schema]) => [...optionalOf(schema, name)])
    expect(optional.length).toBeGreaterThan(30)
    const unsaid = optional.filter(
      ({ node }) => !/absent|present while|present when|on the first page alone/i.test(descriptionOf(node))
    )
    expect(unsaid.map(({ place }) => place)).toEqual([])
  })

  it("has no default, by which generators take a member for one that is always sent", () => {
    expect(JSON.stringify(schemas)).not.toContain('"default":')
    expect(nodeAt(named("OrderRequest"), "properties", "dry_run")["description"]).toMatch(/`false` unless told\.$/)
  })

  it("takes `null` for what a body may leave out, and for nothing else", () => {
    const { properties, required } = named("OrderItem")
    for (const [name, member] of Object.entries(nodeAt(properties))) {
      const mayBeNull = listOf(nodeAt(member)["type"]).includes("null")
      expect([name, mayBeNull]).toEqual([name, !listOf(required).includes(name)])
    }
  })

  it("tells the kinds of a union apart by a member wherever one can", () => {
    expect(nodeAt(named("NextAction"), "discriminator")).toEqual({
      propertyName: "type",
      mapping: {
        none: "#/components/schemas/NextActionNone",
        open_payment_url: "#/components/schemas/NextActionOpenPaymentUrl",
        open_approval_url: "#/components/schemas/NextActionOpenApprovalUrl",
        poll_quote: "#/components/schemas/NextActionPollQuote"
      }
    })
    expect(nodeAt(named("EventRecord"), "discriminator", "mapping")).toMatchObject({
      "order.updated": "#/components/schemas/OrderEventRecord",
      "quote.paid": "#/components/schemas/QuoteEventRecord"
    })
    const refused = nodeAt(document, "paths", "/api/v1/agent/orders", "post", "responses", "422", "content")
    const [, narrowed] = listOf(nodeAt(refused, "application/json", "schema")["allOf"])
    const { propertyName, mapping } = nodeAt(narrowed, "properties", "error", "discriminator")
    expect(propertyName).toBe("code")
    expect(mapping).toMatchObject({ promo_code_invalid: "#/components/schemas/PromoCodeInvalidRefusal" })
  })

  it("types the details of every code that has some", () => {
    const typed = Object.values(schemas).flatMap((schema) => {
      const narrowed = nodeAt(listOf(nodeAt(schema)["allOf"])[1])
      const shown = nodeAt(narrowed, "properties")
      return "details" in shown ? listOf(nodeAt(shown, "code")["enum"]) : []
    })
    // No operation answers it.
    const undocumented = ["method_not_allowed"]
    expect([...typed, ...undocumented].sort()).toEqual(Object.keys(ERROR_DETAILS).sort())
  })
})

const descriptionOf = (node: JsonObject): string =>
  typeof node["description"] === "string" ? node["description"] : String(target(node)["description"])

/** The members of an object that it does not require, at any depth. */
function* optionalOf(node: JsonValue | undefined, place: string): Iterable<Member> {
  if (!isObject(node)) return
  const required = listOf(node["required"])
  for (const [name, member] of Object.entries(nodeAt(node, "properties"))) {
    if (!required.includes(name)) yield { place: `${place}.${name}`, node: nodeAt(member) }
    yield* optionalOf(member, `${place}.${name}`)
  }
  yield* optionalOf(node["items"], `${place}[]`)
  for (const union of ["anyOf", "oneOf", "allOf"]) {
    for (const kind of listOf(node[union])) yield* optionalOf(kind, place)
  }
}
