// Debian's Chromium, or another one whose path `CHROMIUM` names. Tests are left out where there is none, except in CI.
import { access } from "node:fs/promises"
import { Effect } from "effect"
import { type Browser, chromium } from "playwright-core"

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
