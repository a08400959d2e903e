// A call of the API as a command for a shell: ids come from variables that earlier commands of the page set.
import type { JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import type { OperationName } from "../../operations/OperationRequest.ts"
import type { DescribedOperation } from "./ApiDescription.ts"

const PREFIX = "/api/v1/agent"

export interface Call {
  readonly operation: OperationName
  /** What it does, where the operation's own summary does not say it. */
  readonly title?: string
  /** The variables that fill the parameters of the path. */
  readonly params?: Readonly<Record<string, string>>
  /** Encoded; may name variables. */
  readonly query?: string
  readonly body?: JsonValue
  readonly idempotencyKey?: string
  /** Sent with the key of the sandbox. */
  readonly isSandbox?: true
  /** Further members of the body that variables fill, besides those of every call. */
  readonly fills?: Readonly<Record<string, string>>
  /** The variable that is set from a member of the answer. */
  readonly keeps?: readonly [variable: string, member: string]
  /** Commands before it, such as the choice of an idempotency key. */
  readonly prepare?: string
  /** The file that the answer is written to. */
  readonly file?: string
  /** Shows the headers of the answer as well. */
  readonly showsHeaders?: true
  /** The status, where it is not that of the operation's success. */
  readonly answers?: number
  /** The example of the answer that is shown, by its name. */
  readonly answerExample?: string
  /** What to know before it is sent. */
  readonly note?: string
}

/** What the body's members are filled with, whose values are those of the account or of the reader. */
const VARIABLES: Readonly<Record<string, string>> = {
  site_id: "$SITE_ID",
  target_url: "$TARGET_URL",
  article_id: "$ARTICLE_ID",
  project_id: "$PROJECT_ID",
  opportunity_id: "$OPPORTUNITY_ID",
  url: "$WEBHOOK_URL",
  from: "$(date -u +%Y-%m-%dT00:00:00Z)"
}

/** The target itself as words. */
const NAKED_URL = /"anchor_text": "https?:[^"]*"/g
const ID_LIST = /"link_ids": \[[^\]]*\]/g

/** Indented, and lists of texts on one line. */
export const jsonText = (body: JsonValue): string =>
  JSON.stringify(body, null, 2).replaceAll(
    /\[\s+("[^[\]{}]*")\s+\]/g,
    (_, texts: string) => `[${texts.replaceAll(/\s*\n\s*/g, " ")}]`
  )

/** In a here-document the shell fills variables in, and takes a backslash before its own characters away. */
const asHereDocument = (json: string, variables: Readonly<Record<string, string>>): string => {
  const filled = new RegExp(`"(${Object.keys(variables).join("|")})": ("?)[^",\\n]*"?`, "g")
  return json
    .replaceAll(/[\\$`]/g, "\\$&")
    .replaceAll(NAKED_URL, '"anchor_text": "$TARGET_URL"')
    .replaceAll(ID_LIST, '"link_ids": ["$LINK_ID"]')
    .replaceAll(filled, (_, name: string, quote: string) => `"${name}": ${quote}${variables[name] ?? ""}${quote}`)
}

const indented = (lines: ReadonlyArray<string>): string => lines.join(" \\\n  ")

const urlOf = ({ params = {}, query }: Call, path: string): string => {
  const filled = path.replace(PREFIX, "$API").replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${params[name] ?? ""}`)
  return `"${filled}${query === undefined ? "" : `?${query}`}"`
}

/** What becomes of the answer. */
const outputOf = ({ keeps, file, showsHeaders }: Call): string => {
  if (keeps !== undefined) return ` | pick ${keeps[1]}`
  return file === undefined && showsHeaders === undefined ? " | show" : ""
}

/** Arguments of curl, and the text that follows the command line. */
const bodyOf = ({ body, fills = {} }: Call) => {
  if (body === undefined) return { args: [], after: "" }
  const json = jsonText(body)
  const filled = asHereDocument(json, { ...VARIABLES, ...fills })
  const type = '-H "Content-Type: application/json"'
  return /\$[A-Z(]/.test(filled)
    ? { args: [type, "-d @- <<JSON"], after: `\n${filled}\nJSON` }
    : { args: [type, `-d '${json.replaceAll("'", "'\\''")}'`], after: "" }
}

export const commandOf = (call: Call, { method, path }: Pick<DescribedOperation, "method" | "path">): string => {
  const { args, after } = bodyOf(call)
  const isImplied = method === "GET" || (method === "POST" && call.body !== undefined)
  const options = [
    ...(call.showsHeaders === undefined ? [] : ["-i"]),
    ...(isImplied ? [] : [`-X ${method}`]),
    urlOf(call, path)
  ]
  const line = indented([
    `curl -sS ${options.join(" ")}`,
    `-H "Authorization: Bearer $${call.isSandbox === true ? "TEST_KEY" : "KEY"}"`,
    ...(call.idempotencyKey === undefined ? [] : [`-H "Idempotency-Key: ${call.idempotencyKey}"`]),
    ...args,
    ...(call.file === undefined ? [] : [`-o ${call.file}`])
  ])
  const sent = `${line}${outputOf(call)}${after}`
  const kept = call.keeps === undefined ? sent : `${call.keeps[0]}=$(${sent}${after === "" ? "" : "\n"})`
  return call.prepare === undefined ? kept : `${call.prepare}\n${kept}`
}

/** The first commands: the address, the keys, and how answers are shown and ids are read from them. */
export const setupCommands = ({
  publicUrl,
  key,
  testKey
}: Readonly<Record<"publicUrl" | "key" | "testKey", string>>): string =>
  [
    `API=${publicUrl}${PREFIX}`,
    `KEY=${key}`,
    `TEST_KEY=${testKey}`,
    `show() { answer=$(cat); printf '%s\\n' "$answer" | jq . 2>/dev/null || printf '%s\\n' "$answer"; }`,
    `pick() { answer=$(cat); printf '%s' "$answer" | show >&2; printf '%s' "$answer" | grep -o "\\"$1\\":\\"\\{0,1\\}[^\\",}]*" | head -n 1 | sed 's/.*:"\\{0,1\\}//'; }`
  ].join("\n")
