// The rules on Markdown, on small pages.
import { describe, expect, it } from "vitest"
import { longestPage, type Named, readmeRule } from "./ReadmeRule.ts"

const named: Named = {
  files: ["adapters/http/server/RestRoutes.ts", "test/programs/kills/main.ts"],
  exists: (path) => ["adapters/web/pictures/orders.png", "LICENSE"].includes(path),
  scripts: new Set(["bench"])
}

const messages = (page: string, text: string) => readmeRule(page, text, named).map(({ message }) => message)

describe("a page", () => {
  it.each([
    ["adapters/web/README.md", "![Orders](pictures/orders.png)"],
    ["adapters/web/README.md", "[MIT](../../LICENSE#top), [Stripe](https://stripe.com/docs), [below](#retention)"],
    ["adapters/http/README.md", "`RestRoutes.ts` and `server/RestRoutes.ts`"],
    ["README.md", "`adapters/http/server/RestRoutes.ts`, `programs/kills/main.ts`"],
    ["README.md", "`npm run --silent bench -- --headless`, `npm run -s bench`"]
  ])("%s may say %s", (page, text) => {
    expect(messages(page, text)).toEqual([])
  })

  it.each([
    ["README.md", "[Orders](pictures/orders.png)", "links to pictures/orders.png, which does not exist"],
    ["adapters/http/README.md", "`Routes.ts`", "names Routes.ts, which does not exist"],
    ["README.md", "`server/Routes.ts`", "names server/Routes.ts, which does not exist"],
    ["README.md", "`npm run -s dance`", "runs dance, which is no script of package.json"]
  ])("%s may not say %s", (page, text, message) => {
    expect(messages(page, text)).toEqual([message])
  })

  it("has a cap on lines, where no reason is given", () => {
    const long = "a line\n".repeat(longestPage + 1)
    expect(messages("README.md", long)).toEqual([`has ${longestPage + 1} lines; the cap is ${longestPage}`])
    expect(messages("README.md", "a line\n".repeat(longestPage))).toEqual([])
    expect(messages("test/scenarios/README.md", long)).toEqual([])
  })
})
