// The member area in a real browser: every page is accessible, valid and no wider than its screen, in light and dark, and hostile texts of
// an account stay text, even where a template forgot to escape them.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { expect } from "vitest"
import { DEMO_OWNER, demoKeys } from "#adapters/demo/Demo.ts"
import { mailPictures } from "#test/adapters/mail/MailPictures.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser, isLeftOut } from "./Browser.ts"
import { LEGAL } from "./FrontExamples.ts"
import { prepareUse } from "./GalleryAccounts.ts"
import { scenes } from "./GalleryScenes.ts"
import { checkAll, HOSTILE } from "./PageChecks.ts"
import { pageExamples, type Visited } from "./PageExamples.ts"
import { openAccount, signIn } from "./Visitors.ts"

const service = RunningService.layer(LEGAL)

/** Pages behind forms that the examples have, too. */
const LEFT_OUT = /^refused-(?:key|billing|invitation|top-up|sheet)$|^sign-in-refused$|^no-/

it.live.skipIf(isLeftOut)(
  "every page is accessible, valid and no wider than its screen, and no stored text runs",
  () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const opened = yield* browser
      const { visited } = yield* pageExamples
      const faults: Array<string> = []
      for (const { token, pages } of visited)
        faults.push(...(yield* Effect.promise(() => checkAll(opened, url, token, pages))))
      expect(faults).toEqual([])
      const help = yield* Effect.promise(() => opened.newPage())
      yield* Effect.promise(() => help.goto(new URL("/help#approval", url).href))
      const seen = ["#approval", "#limits"].map((topic) => Effect.promise(() => help.locator(topic).isVisible()))
      expect(yield* Effect.all(seen), "an address unfolds its answer alone").toEqual([true, false])
    }).pipe(Effect.scoped, Effect.provide(service)),
  // A hundred pages, each of them examined twice: three quarters of a minute on a quiet machine, several times that beside other tests.
  { timeout: 480_000 }
)

it.live.skipIf(isLeftOut)("every page behind a form is so, too, and a form that was refused has the focus", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const [agent] = demoKeys
    const inUse = yield* signIn(DEMO_OWNER)
    yield* prepareUse(url, inUse, agent?.text ?? "")
    const behindForms = yield* scenes(inUse, agent?.text ?? "", url)
    const found = Map.groupBy(
      behindForms.filter(({ name }) => !LEFT_OUT.test(name)),
      ({ token }) => token
    )
    const beside = [...found].map(([token, shown]) => ({ token, pages: shown.map(({ example }) => example) }))
    const faults: Array<string> = []
    for (const { before } of behindForms) if (before !== undefined) yield* Effect.promise(before)
    for (const { token, pages } of beside)
      faults.push(...(yield* Effect.promise(() => checkAll(opened, url, token, pages))))
    expect(faults).toEqual([])
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ ...LEGAL, DEMO: "on" })))
)

it.live.skipIf(isLeftOut)(
  "every mail is accessible, fits its screen, and shows its headline and its button",
  () =>
    Effect.gen(function* () {
      const opened = yield* browser
      const { MAIL_PICTURES: folder = null } = process.env
      expect(yield* Effect.promise(() => mailPictures(opened, folder))).toEqual([])
    }).pipe(Effect.scoped),
  // Some seconds on a quiet machine.
  { timeout: 240_000 }
)

/** Pages in which nothing is escaped: how many scripts came into each, and which page ran one. */
const unescapedIn = async (opened: Browser, url: string, { token, pages }: Visited) => {
  const context = await opened.newContext()
  if (token !== null) await context.addCookies([{ name: "session", value: token, url }])
  const page = await context.newPage()
  // Undoes the escaping of every template.
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return route.continue()
    const response = await route.fetch()
    const body = (await response.text()).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    return route.fulfill({ response, body: body.replaceAll("&#39;", "'") })
  })
  const found: Array<{ readonly path: string; readonly scripts: number; readonly title: string }> = []
  for (const { path, form, cookie } of pages) {
    if (form !== undefined) continue
    if (cookie !== undefined) await context.addCookies([{ ...cookie, url: new URL(path, url).href }])
    await page.goto(new URL(path, url).href)
    await page.waitForLoadState()
    const scripts = await page.evaluate("[...document.scripts].filter(({ text }) => text.includes('stolen')).length")
    found.push({ path, scripts: Number(scripts), title: await page.title() })
  }
  await context.close()
  return found
}

it.live.skipIf(isLeftOut)("no hostile text of an account runs, even where nothing escapes it", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const { withHostileTexts } = yield* pageExamples
    for (const visited of withHostileTexts) {
      const unescaped = yield* Effect.promise(() => unescapedIn(opened, url, visited))
      expect(unescaped.filter(({ title }) => title === "stolen")).toEqual([])
      // Each page of the area has the account's name at least, so that each had something to run.
      expect(unescaped.filter(({ scripts }) => scripts === 0)).toEqual([])
    }
  }).pipe(Effect.scoped, Effect.provide(service))
)

it.live.skipIf(isLeftOut)("the policy keeps a script from running that came into a page all the same", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const { owner: token } = yield* openAccount
    const title = yield* Effect.promise(async () => {
      const context = await opened.newContext()
      await context.addCookies([{ name: "session", value: token, url }])
      const page = await context.newPage()
      // Adds what a template that forgot to escape would send.
      await page.route("**/account", async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace(
          "</main>",
          `${HOSTILE}<b style="color:red" onclick="1">x</b></main>`
        )
        await route.fulfill({ response, body })
      })
      await page.goto(new URL("/account", url).href)
      await page.waitForLoadState()
      return page.title()
    })
    expect(title).toContain("Overview")
  }).pipe(Effect.scoped, Effect.provide(service))
)
