// Every request, success, refusal and parameter of the document has an example, and each example is valid by its schema.
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { openApiDocument } from "#adapters/http/docs/OpenApiDocument.ts"
import { eventError, parameterError, requestBodyError, responseError } from "./DocumentedResponses.ts"

interface Example {
  readonly summary?: string
  readonly value: unknown
}

type Examples = Readonly<Record<string, Example | { readonly $ref: string }>>

interface Media {
  readonly examples?: Examples
}

interface Body {
  readonly description?: string
  readonly content?: Readonly<Record<string, Media>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly examples?: Examples
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body & { readonly $ref?: string }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Body } }>>
  readonly components: {
    readonly examples: Readonly<Record<string, Example>>
    readonly responses: Readonly<Record<string, Body>>
  }
}

const text = JSON.stringify(openApiDocument({ publicUrl: "https://links.example", oauth: null, supportContact: null }))
const { paths, webhooks, components }: Document = JSON.parse(text)

/** What a client loads, in bytes. */
const MAX_COMPRESSED = 80_000

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation }))
)

const resolved = (examples: Examples = {}): ReadonlyArray<readonly [name: string, Example]> =>
  Object.entries(examples).map(([name, example]) => {
    const found = "$ref" in example ? components.examples[example.$ref.replace("#/components/examples/", "")] : example
    if (found === undefined) throw new Error(`${name} refers to nothing`)
    return [name, found]
  })

const mediaOf = ({ content = {} }: Body) => Object.entries(content)

/** A file that is no text has no example in a document of text. */
const HAS_EXAMPLES: ReadonlySet<string> = new Set(["application/json", "text/csv"])

/** The codes of a response, which its description lists. */
const codesIn = (description: string): ReadonlyArray<string> =>
  [...description.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code)

const codeOf = ({ value }: Example): unknown => Object(value).error?.code

/** An answer comes with the cursor of the next page, which is an example of no other request. */
const needsExample = ({ name, in: place }: Parameter): boolean =>
  (place === "path" || place === "query") && name !== "cursor"

describe("the document has an example of", () => {
  it("each body of a request", () => {
    const bodies = operations.flatMap(({ operationId, requestBody }) =>
      requestBody === undefined
        ? []
        : mediaOf(requestBody).map(([, { examples }]) => [operationId, resolved(examples)] as const)
    )
    assert.isNotEmpty(bodies)
    for (const [operationId, examples] of bodies) assert.isNotEmpty(examples, operationId)
  })

  it("each success", () => {
    for (const { operationId, responses } of operations) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"))
      assert.isNotEmpty(successes, operationId)
      for (const [status, response] of successes) {
        for (const [type, { examples }] of mediaOf(response)) {
          if (HAS_EXAMPLES.has(type)) assert.isNotEmpty(resolved(examples), `${operationId} ${status}`)
        }
      }
    }
  })

  it("each code that an operation refuses with", () => {
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        if (!(Number(status) >= 400)) continue
        const codes = codesIn(response.description ?? "")
        assert.isNotEmpty(codes, `${operationId} ${status}`)
        for (const [, { examples }] of mediaOf(response)) {
          const shown = new Set(resolved(examples).map(([, one]) => codeOf(one)))
          assert.deepStrictEqual([...shown].sort(), [...codes].sort(), `${operationId} ${status}`)
        }
      }
    }
    for (const [, { examples }] of mediaOf(components.responses["Malformed"] ?? {})) {
      assert.isNotEmpty(resolved(examples))
    }
  })

  it("each parameter of a path or a query", () => {
    for (const { operationId, parameters } of operations) {
      for (const parameter of parameters.filter(needsExample)) {
        assert.isNotEmpty(resolved(parameter.examples), `${operationId} ${parameter.name}`)
      }
    }
  })

  it("each event", () => {
    for (const [event, { post }] of Object.entries(webhooks)) {
      for (const [, { examples }] of mediaOf(post.requestBody)) assert.isNotEmpty(resolved(examples), event)
    }
  })
})

it("the document stays small, compressed", () => {
  assert.isBelow(gzipSync(text).length, MAX_COMPRESSED)
})

describe("each example", () => {
  it("of a request is valid by its schema", () => {
    for (const { method, path, operationId, requestBody = {}, parameters } of operations) {
      for (const [name, { value }] of mediaOf(requestBody).flatMap(([, { examples }]) => resolved(examples))) {
        assert.isUndefined(requestBodyError(method, path, value), `${operationId} ${name}`)
      }
      for (const { name: parameter, examples } of parameters) {
        for (const [name, { value }] of resolved(examples)) {
          assert.isUndefined(parameterError(method, path, parameter, value), `${operationId} ${parameter} ${name}`)
        }
      }
    }
  })

  it("of an answer is valid by its schema", () => {
    for (const { method, path, operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        for (const [type, { examples }] of mediaOf(response)) {
          for (const [name, { value }] of resolved(examples)) {
            if (type === "text/csv") assert.isString(value)
            else {
              const answer = { status: Number(status), text: JSON.stringify(value) }
              assert.isUndefined(responseError(method, path, answer), `${operationId} ${status} ${name}`)
            }
          }
        }
      }
    }
  })

  it("of an event is valid by its schema", () => {
    for (const [event, { post }] of Object.entries(webhooks)) {
      for (const [name, { value }] of mediaOf(post.requestBody).flatMap(([, { examples }]) => resolved(examples))) {
        assert.isUndefined(eventError(event, value), name)
      }
    }
  })

  it("has a name of plain words, and those of an operation say what they show", () => {
    for (const { operationId, requestBody = {}, responses } of operations) {
      for (const body of [requestBody, ...Object.values(responses)]) {
        for (const [name, { summary = "" }] of mediaOf(body).flatMap(([, { examples }]) => resolved(examples))) {
          assert.match(name, /^[a-z][a-z0-9_]*$/)
          assert.isNotEmpty(summary, `${operationId} ${name}`)
        }
      }
    }
  })
})
