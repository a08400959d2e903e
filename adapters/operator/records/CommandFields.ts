// How the command line asks for a member of a call's payload, said where the payload is defined. A member without it is not asked for.
import { type Schema, SchemaAST } from "effect"

interface Wording {
  /** Where the member's own name would not do: `eur`, where `cents` are sent. */
  readonly name?: string
  /** In help, in place of the type of the value. */
  readonly metavar?: string
  /** Sent when the flag is absent. */
  readonly otherwise?: string | number
  /** A choice of on and off, for what can be left as it is, too. */
  readonly onOff?: true
  /** Each value is a domain and an amount, with = between. */
  readonly domainAmounts?: true
}

export interface CommandField extends Wording {
  readonly kind: "argument" | "flag"
  /** In help. */
  readonly about: string
}

const KEY = "commandField"

const asked =
  (kind: CommandField["kind"]) =>
  (about: string, wording: Wording = {}) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    schema.annotate({ [KEY]: { kind, about, ...wording } })

/** Given by its place on the command line. */
export const argument = asked("argument")

/** Given by name; optional where the member is. */
export const flag = asked("flag")

export const commandField = SchemaAST.resolveAt<CommandField>(KEY)
