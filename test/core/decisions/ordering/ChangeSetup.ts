// An order of two links that may be changed, and changes of the first.
import { HashMap } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import { type ChangeLink, changeLink } from "#core/decisions/ordering/ChangeLink.ts"
import { type ApiKey, callerOf, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import type { LinkStatus } from "#core/domain/ordering/Link.ts"
import type { NewText } from "#core/domain/ordering/LinkChange.ts"
import { KeyId, LinkId, MemberId, OrderId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import { given, HOUR_MS, item, key, NOON, orderBy, render, stock, subscription } from "#test/core/Given.ts"
import { placed, when } from "#test/core/RunDecision.ts"

export const second = key("key_second", "acc_rich")
export const shop = given({
  keys: [...stock.keys, second],
  subscriptions: [subscription("wh_updates", { events: ["order.updated"] })]
})
export const items = [item({ siteId: 2, brief: "Be kind." }), item({ siteId: 3, targetUrl: "https://brand.example/3" })]
export const start = placed(shop, orderBy("key_rich", { items }))
export const orderId = start.reply.order?.orderId ?? OrderId.make("")
export const [linkId = LinkId.make(""), otherId = ""] = start.reply.links.map((link) => link.linkId)
export const rich = known(shop.keys, KeyId.make("key_rich"))
export const text: NewText = { targetUrl: "https://brand.example/new", anchorText: "a new page" }
export const registrable = (host: string): string => host.split(".").slice(-2).join(".")

export const input = (over: Partial<ChangeLink> = {}): ChangeLink => ({
  orderId,
  linkId,
  by: { caller: callerOf(rich) },
  text,
  registrable,
  dryRun: false,
  render,
  ...over
})

export const changed = (books: Books, over?: Partial<ChangeLink>, atMs = NOON + HOUR_MS) =>
  when(books, changeLink(input(over)), atMs)

export const owner = { memberId: MemberId.make("mem_rich") }

export const withKey = (books: Books, over: Partial<ApiKey>): Books => ({
  ...books,
  keys: HashMap.set(books.keys, rich.keyId, { ...rich, ...over })
})

export const withLimits = (over: Partial<SpendLimits>): Books =>
  withKey(start.books, { limits: { ...rich.limits, ...over } })

export const withStatus = (status: LinkStatus): Books => ({
  ...start.books,
  links: HashMap.modify(start.books.links, linkId, (link) => ({ ...link, status }))
})
