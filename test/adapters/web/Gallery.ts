// `npm run gallery -- FOLDER [ROUTES] [SCREENS]`: pictures of every page and mail on phones and large screens, in light and dark, and of orders and
// invoices as they print: for a stranger, an account in use, one with much in it, and one without anything; pages behind forms, too. It follows
// the links of the pages, takes one page of each route, and names the routes that it did not reach. `index.html` shows them side by side.
// ROUTES and SCREENS are patterns, which keep to what they match, such as `approvals small-light`.
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { DEMO_OWNER, demoKeys } from "#adapters/demo/Demo.ts"
import { webRoutes } from "#adapters/web/WebPages.ts"
import { shownHtml } from "#test/adapters/mail/MailPictures.ts"
import { sampleMails } from "#test/adapters/mail/SampleMails.ts"
import { makeBrowser } from "#test/adapters/oauth/Browser.ts"
import { authorizePath, newVerifier, registeredId } from "#test/adapters/oauth/Flow.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser } from "./Browser.ts"
import { prepareCrowd, prepareUse } from "./GalleryAccounts.ts"
import { type Screen, writeIndex } from "./GalleryIndex.ts"
import { type Scene, scenes } from "./GalleryScenes.ts"
import { open } from "./PageChecks.ts"
import { openAccount, signIn } from "./Visitors.ts"

/** The service as an operator has configured it. */
const SELLER = {
  SELLER_NAME: "Nordlicht Media GmbH",
  SELLER_ADDRESS: "Hafenstrasse 14|20457 Hamburg",
  SELLER_COUNTRY: "DE",
  SELLER_VAT_ID: "DE136695976",
  VAT_PERCENT: "19",
  SELLER_TIME_ZONE: "Europe/Berlin",
  SUPPORT_CONTACT: "hello@nordlicht.example",
  TERMS_FILE: fileURLToPath(new URL("legal/terms.md", import.meta.url)),
  PRIVACY_FILE: fileURLToPath(new URL("legal/privacy.md", import.meta.url))
}

