// A change of a link's text: target, anchor and brief, until the text is written. It is one more step of the link's history, which says
// what was changed from what. Each change makes another revision of the text, so that people can say which one they have read.
import type { Millis } from "../shared/DecisionContext.ts"
import { LINK_TEXT_FIELDS, type Link, type LinkStatus, type TextChange } from "./Link.ts"
import type { OrderWithLinks } from "./Order.ts"
import type { Warning } from "./Warning.ts"

export type LinkText = Pick<Link, (typeof LINK_TEXT_FIELDS)[number]>

/** The fields to change; the others stay. */
export type NewText = Partial<LinkText>

/** How often the text of one link may be changed: each change stays in the history that every reading of the order shows. */
export const MAX_TEXT_CHANGES = 10

export const canChangeText = (status: LinkStatus): boolean => status === "to_assign" || status === "assigned"

const isChange = ({ changed }: Link["history"][number]): boolean => changed !== undefined

export const textChanges = (link: LinkText, text: NewText): ReadonlyArray<TextChange> =>
  LINK_TEXT_FIELDS.flatMap((field) => {
    const [from, to] = [link[field], text[field]]
    return to === undefined || to === from ? [] : [{ field, from, to }]
  })

/** The steps of a history that are moves. */
export const movesIn = <Step extends Link["history"][number]>(history: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  history.filter((step) => !isChange(step))

/** From 1, which is the text as it was ordered. */
export const textRevision = ({ history }: Pick<Link, "history">): number => 1 + history.filter(isChange).length

/** Whether nothing happened to the link since its text was changed: the answer of no move has shown the new text. */
export const hasUnseenText = ({ history }: Pick<Link, "history">): boolean => {
  const last = history.at(-1)
  return last !== undefined && isChange(last)
}

export interface LinkChange {
  readonly linkId: Link["linkId"]
  readonly text: NewText
  readonly atMs: Millis
  /** The `idPrefix` of a call under an idempotency key. */
  readonly call?: string
}

/** What this call changed of the link before. */
export const changedBy = (
  { history }: Pick<Link, "history">,
  idPrefix: string
): ReadonlyArray<TextChange> | undefined => history.find(({ call }) => call === idPrefix)?.changed

/** What the change makes of the link. */
export const withNewText =
  ({ text, atMs, call }: LinkChange) =>
  (link: Link): Partial<Link> => ({
    ...text,
    history: [
      ...link.history,
      { status: link.status, atMs, changed: textChanges(link, text), ...(call === undefined ? {} : { call }) }
    ]
  })

/** An order after a change of one of its links. */
export interface ChangedLink extends OrderWithLinks {
  /** The link with its new text. */
  readonly link: Link
  /** Empty where the link has this text already. */
  readonly changed: ReadonlyArray<TextChange>
  readonly warnings: ReadonlyArray<Warning>
}
