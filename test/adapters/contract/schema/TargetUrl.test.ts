// A target's host is below a public suffix, not one itself; the name that somebody registered is found by the list.
import { describe, expect, it } from "vitest"
import { registrableDomain, targetUrlFault } from "#adapters/contract/schema/TargetUrl.ts"

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

describe("the registrable domain of a host", () => {
  it.each([
    ["a.b.brand.example", "brand.example"],
    ["www.brand.co.uk", "brand.co.uk"],
    ["blog.someone.github.io", "someone.github.io"],
    ["github.io", "github.io"],
    ["shop.xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["city.kawasaki.jp", "city.kawasaki.jp"]
  ])("of %s is %s", (host, domain) => {
    expect(registrableDomain(host)).toBe(domain)
  })
})
