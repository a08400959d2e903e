// The order in which test files start, and that each file of the list is there.
import { existsSync } from "node:fs"
import { expect, it } from "vitest"
import { LONG_FILES, longFilesFirst } from "./LongFilesFirst.ts"

const [longest = "", second = ""] = LONG_FILES

it("starts the long files first, in the order of the list, and the others as they were", () => {
  const files = ["/a/test/B.test.ts", `/a/${second}`, "/a/test/A.test.ts", `/a/${longest}`]
  expect(longFilesFirst(files, (file) => file)).toEqual([
    `/a/${longest}`,
    `/a/${second}`,
    "/a/test/B.test.ts",
    "/a/test/A.test.ts"
  ])
})

it.each(LONG_FILES)("lists %s, which is there", (file) => {
  expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true)
})
