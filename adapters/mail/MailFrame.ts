// How a mail looks: who writes, one headline, what it is about, one button, what else to know. Tables and inline styles, because mail programs
// ignore most else; dark where the program asks for it. The text part says the same, with the link alone on its line.
import { Html, html, nothing } from "#adapters/html/Html.ts"

/** One thing that a mail is about, such as a link of an order. */
export interface MailFact {
  readonly what: string
  readonly detail?: string
  readonly amount?: string
  /** `total`: its amount is bold, too. `part`: belongs to the fact above, which it follows in small print. */
  readonly kind?: "total" | "part"
}

export interface MailLink {
  readonly label: string
  readonly url: string
}

export interface MailContent {
  readonly subject: string
  /** The news in a sentence. */
  readonly headline: string
  /** Paragraphs before the facts. */
  readonly before?: ReadonlyArray<string>
  readonly facts?: ReadonlyArray<MailFact>
  /** Paragraphs between the facts and the button. */
  readonly between?: ReadonlyArray<string>
  readonly button?: MailLink
  /** A second button, outlined in red, for what is done where something is wrong; with when to press it. */
  readonly grave?: MailLink & { readonly says: string }
  /** Stands below the button, large: what is typed instead of pressing it, and where. */
  readonly code?: { readonly says: string; readonly code: string }
  /** Where else one may want to go. */
  readonly links?: ReadonlyArray<MailLink>
  readonly after?: ReadonlyArray<string>
  /** Why its reader gets it. */
  readonly why: string
  /** The page on which such mails are turned off; absent where that cannot be. */
  readonly choicesUrl?: string
}

/** Who writes, below every mail; `null` where that is not configured. */
export interface MailSender {
  readonly seller: string | null
  readonly address: string | null
  /** "VAT id DE136695976". */
  readonly taxId: string | null
  /** Where questions go. */
  readonly contact: string | null
}

const UNNAMED: MailSender = { seller: null, address: null, taxId: null, contact: null }

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** For the header that mail programs show as a way to end such mails. */
  readonly choicesUrl: string | null
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

/** The same on a page, where an amount stays on its line. */
const shown = (text: string): string => oneLine(text).replaceAll(/(\d) EUR\b/g, "$1\u00a0EUR")

/** The colours of the pages; classes only where something changes. */
const STYLE = new Html(`body{margin:0;padding:0}
@media (prefers-color-scheme:dark){
.canvas{background:#0f1513!important}.card{background:#161e1b!important;border-color:#2a3532!important}
.ink{color:#e8eeec!important}.muted{color:#9aa8a4!important}.line{border-color:#2a3532!important}
.grave{border-color:#f6a3a7!important}.grave a{color:#f6a3a7!important}
.main,.main a{color:#06211b!important}.main{background:#57c9ae!important}.quiet{color:#57c9ae!important}}`)

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const INK = `${FONT};font-size:15px;line-height:24px;color:#16211e;margin:0 0 16px`
const MUTED = `${FONT};font-size:13px;line-height:20px;color:#5d6b67;margin:0 0 8px`

const paragraph = (text: string): Html => html`<p class="ink" style="${INK}">${shown(text)}</p>\n`

const small = (text: string): Html => html`<p class="muted" style="${MUTED}">${shown(text)}</p>\n`

const CELL = `${FONT};padding:12px 0;border-top:1px solid #e2e7e4;vertical-align:top`

const FACT = `${CELL};font-size:15px;line-height:22px;color:#16211e`

const PART = `${FONT};padding:0 0 8px;vertical-align:top;font-size:13px;line-height:20px;color:#5d6b67`

const partRow = ({ what, amount }: MailFact): Html => html`<tr>
<td class="muted" style="${PART};word-break:break-word"${amount === undefined ? html` colspan="2"` : nothing}>${shown(what)}</td>
${amount === undefined ? nothing : html`<td class="muted" style="${PART};white-space:nowrap;text-align:right;padding-left:16px">${shown(amount)}</td>\n`}</tr>
`

/** Stands below a fact, over the whole width, so that it is short on a phone. */
const detailRow = (detail: string | undefined): Html =>
  detail === undefined
    ? nothing
    : html`<tr>
<td class="muted" colspan="2" style="${PART};padding-bottom:12px;word-break:break-word">${shown(detail)}</td>
</tr>
`

/** A fact without an amount is a sentence over the whole width. */
const factRow = ({ what, detail, amount, kind }: MailFact): Html => {
  const style = detail === undefined ? FACT : `${FACT};padding-bottom:2px`
  const isPlain = detail === undefined && amount === undefined
  const sum = amount === undefined ? "" : shown(amount)
  return html`<tr>
<td class="ink line" style="${style};word-break:break-word"${amount === undefined ? html` colspan="2"` : nothing}>${isPlain ? shown(what) : html`<strong>${shown(what)}</strong>`}</td>
${
  amount === undefined
    ? nothing
    : html`<td class="ink line" style="${style};white-space:nowrap;text-align:right;padding-left:16px">${kind === "total" ? html`<strong>${sum}</strong>` : sum}</td>\n`
}</tr>
${detailRow(detail)}`
}

const row = (fact: MailFact): Html => (fact.kind === "part" ? partRow(fact) : factRow(fact))

const factTable = (facts: ReadonlyArray<MailFact>): Html =>
  facts.length === 0
    ? nothing
    : html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px">
