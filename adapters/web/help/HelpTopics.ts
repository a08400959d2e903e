// The questions that people's help answers, and the links that lead to an answer from where its question arises.
import { type Html, html } from "#adapters/html/Html.ts"

export const HELP = "/help"

/** Each with what a link to its answer says. */
const LINKS = {
  credit: "How credit works",
  "top-ups": "How top-ups work",
  prices: "What a link costs",
  figures: "What the figures mean",
  agents: "How agents order",
  approval: "How approval works",
  limits: "What limits do",
  stopping: "What stopping does",
  "due-dates": "When links are online",
  changing: "How a link is changed",
  cancelling: "How cancelling works",
  refunds: "How money comes back",
  "lost-links": "What happens to a lost link",
  invoices: "How invoices work",
  "signing-in": "How signing in works",
  members: "What members may do",
  "second-factors": "What a second factor protects",
  closing: "What closing an account ends"
} as const

export type HelpTopic = keyof typeof LINKS

export const HELP_TOPICS = Object.keys(LINKS)

export const helpLink = (topic: HelpTopic): Html => html`<a href="${HELP}#${topic}">${LINKS[topic]}</a>`