const SCREENS: ReadonlyArray<Screen> = [
  { name: "small-light", viewport: { width: 360, height: 740 }, colorScheme: "light" },
  { name: "small-dark", viewport: { width: 360, height: 740 }, colorScheme: "dark" },
  { name: "large-light", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { name: "large-dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  { name: "smallest", viewport: { width: 320, height: 640 }, colorScheme: "light" },
  { name: "largest", viewport: { width: 1600, height: 900 }, colorScheme: "light" }
]

/** A page of paper without its margins. */
const PRINT: Screen = { name: "print", viewport: { width: 718, height: 1000 }, colorScheme: "light", media: "print" }

/** What people print. */
const PRINTED = /^\/account\/(?:orders|invoices)\/:id$/

const routes = webRoutes.filter(({ method }) => method === "GET").map(({ path }) => path)

/** The route of a page, or its path where it is not of the member area. */
const routeOf = (path: string): string =>
  routes.find((route) => route === path) ??
  routes.find((route) => new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`).test(path)) ??
  path

const isFile = (path: string): boolean =>
  /\.(?:csv|json|txt|css|svg)$|\/(?:pdf|xml)$|^\/(?:docs|oauth|\.well-known)/.test(path)

const linksOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  // The script returns texts.
  const found = (await page.evaluate(
    "[...document.querySelectorAll('a[href]')].filter(({ origin }) => origin === location.origin).map(({ pathname, search }) => pathname + search)"
  )) as ReadonlyArray<string>
  return found.filter((path) => !isFile(path.split("?")[0] ?? ""))
}

const fileOf = (route: string): string => route.replaceAll(/[^a-z0-9]+/gi, "-").replaceAll(/^-|-$/g, "") || "start"

interface Seen {
  readonly state: string
  /** One address for each route. */
  readonly pages: ReadonlyMap<string, string>
}

/** One page of each route that links lead to. */
const crawl = async (context: BrowserContext, url: string, starts: ReadonlyArray<string>) => {
  const page = await context.newPage()
  const pages = new Map<string, string>()
  const waiting = [...starts]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const route = routeOf(path.split("?")[0] ?? "")
    if (pages.has(route)) continue
    await page.goto(new URL(path, url).href)
    // A visitor without a session is led to one page from all of them.
    if (routeOf(new URL(page.url()).pathname) !== route) continue
    pages.set(route, path)
    waiting.push(...(await linksOf(page)))
  }
  await page.close()
  return pages
}

interface Wanted {
  readonly folder: string
  readonly routes: RegExp
  readonly screens: RegExp
}

/** The page as it is open, on each screen that is wanted. */
const shoot = async (page: Page, name: string, screens: ReadonlyArray<Screen>, wanted: Wanted) => {
  for (const { name: screen, viewport, colorScheme, media = "screen" } of screens) {
    if (!wanted.screens.test(screen)) continue
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, media })
    await writeFile(join(wanted.folder, `${name}.${screen}.png`), await page.screenshot({ fullPage: true }))
  }
}

const shootPages = async (context: BrowserContext, url: string, { state, pages }: Seen, wanted: Wanted) => {
  const page = await context.newPage()
  for (const [route, path] of pages) {
    if (!wanted.routes.test(route)) continue
    await page.emulateMedia({ media: "screen" })
    await page.goto(new URL(path, url).href)
    await shoot(page, `${state}.${fileOf(route)}`, PRINTED.test(route) ? [...SCREENS, PRINT] : SCREENS, wanted)
  }
  await page.close()
}

const shootScenes = async (opened: Browser, url: string, scenes: ReadonlyArray<Scene>, wanted: Wanted) => {
  for (const { name, token, example, before } of scenes) {
    if (!wanted.routes.test(name)) continue
    const context = await opened.newContext()
    if (token !== null) await context.addCookies([{ name: "session", value: token, url }])
    const page = await context.newPage()
    await before?.()
    const response = await open(page, new URL(example.path, url).href, example)
    const { status = 200 } = example
    if (response?.status() !== status) console.log(`${name} answers ${response?.status()}, and not ${status}`)
    await shoot(page, `form.${name}`, SCREENS, wanted)
    await context.close()
  }
}

const shootMails = async (opened: Browser, wanted: Wanted) => {
  const page = await opened.newPage()
  for (const [name, mail] of Object.entries(sampleMails)) {
    if (!wanted.routes.test(`mail-${name}`)) continue
    await page.setContent(shownHtml(mail, "Backlink Ordering Service"))
    await shoot(page, `mail.${name}`, SCREENS.slice(0, 4), wanted)
  }
  await page.close()
}

/** The page on which an assistant asks to be connected, and the cookie of the browser that asked. */
const consentOf = Effect.fnUntraced(function* (token: string) {
  const client = yield* makeBrowser(token)
  const clientId = yield* registeredId({ client_name: "Gardener Desktop" })
  const params = { scope: "read order" }
  const { location } = yield* client.get(authorizePath({ clientId, verifier: newVerifier(), params }))
  const { pathname: path } = new URL(location, "http://shop.example")
  const [, value = ""] = client.cookies.get(`consent ${path}`)?.text.split("=") ?? []
  return { path, cookie: { name: "consent", value } }
})

const gallery = (wanted: Wanted) =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const inUse = yield* signIn(DEMO_OWNER)
    const [agent] = demoKeys
    const { payment } = yield* prepareUse(url, inUse, agent?.text ?? "")
    const crowded = yield* prepareCrowd(url)
    const { owner: empty } = yield* openAccount
    const consent = yield* consentOf(inUse)
    const behindForms = yield* scenes(inUse, agent?.text ?? "", url)
    const states = [
      {
        state: "stranger",
        token: null,
        starts: ["/", "/sites?query=zzz", "/account/sign-in", "/account/invitation", "/account/closed", payment]
      },
      { state: "usual", token: inUse, starts: ["/account", consent.path] },
      { state: "crowded", token: crowded, starts: ["/account"] },
      { state: "empty", token: empty, starts: ["/account"] }
    ]
    yield* Effect.promise(async () => {
      await mkdir(wanted.folder, { recursive: true })
      const reached = new Set<string>()
      for (const { state, token, starts } of states) {
        const context = await opened.newContext()
        if (token !== null)
          await context.addCookies([
            { name: "session", value: token, url },
            { ...consent.cookie, url: new URL(consent.path, url).href }
          ])
        const pages = await crawl(context, url, starts)
        for (const route of pages.keys()) reached.add(route)
        await shootPages(context, url, { state, pages }, wanted)
        await context.close()
      }
      await shootScenes(opened, url, behindForms, wanted)
      await shootMails(opened, wanted)
      await writeIndex(wanted.folder)
      const missed = routes.filter((route) => !reached.has(route) && !isFile(route))
      console.log(`${reached.size} pages in ${wanted.folder}. Not reached: ${missed.join(", ")}`)
    })
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ DEMO: "on", ...SELLER })))

const [folder, pattern = "", screens = ""] = process.argv.slice(2)
if (folder === undefined) {
  console.error("Name the folder of the pictures.")
  process.exitCode = 1
} else await Effect.runPromise(gallery({ folder, routes: new RegExp(pattern), screens: new RegExp(screens) }))
