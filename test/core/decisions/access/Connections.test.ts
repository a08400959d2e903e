// A client has one connection of an account, at most twenty are active, and none of them is one of the five keys.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { type ConsentTo, consentTo } from "#core/decisions/access/Connections.ts"
import { issueKey, limitKey, revokeKey } from "#core/decisions/access/Keys.ts"
import type { Books } from "#core/decisions/Books.ts"
import { type ApiKey, callerOf, noLimits } from "#core/domain/access/ApiKey.ts"
import { consentLimits, isConnection, MAX_CONNECTIONS } from "#core/domain/access/Connection.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import { AccountId, KeyId, MemberId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import { account, given, HOUR_MS, key, NOON, subscription } from "#test/core/Given.ts"
import { decide, refused, when } from "#test/core/RunDecision.ts"

const input = (over: Partial<ConsentTo> = {}): ConsentTo => ({
  accountId: AccountId.make("acc_rich"),
  memberId: MemberId.make("mem_rich"),
  client: { clientId: "https://chat.example/client.json", name: "Chat", host: "chat.example" },
  scopes: ["read"],
  mode: "live",
  limits: consentLimits,
  ...over
})

const client = (index: number) => ({ clientId: `client-${index}`, name: `Client ${index}`, host: "localhost" })

const auditOf = (books: Books) => [...HashMap.values(books.audit)].map(({ action, subject }) => `${action} ${subject}`)

describe("a consent", () => {
  const { reply, books } = when(given(), consentTo(input()))

  it("makes a connection with what was consented to, which no text of a key opens", () => {
    expect(reply).toEqual({
      keyId: expect.stringMatching(/^con_[0-9a-z]{28}$/),
      accountId: "acc_rich",
      mode: "live",
      label: "Chat",
      scopes: ["read"],
      hash: reply.keyId,
      prefix: "",
      lastFour: "",
      limits: { ...noLimits, approveAboveCents: 0, holdLookAlikes: true },
      createdAtMs: NOON,
      revokedAtMs: null,
      consent: {
        clientId: "https://chat.example/client.json",
        clientHost: "chat.example",
        memberId: "mem_rich",
        atMs: NOON,
        seesAccount: true
      }
    })
    expect(known(books.keys, reply.keyId)).toEqual(reply)
    expect(callerOf(reply)).toMatchObject({ keyId: reply.keyId, accountId: "acc_rich", scopes: ["read"] })
  })

  it("is audited, with the client and the limits", () => {
    const [record] = [...HashMap.values(books.audit)]
    expect(record).toMatchObject({ actor: "mem_rich", action: "connection.consent", subject: reply.keyId })
    expect(record?.details).toMatchObject({ client: "Chat", host: "chat.example", mode: "live", scopes: "read" })
    expect(record?.details).toMatchObject({ approveAboveCents: 0, holdLookAlikes: true, maxDayCents: null })
  })

  it("is an owner's of an open account", () => {
    expect(refused(given(), consentTo(input({ memberId: MemberId.make("mem_poor") })))).toMatchObject({
      _tag: "OwnerOnly"
    })
    const closed = given({ accounts: [account("acc_rich", 0, { closedAtMs: NOON })] })
    expect(refused(closed, consentTo(input()))).toMatchObject({ _tag: "AccountClosed" })
  })
})

