// The signing keys of a webhook during rotations: each stays valid for its full overlap, the newest first.
import { describe, expect, it } from "vitest"
import {
  MAX_PREVIOUS_KEYS,
  ROTATION_OVERLAP_MS,
  resealed,
  rotated,
  rotatesAgainAtMs,
  type SealedKeys,
  sealedTexts,
  signingKeysAt
} from "#core/domain/webhooks/Subscription.ts"
import { HOUR_MS, NOON } from "#test/core/Given.ts"

/** Keys of a secret from before Standard Webhooks. */
const old = (sealedSigningKey: string): SealedKeys => ({ sealedSigningKey })
const fresh = { ...old("first"), previousKeys: [] }

describe("a rotated secret", () => {
  it("is signed with for a day after the rotation", () => {
    const second = rotated(fresh, old("second"), NOON)
    expect(sealedTexts(signingKeysAt(second, NOON))).toEqual(["second", "first"])
    expect(sealedTexts(signingKeysAt(second, NOON + ROTATION_OVERLAP_MS - 1))).toEqual(["second", "first"])
    expect(sealedTexts(signingKeysAt(second, NOON + ROTATION_OVERLAP_MS))).toEqual(["second"])
  })

  it("keeps its day if the next rotation comes earlier, and is dropped by a later one", () => {
    const third = rotated(rotated(fresh, old("second"), NOON), old("third"), NOON + HOUR_MS)
    expect(sealedTexts(signingKeysAt(third, NOON + ROTATION_OVERLAP_MS - 1))).toEqual(["third", "second", "first"])
    expect(sealedTexts(signingKeysAt(third, NOON + ROTATION_OVERLAP_MS))).toEqual(["third", "second"])
    const fourth = rotated(third, old("fourth"), NOON + ROTATION_OVERLAP_MS)
    expect(fourth.previousKeys.map(({ sealedSigningKey }) => sealedSigningKey)).toEqual(["third", "second"])
  })

  it("is one of a limited number, of which none ends early: there is no further one until the first has ended", () => {
    let keys: Parameters<typeof rotated>[0] = fresh
    for (let nth = 0; nth < MAX_PREVIOUS_KEYS; nth++) {
      expect(rotatesAgainAtMs(keys, NOON + nth)).toBeNull()
      keys = rotated(keys, old(`key ${nth}`), NOON + nth)
    }
    expect(rotatesAgainAtMs(keys, NOON + HOUR_MS)).toBe(NOON + ROTATION_OVERLAP_MS)
    expect(rotatesAgainAtMs(keys, NOON + ROTATION_OVERLAP_MS)).toBeNull()
    expect(sealedTexts(signingKeysAt(keys, NOON))).toEqual(["key 3", "key 2", "key 1", "key 0", "first"])
  })

  it("keeps its key of Standard Webhooks beside the other, also while the secrets before it had none", () => {
    const second = rotated(fresh, { sealedSigningKey: "second", sealedStandardKey: "standard" }, NOON)
    expect(signingKeysAt(second, NOON)).toEqual([
      { sealedSigningKey: "second", sealedStandardKey: "standard" },
      { sealedSigningKey: "first" }
    ])
    const third = rotated(second, { sealedSigningKey: "third", sealedStandardKey: "other" }, NOON)
    expect(sealedTexts(signingKeysAt(third, NOON))).toEqual(["third", "other", "second", "standard", "first"])
    const replacements = new Map([
      ["other", "other, sealed again"],
      ["first", "first, sealed again"]
    ])
    expect(sealedTexts(signingKeysAt(resealed(third, replacements), NOON))).toEqual([
      ...["third", "other, sealed again", "second", "standard", "first, sealed again"]
    ])
  })
})
