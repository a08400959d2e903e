// What in a later OpenAPI document breaks clients of an earlier one. Requests are closed, so what they may hold is never less; answers are
// open, so what they hold is never less, and their enumerations may grow.

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
type Node = { readonly [key: string]: Json }

const isNode = (value: Json | undefined): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const nodeAt = (value: Json | undefined, ...path: ReadonlyArray<string>): Node => {
  const found = path.reduce<Json | undefined>((node, key) => (isNode(node) ? node[key] : undefined), value)
  return isNode(found) ? found : {}
}

const listOf = (value: Json | undefined): ReadonlyArray<Json> => {
  if (value === undefined) return []
  // What is an array here is one of JSON.
  return Array.isArray(value) ? (value as ReadonlyArray<Json>) : [value]
}

/** Bounds of which a request may only get a wider one. */
const UPPER = ["maximum", "maxLength", "maxItems"] as const
const LOWER = ["minimum", "minLength", "minItems"] as const

const UNIONS = ["anyOf", "oneOf"] as const

const kindsOf = (node: Node): ReadonlyArray<Json> => UNIONS.flatMap((union) => listOf(node[union]))

type Side = "request" | "answer"

class Comparison {
  readonly changes: Array<string> = []
  /** Named schemas that were compared: one that several use, or that holds itself, is told of where it was met first. */
  readonly #compared = new Set<string>()
  readonly #before: Node
  readonly #after: Node

  constructor(before: Node, after: Node) {
    this.#before = before
    this.#after = after
  }

  #resolve(document: Node, node: Node): Node {
    const target = node["$ref"]
    return typeof target === "string" ? this.#resolve(document, nodeAt(document, ...target.split("/").slice(1))) : node
  }

  /** A union of objects as one object: it may have the members of any kind, and always has what each kind always has. */
  #united(document: Node, node: Node): Node {
    const kinds = kindsOf(node).map((kind) => this.#resolve(document, nodeAt(kind)))
    const [first, ...others] = kinds.map(({ required }) => listOf(required))
    if (first === undefined || kinds.some(({ properties }) => !isNode(properties))) return node
    return {
      type: "object",
      properties: Object.assign({}, ...kinds.map((kind) => nodeAt(kind, "properties"))),
      required: first.filter((name) => others.every((required) => required.includes(name)))
    }
  }

  schemas(side: Side, place: string, from: Node, to: Node): void {
    const name = from["$ref"]
    if (typeof name === "string") {
      if (this.#compared.has(`${side} ${name}`)) return
      this.#compared.add(`${side} ${name}`)
    }
    const before = this.#resolve(this.#before, from)
    const resolved = this.#resolve(this.#after, to)
    const after = kindsOf(before).length === 0 ? this.#united(this.#after, resolved) : resolved
    this.#types(side, place, before, after)
    this.#values(side, place, before, after)
    this.#members(side, place, before, after)
    if (isNode(before["items"])) {
      this.schemas(side, `${place}[]`, before["items"], nodeAt(after, "items"))
    }
    for (const union of ["anyOf", "oneOf", "allOf"] as const) {
      const [some, others] = [listOf(before[union]), listOf(after[union])]
      if (side === "request" ? others.length < some.length : others.length > some.length) {
        this.changes.push(`${place} has other kinds`)
      }
      for (const [index, one] of some.entries()) {
        const other = others[index]
        if (isNode(one) && isNode(other)) this.schemas(side, place, one, other)
      }
    }
  }

  #types(side: Side, place: string, before: Node, after: Node): void {
    const [from, to] = [listOf(before["type"]), listOf(after["type"])]
    const [narrow, wide] = side === "request" ? [from, to] : [to, from]
    if (wide.length > 0 && narrow.some((type) => !wide.includes(type))) this.changes.push(`${place} has another type`)
  }

  #values(side: Side, place: string, before: Node, after: Node): void {
    if (side === "answer") return
    const [from, to] = [listOf(before["enum"]), listOf(after["enum"])]
    if (to.length > 0 && (from.length === 0 || from.some((value) => !to.includes(value)))) {
      this.changes.push(`${place} takes fewer values`)
    }
    const tightened = [
      ...UPPER.map((bound) => Number(after[bound] ?? Infinity) < Number(before[bound] ?? Infinity)),
      ...LOWER.map((bound) => Number(after[bound] ?? -Infinity) > Number(before[bound] ?? -Infinity))
    ]
    if (tightened.includes(true)) this.changes.push(`${place} has closer bounds`)
  }

  #members(side: Side, place: string, before: Node, after: Node): void {
    const [from, to] = [nodeAt(before, "properties"), nodeAt(after, "properties")]
    const [required, nowRequired] = [listOf(before["required"]), listOf(after["required"])]
    for (const name of Object.keys(from)) {
      if (!(name in to)) this.changes.push(`${place}.${name} is gone`)
      else this.schemas(side, `${place}.${name}`, nodeAt(from, name), nodeAt(to, name))
    }
    const [must, might] = side === "request" ? [nowRequired, required] : [required, nowRequired]
    for (const name of must) {
      if (might.includes(name) || (side === "answer" && !(String(name) in to))) continue
      this.changes.push(`${place}.${name} is ${side === "request" ? "required now" : "not always there"}`)
    }
  }

  operations(): void {
    for (const [path, methods] of Object.entries(nodeAt(this.#before, "paths"))) {
      for (const [method, operation] of Object.entries(nodeAt(methods))) {
        const later = nodeAt(this.#after, "paths", path, method)
        const name = String(nodeAt(operation)["operationId"])
        if (Object.keys(later).length === 0) this.changes.push(`${name} is gone`)
        else this.#operation(name, nodeAt(operation), later)
      }
    }
  }

  #operation(name: string, before: Node, after: Node): void {
    const parameters = (operation: Node) =>
      new Map(listOf(operation["parameters"]).map((one) => [String(nodeAt(one)["name"]), nodeAt(one)]))
    const [from, to] = [parameters(before), parameters(after)]
    for (const [parameter, node] of from) {
      const later = to.get(parameter)
      if (later === undefined) this.changes.push(`${name} ?${parameter} is gone`)
      else this.schemas("request", `${name} ?${parameter}`, nodeAt(node, "schema"), nodeAt(later, "schema"))
    }
    for (const [parameter, { required }] of to) {
      if (required === true && from.get(parameter)?.["required"] !== true) {
        this.changes.push(`${name} ?${parameter} is required now`)
      }
    }
    if (nodeAt(after, "requestBody")["required"] === true && nodeAt(before, "requestBody")["required"] !== true) {
      this.changes.push(`${name} request is required now`)
    }
    const schema = ["content", "application/json", "schema"]
    const body = nodeAt(before, "requestBody", ...schema)
    this.schemas("request", `${name} request`, body, nodeAt(after, "requestBody", ...schema))
    for (const [status, response] of Object.entries(nodeAt(before, "responses"))) {
      if (!status.startsWith("2")) continue
      const later = nodeAt(after, "responses", status)
      if (Object.keys(later).length === 0) this.changes.push(`${name} ${status} is gone`)
      else this.schemas("answer", `${name} ${status}`, nodeAt(response, ...schema), nodeAt(later, ...schema))
    }
  }
}

/** One line for each, such as `createOrder request.items[].note is required now`. Both are parsed documents. */
export const breakingChanges = (before: unknown, after: unknown): ReadonlyArray<string> => {
  // Both were read by `JSON.parse`.
  const comparison = new Comparison(before as Node, after as Node)
  comparison.operations()
  return [...new Set(comparison.changes)]
}
