// A rotated key has another text. All else of it stays, because orders, usage, bindings and webhooks refer to one key.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { issueKey, type RotateKey, revokeKey, rotateKey } from "#core/decisions/access/Keys.ts"
import type { Books } from "#core/decisions/Books.ts"
import {
  ALL_SCOPES,
  type ApiKey,
  formerText,
  goodFormerTexts,
  MAX_ACTIVE_KEYS,
  MAX_FORMER_TEXTS,
  noLimits,
  ROTATION_GRACE_MS
} from "#core/domain/access/ApiKey.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import { given, HOUR_MS, NOON, stock, subscription } from "#test/core/Given.ts"
import { refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const keyId = KeyId.make("key_rich")
const shop = given({ subscriptions: [subscription("wh_rich")] })

const text = (n: number) => ({ hash: `hash ${n}`, prefix: "sn_live_", lastFour: `000${n % 10}` })

const rotated = (books: Books, n: number, over: Partial<RotateKey> = {}, atMs = NOON + HOUR_MS) =>
  when(books, rotateKey({ keyId, now: false, actor: "olga", ...text(n), ...over }), atMs)

describe("a rotation", () => {
  const { reply, books, written } = rotated(shop, 1)
  const before = known(shop.keys, keyId)

  it("replaces the text, which is good for a day more, and nothing else", () => {
    const until = NOON + HOUR_MS + ROTATION_GRACE_MS
    const former = [{ hash: before.hash, lastFour: before.lastFour, untilMs: until }]
    expect(reply).toEqual({ ...before, ...text(1), former })
    expect(known(books.keys, keyId)).toEqual(reply)
    expect(written).toEqual(["KeyRotated", "AuditRecorded"])
    expect([books.subscriptions, books.quotes, books.dailyUsage, books.bindings]).toEqual([
      shop.subscriptions,
      shop.quotes,
      shop.dailyUsage,
      shop.bindings
    ])
    expect([until - 1, until].map((atMs) => goodFormerTexts(known(books.keys, keyId), atMs).length)).toEqual([1, 0])
  })

  it("is audited without a hash", () => {
    const [record] = [...HashMap.values(books.audit)]
    expect(record).toMatchObject({ actor: "olga", action: "key.rotate", subject: keyId })
    expect(record?.details).toEqual({ now: false, last_four: "0001", replaces: before.lastFour })
  })

  it("now ends the present text and all before it at once", () => {
    const leaked = rotated(books, 2, { now: true }, NOON + 2 * HOUR_MS)
    expect(leaked.reply?.former?.map(({ untilMs }) => untilMs)).toEqual([NOON + 2 * HOUR_MS, NOON + 2 * HOUR_MS])
    expect(goodFormerTexts(known(leaked.books.keys, keyId), NOON + 2 * HOUR_MS)).toEqual([])
  })

  it("to the text that the key has changes nothing, whatever was seen", () => {
    expect(rotated(books, 1, { replaces: before.lastFour })).toMatchObject({ reply, written: [] })
  })

  it("does nothing where the key was rotated since it was seen", () => {
    const late = rotated(books, 2, { replaces: before.lastFour })
    expect([late.reply, late.written]).toEqual([null, []])
    expect(rotated(books, 2, { replaces: "0001" }).reply?.lastFour).toBe("0002")
  })

  it("is refused for a revoked key, for one that there is not, and for what has no text", () => {
    const revoked = when(shop, revokeKey(keyId, null)).books
    const decision = (id: string) => rotateKey({ keyId: KeyId.make(id), now: false, actor: null, ...text(1) })
    expect(refused(revoked, decision(keyId))).toMatchObject({ _tag: "KeyNotFound" })
    for (const id of ["key_none", "web_rich", "con_rich"])
      expect(refused(shop, decision(id))).toMatchObject({ _tag: "KeyNotFound" })
  })

  it("takes no place among the five", () => {
    const accountId = AccountId.make("acc_rich")
    const input = {
      accountId,
      mode: "live" as const,
      label: "agent",
      scopes: ALL_SCOPES,
      limits: noLimits,
      actor: null
    }
    let full = given({ keys: stock.keys.filter((one) => one.keyId === keyId) })
    for (let n = 1; n < MAX_ACTIVE_KEYS; n++) full = when(full, issueKey({ ...input, ...text(n) })).books
    expect(refused(full, issueKey({ ...input, ...text(5) }))).toMatchObject({ _tag: "KeyLimitReached" })
    expect(rotated(full, 6).reply?.hash).toBe("hash 6")
  })
})

const isKnown = (key: ApiKey, hash: string): boolean => key.hash === hash || formerText(key, hash) !== undefined

property(
  "of any rotations, the newest text is good, each former one until its day or a rotation at once; a sixth that would end one early is refused",
  [fc.array(fc.record({ now: fc.boolean(), hours: fc.integer({ min: 0, max: 30 }) }), { maxLength: 8 })],
  (rotations) => {
    let books = shop
    let atMs = NOON
    const ends = new Map<string, number>()
    let current = known(shop.keys, keyId).hash
    for (const [n, { now, hours }] of rotations.entries()) {
      atMs += hours * HOUR_MS
      const good = [...ends.values()].filter((end) => end > atMs)
      if (!now && good.length === MAX_FORMER_TEXTS) {
        const decision = rotateKey({ keyId, now, actor: null, ...text(n) })
        const facts = { _tag: "KeyRotationLimitReached", resetsAtMs: Math.min(...good) }
        expect(refused(books, decision, atMs)).toMatchObject(facts)
        continue
      }
      ends.set(current, atMs + ROTATION_GRACE_MS)
      if (now) for (const [hash, end] of ends) ends.set(hash, Math.min(end, atMs))
      current = `hash ${n}`
      books = rotated(books, n, { now }, atMs).books
      const key = known(books.keys, keyId)
      expect(key.hash).toBe(current)
      const kept = [...ends].slice(-MAX_FORMER_TEXTS)
      for (const [hash, end] of kept) expect([hash, formerText(key, hash)?.untilMs]).toEqual([hash, end])
      expect(goodFormerTexts(key, atMs)).toHaveLength([...ends.values()].filter((end) => end > atMs).length)
      expect(isKnown(key, "of another key")).toBe(false)
    }
  }
)
