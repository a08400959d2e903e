// Runs before `npm pack` in this folder: makes `dist/`, which is what the package holds, from the document and the files beside this one.
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Route } from "./Calls.ts"

/**
 * openapi-typescript writes types and nothing else, in one file that maps each `operationId` to what it takes and answers, so that a
 * method per operation is one mapped type; hey-api writes named functions, and a client of 2,000 lines under them. It needs the compiler
 * API of TypeScript 5, which npm installs beside no TypeScript 7: hence npx.
 */
const GENERATOR = ["openapi-typescript@7.13.0", "typescript@5.9.3"]

/** A member with a default may be left out of a request. */
const FLAGS = ["--default-non-nullable=false"]

/** The files that are compiled as they are. */
const SOURCES = ["Attempts", "Calls", "Client", "Failures", "WebhookSignature"]

const pathFrom = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const DOCUMENT = pathFrom("../contract/openapi.json")
const DIST = pathFrom("dist")

/** What is read here of the document. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
}

interface DocumentedOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The schemas that an answer may have. */
const alternativesOf = (document: Document, schema: Schema): ReadonlyArray<Schema> => {
  const named = document.components.schemas[schema.$ref?.split("/").at(-1) ?? ""]
  if (named !== undefined) return alternativesOf(document, named)
  const several = schema.anyOf ?? schema.oneOf
  return several === undefined ? [schema] : several.flatMap((one) => alternativesOf(document, one))
}

/** The list that an answer with `next_cursor` goes on with is its first. */
const listOf = (document: Document, { operationId, responses }: DocumentedOperation): string => {
  const schema = responses["200"]?.content?.["application/json"]?.schema ?? {}
  const lists = alternativesOf(document, schema).flatMap(({ properties = {} }) =>
    "next_cursor" in properties ? Object.entries(properties).filter(([, { type }]) => type === "array") : []
  )
  const [[name] = []] = lists
  if (name === undefined) throw new Error(`${operationId} takes a cursor and answers no list`)
  return name
}

/** The media type of an answer that is not JSON. */
const fileOf = ({ responses }: DocumentedOperation): string | undefined =>
  Object.entries(responses)
    .flatMap(([status, { content = {} }]) => (status.startsWith("2") ? Object.keys(content) : []))
    .find((type) => type !== "application/json")

/** What an editor shows of the method. */
const commentOf = ({ summary = "", description = "" }: DocumentedOperation): string =>
  `/** ${[summary, description].join(". ").replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ").trim()} */`

/** The table of routes as a module: an entry for each operation, with its summary. */
const routesOf = (document: Document): string => {
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const takes = (where: string, name: string) =>
        operation.parameters?.some((one) => one.in === where && one.name === name) ?? false
      const list = takes("query", "cursor") ? { list: listOf(document, operation) } : {}
      const keyed = takes("header", "Idempotency-Key")
      const file = fileOf(operation)
      const route: Route = {
        method: method.toUpperCase(),
        path,
        keyed,
        ...(file === undefined ? {} : { file }),
        ...list
      }
      return `  ${commentOf(operation)}\n  ${operation.operationId}: ${JSON.stringify(route)}`
    })
  )
  return `export const routes = {\n${routes.join(",\n")}\n} as const\n`
}

/** The file that users import. Its types are those of the document, which is why it is written here. */
const ENTRY = `import { type ClientOptions, makeClient } from "./Client.ts"
import type { Calls } from "./Calls.ts"
import type { components, operations, webhooks } from "./Document.ts"
import { routes } from "./Routes.ts"
import { type ReceivedDelivery, readDelivery } from "./WebhookSignature.ts"

export type { ClientOptions } from "./Client.ts"
export { NoAnswerError, type Refusal, ServiceError } from "./Failures.ts"
export { SignatureError, type SignatureFault, verifySignature } from "./WebhookSignature.ts"

/** Every object of the service by its name in the document, such as \`Schemas["OrderDetail"]\`. */
export type Schemas = components["schemas"]

export type BacklinkClient = Calls<operations, typeof routes>

/** A client of the service at \`baseUrl\`. */
export const createClient = (options: ClientOptions): BacklinkClient => makeClient<operations, typeof routes>(routes, options)

type EventOf<Name extends keyof webhooks> = NonNullable<webhooks[Name]["post"]["requestBody"]>["content"]["application/json"]

/** What a webhook receives. */
export type WebhookEvent = { readonly [Name in keyof webhooks]: EventOf<Name> }[keyof webhooks]

/** The event of a delivery, once its signature is verified; fails with a \`SignatureError\`. \`body\` is the raw text or bytes. */
export const readWebhook = async (delivery: ReceivedDelivery): Promise<WebhookEvent> =>
  // A genuine delivery has one of the shapes that the document gives events.
  (await readDelivery(delivery)) as WebhookEvent
`

/** Files import each other by the names that they have once they are compiled. */
const compiledNames = (text: string): string => text.replaceAll(/(from "\.\/\w+)\.ts"/g, '$1.js"')

const COMPILER_OPTIONS = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "nodenext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  declaration: true
}

const pack = (folder: string): void => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), compiledNames(text))
  const run = (command: string, ...words: ReadonlyArray<string>) =>
    execFileSync(command, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })

  write("package.json", JSON.stringify({ type: "module" }))
  write("tsconfig.json", JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, outDir: DIST }, include: ["*.ts"] }))
  const packages = GENERATOR.flatMap((name) => ["--package", name])
  run("npx", "--yes", ...packages, "--", "openapi-typescript", DOCUMENT, "--output", "Document.ts", ...FLAGS)
  write("Routes.ts", routesOf(JSON.parse(readFileSync(DOCUMENT, "utf8"))))
  write("BacklinkClient.ts", ENTRY)
  for (const name of SOURCES) write(`${name}.ts`, readFileSync(pathFrom(`${name}.ts`), "utf8"))
  rmSync(DIST, { recursive: true, force: true })
  run("tsc", "--project", "tsconfig.json")
  copyFileSync(pathFrom("../../LICENSE"), join(DIST, "LICENSE"))
}

const folder = mkdtempSync(join(tmpdir(), "client-"))
try {
  pack(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
