// The API key of a request to the MCP server: a bearer token, or `?key=` for clients that cannot send headers. The API checks
// whether the key is valid.
import { Redacted, Result } from "effect"
import { ConflictingCredentials } from "#adapters/contract/errors/AdapterFailure.ts"
import { InvalidApiKey, MissingApiKey } from "#core/domain/access/AccessRefusal.ts"

export interface Credentials {
  readonly authorization: string | undefined
  /** Path and query, as in the request line. */
  readonly url: string
}

/** The characters that a header can carry; every valid key consists of these. */
const HEADER_SAFE = /^[\x21-\x7e]+$/

const bearerOf = (authorization: string | undefined): ReadonlyArray<string> => {
  const token = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]
  return token === undefined ? [] : [token]
}

const queryKeysOf = (url: string): ReadonlyArray<string> => {
  const start = url.indexOf("?")
  if (start === -1) return []
  return new URLSearchParams(url.slice(start + 1)).getAll("key").filter((key) => key !== "")
}

/** `queryKey` says whether `?key=` is read. The same key given twice counts as one. */
export const callerKey = (
  { authorization, url }: Credentials,
  queryKey: boolean
): Result.Result<Redacted.Redacted<string>, MissingApiKey | InvalidApiKey | ConflictingCredentials> => {
  const [key, another] = new Set([...bearerOf(authorization), ...(queryKey ? queryKeysOf(url) : [])])
  if (key === undefined) return Result.fail(new MissingApiKey())
  if (another !== undefined) return Result.fail(new ConflictingCredentials())
  return HEADER_SAFE.test(key) ? Result.succeed(Redacted.make(key)) : Result.fail(new InvalidApiKey())
}
