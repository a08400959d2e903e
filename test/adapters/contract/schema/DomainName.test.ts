// Domain names as they are read from requests.
import { describe, expect, it } from "vitest"
import { hostOf } from "#adapters/contract/schema/DomainName.ts"

describe("hostOf", () => {
  it.each([
    ["shop.com", "shop.com"],
    ["SHOP.com", "shop.com"],
    ["shop.com.", "shop.com"],
    ["café.com", "xn--caf-dma.com"],
    ["my_shop.shop-2.com", "my_shop.shop-2.com"]
  ])("reads %s as %s, as it stands in the host of a target", (name, host) => {
    expect(hostOf(name)).toBe(host)
  })

  it.each(["", ".", "..", "a..b", "*.shop.com", "shop.com,other.com", "shop.com..", "https://shop.com", "a b.com"])(
    "refuses %j, which no target has as its host",
    (name) => {
      expect(hostOf(name)).toBeUndefined()
    }
  )
})
