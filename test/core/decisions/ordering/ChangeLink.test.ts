// A bought link gets another text until it is written: by the agent that ordered it or by an owner, within the rules of orders.

import { HashMap, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Books, linkedId } from "#core/decisions/Books.ts"
import { cancelOwnOrder } from "#core/decisions/ordering/CancelOwnOrder.ts"
import { changeLink } from "#core/decisions/ordering/ChangeLink.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import type { Link, STAGES } from "#core/domain/ordering/Link.ts"
import { type NewText, textRevision } from "#core/domain/ordering/LinkChange.ts"
import { AccountId, LinkId } from "#core/domain/shared/Ids.ts"
import { eventsOf, known } from "#test/core/BookReads.ts"
import { HOUR_MS, item, NOON, orderBy, render } from "#test/core/Given.ts"
import { decide, placed, refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"
import { changed, input, linkId, orderId, otherId, owner, rich, shop, start, text } from "./ChangeSetup.ts"

describe("a change", () => {
  const { reply, books, written } = changed(start.books)

  it("gives the link its new text, and leaves all else as it was", () => {
    const { history: _, ...before } = known(start.books.links, linkId)
    const { history: __, ...after } = known(books.links, linkId)
    expect(after).toEqual({ ...before, ...text })
    expect(reply.link).toEqual(known(books.links, linkId))
    expect(reply.links.map((link) => link.linkId)).toEqual(start.reply.links.map((link) => link.linkId))
    expect(known(books.links, otherId)).toBe(known(start.books.links, otherId))
    expect([books.quotes, books.accounts, books.ledger]).toEqual([
      start.books.quotes,
      start.books.accounts,
      start.books.ledger
    ])
  })

  it("is a step of the history that says what was changed from what", () => {
    expect(reply.link.history).toEqual([
      { status: "to_assign", atMs: NOON },
      {
        status: "to_assign",
        atMs: NOON + HOUR_MS,
        changed: [
          { field: "targetUrl", from: "https://brand.example/page", to: "https://brand.example/new" },
          { field: "anchorText", from: "a fine page", to: "a new page" }
        ]
      }
    ])
    expect([textRevision(known(start.books.links, linkId)), textRevision(reply.link)]).toEqual([1, 2])
  })

  it("is told to webhooks and to the audit log", () => {
    expect(written).toEqual(["LinkChanged", "AuditRecorded", "EventRaised", "DeliveryQueued"])
    expect(eventsOf(books, orderId)).toEqual(["order.updated"])
    expect([...HashMap.values(books.audit)]).toMatchObject([
      { actor: "key_rich", action: "link.change", subject: linkId, details: { anchorTextTo: "a new page" } }
    ])
  })

  it("takes the brief away", () => {
    expect(changed(start.books, { text: { brief: null } }).reply.link.brief).toBeNull()
  })

  it("that changes nothing writes nothing", () => {
    const again = changed(books)
    expect([again.written, again.reply.changed, again.reply.link]).toEqual([[], [], reply.link])
  })

  it("of one call is one, whatever others changed and decided since", () => {
    const origin = { idPrefix: "a call", atMs: NOON, secretBytes: new Uint8Array() }
    const first = changed(start.books, { origin })
    expect(first.reply.link.history.at(-1)).toMatchObject({ call: "a call" })
    const later = changed(first.books, { by: owner, text: { anchorText: "the owner's" } })
    const stopped = HashMap.modify(later.books.accounts, AccountId.make("acc_rich"), (one) => ({
      ...one,
      agentsStoppedAtMs: NOON
    }))
    const links = HashMap.modify(later.books.links, linkId, (link): Link => ({ ...link, status: "drafted" }))
    for (const books of [first.books, later.books, { ...later.books, accounts: stopped }, { ...later.books, links }]) {
      const again = changed(books, { origin })
      expect([again.written, again.reply.changed]).toEqual([[], first.reply.changed])
      expect(again.reply.link).toEqual(known(books.links, linkId))
    }
    expect(changed(later.books, { origin: { ...origin, idPrefix: "another" } }).written).toContain("LinkChanged")
  })

  it("as a dry run writes nothing and replies with what it would be", () => {
    const dry = changed(start.books, { dryRun: true })
    expect([dry.written, dry.reply]).toEqual([[], reply])
  })
})

describe("the warnings of the order", () => {
  it("are judged anew", () => {
    const twice = changed(start.books, { linkId: LinkId.make(otherId), text: { anchorType: "exact" } })
    expect(twice.reply.warnings).toEqual([])
    const three = placed(
      shop,
      orderBy("key_rich", {
        items: [1, 2, 3].map((siteId) => item({ siteId, anchorType: siteId === 1 ? "exact" : "partial" }))
      })
    )
    const { linkId: last = linkId } = three.reply.links[2] ?? {}
    const exact = changed(three.books, {
      orderId: three.reply.order?.orderId ?? orderId,
      linkId: last,
      text: { anchorType: "exact" }
    })
    expect(exact.reply.warnings.map(({ code }) => code)).toEqual(["too_many_exact_anchors"])
  })

  it("tell of another link from that site to that host", () => {
    const host = "brand.example"
    const linked = new Set([linkedId(AccountId.make("acc_rich"), { siteId: 2, host })])
    expect(changed({ ...start.books, linked }).reply.warnings.map(({ code }) => code)).toEqual(["site_already_links"])
  })
})

describe("the operator", () => {
  const move = { linkId, publishedUrl: null, reason: null, actor: "olga", render }
  const assigned = when(start.books, moveLink({ ...move, to: "assigned" })).books
  const after = changed(assigned).books

  it("does not move on what was changed after its assignment without having seen it", () => {
    for (const to of ["drafted", "in_review", "approved"] as const) {
      const unseen = { _tag: "LinkTextChanged", revision: 2, anchorText: "a new page" }
      expect(refused(after, moveLink({ ...move, to }))).toMatchObject(unseen)
      expect(refused(after, moveLink({ ...move, to, revision: 1 }))).toMatchObject(unseen)
      expect(when(after, moveLink({ ...move, to, revision: 2 })).reply.status).toBe(to)
    }
    const publishedUrl = "https://site2.example/post"
    expect(refused(after, moveLink({ ...move, to: "published", publishedUrl }))).toMatchObject({
      _tag: "LinkTextChanged"
    })
  })

  it("is shown the new text by an assignment, and then moves on", () => {
    const before = changed(start.books).books
    const { reply, books } = when(before, moveLink({ ...move, to: "assigned" }))
    expect(reply).toMatchObject({ status: "assigned", ...text })
    expect(when(books, moveLink({ ...move, to: "drafted" })).reply.status).toBe("drafted")
    const old = refused(before, moveLink({ ...move, to: "assigned", revision: 1 }))
    expect(old).toMatchObject({ _tag: "LinkTextChanged", revision: 2 })
  })
})

const someText: fc.Arbitrary<NewText> = fc.record(
  {
    targetUrl: fc.constantFrom("https://brand.example/page", "https://brand.example/2", "https://other.example/"),
    anchorText: fc.constantFrom("a fine page", "another", "a third"),
    anchorType: fc.constantFrom("partial", "exact"),
    brief: fc.constantFrom(null, "Be kind.", "Be brief.")
  },
  { requiredKeys: [] }
)

type Step = { readonly text: NewText } | { readonly to: (typeof STAGES)[number]; readonly seen: boolean } | "cancel"

const someSteps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: someText.map((one) => ({ text: one })) },
    {
      weight: 2,
      arbitrary: fc.record({ to: fc.constantFrom("assigned", "drafted", "in_review"), seen: fc.boolean() })
    },
    { weight: 1, arbitrary: fc.constant("cancel" as const) }
  ),
  { maxLength: 12 }
)

