// Responses that depend on nothing but the catalogue, kept in memory until it changes, from the second request on: a page that is read once
// costs a seventh more if it is kept, and would displace one that is read often.
import { hash } from "node:crypto"
import { Effect, Hash } from "effect"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import { type JsonBody, JsonResponse } from "./JsonResponse.ts"

/** In UTF-16 code units: some thousand pages. */
const MAX_CHARACTERS = 16_000_000

/** A power of two; four bytes each. */
const REMEMBERED_KEYS = 16_384

/** Recognises keys by their hashes, each in a slot that another key may take: after an error, one response more is made or kept. */
class RequestedKeys {
  readonly #hashes = new Int32Array(REMEMBERED_KEYS)

  /** Whether the key was added before. */
  add(key: string): boolean {
    const hash = Hash.string(key)
    const slot = hash & (REMEMBERED_KEYS - 1)
    const isKnown = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return isKnown
  }
}

/** A response that a client may keep, if it asks before each use whether it is still current. */
export const taggedResponse = (body: JsonBody): JsonResponse => {
  const text = JSON.stringify(body)
  const etag = `"${hash("sha256", text, "base64url")}"`
  return new JsonResponse({ status: 200, text, headers: { etag, "cache-control": "private, no-cache" } })
}

/**
 * Responds to equal requests, but for the first of them, with one response for each version of the catalogue. `key` says all that the body
 * depends on besides the catalogue. What is made is at least as new as the version that was read before.
 */
export const keptResponses = <E>(version: Effect.Effect<string, E>) => {
  const kept = new BoundedMap<string, JsonResponse>(MAX_CHARACTERS, (key, { text }) => key.length + text.length)
  const requested = new RequestedKeys()
  let keptVersion: string | undefined
  return <Refused>(key: string, makeBody: Effect.Effect<JsonBody, Refused>): Effect.Effect<JsonResponse, E | Refused> =>
    Effect.flatMap(version, (current) => {
      if (current !== keptVersion) kept.clear()
      keptVersion = current
      const response = kept.get(key)
      if (response !== undefined) return Effect.succeed(response)
      const isRepeated = requested.add(key)
      return Effect.map(makeBody, (body) => {
        const made = taggedResponse(body)
        if (isRepeated && current === keptVersion) kept.set(key, made)
        return made
      })
    })
}
