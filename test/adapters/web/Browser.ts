// Debian's Chromium, or another one whose path `CHROMIUM` names. Tests are left out where there is none, except in CI.
import { access } from "node:fs/promises"
import { Effect } from "effect"
import { type Browser, chromium, type Page } from "playwright-core"

const { CHROMIUM: executablePath = "/usr/bin/chromium", CI } = process.env

const MISSING = `There is no browser at ${executablePath}: apt-get install chromium, or name one by CHROMIUM.`

const isInstalled = await access(executablePath).then(
  () => true,
  () => false
)

/** CI never leaves browsers out: without one the launch fails there. */
export const isLeftOut = !isInstalled && CI === undefined

if (isLeftOut) console.warn(`Left out: pages in a browser. ${MISSING}`)

/** `args`: of the browser itself, beside the usual ones. */
export const launch = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise((): Promise<Browser> => {
      if (!isInstalled) throw new Error(MISSING)
      // Root may not use the sandbox; the pages are the service's own.
      return chromium.launch({ executablePath, args: ["--no-sandbox", ...args] })
    }),
    (opened) => Effect.promise(() => opened.close())
  )

export const browser = launch()

/** On a small screen, a button of the header opens the navigation. */
const openNavigation = async (page: Page) => {
  const menu = page.getByRole("button", { name: "Menu" })
  if (await menu.isVisible()) await menu.click()
}

/** On a small screen, the filters of a list are folded until one is set. */
const openFilters = async (page: Page) => {
  const fold = page.locator("details.fold:not([open]) > summary")
  if (await fold.isVisible()) await fold.click()
}

/** Follows an entry of the navigation, and opens the filters of the list there. */
export const goTo = async (page: Page, name: string) => {
  await openNavigation(page)
  await page.getByLabel("Member area").getByRole("link", { name, exact: true }).click()
  await openFilters(page)
}

export const signOut = async (page: Page) => {
  await openNavigation(page)
  await page.getByRole("button", { name: "Sign out" }).click()
}
