// Hosts of targets as people are shown them.
import { describe, expect, it } from "vitest"
import { shownHost } from "#core/domain/ordering/TargetPolicy.ts"

describe("a host as people are shown it", () => {
  it.each([
    ["https://Shop.example:8443/a?b", "shop.example"],
    ["https://аррӏе.com/pay", "аррӏе.com (xn--80ak6aa92e.com)"],
    ["https://аррӏе.com:444/pay", "аррӏе.com (xn--80ak6aa92e.com)"]
  ])("of %s is %s", (url, shown) => expect(shownHost(url)).toBe(shown))
})
