// The tokens of the operator plane: `OPERATOR_TOKEN`, whose holders name themselves and are `admin`, and `OPERATOR_TOKENS`, each with
// the name that the audit log records and the role that bounds its calls.
import { Config, Option, Redacted, Result, Schema } from "effect"
import { OperatorRole } from "#core/domain/members/Actor.ts"
import { isOperatorToken } from "./ConfigSchemas.ts"

export interface OperatorToken {
  /** `null`: the holder names itself, with the name header of its calls. */
  readonly name: string | null
  readonly role: OperatorRole
  readonly token: Redacted.Redacted<string>
}

interface Entry {
  readonly name: string
  readonly role: OperatorRole
  readonly token: string
}

/** The name under which calls with `OPERATOR_TOKEN` are recorded unless they name themselves. */
const RESERVED_NAME = "operator"

const FORMAT =
  "must be a list such as ada:admin:TOKEN,ben:reader:TOKEN, each with a name of letters, digits, dot, dash or underscore (not operator), a role (reader, fulfilment, finance or admin) and a token of at least 16 visible ASCII characters without commas, no API key"

const isRole = Schema.is(OperatorRole)

const entryOf = (text: string): Result.Result<Entry, string> => {
  const [, name = "", role = "", token = ""] = /^([^:]*):([^:]*):(.*)$/s.exec(text.trim()) ?? []
  const isNamed = /^[A-Za-z0-9._-]{1,64}$/.test(name) && name.toLowerCase() !== RESERVED_NAME
  return isNamed && isRole(role) && isOperatorToken(token) ? Result.succeed({ name, role, token }) : Result.fail(FORMAT)
}

const repeats = (values: ReadonlyArray<string>): boolean => new Set(values).size < values.length

const parse = (text: string): Result.Result<ReadonlyArray<Entry>, string> =>
  Result.flatMap(Result.all(text.split(",").map(entryOf)), (entries) => {
    if (repeats(entries.map(({ name }) => name.toLowerCase()))) return Result.fail("has two tokens with one name")
    if (repeats(entries.map(({ token }) => token))) return Result.fail("has two equal tokens")
    return Result.succeed(entries)
  })

/** Messages never repeat a part of the value. */
const faultOf = (text: string): string | undefined => Result.getOrUndefined(Result.flip(parse(text)))

export const operatorTokens = (name: string): Config.Config<ReadonlyArray<OperatorToken>> =>
  Config.schema(Schema.Redacted(Schema.String.check(Schema.makeFilter(faultOf))), name).pipe(
    Config.map((text) =>
      Result.getOrThrow(parse(Redacted.value(text))).map(({ name, role, token }) => ({
        name,
        role,
        token: Redacted.make(token)
      }))
    ),
    Config.withDefault([])
  )

interface TokenSettings {
  readonly operatorToken: Option.Option<Redacted.Redacted<string>>
  readonly operatorTokens: ReadonlyArray<OperatorToken>
}

/** All tokens; without any, there is no operator plane. */
export const allOperatorTokens = ({ operatorToken, operatorTokens }: TokenSettings): ReadonlyArray<OperatorToken> => [
  ...Option.match(operatorToken, {
    onNone: () => [],
    onSome: (token): ReadonlyArray<OperatorToken> => [{ name: null, role: "admin", token }]
  }),
  ...operatorTokens
]

/** Two equal tokens would leave open whose name and role a call has. */
export const hasEqualTokens = (settings: TokenSettings): boolean =>
  repeats(allOperatorTokens(settings).map(({ token }) => Redacted.value(token)))
