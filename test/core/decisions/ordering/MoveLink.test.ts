// The operator moves a link forward; its order raises an event when it is online.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { cancelLink } from "#core/decisions/ordering/CancelLinks.ts"
import { type MoveLink, moveLink } from "#core/decisions/ordering/MoveLink.ts"
import { type LinkStatus, STAGES, type Stage } from "#core/domain/ordering/Link.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { eventsOf, known } from "#test/core/BookReads.ts"
import { given, HOUR_MS, item, NOON, orderBy, render } from "#test/core/Given.ts"
import { decide, placed, refused, when } from "#test/core/RunDecision.ts"

const start = placed(given(), orderBy("key_rich", { items: [item({ siteId: 2 }), item({ siteId: 3 })] }))
const [first, second] = start.reply.links.map(({ linkId }) => linkId)
const linkId = first ?? LinkId.make("")
const orderId = start.reply.order?.orderId ?? OrderId.make("")
const URL = "https://site2.example/post"

const input = (to: Stage, over: Partial<MoveLink> = {}): MoveLink => ({
  linkId,
  to,
  publishedUrl: to === "published" ? URL : null,
  reason: null,
  actor: "olga",
  render,
  ...over
})

const moved = (books: Books, to: Stage, over?: Partial<MoveLink>, atMs = NOON + HOUR_MS) =>
  when(books, moveLink(input(to, over)), atMs)

/** The books with the first link in that state. */
const withStatus = (status: LinkStatus): Books => ({
  ...start.books,
  links: HashMap.modify(start.books.links, linkId, (link) => ({ ...link, status }))
})

describe("a move", () => {
  it("is added to the history of the link, with its reason", () => {
    const { reply, books } = moved(start.books, "assigned", { reason: "to Sam" })
    expect(reply).toEqual(known(books.links, linkId))
    expect(reply).toMatchObject({ status: "assigned", statusReason: "to Sam", publishedUrl: null, publishedAtMs: null })
    expect(reply.history).toEqual([
      { status: "to_assign", atMs: NOON },
      { status: "assigned", atMs: NOON + HOUR_MS, reason: "to Sam" }
    ])
  })

  it("leaves the other links and the quote unchanged", () => {
    const { books } = moved(start.books, "drafted")
    expect(known(books.links, second ?? "")).toEqual(known(start.books.links, second ?? ""))
    expect(books.quotes).toBe(start.books.quotes)
  })

  it("is audited with actor, link and both stages", () => {
    const { books } = moved(start.books, "in_review", { reason: "good" })
    expect([...HashMap.values(books.audit)]).toMatchObject([
      {
        actor: "olga",
        action: "link.move",
        subject: linkId,
        details: { from: "to_assign", to: "in_review", published_url: null, reason: "good" },
        atMs: NOON + HOUR_MS
      }
    ])
    expect(HashMap.size(moved(start.books, "drafted", { actor: null }).books.audit)).toBe(0)
  })

  it("requires an existing link", () => {
    expect(refused(start.books, moveLink(input("drafted", { linkId: LinkId.make("lnk_none") })))).toMatchObject({
      _tag: "LinkNotFound",
      linkId: "lnk_none"
    })
  })
})

describe("publication", () => {
  const { reply, books } = moved(start.books, "published")

  it("stores URL and time", () => {
    expect(reply).toMatchObject({ status: "published", publishedUrl: URL, publishedAtMs: NOON + HOUR_MS })
  })

  it("raises an event with the current order", () => {
    expect(eventsOf(books, orderId)).toEqual(["order.published"])
    const event = [...HashMap.values(books.events)].find(({ type }) => type === "order.published")
    expect(event).toMatchObject({ orderId, linkId, keyId: "key_rich", accountId: "acc_rich", mode: "live" })
    expect(JSON.parse(event?.body ?? "")).toEqual([
      event?.eventId,
      "order.published",
      orderId,
      "paid",
      ["published", "to_assign"],
      linkId
    ])
  })

  it("is not repeated by verification, which keeps URL and time", () => {
    const verified = moved(books, "verified", {}, NOON + 9 * HOUR_MS)
    expect(verified.reply).toMatchObject({ status: "verified", publishedUrl: URL, publishedAtMs: NOON + HOUR_MS })
    expect(eventsOf(verified.books, orderId)).toEqual(["order.published"])
  })

  it("raises an event for each link", () => {
    const both = moved(books, "published", {
      linkId: second ?? LinkId.make(""),
      publishedUrl: "https://site3.example/post"
    })
    expect(eventsOf(both.books, orderId)).toEqual(["order.published", "order.published"])
  })

  it("is included when a link is verified at once", () => {
    const { reply, books, written } = moved(start.books, "verified", { publishedUrl: URL })
    expect(reply).toMatchObject({ status: "verified", publishedUrl: URL, publishedAtMs: NOON + HOUR_MS })
    expect(reply.history.map(({ status }) => status)).toEqual(["to_assign", "published", "verified"])
    expect(written).toEqual(["LinkMoved", "EventRaised", "LinkMoved", "AuditRecorded", "EventRaised"])
    expect(eventsOf(books, orderId)).toEqual(["order.published"])
  })
})

describe("every move of the table", () => {
  const statuses: ReadonlyArray<LinkStatus> = [...STAGES, "cancelled"]
  const place = (status: LinkStatus): number => statuses.indexOf(status)
  const online = (status: LinkStatus) => status === "published" || status === "verified"

  it.each(statuses.flatMap((from) => STAGES.map((to) => [from, to] as const)))("%s to %s", (from, to) => {
    const publishes = online(to) && !online(from)
    const lawful = from !== "cancelled" && place(to) > place(from)
    const attempt = (publishedUrl: string | null) => decide(withStatus(from), moveLink(input(to, { publishedUrl })))
    expect(attempt(publishes ? URL : null)._tag).toBe(lawful ? "Success" : "Failure")
    expect(attempt(publishes ? null : URL)).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "InvalidTransition", from, to }
    })
  })

  it("a cancelled link stays cancelled", () => {
    const { books } = when(start.books, cancelLink(linkId, { reason: "no", actor: null, render }))
    expect(refused(books, moveLink(input("published")))).toMatchObject({ from: "cancelled", to: "published" })
  })
})

describe("a URL on another host than the site's", () => {
  const publishedUrl = "https://site3.example/post"

  it("is refused", () => {
    expect(refused(start.books, moveLink(input("published", { publishedUrl })))).toMatchObject({
      _tag: "PublishedElsewhere",
      url: publishedUrl,
      domain: "site2.example"
    })
  })

  it("is recorded where the operator overrides, and the audit says so", () => {
    const { reply, books } = moved(start.books, "published", { publishedUrl, anyway: true })
    expect(reply.publishedUrl).toBe(publishedUrl)
    const details = (of: Books) => [...HashMap.values(of.audit)].map((record) => record.details["anyway"])
    expect(details(books)).toEqual([true])
    expect(details(moved(start.books, "published", { anyway: true }).books)).toEqual([undefined])
  })
})
