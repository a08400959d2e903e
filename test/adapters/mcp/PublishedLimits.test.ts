// Every tool as it is listed, against what the makers of models publish about functions. OpenAI's strict mode takes no schema with
// optional arguments: there, a tool is judged as OpenAI's own agents library converts it.
import { describe, expect, it } from "vitest"
import { fullTools, tools } from "#adapters/mcp/Tools.ts"
import { type FunctionShape, faultsOf, type Limits, limits } from "./PublishedLimits.ts"
import { strictFunction } from "./StrictFunction.ts"

/** The tools of each list; what both have is the same but for `about`. */
const listed = [...tools, ...fullTools.filter((tool) => !tools.includes(tool))]

/** The tools as functions, by input schema. */
const functions: ReadonlyArray<FunctionShape> = listed.map(({ inputSchema, ...rest }) => ({
  ...rest,
  schema: inputSchema
}))

describe("a listed tool is a function that models take", () => {
  for (const [model, published] of Object.entries(limits)) {
    for (const shape of functions) {
      if (model === "OpenAI, strict") continue
      it(`${model}: ${shape.name}`, () => expect(faultsOf(published, shape)).toStrictEqual([]))
    }
  }

  for (const shape of functions) {
    it(`OpenAI, strict: ${shape.name}`, async () => {
      const { strict, ...converted } = await strictFunction(shape)
      // The library gives tools without arguments to the model without strict mode, where nothing can be wrong.
      expect(strict).toBe(
        Object.keys(listed.find(({ name }) => name === shape.name)?.inputSchema.properties ?? {}).length > 0
      )
      expect(faultsOf(strict ? limits["OpenAI, strict"] : limits.OpenAI, converted)).toStrictEqual([])
    })
  }

  // OpenAI and Anthropic take no schema of the result. Google's library sends it as JSON Schema, of which no keyword is excluded; what
  // clients cannot follow or read as one type is left out all the same.
  const result: Limits = { ...limits.Anthropic, argumentName: /./, singleType: true, formats: ["date-time"], depth: 10 }
  for (const { outputSchema, ...rest } of listed)
    it(`the result of ${rest.name}`, () =>
      expect(faultsOf(result, { ...rest, schema: outputSchema })).toStrictEqual([]))
})

/** One function that keeps every limit. */
const good: FunctionShape = {
  name: "get",
  description: "Gets.",
  schema: {
    type: "object",
    properties: { a: { anyOf: [{ type: "string", enum: ["x"] }, { type: "null" }] } },
    required: ["a"],
    additionalProperties: false
  }
}

const argument = (a: unknown): FunctionShape => ({
  ...good,
  schema: { type: "object", properties: { a }, required: ["a"], additionalProperties: false }
})

const nested = (levels: number): unknown =>
  levels === 0 ? { type: "string" } : { type: "array", items: nested(levels - 1) }

const texts = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => String(i).padStart(length, "x"))

const properties = (count: number, length: number): FunctionShape => {
  const required = texts(count, length)
  const schema = { type: "object", required, additionalProperties: false }
  return {
    ...good,
    schema: { ...schema, properties: Object.fromEntries(required.map((name) => [name, { type: "string" }])) }
  }
}

