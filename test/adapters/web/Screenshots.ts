// `node test/adapters/web/Screenshots.ts FOLDER`: pictures of the start page and the member area with demo data, for the READMEs.
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { DEMO_OWNER, demoKeys } from "#adapters/demo/Demo.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser } from "./Browser.ts"
import { prepareUse } from "./GalleryAccounts.ts"
import { signIn } from "./Visitors.ts"

/** Large ones at half their size, so that the files are small. */
const SCREENS = {
  small: { viewport: { width: 360, height: 640 }, deviceScaleFactor: 1 },
  large: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5 }
} as const

/** The file, its page, how it is shown, and the link that leads on to what is shown. */
const PICTURES: ReadonlyArray<
  readonly [file: string, path: string, screen: keyof typeof SCREENS, scheme: "light" | "dark", follow?: string]
> = [
  ["start.png", "/", "large", "light"],
  ["overview.png", "/account", "large", "dark"],
  ["overview-small.png", "/account", "small", "light"],
  ["orders.png", "/account/orders", "large", "light"],
  ["shop.png", "/account/shop", "large", "light"],
  ["cart-small.png", "/account/shop/cart", "small", "dark"],
  ["credit.png", "/account/credit", "large", "dark"],
  ["approval.png", "/account/approvals", "large", "light", "Review"]
]

const take = (folder: string) =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const token = yield* signIn(DEMO_OWNER)
    const [agent] = demoKeys
    yield* prepareUse(url, token, agent?.text ?? "")
    const { account } = yield* (yield* MemberSessions).authenticate(token)
    const credit = { accountId: account.accountId, cents: 12_500, reference: "a top-up" }
    yield* (yield* ManageAccounts).topUp(credit, "operator")
    yield* Effect.promise(async () => {
      await mkdir(folder, { recursive: true })
      for (const [file, path, screen, colorScheme, follow] of PICTURES) {
        const context = await opened.newContext({ ...SCREENS[screen], colorScheme })
        await context.addCookies([{ name: "session", value: token, url }])
        const page = await context.newPage()
        await page.goto(new URL(path, url).href)
        if (follow !== undefined) await page.getByRole("link", { name: follow }).first().click()
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
