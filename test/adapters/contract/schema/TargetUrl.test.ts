// A target's host is below a public suffix, not one itself.
import { describe, expect, it } from "vitest"
import { targetUrlFault } from "#adapters/contract/schema/TargetUrl.ts"

describe("a target", () => {
  it.each(["co.uk", "CO.UK", "com.au", "kawasaki.jp", "x.ck"])(
    "is not %s, under which anybody registers names",
    (host) => {
      const fault = targetUrlFault(`https://${host}/`)
      expect(fault).toMatch(/^Must name a (host below a public suffix|public host); /)
    }
  )

  it.each([
    "a.co.uk",
    "github.io",
    "someone.github.io",
    "brand.example",
    "www.ck",
    "city.kawasaki.jp",
    "bücher.example"
  ])("may be %s", (host) => {
    expect(targetUrlFault(`https://${host}/`)).toBeUndefined()
  })
})
