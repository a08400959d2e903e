// One bought link, whose owner changes what the writer writes by: the page that it links to, the anchor and the wishes, until it is written.
import { Effect, Result, Schema } from "effect"
import { readChange } from "#adapters/contract/ordering/LinkChanges.ts"
import { OrderItem } from "#adapters/contract/ordering/OrderRequest.ts"
import { registrableDomain } from "#adapters/contract/schema/TargetUrl.ts"
import { html } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { LinkNotChangeable } from "#core/domain/ordering/ChangeRefusal.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { canChangeText, MAX_TEXT_CHANGES, textRevision } from "#core/domain/ordering/LinkChange.ts"
import { LinkNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { ChangeLinks } from "#core/usecases/ordering/ChangeLinks.ts"
import { seen } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { linkTone } from "../LinkTimeline.ts"
import { page, seeOther, titled, type Visit } from "../Page.ts"
import { messagesOf, textFields, typed } from "../shop/ItemForm.ts"
import { linkStatusText, state } from "../Wording.ts"

const { target_url, anchor_text, anchor_type, brief } = OrderItem.fields

const decodeText = Schema.decodeUnknownResult(Schema.Struct({ target_url, anchor_text, anchor_type, brief }), {
  errors: "all"
})

/** What was typed of the fields that say something else now than the link: blanks at the ends of a stored text do not count. */
const newTextOf = (sent: URLSearchParams, link: Link) => {
  const values = valuesOf(link)
  const text = Object.fromEntries(Object.keys(values).map((name) => [name, typed(sent, name)]))
  return Result.map(
    Result.mapError(decodeText(text), ({ issue }) => messagesOf(issue)),
    (read) => {
      const isSame = (name: keyof typeof values) => text[name] === values[name].trim()
      return readChange({
        ...(isSame("target_url") ? {} : { target_url: read.target_url }),
        ...(isSame("anchor_text") ? {} : { anchor_text: read.anchor_text }),
        ...(isSame("anchor_type") ? {} : { anchor_type: read.anchor_type }),
        ...(isSame("brief") || read.brief === undefined ? {} : { brief: read.brief })
      })
    }
  )
}

const valuesOf = ({ targetUrl, anchorText, anchorType, brief: wishes }: Link) => ({
  target_url: targetUrl,
  anchor_text: anchorText,
  anchor_type: anchorType,
  brief: wishes ?? ""
})

const linkForm = form({
  path: "/account/orders/:id/links/:link",
  fields: {},
  kind: "pay",
  button: "Change the link"
})

const TOO_LATE = "Nothing was changed: the link is being written already, or was cancelled."
const SINCE =
  "The link was changed since you opened this page, perhaps by your agent. Your change was not made: check what it is now, and send it again."

const linkOf = Effect.fnUntraced(function* ({ who, params: { id = "", link = "" } }: Visit<SignedIn>) {
  const { found } = yield* (yield* ViewAccount).order(who.account.accountId, OrderId.make(id))
  const linkId = LinkId.make(link)
  return found.links.find((one) => one.linkId === linkId) ?? (yield* new LinkNotFound({ linkId }))
})

const linkPage = page("owner", linkForm.path, { section: "Orders", help: "changing" }, function* (visit) {
  const link = yield* linkOf(visit)
  const { orderId, domain, status, netCents, anchorText, targetUrl } = link
  const title = `The link on ${domain}`
  const above = ["The order", `/account/orders/${orderId}`] as const
  const back = html`<p><a href="/account/orders/${orderId}">Back to the order</a></p>`
  const stage = state(linkStatusText[status], linkTone(status))
  if (!canChangeText(status)) {
    const late = html`<p>${stage} It cannot be changed any more: a link can be changed until its text is written.</p>\n${back}`
    return titled(title, late, { status: 409, above: [above] })
  }
  const fields = { ...textFields, ...seen({ revision: String(textRevision(link)) }) }
  const shown = yield* showForm(linkForm, visit, { fields, values: valuesOf(link) })
  return titled(
    title,
    html`<p>${stage} “${anchorText}” to ${shownTarget(targetUrl)}. Until its text is written, you can change it; its price stays ${formatEur(netCents)}.</p>
${shown}
${back}`,
    { above: [above] }
  )
})

/** What is said of a change that is not made, beside the field that it is about. */
const refuseChange = ({ reason, domain = "" }: LinkNotChangeable) =>
  reason === "welcome_offer"
    ? refuse(
        { target_url: `The order used the welcome offer for ${domain}, so that the link stays within that domain.` },
        409
      )
    : refuse(
        `Nothing was changed: this link was changed ${MAX_TEXT_CHANGES} times already, which is as often as a link can be.`,
        409
      )

export const linkPages = [
  linkPage,
  submit("owner", linkForm, linkPage, function* (_, visit) {
    const link = yield* linkOf(visit)
    const text = newTextOf(visit.form, link)
    if (Result.isFailure(text)) return yield* refuse(text.failure)
    const { orderId, linkId, domain } = link
    const revision = Number(visit.form.get("revision"))
    const request = { orderId, linkId, text: text.success, registrable: registrableDomain, dryRun: false, revision }
    const { changed, warnings } = yield* (yield* ChangeLinks).byOwner(visit.who, request).pipe(
      Effect.catchTags({
        InvalidTransition: () => refuse(TOO_LATE, 409),
        LinkTextChanged: () => refuse(SINCE, 409),
        LinkNotChangeable: refuseChange
      })
    )
    const done = changed.length === 0 ? "Nothing was changed." : `The link on ${domain} was changed.`
    return seeOther(`/account/orders/${orderId}`, [done, ...warnings.map(({ message }) => message)].join(" "))
  })
]
