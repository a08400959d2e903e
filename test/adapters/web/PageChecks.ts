// Checks of pages in a real browser: accessible, valid, no wider than the screen, no word broken inside, in light and dark, and no script
// but the service's own.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { gzipSync } from "node:zlib"
import { HtmlValidate } from "html-validate/node"
import type { Browser, Page } from "playwright-core"

import { brokenWords } from "./BrokenWords.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Its style rules are the formatter's business, and spaces at the end of a line mean nothing in HTML. */
const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    "no-trailing-whitespace": "off",
    "long-title": "off",
    "void-style": "off",
    "no-inline-style": "error",
    // Checkboxes of one name are a list of what is chosen.
    "form-dup-name": ["error", { shared: ["radio", "checkbox", "button", "reset", "submit"] }]
  }
})

/** Markup that says by the page's title that it ran. */
export const HOSTILE = `<script>document.title = "stolen"</script><img src=x onerror="document.title = 'stolen'">"'`

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

/** A page, or with a form the page that answers it. */
export interface Example {
  readonly path: string
  readonly form?: Readonly<Record<string, string>>
  /** Beside the session's. */
  readonly cookie?: { readonly name: string; readonly value: string }
  /** 200 by default. */
  readonly status?: number
  /** The form is sent from a page of another site. */
  readonly isForeign?: boolean
}

/** Sends the form as a page of the service does, whose policy lets a form go to the service alone. */
const submit = (page: Page, url: string, form: Readonly<Record<string, string>>) =>
  page.evaluate(`{
    const form = Object.assign(document.createElement("form"), { method: "post", action: ${JSON.stringify(url)} })
    for (const [name, value] of ${JSON.stringify(Object.entries(form))})
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }))
    document.body.append(form)
    form.submit()
  }`)

/** Opens the page as a browser shows it, or the one that answers the form. */
export const open = async (page: Page, url: string, { form, cookie, isForeign = false }: Example) => {
  if (cookie !== undefined) await page.context().addCookies([{ ...cookie, url }])
  if (form === undefined) return page.goto(url)
  await page.goto(isForeign ? "about:blank" : new URL("/account/sign-in", url).href)
  const [answer] = await Promise.all([page.waitForNavigation(), submit(page, url, form)])
  return answer
}

/** Faults of the markup, which is the same on every screen. */
const invalidIn = async (source: string): Promise<ReadonlyArray<string>> => {
  const { results } = await validator.validateString(source)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${ruleId} ${line}: ${message}`))
}

const SCREENS = [
  { width: 320, height: 740, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" }
] as const

/** Every rule, without the selectors and the details of what is right, which take axe longer than its rules. */
const AXE = `axe.run(document, { resultTypes: ["violations"], selectors: false }).then(({ violations }) => violations)`

/** Faults of the page as each screen shows it. */
const faultsOnScreens = async (page: Page): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const { width, height, colorScheme } of SCREENS) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const wide = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    if (wide > 0) faults.push(`${wide} px too wide at ${width} px`)
    const broken = await brokenWords(page)
    if (broken.length > 0) faults.push(`broken at ${width} px: ${broken.join(" | ")}`)
    // axe defines itself in the page.
    const violations = (await page.evaluate(AXE)) as ReadonlyArray<Violation>
    for (const { id, nodes } of violations)
      faults.push(`axe ${id} at ${width} px, ${colorScheme}: ${nodes.map(({ html }) => html).join(" ")}`)
  }
  return faults
}

/** Where the focus is, and where each link of the summary of errors leads it; no script of the page has a part in it. */
const focusFaults = async (page: Page): Promise<ReadonlyArray<string>> => {
  const summary = page.locator("main > [autofocus]:not(input)")
  if ((await summary.count()) === 0) return []
  const isFocused = await page.evaluate("document.activeElement.matches('main > [role=alert]')")
  const faults = isFocused ? [] : ["the summary of errors has no focus"]
  for (const link of await summary.getByRole("link").all()) {
    const target = (await link.getAttribute("href"))?.slice(1)
    await link.click()
    const focused = await page.evaluate("document.activeElement.id")
    if (focused !== target) faults.push(`#${target} does not take the focus, but ${focused}`)
  }
  return faults
}

