// Authenticates operators by their token. The tokens are compared by SHA-256 digest, each in constant time, and always all of them.
import { createHash, timingSafeEqual } from "node:crypto"
import { Redacted, Result } from "effect"
import type { Headers } from "effect/http"
import {
  InvalidOperatorToken,
  MissingOperatorToken,
  ValidationFailed
} from "#adapters/contract/errors/AdapterFailure.ts"
import type { Actor, OperatorRole } from "#core/domain/members/Actor.ts"
import { ACTOR_HEADER, ACTOR_NAME, DEFAULT_ACTOR } from "./CurrentOperator.ts"

export interface OperatorToken {
  /** `null`: the holder names itself in the name header. */
  readonly name: string | null
  readonly role: OperatorRole
  readonly token: Redacted.Redacted<string>
}

/** Who makes a call, and what they may do. */
export interface Operator {
  readonly actor: Actor
  readonly role: OperatorRole
}

type Fault = MissingOperatorToken | InvalidOperatorToken | ValidationFailed

export type IdentifyOperator = (headers: Headers.Headers) => Result.Result<Operator, Fault>

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()

export const makeIdentifyOperator = (tokens: ReadonlyArray<OperatorToken>): IdentifyOperator => {
  const known = tokens.map(({ name, role, token }) => ({ name, role, expected: digest(Redacted.value(token)) }))
  const names = new Set(known.flatMap(({ name }) => (name === null ? [] : [name.toLowerCase()])))

  const refusedName = (message: string) =>
    Result.fail(new ValidationFailed({ errors: [{ path: ACTOR_HEADER, message }] }))

  return (headers) => {
    const sent = /^bearer +(\S+) *$/i.exec(headers["authorization"] ?? "")?.[1]
    if (sent === undefined) return Result.fail(new MissingOperatorToken())
    const sentDigest = digest(sent)
    const [found] = known.filter(({ expected }) => timingSafeEqual(sentDigest, expected))
    if (found === undefined) return Result.fail(new InvalidOperatorToken())
    const name = headers[ACTOR_HEADER]
    if (name !== undefined && !ACTOR_NAME.test(name)) return refusedName("Must be a name of 1 to 64 ASCII characters.")
    // A named token is recorded under its own name, whatever the client calls itself.
    if (found.name !== null) return Result.succeed({ actor: found.name, role: found.role })
    // The holder of the shared token must not be recorded under the name of another operator's token.
    if (name !== undefined && names.has(name.toLowerCase()))
      return refusedName("Is the name of a token in OPERATOR_TOKENS: only calls with that token bear it.")
    return Result.succeed({ actor: name ?? DEFAULT_ACTOR, role: found.role })
  }
}
