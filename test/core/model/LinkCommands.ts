// Commands on links, run on books and model: moves and cancellations.
import { deepStrictEqual, strictEqual } from "node:assert"
import { advanceOrder } from "#core/decisions/ordering/AdvanceOrder.ts"
import { cancelLink, cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { correctLink } from "#core/decisions/ordering/CorrectLink.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import type { Stage } from "#core/domain/ordering/Link.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { known } from "../BookReads.ts"
import { render } from "../Given.ts"
import type { Of } from "./Command.ts"
import { netLines } from "./ExpectedPrices.ts"
import type { Model, ModelLink, ModelQuote } from "./Model.ts"
import { attempt, type ModelRun, recent, tagOf } from "./ModelRun.ts"

const stages = ["to_assign", "assigned", "drafted", "in_review", "approved", "published", "verified"]
const stageIndex = (status: string): number => stages.indexOf(status)
const isOnline = (status: string): boolean => stageIndex(status) >= 5
const canMove = (status: string, to: Stage): boolean => status !== "cancelled" && stageIndex(to) > stageIndex(status)
const canCancel = (status: string, published: boolean): boolean =>
  status !== "cancelled" && (published || !isOnline(status))

interface How {
  readonly published: boolean
  readonly refunded: boolean
}

/** Cancelled before, in the way that is asked for: a success that changes nothing. */
const isDone = (link: ModelLink, { refunded }: How): boolean =>
  link.status === "cancelled" && link.refunded === refunded

/** A refunded link credits its share of the order's credit, shared as a discount is, if so much of the money is still there. */
const creditOf = (model: Model, quote: ModelQuote, link: ModelLink): number => {
  const nets = quote.links.map(({ net }) => net)
  const rest = netLines(nets, quote.credit)[quote.links.indexOf(link)] ?? 0
  return Math.min(link.net - rest, Math.max(0, model.leftOf(quote, "open", "final")))
}

const cancelInModel = (model: Model, quote: ModelQuote, link: ModelLink, { refunded }: How): void => {
  const cents = refunded ? creditOf(model, quote, link) : link.net
  link.status = "cancelled"
  link.credited = cents
  link.refunded = refunded
  if (quote.mode === "live") model.addEntry(quote.account, "recredit", cents)
}

/** Whether credit for these links would give money back that a refund or a dispute gives back. */
const givesBackTwice = (model: Model, quote: ModelQuote, links: ReadonlyArray<ModelLink>, { refunded }: How): boolean =>
  !refunded &&
  model.reversalsOf(quote).length > 0 &&
  links.reduce((all, { net }) => all + net, 0) > Math.max(0, model.leftOf(quote, "open", "final"))

/** Where credit paid alone, nothing can have been refunded. */
const hasNothingRefunded = ({ card }: ModelQuote, { refunded }: How): boolean => refunded && card === 0

const cancelling = (how: How) => ({ reason: "requested", ...how, actor: null, render })

const allLinks = ({ quotes }: Model) =>
  quotes.flatMap((quote) =>
    quote.links.map((link, index) => ({ quote, link, linkId: quote.linkIds[index] ?? LinkId.make("") }))
  )

export const cancelOneLink = (run: ModelRun, { link: n, ...how }: Of<"cancel link">): void => {
  const one = recent(allLinks(run.model), n)
  if (one === undefined) return
  const { quote, link } = one
  const twice = givesBackTwice(run.model, quote, [link], how)
  const done = isDone(link, how)
  const allowed = canCancel(link.status, how.published) && !twice && !hasNothingRefunded(quote, how)
  const { books } = run
  const outcome = attempt(run, cancelLink(one.linkId, cancelling(how)))
  deepStrictEqual(tagOf(outcome), allowed || done ? "done" : "InvalidTransition")
  if (done) strictEqual(run.books, books)
  if (link.status === "cancelled") noteRepeated(run, "link", done, how)
  else run.note(`cancel link: ${allowed}${isOnline(link.status) ? ", online" : ""}`)
  if (twice) run.note("cancel: gives back twice")
  if (allowed) cancelInModel(run.model, quote, link, how)
  if (allowed && how.refunded && quote.mode === "live") {
    const share = link.credited === 0 ? "nothing" : link.credited === link.net ? "all" : "a part"
    run.note(`cancel refunded: ${share}`)
  }
}

const noteRepeated = (run: ModelRun, what: "link" | "order", done: boolean, { refunded }: How): void =>
  run.note(`cancel ${what} again${refunded ? " as refunded" : ""}: ${done}`)

const orders = ({ quotes }: Model) => quotes.filter(({ orderId }) => orderId !== null)

export const cancelWholeOrder = (run: ModelRun, { order: n, ...how }: Of<"cancel order">): void => {
  const quote = recent(orders(run.model), n)
  if (quote === undefined) return
  const cancellable = quote.links.filter(({ status }) => canCancel(status, how.published))
  const done = quote.links.every((link) => isDone(link, how))
  const allowed =
    cancellable.length > 0 && !givesBackTwice(run.model, quote, cancellable, how) && !hasNothingRefunded(quote, how)
  const { books } = run
  const outcome = attempt(run, cancelOrder(quote.orderId ?? OrderId.make(""), cancelling(how)))
  deepStrictEqual(tagOf(outcome), allowed || done ? "done" : "InvalidTransition")
  if (done) strictEqual(run.books, books)
  if (quote.links.every(({ status }) => status === "cancelled")) noteRepeated(run, "order", done, how)
  else run.note(`cancel order: ${allowed}`)
  if (allowed) for (const link of cancellable) cancelInModel(run.model, quote, link, how)
}

export const move = (run: ModelRun, { link: n, to, seen }: Of<"move link">): void => {
  const one = recent(allLinks(run.model), n)
  if (one === undefined) return
  const disputed = run.model.reversalsOf(one.quote).some(({ kind, state }) => kind === "dispute" && state !== "won")
  const allowed = canMove(one.link.status, to) && (!disputed || isOnline(one.link.status))
  const publishedUrl =
    isOnline(to) && !isOnline(one.link.status) ? `https://${known(run.books.links, one.linkId).domain}/post` : null
  const named = seen ? { revision: one.link.changes + 1 } : {}
  const input = { linkId: one.linkId, to, publishedUrl, ...named, reason: null, actor: null, render }
  const unseen = one.link.unseen && !seen && to !== "assigned"
  const expected = !allowed ? "InvalidTransition" : unseen ? "LinkTextChanged" : "done"
  deepStrictEqual(tagOf(attempt(run, moveLink(input))), expected)
  run.note(`move link: ${expected}`)
  if (expected === "done") moveInModel(one.link, to)
}

const moveInModel = (link: ModelLink, to: Stage): void => {
  link.status = to
  link.unseen = false
  link.announced ||= isOnline(to)
}

export const correct = (run: ModelRun, { link: n, onSite }: Of<"correct">): void => {
  const one = recent(allLinks(run.model), n)
  if (one === undefined) return
  const { linkId, link } = one
  const host = onSite ? `blog.${known(run.books.links, linkId).domain}` : "elsewhere.example"
  const publishedUrl = `https://${host}/${run.model.now}`
  const expected = !isOnline(link.status) ? "InvalidTransition" : onSite ? "done" : "PublishedElsewhere"
  const outcome = attempt(run, correctLink({ linkId, publishedUrl, reason: "a typing error", actor: null, render }))
  deepStrictEqual(tagOf(outcome), expected)
  run.note(`correct: ${expected}`)
  if (expected === "done") deepStrictEqual(known(run.books.links, linkId).publishedUrl, publishedUrl)
}

export const advance = (run: ModelRun, { order: n, to }: Of<"advance order">): void => {
  const quote = recent(orders(run.model), n)
  if (quote === undefined) return
  const movable = quote.links.filter(({ status }) => canMove(status, to))
  const expected = quote.mode === "live" ? "OrderNotFound" : movable.length === 0 ? "InvalidTransition" : "done"
  deepStrictEqual(
    tagOf(attempt(run, advanceOrder({ orderId: quote.orderId ?? OrderId.make(""), to, render }))),
    expected
  )
  run.note(`advance order: ${expected}`)
  if (expected === "done") for (const link of movable) moveInModel(link, to)
}
