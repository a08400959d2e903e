// Responses that depend on nothing but the catalogue, kept in memory until it changes.
import { hash } from "node:crypto"
import { Effect } from "effect"
import { BoundedMap } from "#core/domain/BoundedMap.ts"
import { type JsonBody, JsonResponse } from "./JsonResponse.ts"

/** In UTF-16 code units: some thousand pages. */
const MAX_CHARACTERS = 16_000_000

/** A response that a client may keep, if it asks before each use whether it is still current. */
export const taggedResponse = (body: JsonBody): JsonResponse => {
  const text = JSON.stringify(body)
  const etag = `"${hash("sha256", text, "base64url")}"`
  return new JsonResponse({ status: 200, text, headers: { etag, "cache-control": "private, no-cache" } })
}

/**
 * Responds to equal requests with one response for each version of the catalogue. `key` says all that the body depends on besides the
 * catalogue. What is made is at least as new as the version that was read before.
 */
export const keptResponses = <E>(version: Effect.Effect<string, E>) => {
  const kept = new BoundedMap<string, JsonResponse>(MAX_CHARACTERS, (key, { text }) => key.length + text.length)
  let keptVersion: string | undefined
  return <Refused>(key: string, makeBody: Effect.Effect<JsonBody, Refused>): Effect.Effect<JsonResponse, E | Refused> =>
    Effect.flatMap(version, (current) => {
      if (current !== keptVersion) kept.clear()
      keptVersion = current
      const response = kept.get(key)
      if (response !== undefined) return Effect.succeed(response)
      return Effect.map(makeBody, (body) => {
        const made = taggedResponse(body)
        if (current === keptVersion) kept.set(key, made)
        return made
      })
    })
}