const textOf = ({ targetUrl, anchorText, anchorType, brief }: Link) => ({ targetUrl, anchorText, anchorType, brief })

const runStep = (books: Books, step: Step): Books => {
  const move = { linkId, publishedUrl: null, reason: null, actor: "olga", render }
  const outcome =
    step === "cancel"
      ? decide<unknown>(
          books,
          cancelOwnOrder({ orderId, keyId: rich.keyId, linkIds: null, cancellableOnly: false, render })
        )
      : "text" in step
        ? decide<unknown>(books, changeLink(input({ text: step.text })))
        : decide<unknown>(
            books,
            moveLink({
              ...move,
              to: step.to,
              ...(step.seen ? { revision: textRevision(known(books.links, linkId)) } : {})
            })
          )
  return Result.isSuccess(outcome) ? outcome.success.books : books
}

/** The text that the history tells, begun with that of the order; each change is from the text before it. */
const toldBy = ({ history }: Link) => {
  const told = new Map<string, string | null>(Object.entries(textOf(known(start.books.links, linkId))))
  for (const { field, from, to } of history.flatMap(({ changed: all = [] }) => all)) {
    expect([field, told.get(field)]).toEqual([field, from])
    told.set(field, to)
  }
  return Object.fromEntries(told)
}

describe("any changes, moves and a cancellation", () => {
  property("leave a history that tells the text, which changes only until it is written", [someSteps], (steps) => {
    let books = start.books
    for (const step of steps) {
      const before = known(books.links, linkId)
      books = runStep(books, step)
      const after = known(books.links, linkId)
      expect(after.history.slice(0, before.history.length)).toEqual(before.history)
      const isSame = JSON.stringify(textOf(after)) === JSON.stringify(textOf(before))
      expect(isSame).toBe(textRevision(after) === textRevision(before))
      if (!isSame) expect(["to_assign", "assigned"]).toContain(before.status)
      expect(toldBy(after)).toEqual(textOf(after))
    }
  })
})
