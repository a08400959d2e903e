// Which API key a request to the MCP server carries: a bearer token, or `?key=` for clients that cannot send headers. Whether
// the key is any good is the API's to say.
import { Redacted, Result } from "effect"
import { ConflictingCredentials } from "#adapters/contract/errors/AdapterFailure.ts"
import { InvalidApiKey, MissingApiKey } from "#core/domain/Refusal.ts"

export interface Credentials {
  readonly authorization: string | undefined
  /** As the request line has it. */
  readonly url: string
}

/** Nothing else fits into the header that the key is relayed in, and no key of ours is like that. */
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

/** `queryKey` is whether `?key=` is looked at. The same key twice is one key. */
export const callerKey = (
  { authorization, url }: Credentials,
  queryKey: boolean
): Result.Result<Redacted.Redacted<string>, MissingApiKey | InvalidApiKey | ConflictingCredentials> => {
  const [key, another] = new Set([...bearerOf(authorization), ...(queryKey ? queryKeysOf(url) : [])])
  if (key === undefined) return Result.fail(new MissingApiKey())
  if (another !== undefined) return Result.fail(new ConflictingCredentials())
  return HEADER_SAFE.test(key) ? Result.succeed(Redacted.make(key)) : Result.fail(new InvalidApiKey())
}