${facts.map(row)}</table>
`

const CHOICES = "Choose which mails you get under Settings, Mails"

const linkOf = ({ label, url }: MailLink): Html =>
  html`<p class="ink" style="${INK}"><a class="quiet" href="${url}" style="color:#0b6654">${shown(label)}</a></p>
`

const choicesOf = (url: string | undefined): Html =>
  url === undefined
    ? nothing
    : html`<p class="muted" style="${MUTED}"><a class="quiet" href="${url}" style="color:#0b6654">${CHOICES}</a></p>
`

const linkLines = ({ label, url }: MailLink): string => `${shown(label)}:\n${url}`

const buttonOf = ({
  label,
  url
}: MailLink): Html => html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 8px"><tr>
<td class="main" style="background:#0b6654;border-radius:8px"><a href="${url}" style="${FONT};display:inline-block;padding:12px 20px;font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${label}</a></td>
</tr></table>
<p class="muted" style="${MUTED};margin-bottom:20px;overflow-wrap:anywhere">Or open this address:<br><a class="quiet" href="${url}" style="color:#0b6654">${url}</a></p>
`

const graveOf = ({ says, label, url }: MailLink & { readonly says: string }): Html =>
  html`${paragraph(says)}<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr>
<td class="grave" style="border:1px solid #a1232b;border-radius:8px"><a href="${url}" style="${FONT};display:inline-block;padding:12px 20px;font-size:15px;line-height:20px;font-weight:600;color:#a1232b;text-decoration:none">${label}</a></td>
</tr></table>
`

const CODE = `${FONT};font-size:22px;line-height:28px;font-weight:650;letter-spacing:2px;color:#16211e;margin:0 0 20px`

const codeOf = ({ says, code }: { readonly says: string; readonly code: string }): Html =>
  html`${paragraph(says)}<p class="ink" style="${CODE}">${code}</p>\n`

const factLines = ({ what, detail, amount }: MailFact): string =>
  [
    `- ${oneLine(amount === undefined ? what : `${what}: ${amount}`)}`,
    ...(detail === undefined ? [] : [`  ${oneLine(detail)}`])
  ].join("\n")

/** The pages' mark, `adapters/html/mark.svg`, as a picture that a mail carries with it: mail programs show no SVG. */
export const MARK = { path: new URL("./mark.png", import.meta.url), cid: "mark", filename: "mark.png" } as const

/** The lines of the foot: the service, who sells by it, and where questions go. */
const footOf = (serviceName: string, { seller, address, taxId, contact }: MailSender): ReadonlyArray<string> => {
  const where = address === null ? null : address.trim().replaceAll(/\s*\n\s*/g, ", ")
  const by = [seller, where].filter((one) => one !== null && one !== serviceName)
  return [
    serviceName,
    ...(by.length === 0 ? [] : [by.join(", ")]),
    ...(taxId === null ? [] : [taxId]),
    ...(contact === null ? [] : [`Questions? ${contact}`])
  ]
}

export const framed = (content: MailContent, serviceName: string, sender = UNNAMED): MailText => {
  const { headline, before = [], facts = [], between = [], button, grave, code, links = [], why, choicesUrl } = content
  const after = [...(content.after ?? []), why]
  const foot = footOf(serviceName, sender).map(oneLine)
  const subject = oneLine(content.subject)
  const plain = [
    ...[headline, ...before].map(oneLine),
    ...(facts.length === 0 ? [] : [facts.map(factLines).join("\n")]),
    ...between.map(oneLine),
    ...(button === undefined ? [] : [linkLines(button)]),
    ...(grave === undefined ? [] : [oneLine(grave.says), linkLines(grave)]),
    ...(code === undefined ? [] : [`${oneLine(code.says)}\n${code.code}`]),
    ...links.map(linkLines),
    ...after.map(oneLine),
    ...(choicesUrl === undefined ? [] : [linkLines({ label: CHOICES, url: choicesUrl })]),
    `-- \n${foot.join("\n")}`
  ]
  return {
    subject,
    choicesUrl: choicesUrl ?? null,
    text: `${plain.join("\n\n")}\n`,
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${subject}</title><style>${STYLE}</style></head>
<body class="canvas" style="background:#f5f7f6">
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f7f6"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 0 16px"><table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td width="28" height="28"><img src="cid:${MARK.cid}" width="28" height="28" alt="" style="display:block;border:0"></td>
<td class="ink" style="${FONT};padding-left:10px;font-size:15px;font-weight:600;color:#16211e">${oneLine(serviceName)}</td>
</tr></table></td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #e2e7e4;border-radius:10px;padding:24px">
<h1 class="ink" style="${FONT};font-size:22px;line-height:28px;font-weight:650;color:#16211e;margin:0 0 16px">${shown(headline)}</h1>
${before.map(paragraph)}${factTable(facts)}${between.map(paragraph)}${button === undefined ? nothing : buttonOf(button)}${grave === undefined ? nothing : graveOf(grave)}${code === undefined ? nothing : codeOf(code)}${links.map(linkOf)}${after.map(small)}${choicesOf(choicesUrl)}</td></tr>
<tr><td style="padding:16px 24px 0">${foot.map(small)}</td></tr>
</table></td></tr></table>
</body></html>
`.text
  }
}
