// An owner cancels links of an order on which no work has begun, and withdraws a quote: each by a page that says what comes back.
import { Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import { type Account, owedCentsOf } from "#core/domain/members/Account.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { awaitsPayment, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import { LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { OwnPurchases } from "#core/usecases/ordering/OwnPurchases.ts"
import { linksText, peopleOf, placerIn, shortPlacerIn, targetsOf } from "../agents/Placers.ts"
import { anyText } from "../form/FieldSchemas.ts"
import { hidden, seen } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { operatorLink } from "../LegalPages.ts"
import { page, seeOther, titled, type Visit } from "../Page.ts"

const ORDERS = "/account/orders"

const cancel = form({
  path: `${ORDERS}/:id/cancel`,
  /** The ids of the links, with a blank between them. */
  fields: { links: hidden(anyText) },
  kind: "grave",
  look: "inline"
})

const withdraw = form({
  path: "/account/quotes/:id/withdraw",
  fields: {},
  kind: "grave",
  look: "inline",
  tightens: true
})

const netOf = (links: ReadonlyArray<Link>): number => links.reduce((cents, { netCents }) => cents + netCents, 0)

/** What the button says: in the sandbox nothing was paid, so that nothing comes back. */
const cancelText = (links: ReadonlyArray<Link>): string => {
  const what = links.length === 1 ? "Cancel this link" : `Cancel ${counted(links.length, "link")}`
  return links.some(({ mode }) => mode === "sandbox") ? what : `${what}: ${formatEur(netOf(links))} back as credit`
}

/** Which links of an order an owner may cancel now, one by one, and below them all at once. */
export const cancelling = Effect.fnUntraced(function* (who: SignedIn, orderId: OrderId) {
  if (who.member.role !== "owner") return { links: new Set<LinkId>(), together: nothing }
  const { isReversed, open } = yield* (yield* OwnPurchases).cancellable(who, orderId)
  if (isReversed && open.length > 0)
    return {
      links: new Set<LinkId>(),
      together: html`<p class="note screen">Your payment was refunded or is disputed, so links of this order cannot be cancelled here: write to ${yield* operatorLink}.</p>`
    }
  const all = html`<p class="screen"><a class="btn danger" href="${ORDERS}/${orderId}/cancel">${cancelText(open)}</a></p>`
  return { links: new Set(open.map(({ linkId }) => linkId)), together: open.length < 2 ? nothing : all }
})

/** The links that the address or the form names; all that can be cancelled where neither names any. */
const namedIn = ({ query, form: sent }: Visit<SignedIn>): ReadonlyArray<string> =>
  [...(sent.get("links") ?? "").split(" "), query.get("link") ?? ""].filter((id) => id !== "")

const owedNote = (account: Account): Html => {
  const owed = owedCentsOf(account)
  return owed === 0
    ? nothing
    : html`<p class="note">You owe ${formatEur(owed)} of a top-up that was refunded or disputed: it is taken from what comes back.</p>`
}

const cancelPage = page("owner", cancel.path, { section: "Orders", help: "cancelling" }, function* (visit) {
  const { who, params } = visit
  const orderId = OrderId.make(params["id"] ?? "")
  const back = html`<p><a href="${ORDERS}/${orderId}">Leave it as it is</a></p>`
  const { isReversed, open } = yield* (yield* OwnPurchases).cancellable(who, orderId)
  const named = namedIn(visit)
  const links = open.filter(({ linkId }) => named.length === 0 || named.includes(linkId))
  const title = "Cancel links"
  if (isReversed || links.length === 0)
    return titled(
      title,
      html`<p>${isReversed ? html`Your payment was refunded or is disputed, so nothing of this order can be cancelled here: write to ${yield* operatorLink}.` : "Nothing of this order can be cancelled any more: each link is cancelled already, or work on it has begun."}</p>${back}`
    )
  const what = links.length === 1 ? "this link" : counted(links.length, "link")
  const returns =
    links[0]?.mode === "sandbox"
      ? "It is of the sandbox: nothing was paid, so nothing comes back."
      : `${formatEur(netOf(links))} comes back as credit at once, however you paid. A cancelled link cannot be brought back; you can order it again at today’s price.`
  return titled(
    title,
    html`<ul>${links.map(({ domain, anchorText, netCents }) => html`<li>${domain}, “${isolated(anchorText)}”, ${formatEur(netCents)}</li>`)}</ul>
<p>${returns}</p>
${owedNote(who.account)}${yield* showForm(cancel, visit, { fields: seen({ links: links.map(({ linkId }) => linkId).join(" ") }), button: cancelText(links) })}
${back}`,
    { heading: `Cancel ${what}?` }
  )
})

/** What is owed is taken from what comes back. */
const creditText = (cents: Cents, owed: Cents, becameCredit: string): string => {
  if (owed === 0) return `${formatEur(cents)} ${becameCredit}`
  if (owed >= cents) return `${formatEur(cents)} paid ${owed > cents ? "part of " : ""}what you owed`
  return `${formatEur(owed)} of ${formatEur(cents)} paid what you owed, and ${formatEur(cents - owed)} is credit`
}

/** `account`: as it was before. */
const givenBack = (links: ReadonlyArray<Link>, account: Account): string => {
  const what = links.length === 1 ? "The link is" : `${counted(links.length, "link")} are`
  return links[0]?.mode === "sandbox"
    ? `${what} cancelled.`
    : `${what} cancelled, and ${creditText(netOf(links), owedCentsOf(account), "came back as credit")}.`
}

const ofPath = ({ who: { account }, params: { id = "" } }: Visit<SignedIn>) =>
  Effect.map(
    ViewAccount.use((accounts) => accounts.quote(account.accountId, QuoteId.make(id))),
    ({ quote }) => quote
  )

/** What waits for approval is declined on its own page, and a bank debit that is on its way cannot be stopped. */
const canWithdraw = (quote: Quote): boolean => awaitsPayment(quote) && !isPaymentPending(quote)

const withdrawPage = page("owner", withdraw.path, { section: "To pay", help: "cancelling" }, function* (visit) {
  const quote = yield* ofPath(visit)
  const { quoteId, lines, totalCents, creditCents, mode, createdAtMs } = quote
  const path = `/account/quotes/${quoteId}`
  if (!canWithdraw(quote)) return seeOther(path)
  const what = `${counted(lines.length, "link")} for ${formatEur(totalCents)}`
  const holdsCredit = mode === "live" && creditCents > 0
  const back = holdsCredit
    ? `${formatEur(creditCents)} of credit that is held for it is free again at once.`
    : "Nothing was paid for it, so nothing comes back."
  const people = yield* peopleOf(visit.who.account.accountId)
  const isOfAgent = credentialKind(quote.keyId) !== "web"
  const told = isOfAgent ? ` ${isolated(shortPlacerIn(people, quote))} is told that you withdrew it.` : ""
  return titled(
    "Withdraw",
    html`<p>${placerIn(people, quote)} asked ${instant(createdAtMs)} for ${linksText(targetsOf(quote))}.</p>
<p>Nothing is bought, and the payment link ends. ${back}${told}</p>
${holdsCredit ? owedNote(visit.who.account) : nothing}${yield* showForm(withdraw, visit, { button: `Withdraw ${what}` })}
<p><a href="${path}">Leave it as it is</a></p>`,
    { heading: `Withdraw ${what}?` }
  )
})

/** A way to the page that asks, for an owner. */
export const withdrawLink = ({ member }: SignedIn, quote: Quote): Html =>
  member.role === "owner" && canWithdraw(quote)
    ? html`<p>You do not want it? <a href="/account/quotes/${quote.quoteId}/withdraw">Withdraw it</a>.</p>`
    : nothing

const withdrawn = ({ status, mode, creditCents }: Quote, account: Account): string => {
  if (status === "paid") return "It was paid just before, so the order is placed."
  return mode === "live" && creditCents > 0
    ? `Nothing was bought, and ${creditText(creditCents, owedCentsOf(account), "of held credit is free again")}.`
    : "Nothing was bought."
}

const REVERSED = "Nothing was cancelled: your payment was refunded or is disputed."

export const cancelPages = [
  cancelPage,
  submit("owner", cancel, cancelPage, function* ({ links: typed }, visit) {
    const orderId = OrderId.make(visit.params["id"] ?? "")
    const linkIds = [...new Set(typed.split(" "))].filter((id) => id !== "").map((id) => LinkId.make(id))
    const { cancel: cancelLinks } = yield* OwnPurchases
    if (linkIds.length === 0) return yield* refuse("Nothing was cancelled: choose a link first.")
    return yield* cancelLinks(visit.who, orderId, linkIds).pipe(
      Effect.map(({ asked }) => seeOther(`${ORDERS}/${orderId}`, givenBack(asked, visit.who.account))),
      Effect.catchTags({
        LinksNotCancellable: ({ links }) =>
          refuse(`Nothing was cancelled: work on ${links.length} of these links has begun meanwhile.`, 409),
        OrderPaymentReversed: () => refuse(REVERSED, 409)
      })
    )
  }),
  withdrawPage,
  submit("owner", withdraw, withdrawPage, function* (_, visit) {
    const quoteId = QuoteId.make(visit.params["id"] ?? "")
    const path = `/account/quotes/${quoteId}`
    return yield* (yield* OwnPurchases).withdraw(visit.who, quoteId).pipe(
      Effect.map((quote) => seeOther(path, withdrawn(quote, visit.who.account))),
      Effect.catchTag("PaymentUnderWay", () =>
        Effect.succeed(seeOther(path, "Nothing was changed: a bank debit for it is on its way, and cannot be stopped."))
      )
    )
  })
]
