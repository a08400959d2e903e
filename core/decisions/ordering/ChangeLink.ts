// Changes the text of a link until it is written: for the agent that placed the order, unless a human decided it, and for owners of the
// account. In one decision with the link's status, so that a link which is drafted or cancelled at the same moment keeps its text.
import { Result } from "effect"
import { type ExpiredApiKey, RevokedApiKey, type SpendPolicyRefused } from "#core/domain/access/AccessRefusal.ts"
import { type Caller, checkEnd } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import { checkStopped, checkTarget } from "#core/domain/access/SpendPolicy.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import { LinkNotChangeable, type LinkTextChanged } from "#core/domain/ordering/ChangeRefusal.ts"
import type { Link, TextChange } from "#core/domain/ordering/Link.ts"
import {
  type ChangedLink,
  canChangeText,
  changedBy,
  MAX_TEXT_CHANGES,
  type NewText,
  textChanges,
  textRevision
} from "#core/domain/ordering/LinkChange.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import { InvalidTransition, LinkNotFound, OrderNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { cartWarnings, siteAlreadyLinks, type Warning } from "#core/domain/ordering/Warning.ts"
import { linkTarget, targetHost } from "#core/domain/pricing/Cart.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { LinkId, MemberId, OrderId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { type Books, find, linkedId, linksOf } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { requireOwner } from "../members/Members.ts"
import { type ResultGenerator, resultFn } from "../ResultFn.ts"
import { raiseUpdated } from "../webhooks/RaiseEvent.ts"
import { isDecidedByHuman } from "./CancelOwnOrder.ts"
import { textChangedOf } from "./MoveLink.ts"

export interface ChangeLink {
  readonly orderId: OrderId
  readonly linkId: LinkId
  /** The agent, or an owner. */
  readonly by: { readonly caller: Caller } | { readonly memberId: MemberId }
  readonly text: NewText
  /** The name that somebody registered, which is the host or above it. */
  readonly registrable: (host: string) => string
  /** The revision that an owner has seen, who changes all fields of a form. */
  readonly revision?: number
  /** Nothing is written; the reply is what it would be. */
  readonly dryRun: boolean
  /** The call's, where it takes effect once, however often it runs. */
  readonly origin?: CallOrigin | null
  readonly render: Rendering
}

type ChangeFault =
  | ExpiredApiKey
  | InvalidTransition
  | LinkNotChangeable
  | LinkNotFound
  | LinkTextChanged
  | OrderNotFound
  | OwnerOnly
  | RevokedApiKey
  | SpendPolicyRefused

/** The order is the agent's, and its account lets agents order. */
const checkAgent = (
  books: Books,
  order: Order,
  { linkId, caller, nowMs }: { readonly linkId: LinkId; readonly caller: Caller; readonly nowMs: Millis }
): Result.Result<void, ChangeFault> => {
  const { orderId, accountId, keyId, mode } = order
  if (accountId !== caller.accountId || mode !== caller.mode) return Result.fail(new OrderNotFound({ orderId }))
  const account = find(books.accounts, accountId)
  const key = find(books.keys, caller.keyId)
  if (account?.closedAtMs !== undefined || key === undefined) return Result.fail(new RevokedApiKey())
  const ended = checkEnd(key, nowMs)
  if (Result.isFailure(ended)) return Result.fail(ended.failure)
  const refuse = (reason: LinkNotChangeable["reason"]) =>
    Result.fail(new LinkNotChangeable({ orderId, linkId, reason }))
  const quote = find(books.quotes, order.quoteId)
  if (quote === undefined || isDecidedByHuman(quote)) return refuse("human")
  if (keyId !== caller.keyId) return refuse("another")
  return checkStopped(account, key)
}

const checkStatus = ({ status }: Link): Result.Result<void, InvalidTransition> => {
  if (canChangeText(status)) return Result.void
  const reason = `This link is ${status}: its target, anchor and brief change only while it is to_assign or assigned. Nothing was changed.`
  return Result.fail(new InvalidTransition({ from: status, to: status, reason }))
}

const checkSeen = (link: Link, { revision: seen }: ChangeLink): Result.Result<void, LinkTextChanged> =>
  seen === undefined || seen === textRevision(link) ? Result.void : Result.fail(textChangedOf(link))

