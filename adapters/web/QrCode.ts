// A QR code as an SVG that is drawn on the server.
import encodeQR from "qr"
import { type Html, html } from "#adapters/html/Html.ts"

/** Blank modules around the code, as readers want them. */
const BORDER = 4

/** `says`: what it is, for readers of the page that do not see it. */
export const qrCode = (text: string, says: string): Html => {
  const rows = encodeQR(text, "raw", { border: BORDER, ecc: "medium" })
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const size = rows.length
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${says}"><path d="${dark.join("")}"></path></svg>`
}
