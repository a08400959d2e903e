// Changes of a link that are refused: too late, by others, or against the limits of orders.

import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { type ChangeLink, changeLink } from "#core/decisions/ordering/ChangeLink.ts"
import { callerOf } from "#core/domain/access/ApiKey.ts"
import { webCredential } from "#core/domain/access/WebCredential.ts"
import { LinkStatus } from "#core/domain/ordering/Link.ts"
import { MAX_TEXT_CHANGES } from "#core/domain/ordering/LinkChange.ts"
import { AccountId, KeyId, LinkId, MemberId, OrderId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import { HOUR_MS, item, NOON, orderBy } from "#test/core/Given.ts"
import { decide, placed, refused } from "#test/core/RunDecision.ts"
import {
  changed,
  input,
  linkId,
  orderId,
  owner,
  second,
  shop,
  start,
  text,
  withKey,
  withLimits,
  withStatus
} from "./ChangeSetup.ts"

describe("a change is refused", () => {
  const refusal = (books: Books, over?: Partial<ChangeLink>) => refused(books, changeLink(input(over)), NOON + HOUR_MS)

  it("once the text is being written, for owners too", () => {
    for (const status of LinkStatus.literals) {
      for (const by of [input().by, owner]) {
        const outcome = decide(withStatus(status), changeLink(input({ by })))
        if (status === "to_assign" || status === "assigned") expect(outcome).toMatchObject({ _tag: "Success" })
        else expect(outcome).toMatchObject({ failure: { _tag: "InvalidTransition", from: status } })
      }
    }
  })

  it("for orders of others: of another account or mode there is none, of another key only owners change it", () => {
    const none = { _tag: "OrderNotFound" }
    for (const id of ["key_poor", "key_rich_test"]) {
      const caller = callerOf(known(shop.keys, KeyId.make(id)))
      expect(refusal(start.books, { by: { caller } })).toMatchObject(none)
    }
    expect(refusal(start.books, { orderId: OrderId.make("ord_none") })).toMatchObject(none)
    expect(refusal(start.books, { linkId: LinkId.make("lnk_none") })).toMatchObject({ _tag: "LinkNotFound" })
    const another = { _tag: "LinkNotChangeable", reason: "another" }
    expect(refusal(start.books, { by: { caller: callerOf(second) } })).toMatchObject(another)
    expect(refusal(start.books, { by: { memberId: MemberId.make("mem_poor") } })).toMatchObject({ _tag: "OwnerOnly" })
    expect(changed(start.books, { by: owner }).reply.link).toMatchObject(text)
  })

  it("for an agent where a human placed, paid for or approved the order, not for an owner", () => {
    const web = webCredential(AccountId.make("acc_rich"), NOON)
    const decided = [{ keyId: web.keyId }, { cardCents: 100 }, { approvedAtMs: NOON }]
    for (const over of decided) {
      const books = { ...start.books, quotes: HashMap.map(start.books.quotes, (quote) => ({ ...quote, ...over })) }
      expect(refusal(books)).toMatchObject({ _tag: "LinkNotChangeable", reason: "human" })
      expect(changed(books, { by: owner }).reply.link).toMatchObject(text)
    }
  })

  it("like an order while agents are stopped, the key is revoked or the account closed", () => {
    const account = (over: object): Books => ({
      ...start.books,
      accounts: HashMap.map(start.books.accounts, (one) => ({ ...one, ...over }))
    })
    const stopped = account({ agentsStoppedAtMs: NOON })
    expect(refusal(stopped)).toMatchObject({ _tag: "SpendPolicyRefused", rule: "agents_stopped" })
    expect(changed(stopped, { by: owner }).reply.link).toMatchObject(text)
    expect(refusal(withKey(start.books, { revokedAtMs: NOON }))).toMatchObject({ _tag: "RevokedApiKey" })
    expect(refusal(account({ closedAtMs: NOON }))).toMatchObject({ _tag: "RevokedApiKey" })
  })

  it("outside the domains of the key, and to another host where a human approves the key's orders", () => {
    const to = (targetUrl: string) => ({ text: { targetUrl } })
    const limited = withLimits({ allowedDomains: ["brand.example"] })
    const outside = { _tag: "SpendPolicyRefused", rule: "allowed_domains", path: { field: "targetUrl" } }
    expect(refusal(limited, to("https://other.example/"))).toMatchObject(outside)
    expect(changed(limited, to("https://www.brand.example/")).written).toContain("LinkChanged")
    for (const approveAboveCents of [0, 1_000_000]) {
      const asking = withLimits({ approveAboveCents })
      const anotherHost = { _tag: "SpendPolicyRefused", rule: "approve_above_cents", host: "www.brand.example" }
      expect(refusal(asking, to("https://www.brand.example/"))).toMatchObject(anotherHost)
      expect(changed(asking, to("https://brand.example/elsewhere")).written).toContain("LinkChanged")
      expect(changed(asking, { ...to("https://other.example/"), by: owner }).written).toContain("LinkChanged")
    }
  })

  it("out of the domain for which the order used the welcome offer, for owners too", () => {
    const poor = { ...known(shop.accounts, AccountId.make("acc_rich")), welcome: { state: "available" as const } }
    const first = placed(
      { ...shop, accounts: HashMap.set(shop.accounts, poor.accountId, poor) },
      orderBy("key_rich", { items: [item({ siteId: 2 })] })
    )
    expect(first.reply.quote.discount.source).toBe("welcome")
    const ids = { orderId: first.reply.order?.orderId ?? orderId, linkId: first.reply.links[0]?.linkId ?? linkId }
    for (const by of [input().by, owner]) {
      const away = refusal(first.books, { ...ids, by, text: { targetUrl: "https://other.example/" } })
      expect(away).toMatchObject({ _tag: "LinkNotChangeable", reason: "welcome_offer", domain: "brand.example" })
      const below = changed(first.books, { ...ids, by, text: { targetUrl: "https://blog.brand.example/" } })
      expect(below.reply.changed).toHaveLength(1)
    }
  })

  it("after ten changes, for an agent and not for an owner", () => {
    let books = start.books
    for (let n = 0; n < MAX_TEXT_CHANGES; n++) books = changed(books, { text: { anchorText: `page ${n}` } }).books
    expect(refusal(books)).toMatchObject({ _tag: "LinkNotChangeable", reason: "changed_often" })
    expect(changed(books, { text: { anchorText: `page ${MAX_TEXT_CHANGES - 1}` } }).written).toEqual([])
    expect(changed(books, { by: owner, text: { anchorText: "the right page" } }).reply.changed).toHaveLength(1)
  })
})
