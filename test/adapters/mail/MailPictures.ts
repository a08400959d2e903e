// Pictures of every sample mail as a browser shows its HTML part, on a phone and in the pane of a mail program, in light and dark; and what is
// wrong with one.
import { readFileSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { MARK } from "#adapters/mail/MailFrame.ts"
import { mailText } from "#adapters/mail/MailTexts.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { brokenWords } from "#test/adapters/web/BrokenWords.ts"
import { sampleMails } from "./SampleMails.ts"

export const SERVICE_NAME = "Willow Links"

const SENDER = {
  seller: "Nordlicht Media GmbH",
  address: "Hafenstrasse 14, 20457 Hamburg, Germany",
  taxId: "VAT id DE136695976",
  contact: "hello@nordlicht.example"
}

/** The HTML part, with its mark in place as mail programs put it there. */
export const shownHtml = (mail: Mail, serviceName: string): string =>
  mailText(mail, serviceName, SENDER).html.replace(
    `cid:${MARK.cid}`,
    `data:image/png;base64,${readFileSync(MARK.path).toString("base64")}`
  )

/** Each width and each set of colours is examined once by axe. */
const SCREENS = [
  { name: "small-light", width: 360, colorScheme: "light", isExamined: true },
  { name: "small-dark", width: 360, colorScheme: "dark", isExamined: false },
  { name: "large-light", width: 700, colorScheme: "light", isExamined: false },
  { name: "large-dark", width: 700, colorScheme: "dark", isExamined: true }
] as const

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const HEIGHT_PX = 740

/** A mail stands inside the page of a mail program, which has the landmarks. */
const RULES = `{ rules: { region: { enabled: false }, "landmark-one-main": { enabled: false } } }`

/** The smallest height of a button that a finger meets. */
const FINGER_PX = 44

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

const buttonFaults = async (page: Page, width: number, button: string | null): Promise<ReadonlyArray<string>> => {
  const found = page.locator("td.main a")
  if ((await found.count()) !== (button === null ? 0 : 1)) return ["has not one button, or one that leads nowhere"]
  if (button === null) return []
  const box = await found.boundingBox()
  const fits = box !== null && box.x >= 0 && box.x + box.width <= width && box.height >= FINGER_PX
  return (await found.isVisible()) && fits ? [] : ["has a button that is hidden, too small or cut off"]
}

const layoutFaults = async (page: Page, width: number, button: string | null): Promise<ReadonlyArray<string>> => {
  const wide = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
  const broken = await brokenWords(page)
  return [
    ...(wide > 0 ? [`is ${wide} px too wide`] : []),
    ...(broken.length > 0 ? [`breaks ${broken.join(" | ")}`] : []),
    ...(await buttonFaults(page, width, button))
  ]
}

const axeFaults = async (page: Page): Promise<ReadonlyArray<string>> => {
  const run = `axe.run(${RULES}).then(({ violations }) => violations)`
  // The script defines itself in the page.
  const found = (await page.evaluate(run)) as ReadonlyArray<Violation>
  return found.map(({ id, nodes }) => `axe ${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}

/** The headline is the news, and is read without scrolling. */
const headlineFaults = async (page: Page): Promise<ReadonlyArray<string>> => {
  const found = page.locator("h1")
  const box = (await found.count()) === 1 && (await found.isVisible()) ? await found.boundingBox() : null
  const isRead = box !== null && box.y + box.height <= HEIGHT_PX && (await found.innerText()).trim() !== ""
  return isRead ? [] : ["shows no headline at first sight"]
}

/** The faults of all mails: each width and each set of colours is looked at once, or each in all, where a folder keeps the pictures. */
export const mailPictures = async (opened: Browser, folder: string | null) => {
  if (folder !== null) await mkdir(folder, { recursive: true })
  const faults: Array<string> = []
  const page = await opened.newPage()
  // What defines itself in the page stays while its content is replaced.
  await page.evaluate(axe)
  for (const [name, mail] of Object.entries(sampleMails)) {
    const button = "url" in mail ? mail.url : null
    await page.setContent(shownHtml(mail, SERVICE_NAME))
    for (const { name: screen, width, colorScheme, isExamined } of SCREENS) {
      if (!isExamined && folder === null) continue
      await page.setViewportSize({ width, height: HEIGHT_PX })
      await page.emulateMedia({ colorScheme })
      if (folder !== null)
        await writeFile(join(folder, `mail.${name}.${screen}.png`), await page.screenshot({ fullPage: true }))
      const found = [
        ...(await headlineFaults(page)),
        ...(await layoutFaults(page, width, button)),
        ...(isExamined ? await axeFaults(page) : [])
      ]
      faults.push(...found.map((fault) => `${name} on ${screen} ${fault}`))
    }
  }
  await page.close()
  return faults
}
