// Small pictures of three pages of the service, drawn in its colours, light and dark, each with a text for those who hear the page.
import { type Html, html } from "#adapters/html/Html.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { shelfTerms } from "#core/domain/pricing/Shelf.ts"
import { RECOMMENDED } from "../agents/KeyReach.ts"

type Look = "ink" | "soft" | "accent" | "on" | "bad" | "ok" | "wait"

const words = (x: number, y: number, look: Look, says: string, place = "start"): Html =>
  html`<text x="${x}" y="${y}" class="${look}" text-anchor="${place}">${says}</text>`

const strong = (x: number, y: number, says: string): Html =>
  html`<text x="${x}" y="${y}" class="ink strong">${says}</text>`

const box = (x: number, y: number, width: number, height: number, look: string, round = 6): Html =>
  html`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" class="${look}"></rect>`

const pressed = (x: number, y: number, width: number, look: "main" | "plain" | "danger", says: string): Html => {
  const text = { main: "on", plain: "ink", danger: "bad" } as const
  return html`${box(x, y, width, 26, look)}${words(x + width / 2, y + 17, text[look], says, "middle")}`
}

/** A page of the service with this on it. `stops`: the button in its header. */
const picture = (
  says: string,
  shown: Html,
  stops = false
): Html => html`<svg class="picture" viewBox="0 0 320 190" role="img" aria-label="${says}">
${box(16, 14, 288, 200, "paper", 10)}<path class="line" d="M16 44h288"></path>${box(26, 22, 14, 14, "mark", 4)}${box(48, 26, 64, 6, "bar", 3)}
${stops ? html`${box(206, 19, 88, 20, "danger", 5)}${words(250, 33, "bad", "Stop all agents", "middle")}` : box(258, 26, 36, 6, "bar", 3)}
${shown}
</svg>`

const row = (y: number, name: string, value: string): Html =>
  html`${words(30, y, "soft", name)}${words(290, y, "ink", value, "end")}<path class="line" d="M30 ${y + 7}h260"></path>`

const amount = (cents: number | null): string => formatEur(cents ?? 0)

/** How far an assistant may go, before it is allowed to order. */
export const connectPicture = ({ connects }: { readonly connects: boolean }): Html =>
  picture(
    connects
      ? "The page that allows an assistant to order, with its limits and the buttons Allow and Refuse."
      : "The page that creates a key for an agent, with its limits.",
    html`${strong(30, 68, connects ? "Allow your assistant to order?" : "A key for your agent")}
${row(92, "Daily spending limit", amount(RECOMMENDED.maxDayCents))}
${row(115, "Ask me before orders over", amount(RECOMMENDED.approveAboveCents))}
${words(30, 138, "soft", "It may look, price and order")}
${connects ? html`${pressed(30, 150, 70, "main", "Allow")}${pressed(108, 150, 70, "plain", "Refuse")}` : pressed(30, 150, 110, "main", "Create the key")}`
  )

const { priceCents } = shelfTerms("Nautilus")

/** An order that waits for its owner. */
export const approvalPicture = picture(
  `An agent asks to spend ${formatEur(priceCents)}: what for, and the buttons Approve and Decline.`,
  html`${strong(30, 70, `An agent asks to spend ${formatEur(priceCents)}`)}
${box(30, 80, 118, 18, "waiting", 9)}${words(89, 93, "wait", "waits for you", "middle")}
${words(30, 118, "soft", "For")}${words(58, 118, "ink", "your-shop.example/spring")}
${words(30, 136, "soft", "On")}${words(58, 136, "ink", "a gardening site, Trust Flow 40")}
${pressed(30, 150, 124, "main", `Approve ${formatEur(priceCents)}`)}${pressed(162, 150, 76, "plain", "Decline")}`,
  true
)

/** An order with its price, where no one signs in. */
export const orderPicture = picture(
  "The price of an order: what credit pays, and what the card pays.",
  html`${strong(30, 70, "Before your agent orders")}
${row(94, "A link on a gardening site", formatEur(priceCents))}
${row(117, "From credit", formatEur(priceCents))}
${row(140, "By card", formatEur(0))}`
)

const STAGES = ["Written", "In review", "Approved", "Online"] as const

/** A link on its way, and the invoice of its order. */
export const linkPicture = picture(
  "A link that is online: its last four stages, its address, and the invoice as PDF.",
  html`${strong(30, 70, "Your link is online")}
${STAGES.map((stage, nth) => html`${box(30 + nth * 66, 82, 60, 4, "mark", 2)}${words(30 + nth * 66, 100, "soft", stage)}`)}
${box(30, 110, 260, 24, "fine")}${words(40, 126, "ok", "✓")}${words(54, 126, "ink", "garden-notes.example/spring-tools")}
${words(30, 160, "soft", "Invoice")}${words(160, 160, "ink", formatEur(priceCents), "middle")}${words(290, 160, "accent", "PDF", "end")}`
)