/** A function that breaks one limit, for whom, and for whom not. */
const broken: ReadonlyArray<readonly [what: string, shape: FunctionShape, refusedBy: ReadonlyArray<string>]> = [
  ["a space in the name", { ...good, name: "get it" }, ["OpenAI", "OpenAI, strict", "Gemini", "Anthropic"]],
  ["a dot in the name", { ...good, name: "get.it" }, ["OpenAI", "OpenAI, strict", "Anthropic"]],
  ["a name that starts with a digit", { ...good, name: "1get" }, ["Gemini"]],
  ["a name of 65 characters", { ...good, name: "g".repeat(65) }, ["OpenAI", "OpenAI, strict", "Gemini", "Anthropic"]],
  ["a description of 1,025 characters", { ...good, description: "g".repeat(1_025) }, ["OpenAI", "OpenAI, strict"]],
  [
    "a description of 2,049 characters",
    { ...good, description: "g".repeat(2_049) },
    ["OpenAI", "OpenAI, strict", "Anthropic"]
  ],
  ["a list", { ...good, schema: { type: "array" } }, ["OpenAI", "OpenAI, strict", "Gemini", "Anthropic"]],
  [
    "a union at the root",
    { ...good, schema: { type: "object", additionalProperties: false, anyOf: [{ required: ["a"] }] } },
    ["OpenAI", "OpenAI, strict", "Anthropic"]
  ],
  [
    "an enumeration at the root",
    { ...good, schema: { type: "object", additionalProperties: false, enum: [{}] } },
    ["OpenAI", "OpenAI, strict", "Gemini"]
  ],
  [
    "an argument with a hyphen",
    { ...good, schema: { type: "object", properties: { "a-b": {} }, required: ["a-b"], additionalProperties: false } },
    ["Gemini"]
  ],
  ["an argument of 65 characters", properties(1, 65), ["Gemini", "Anthropic"]],
  ["examples", argument({ type: "string", examples: ["x"] }), ["OpenAI, strict", "Gemini"]],
  ["a default", argument({ type: "string", default: "x" }), ["OpenAI, strict"]],
  ["a greatest length", argument({ type: "string", maxLength: 9 }), ["OpenAI, strict"]],
  ["a step", argument({ type: "number", multipleOf: 2 }), ["Gemini"]],
  ["an exclusive bound", argument({ type: "number", exclusiveMinimum: 0 }), ["Gemini"]],
  ["allOf", argument({ allOf: [{ type: "string" }] }), ["OpenAI, strict", "Gemini"]],
  ["a reference", argument({ $ref: "#/$defs/a" }), ["Gemini", "Anthropic"]],
  ["numbers enumerated", argument({ type: "integer", enum: [1, 3, 5] }), ["Gemini"]],
  ["an enumeration without a type", argument({ enum: ["x"] }), ["Gemini"]],
  ["several types", argument({ type: ["string", "null"] }), ["Gemini"]],
  ["the format of a URL", argument({ type: "string", format: "uri" }), ["OpenAI, strict", "Gemini"]],
  [
    "an optional argument",
    { ...good, schema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false } },
    ["OpenAI, strict"]
  ],
  ["an open object", argument({ type: "object", properties: {} }), ["OpenAI, strict"]],
  ["11 levels", argument(nested(10)), ["OpenAI, strict"]],
  ["10 levels", argument(nested(9)), []],
  ["5,001 arguments", properties(5_001, 5), ["OpenAI, strict"]],
  ["1,001 values", argument({ type: "string", enum: texts(1_001, 4) }), ["OpenAI, strict"]],
  ["251 long values", argument({ type: "string", enum: texts(251, 60) }), ["OpenAI, strict"]],
  ["names of 120,060 characters", properties(2_001, 60), ["OpenAI, strict"]]
]

/** Gemini and the others disagree about `additionalProperties`, which only OpenAI's strict mode wants. */
const forModel = (model: string, { schema, ...rest }: FunctionShape): FunctionShape => ({
  ...rest,
  schema:
    model === "Gemini" ? JSON.parse(JSON.stringify(schema).replaceAll(/,?"additionalProperties":false/g, "")) : schema
})

describe("the check of limits", () => {
  for (const [model, published] of Object.entries<Limits>(limits)) {
    it(`${model}: finds nothing where nothing is wrong, and names its sources`, () => {
      expect(faultsOf(published, forModel(model, good))).toStrictEqual([])
      expect(published.sources.length).toBeGreaterThan(1)
    })

    for (const [what, shape, refusedBy] of broken) {
      const refuses = refusedBy.includes(model)
      it(`${model} ${refuses ? "refuses" : "takes"} ${what}`, () =>
        expect(faultsOf(published, forModel(model, shape))).toHaveLength(refuses ? 1 : 0))
    }
  }

  it("Gemini refuses additionalProperties", () => expect(faultsOf(limits.Gemini, good)).toHaveLength(1))
})
