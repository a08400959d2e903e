// A command is a call of the operator plane: its arguments and flags come from the call's payload, the columns of its table from
// the result, and its name, its help and the sentence that says what was done stand beside the call.
import { Effect, type Schema, SchemaAST } from "effect"
import { Command } from "effect/cli"
import type { Rpc, RpcGroup } from "effect/rpc"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { OperatorError } from "#adapters/operator/OperatorError.ts"
import { OperatorRpcs } from "#adapters/operator/OperatorRpcs.ts"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import { paramsOf } from "./CallParams.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { connect } from "./Connect.ts"
import { limitFlag } from "./commands/Parameters.ts"
import { print, printNote } from "./Output.ts"
import { type Column, table } from "./Table.ts"

type Calls = RpcGroup.Rpcs<typeof OperatorRpcs>
/** All calls but `watch`, which answers with a stream. */
type Tag = Exclude<Calls["_tag"], "watch">
type Payload<T extends Tag> = Rpc.Payload<Rpc.ExtractTag<Calls, T>>
type Answer<T extends Tag> = Rpc.Success<Rpc.ExtractTag<Calls, T>>

type Config = Command.Command.Config
type Given<Flags extends Config> = Command.Command.Config.Infer<Flags>
type None = Record<never, never>

interface Line<Sent, Flags extends Config> {
  /** Its help. */
  readonly about: string
  readonly example?: readonly [line: string, about: string]
  /** Members of the payload that are always the same. */
  readonly fixed?: Partial<Sent>
  /** Flags for what the payload says in another form. */
  readonly flags?: Flags
  /** Members of the payload that follow from `flags`, and from the members that were given. */
  readonly payload?: (members: Sent, given: Given<Flags>) => Partial<Sent> | CommandFailed
}

/** Members that are absent are left out. */
const present = (members: object): object =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]: [string, unknown]) => {
      if (value === undefined) return []
      const isGroup = typeof value === "object" && value !== null && !Array.isArray(value)
      return [[name, isGroup ? present(value) : value] as const]
    })
  )

const fieldsOf = (tag: Tag): Schema.Struct.Fields => OperatorRpcs.requests.get(tag)?.payloadSchema.fields ?? {}

/** A required member that is neither asked for, nor fixed, nor said by `payload` would fail the command whenever it is run. */
const refuseUnasked = (tag: Tag, known: object): void => {
  const unasked = Object.entries(fieldsOf(tag))
    .filter(([member, { ast }]) => !SchemaAST.isOptional(ast) && !(member in known))
    .map(([member]) => member)
  if (unasked.length > 0) throw new Error(`No flag, argument or fixed value of ${tag}: ${unasked.join(", ")}`)
}

type Call<Result> = (more?: object) => Effect.Effect<Result, OperatorError>

/** A command that asks for what the payload of a call says, and does something with the call. `asks`: for what it asks besides. */
const make = <Sent, Result, Flags extends Config, E, R>(
  name: string,
  tag: Tag,
  { about, example, fixed, flags, payload: worded, asks }: Line<Sent, Flags> & { readonly asks?: Config },
  act: (call: Call<Result>, payload: Sent, given: Given<Flags>) => Effect.Effect<void, E, R>
) => {
  const call = paramsOf(fieldsOf(tag))
  if (worded === undefined) refuseUnasked(tag, { ...call, ...asks, ...fixed })
  const config: Config = { call, own: flags ?? {}, asks: asks ?? {} }
  const command = Command.make(
    name,
    config,
    Effect.fnUntraced(function* (typed) {
      // Each part is what its parameters read.
      const { call, own: given, asks: more } = typed as Record<"call" | "asks", object> & { readonly own: Given<Flags> }
      // The payload's schema judges the members before they are sent.
      const members = Object.assign(present({ ...call, ...more }), fixed) as Sent & object
      const change = worded?.(members, given) ?? {}
      if (change instanceof CommandFailed) return yield* change
      const payload: Sent = Object.assign(members, change)
      const client: OperatorClient = yield* connect
      // The type of a method does not follow from a tag that is only known to be one of many.
      const methods = client as unknown as Readonly<
        Record<Tag, (payload: object) => Effect.Effect<Result, OperatorError>>
      >
      yield* act((more) => methods[tag](Object.assign({}, payload, more)), payload, given)
    })
  )
  const examples =
    example === undefined ? [] : [{ command: `npm run operator -- ${example[0]}`, description: example[1] }]
  return command.pipe(Command.withDescription(about), Command.withExamples(examples))
}