describe("the same client", () => {
  const first = when(given({ subscriptions: [] }), consentTo(input()))
  const { keyId } = first.reply
  const wider = input({
    client: { clientId: "https://chat.example/client.json", name: "Chat 2", host: "www.chat.example" },
    scopes: ["read", "order"],
    limits: { ...consentLimits, maxDayCents: 500 }
  })

  it("keeps its connection when it is let in again, with what was consented to last", () => {
    const again = when(first.books, consentTo(wider), NOON + HOUR_MS)
    expect(again.reply).toEqual({
      ...first.reply,
      label: "Chat 2",
      scopes: ["read", "order"],
      limits: wider.limits,
      consent: { ...first.reply.consent, clientHost: "www.chat.example", atMs: NOON + HOUR_MS }
    })
    expect(known(again.books.keys, keyId)).toEqual(again.reply)
    expect(again.written).toEqual(["ConsentRenewed", "AuditRecorded"])
  })

  it("gets another one after a revocation", () => {
    const revoked = when(first.books, revokeKey(keyId, "mem_rich"))
    const again = when(revoked.books, consentTo(wider))
    expect(again.reply.keyId).not.toBe(keyId)
    expect(known(again.books.keys, keyId).revokedAtMs).toBe(NOON)
  })

  it("gets another one in the other mode, and loses the first with its webhooks", () => {
    const subscriptions = [subscription("wh_con", { keyId }), subscription("wh_key")]
    const books = { ...first.books, subscriptions: given({ subscriptions }).subscriptions }
    const { reply, books: after } = when(books, consentTo(input({ mode: "sandbox" })))
    expect([isConnection(reply.keyId), reply.keyId === keyId, reply.mode]).toEqual([true, false, "sandbox"])
    expect(known(after.keys, keyId)).toEqual({ ...first.reply, revokedAtMs: NOON, revokedBy: "mem_rich" })
    expect(known(after.subscriptions, "wh_con").revokedAtMs).toBe(NOON)
    expect(known(after.subscriptions, "wh_key").revokedAtMs).toBe(null)
    expect(auditOf(after)).toEqual(
      expect.arrayContaining([`connection.revoke ${keyId}`, `connection.consent ${reply.keyId}`])
    )
  })

  it("has a connection of its own in each account", () => {
    const other = when(
      first.books,
      consentTo(input({ accountId: AccountId.make("acc_poor"), memberId: MemberId.make("mem_poor") }))
    )
    expect(other.reply.keyId).not.toBe(keyId)
    expect(known(other.books.keys, keyId).revokedAtMs).toBe(null)
  })
})

describe("at most twenty active connections", () => {
  const consent = (books: Books, index: number) => when(books, consentTo(input({ client: client(index) })))
  let full = given()
  const ids: Array<string> = []
  for (let index = 0; index < MAX_CONNECTIONS; index++) {
    const { reply, books } = consent(full, index)
    full = books
    ids.push(reply.keyId)
  }
  const one = consentTo(input({ client: client(99) }))

  it("are counted per account, without revoked ones", () => {
    expect(refused(full, one)).toMatchObject({ _tag: "ConnectionLimitReached", limit: 20 })
    expect(
      decide(full, consentTo(input({ accountId: AccountId.make("acc_poor"), memberId: MemberId.make("mem_poor") })))
        ._tag
    ).toBe("Success")
    const { books } = when(full, revokeKey(KeyId.make(ids[7] ?? KeyId.make("")), null))
    expect(decide(books, one)._tag).toBe("Success")
  })

  it("are let in again, also into the other mode", () => {
    expect(consent(full, 3).reply.keyId).toBe(ids[3])
    expect(when(full, consentTo(input({ client: client(3), mode: "sandbox" }))).reply.mode).toBe("sandbox")
  })

  it("are none of the five keys, and keys are no connections", () => {
    const wish = { mode: "live" as const, label: "k", scopes: ["read" as const], limits: noLimits, actor: null }
    const issue = issueKey({
      accountId: AccountId.make("acc_rich"),
      ...wish,
      hash: "h",
      prefix: "sn_live_",
      lastFour: "wxyz"
    })
    expect(decide(full, issue)._tag).toBe("Success")
    const five = given({ keys: Array.from({ length: 5 }, (_, n) => key(`key_${n}`, "acc_rich")) })
    expect(decide(five, consentTo(input()))._tag).toBe("Success")
  })
})

describe("a connection as a credential", () => {
  const { reply, books } = when(given(), consentTo(input()))
  const { keyId } = reply

  it("is limited and revoked as a key is, under its own names in the audit log", () => {
    const limited = when(books, limitKey(keyId, { maxDayCents: 5 }, "olga"))
    expect(limited.reply).toEqual({ ...reply, limits: { ...reply.limits, maxDayCents: 5 } } satisfies ApiKey)
    const revoked = when(limited.books, revokeKey(keyId, "olga"))
    expect(revoked.reply.revokedAtMs).toBe(NOON)
    expect(auditOf(revoked.books).toSorted()).toEqual(
      [`connection.consent ${keyId}`, `connection.limit ${keyId}`, `connection.revoke ${keyId}`].toSorted()
    )
  })

  it("is told from the others by its id", () => {
    expect([keyId, KeyId.make("key_1"), KeyId.make("web_1")].map(credentialKind)).toEqual(["connection", "key", "web"])
  })
})