/** The welcome offer was given for the domains that the order links to. */
const checkWelcome = (
  books: Books,
  { quoteId, orderId }: Order,
  link: Link,
  { text, registrable }: ChangeLink
): Result.Result<void, LinkNotChangeable> => {
  const domain = registrable(targetHost(link))
  const stays = text.targetUrl === undefined || registrable(new URL(text.targetUrl).hostname) === domain
  if (stays || find(books.quotes, quoteId)?.discount.source !== "welcome") return Result.void
  return Result.fail(new LinkNotChangeable({ orderId, linkId: link.linkId, reason: "welcome_offer", domain }))
}

/** What limits a change that the link's status allows. */
const checkChange = resultFn(function* (
  books: Books,
  order: Order,
  link: Link,
  input: ChangeLink
): ResultGenerator<void, LinkNotChangeable | SpendPolicyRefused> {
  // An owner puts right whatever an agent has made of it.
  if ("caller" in input.by && textRevision(link) > MAX_TEXT_CHANGES) {
    const { orderId, linkId } = link
    return yield* Result.fail(new LinkNotChangeable({ orderId, linkId, reason: "changed_often" }))
  }
  const limits = "caller" in input.by ? find(books.keys, input.by.caller.keyId)?.limits : undefined
  if (limits !== undefined) yield* checkTarget(limits, link.targetUrl, input.text.targetUrl ?? link.targetUrl)
  yield* checkWelcome(books, order, link, input)
})

const isActive = ({ status }: Link): boolean => status !== "cancelled"

const warningsOf = (books: Books, links: ReadonlyArray<Link>, link: Link): ReadonlyArray<Warning> => {
  const target = linkTarget({ siteId: link.siteId, targetUrl: link.targetUrl })
  const isLinked = books.linked.has(linkedId(link.accountId, target))
  return [...cartWarnings(links.filter(isActive)), ...(isLinked ? [siteAlreadyLinks(link)] : [])]
}

/** A field and its two texts, as the audit log has them. */
const detailsOf = (changed: ReadonlyArray<TextChange>) =>
  Object.fromEntries(
    changed.flatMap(({ field, from, to }) => [
      [`${field}From`, from],
      [`${field}To`, to]
    ])
  )

const actorOf = ({ by }: ChangeLink): Actor => ("caller" in by ? by.caller.keyId : by.memberId)

/** The link with its new text, and the order's links with it. */
const replyOf = (
  books: Books,
  order: Order,
  { linkId }: Link,
  changed: ReadonlyArray<TextChange>
): Result.Result<ChangedLink, LinkNotFound> => {
  const links = linksOf(books, order)
  const link = links.find((one) => one.linkId === linkId)
  return link === undefined
    ? Result.fail(new LinkNotFound({ linkId }))
    : Result.succeed({ order, links, link, changed, warnings: warningsOf(books, links, link) })
}

export const changeLink =
  (input: ChangeLink): Decide<ChangedLink, ChangeFault> =>
  (books, context) =>
    Result.gen(function* () {
      const { orderId, linkId, by, text, dryRun, origin = null, render } = input
      const order = yield* Result.fromNullishOr(find(books.orders, orderId), () => new OrderNotFound({ orderId }))
      const found = linksOf(books, order).find((one) => one.linkId === linkId)
      // What others did since does not undo what this call did.
      const made = origin === null || found === undefined ? undefined : changedBy(found, origin.idPrefix)
      if (found !== undefined && made !== undefined) return unchanged(yield* replyOf(books, order, found, made))
      yield* "caller" in by
        ? checkAgent(books, order, { linkId, caller: by.caller, nowMs: context.nowMs })
        : requireOwner(books, order.accountId, by)
      const link = yield* Result.fromNullishOr(found, () => new LinkNotFound({ linkId }))
      yield* checkStatus(link)
      yield* checkSeen(link, input)
      const changed = textChanges(link, text)
      if (changed.length === 0) return unchanged(yield* replyOf(books, order, link, changed))
      yield* checkChange(books, order, link, input)
      const draft = new Draft(books, context)
      const call = origin === null ? {} : { call: origin.idPrefix }
      draft.record({ _tag: "LinkChanged", change: { linkId, text, atMs: context.nowMs, ...call } })
      const reply = yield* replyOf(draft.books, order, link, changed)
      if (dryRun) return unchanged(reply)
      const { accountId } = link
      audit(draft, actorOf(input), { action: "link.change", subject: linkId, accountId, details: detailsOf(changed) })
      raiseUpdated(draft, render, order)
      return draft.decided(reply)
    })