/** What people print, and how wide their paper is, in px. */
const PRINTED = /\/account\/(?:orders\/ord|invoices\/inv)_\w+$/
const PAPER_PX = 718

/** What paper shows of each time: a day with its year, in place of "today". */
const PRINTED_TIMES = `[...document.querySelectorAll("main time")].map((time) =>
  time.dataset.paper === undefined ? time.textContent : getComputedStyle(time, "::after").content)`

/** On paper nothing can be pressed, and each time has its whole day, because it is read on another. */
const faultsOnPaper = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (!PRINTED.test(page.url())) return []
  await page.setViewportSize({ width: PAPER_PX, height: 1_000 })
  await page.emulateMedia({ media: "print", colorScheme: "light" })
  const pressable = await page.locator("nav, form, button, .btn").filter({ visible: true }).count()
  const wide = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
  // The script returns texts.
  const times = (await page.evaluate(PRINTED_TIMES)) as ReadonlyArray<string>
  const undated = times.filter((text) => !/\b\d{4}\b/.test(text))
  await page.emulateMedia({ media: "screen" })
  return [
    ...(pressable > 0 ? [`prints ${pressable} buttons`] : []),
    ...(wide > 0 ? [`${wide} px too wide on paper`] : []),
    ...(undated.length === 0 ? [] : [`prints without their day: ${undated.join(", ")}`])
  ]
}

const WEIGHT = 60 * 1_024

const gzipped = (path: string): number =>
  gzipSync(readFileSync(new URL(`../../../adapters/html/${path}`, import.meta.url))).length

const files = gzipped("style.css") + gzipped("mark.svg")

/** What a first visit loads, compressed. */
const heavy = (source: string): ReadonlyArray<string> => {
  const bytes = gzipSync(source).length + files
  return bytes > WEIGHT ? [`weighs ${bytes} bytes with its style sheet`] : []
}

const check = async (page: Page, url: string, example: Example): Promise<ReadonlyArray<string>> => {
  const response = await open(page, url, example)
  const status = response?.status() === (example.status ?? 200) ? [] : [`status ${response?.status()}`]
  const source = (await response?.text()) ?? ""
  const invalid = [...heavy(source), ...(await invalidIn(source))]
  const shown = [...(await faultsOnScreens(page)), ...(await faultsOnPaper(page)), ...(await focusFaults(page))]
  return [...status, ...invalid, ...shown].map((fault) => `${url} ${fault}`)
}

/** The faults of these pages on a small light and a large dark screen, each with its address. */
export const checkAll = async (opened: Browser, url: string, token: string | null, pages: ReadonlyArray<Example>) => {
  const faults: Array<string> = []
  const context = await opened.newContext()
  // The script comes from the debugger, which the page's policy does not bind.
  await context.addInitScript(axe)
  if (token !== null) await context.addCookies([{ name: "session", value: token, url }])
  const page = await context.newPage()
  let examined = ""
  page.on("console", (message) => {
    // The browser says itself that a page was answered with an error, which the example asks for.
    const isStatus = message.text().startsWith("Failed to load resource: the server responded with a status of 4")
    const isFault = ["error", "warning"].includes(message.type()) && !(isStatus && message.location().url === examined)
    if (isFault) faults.push(`${examined}: ${message.location().url} ${message.text()}`)
  })
  page.on("pageerror", (error) => faults.push(`${page.url()} ${error}`))
  for (const example of pages) {
    examined = new URL(example.path, url).href
    faults.push(...(await check(page, examined, example)))
    if ((await page.title()) === "stolen") faults.push(`${example.path} runs a stored script`)
  }
  await context.close()
  return faults
}
