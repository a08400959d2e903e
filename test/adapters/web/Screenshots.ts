// `node test/adapters/web/Screenshots.ts FOLDER`: pictures of the member area with demo data, for the README of the room.
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { demoKeys } from "#adapters/demo/Demo.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser } from "./Browser.ts"
import { signIn, visit } from "./Visitors.ts"

const OWNER = "owner@willow-and-spade.example"

/** Large ones at half their size, so that the files are small. */
const SCREENS = {
  small: { viewport: { width: 360, height: 640 }, deviceScaleFactor: 1 },
  large: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5 }
} as const

const item = (siteId: number, page: string, anchor: string) => ({
  site_id: siteId,
  target_url: `https://willow-and-spade.example/${page}`,
  anchor_text: anchor,
  anchor_type: "partial"
})

/** What an agent and a member have done before the pictures. */
const prepare = Effect.fnUntraced(function* (url: string, token: string) {
  const [agent] = demoKeys
  const order = (items: ReadonlyArray<unknown>) =>
    Effect.promise(() =>
      fetch(new URL("/api/v1/agent/orders", url), {
        method: "POST",
        headers: { authorization: `Bearer ${agent?.text}`, "content-type": "application/json" },
        body: JSON.stringify({ items })
      }).then((response) => response.json())
    )
  yield* order([item(1, "spades", "spades that last"), item(2, "willow", "willow baskets")])
  const placed = yield* order([item(3, "", "garden tools")])
  const cart = { id: "one", anchor_type: "partial", tier2_links: "0", site_id: "2" }
  const form = { ...cart, target_url: "https://willow-and-spade.example/sale", anchor_text: "the autumn sale" }
  yield* visit({ method: "POST", path: "/account/shop/cart", token, form })
  return placed
})

/** The file, its page, and how it is shown. */
const PICTURES = [
  ["overview.png", "/account", "large", "dark"],
  ["overview-small.png", "/account", "small", "light"],
  ["orders.png", "/account/orders", "large", "light"],
  ["shop.png", "/account/shop", "large", "light"],
  ["cart-small.png", "/account/shop/cart", "small", "dark"],
  ["credit.png", "/account/credit", "large", "dark"]
] as const

const take = (folder: string) =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const token = yield* signIn(OWNER)
    yield* prepare(url, token)
    yield* Effect.promise(async () => {
      await mkdir(folder, { recursive: true })
      for (const [file, path, screen, colorScheme] of PICTURES) {
        const context = await opened.newContext({ ...SCREENS[screen], colorScheme })
        await context.addCookies([{ name: "session", value: token, url }])
        const page = await context.newPage()
        await page.goto(new URL(path, url).href)
        await writeFile(join(folder, file), await page.screenshot())
        await context.close()
      }
    })
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ DEMO: "on" })))

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error("Name the folder of the pictures.")
  process.exitCode = 1
} else await Effect.runPromise(take(folder))