interface Says<Sent, Result> {
  /** A remark on standard error, before the result. */
  readonly note?: (answer: Result) => string
  readonly says: (answer: Result, payload: Sent, width: number | undefined) => string
}

/** A command that makes one call and says what was done. */
export const command = <T extends Tag, Flags extends Config = None>(
  name: string,
  tag: T,
  { note, says, ...line }: Line<Payload<T>, Flags> & Says<Payload<T>, Answer<T>>
) =>
  make(
    name,
    tag,
    line,
    Effect.fnUntraced(function* (call: Call<Answer<T>>, payload: Payload<T>) {
      const answer = yield* call()
      if (note !== undefined) yield* printNote(note(answer))
      yield* print(answer, (value, width) => says(value, payload, width))
    })
  )

/** Says a list as a table, or that it is empty. */
export const tableOf =
  <Row>(columns: ReadonlyArray<Column<Row>>, none?: string) =>
  (rows: ReadonlyArray<Row>, _: unknown, width: number | undefined): string =>
    rows.length === 0 && none !== undefined ? none : table(columns, rows, width)

/** The rows of a page: the one list in the answer of a call with pages. */
type RowOf<Page> = {
  readonly [Name in keyof Page]: Page[Name] extends ReadonlyArray<infer Row> ? Row : never
}[keyof Page]

interface Limit {
  readonly limit: number
}

interface Pages<Row, Flags extends Config> {
  readonly columns: ReadonlyArray<Column<Row>>
  /** Which rows are shown; all of them without it. */
  readonly keep?: (given: Given<Flags>) => ((row: Row) => boolean) | undefined
  /** The longest page. */
  readonly pageSize?: number
}

/** A page and where the next one begins: `nextBeforeId` is sent as `beforeId`. */
const pageOf = <Row>(answer: object): { readonly rows: ReadonlyArray<Row>; readonly next: object | null } => {
  const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(answer)
  const [cursor = "", next = null] = entries.find(([name]) => name.startsWith("next")) ?? []
  const [, rows] = entries.find(([, value]) => Array.isArray(value)) ?? []
  const member = cursor.replace(/^next(.)/, (_, first: string) => first.toLowerCase())
  // The answer was decoded by the call's schema, whose one list has these rows.
  return { rows: rows as ReadonlyArray<Row>, next: next === null ? null : { [member]: next } }
}

/** A command that shows the first rows of a list, page by page; `--limit` says how many. */
export const pages = <T extends Tag, Flags extends Config = None>(
  name: string,
  tag: T,
  { columns, keep, pageSize = MAX_PAGE, ...line }: Line<Payload<T>, Flags> & Pages<RowOf<Answer<T>>, Flags>
) =>
  make(
    name,
    tag,
    { ...line, asks: { limit: limitFlag } },
    Effect.fnUntraced(function* (call: Call<object>, payload: Payload<T>, given: Given<Flags>) {
      // It is asked for.
      const { limit } = payload as Payload<T> & Limit
      const kept = keep?.(given)
      const size = Math.min(pageSize, kept === undefined ? limit : pageSize)
      const rows: Array<RowOf<Answer<T>>> = []
      let after: object | null = {}
      while (after !== null && rows.length < limit) {
        const answer: object = yield* call({ limit: size, ...after })
        const page = pageOf<RowOf<Answer<T>>>(answer)
        rows.push(...(kept === undefined ? page.rows : page.rows.filter(kept)))
        after = page.next
      }
      if (after !== null || rows.length > limit) yield* printNote(`These are the first ${limit}; --limit shows more.`)
      yield* print(rows.slice(0, limit), (found, width) => table(columns, found, width))
    })
  )

/** Commands below another one, such as `key issue` below `key`. */
export const group = <const Commands extends ReadonlyArray<Command.Command.Any>>(
  name: string,
  about: string,
  commands: Commands
) => Command.make(name).pipe(Command.withDescription(about), Command.withSubcommands(commands))
