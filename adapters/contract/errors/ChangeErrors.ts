// Wording of refusals to change the text of a link, and to move a link whose text was changed.
import { MAX_TEXT_CHANGES } from "#core/domain/ordering/LinkChange.ts"
import { MAX_TEXT } from "../schema/Text.ts"
import { type RefusalTexts, safeExcerpt } from "./ErrorText.ts"

interface Facts {
  readonly orderId: string
  readonly domain?: string | undefined
}

/** Why the text of a link does not change, who may change it nevertheless, and what to do. */
const NOT_CHANGEABLE = {
  human: {
    why: ({ orderId }: Facts) =>
      `A human placed, paid for or approved order ${orderId}, so that it is not yours to change.`,
    whoCan: "owner",
    next: "Tell your user: an owner of the account can change the link in the member area, on the page of the order."
  },
  another: {
    why: ({ orderId }: Facts) => `Order ${orderId} was placed by another key or connection of this account.`,
    whoCan: "owner",
    next: "Tell your user: an owner can change the link in the member area, on the page of the order, or let the agent that placed it do so."
  },
  changed_often: {
    why: () => `This link was changed ${MAX_TEXT_CHANGES} times, which is as often as a link may be.`,
    whoCan: null,
    next: "Tell your user. While the link is `to_assign`, it can be cancelled, and ordered again as it is to be."
  },
  welcome_offer: {
    why: ({ domain = "" }: Facts) =>
      `The order took the welcome offer for ${safeExcerpt(domain)}, so that its target stays within that domain.`,
    whoCan: null,
    next: "Name a page of the same domain, or order another link for the other one."
  }
} as const

export const changeRefusals = {
  LinkNotChangeable: ({ orderId, linkId, reason, domain }) => ({
    code: "not_changeable",
    message: `${NOT_CHANGEABLE[reason].why({ orderId, domain })} Nothing was changed.`,
    suggestion: NOT_CHANGEABLE[reason].next,
    ...(reason === "welcome_offer" ? { recovery: "correct" as const } : {}),
    details: { order_id: orderId, link_id: linkId, reason, who_can: NOT_CHANGEABLE[reason].whoCan }
  }),
  LinkNotFound: ({ linkId }) => ({
    code: "link_not_found",
    message: `There is no link ${safeExcerpt(linkId)}.`,
    suggestion: "Read its order: each of its links has a link_id."
  }),
  LinkTextChanged: ({ linkId, revision, targetUrl, anchorText, anchorType, brief }) => ({
    code: "link_changed",
    message: `The text of link ${safeExcerpt(linkId)} was changed: it is “${safeExcerpt(anchorText)}” (${anchorType}) to ${safeExcerpt(targetUrl)} now. Nothing was moved.`,
    suggestion: `Let what is written follow this, and move the link with --revision ${revision}.`,
    details: {
      revision,
      target_url: safeExcerpt(targetUrl, MAX_TEXT),
      anchor_text: safeExcerpt(anchorText, MAX_TEXT),
      anchor_type: anchorType,
      brief: brief === null ? null : safeExcerpt(brief, MAX_TEXT)
    }
  })
} satisfies RefusalTexts
