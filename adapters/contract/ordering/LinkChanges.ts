// Changing a bought link: what may be changed, read as the core has it, and the answer with the link as it is then.
import { Effect, Schema } from "effect"
import type { Link, TextChange } from "#core/domain/ordering/Link.ts"
import { type ChangedLink, MAX_TEXT_CHANGES, type NewText, textRevision } from "#core/domain/ordering/LinkChange.ts"
import { orderRevision, type PlacedOrder } from "#core/domain/ordering/Order.ts"
import { shownTarget, withPlainHost } from "#core/domain/ordering/TargetPolicy.ts"
import { plainEur } from "#core/domain/pricing/Money.ts"
import { Count } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { asGuard } from "../schema/MemberMarks.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { counted } from "../shared/Counted.ts"
import { LinkTextField, textFieldName } from "./LinkHistory.ts"
import { OrderItem } from "./OrderRequest.ts"
import { LinkRecord, showLink } from "./Orders.ts"
import { WarningRecord } from "./QuoteResponse.ts"

const { target_url, anchor_text, anchor_type, brief } = OrderItem.fields

export const ChangeRequest = Schema.Struct({
  target_url: Schema.optionalKey(target_url),
  anchor_text: Schema.optionalKey(anchor_text),
  anchor_type: Schema.optionalKey(anchor_type),
  brief: brief.annotate({ description: 'Wishes for the writer, up to 2,000 characters; "" takes them away.' }),
  dry_run: Schema.Boolean.annotate({
    description: "Check everything, write nothing: the answer is what the change would be.",
    default: false,
    ...asGuard
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})
  .check(
    Schema.makeFilter((body) => LinkTextField.literals.some((name) => body[name] !== undefined), {
      message: `Name at least one of ${LinkTextField.literals.join(", ")}.`,
      toJsonSchema: () => ({ anyOf: LinkTextField.literals.map((name) => ({ required: [name] })) })
    })
  )
  .annotate({
    identifier: "LinkChangeRequest",
    description: `What to change of a link: one at least of ${LinkTextField.literals.join(", ")}. What is left out, or \`null\`, stays as it is.`
  })
export type ChangeRequest = typeof ChangeRequest.Type

export const readChange = (body: Omit<ChangeRequest, "dry_run">): NewText => ({
  ...(body.target_url === undefined ? {} : { targetUrl: withPlainHost(body.target_url) }),
  ...(body.anchor_text === undefined ? {} : { anchorText: body.anchor_text }),
  ...(body.anchor_type === undefined ? {} : { anchorType: body.anchor_type }),
  ...(body.brief === undefined ? {} : { brief: body.brief === "" ? null : body.brief })
})

export const ChangeResponse = Schema.Struct({
  ok: Ok,
  order_id: answerId.order,
  dry_run: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "Only a check: nothing was written. Absent otherwise." })
  ),
  changed: Schema.Array(LinkTextField).annotate({
    description:
      "The fields that have another text now. Empty if the link had this text already: then nothing was written."
  }),
  link: LinkRecord,
  warnings: Schema.Array(WarningRecord).annotate({ description: "The order's links, judged anew." }),
  changes_left: Count.annotate({ description: "How often this link may still be changed." }),
  revision: Count.annotate({ description: "Of the order; the greater one is the newer one." }),
  summary: Schema.String.annotate({ description: "One sentence to show to the user." }),
  sandbox: Sandbox
}).annotate({ identifier: "LinkChanged", description: "A link after a change of its text." })
export type ChangeResponse = typeof ChangeResponse.Type

const LABELS = { targetUrl: "target", anchorText: "anchor", anchorType: "anchor type", brief: "brief" } as const

/** The sentence for the user; the price is the one thing that people ask about. */
const summarise = ({ link, changed }: Pick<ChangedLink, "link" | "changed">, dryRun: boolean): string => {
  const { domain, targetUrl, anchorText, netCents } = link
  const now = `“${anchorText}” to ${shownTarget(targetUrl)}`
  if (changed.length === 0) return `Nothing was changed: the link on ${domain} is ${now} already.`
  const fields = changed.map(({ field }) => LABELS[field])
  const what = `${counted(fields.length, "change")} (${fields.join(", ")})`
  const would = dryRun ? "Dry run, nothing was changed: the link on" : "The link on"
  return `${would} ${domain} ${dryRun ? "would be" : "is now"} ${now} after ${what}; its price stays ${plainEur(netCents)}.`
}

/** Owners change it beyond. */
const changesLeft = (link: Link): number => Math.max(0, MAX_TEXT_CHANGES + 1 - textRevision(link))

const namesOf = (changed: ReadonlyArray<TextChange>) => changed.map(({ field }) => textFieldName[field])

export const showChange = (
  { order, links, link, changed, warnings, placedBy }: ChangedLink & PlacedOrder,
  dryRun: boolean,
  asOfMs: number
): ChangeResponse => ({
  ok: true,
  order_id: order.orderId,
  ...(dryRun ? { dry_run: true as const } : {}),
  changed: namesOf(changed),
  link: showLink(link, placedBy, asOfMs),
  warnings,
  changes_left: changesLeft(link),
  revision: orderRevision(links),
  summary: summarise({ link, changed }, dryRun),
  sandbox: order.mode === "sandbox"
})
