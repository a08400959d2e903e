// When two targets are one, and two anchor texts.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { shownHost, shownTarget, withPlainHost } from "#core/domain/ordering/TargetPolicy.ts"
import { comparedItem, readWords, requestedUrl } from "#core/domain/pricing/SameItems.ts"
import { item } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const url = fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ["http", "https"] })

describe("the URL that is requested", () => {
  property("is the same for any fragment, and itself is left alone", [url, fc.webFragments()], (one, fragment) => {
    const [page = ""] = one.split("#")
    expect(requestedUrl(`${page}#${fragment}`)).toBe(requestedUrl(page))
    expect(requestedUrl(requestedUrl(one))).toBe(requestedUrl(one))
    expect(requestedUrl(one)).not.toContain("#")
  })

  property(
    "is the same whichever forms the letters of its host have",
    [url, fc.integer({ min: 0, max: 3 })],
    (one, form) => {
      const { host } = new URL(one)
      const offsets = [0xfee0, 0x1d400 - 0x61 + 0x1a, 0x24d0 - 0x61, 0]
      const other = host.replaceAll(/[a-z]/g, (letter) =>
        String.fromCodePoint(letter.charCodeAt(0) + (offsets[form] ?? 0))
      )
      const spelled = one.replace(`//${host}`, `//${other}`)
      expect(requestedUrl(spelled)).toBe(requestedUrl(one))
      expect(requestedUrl(withPlainHost(spelled))).toBe(requestedUrl(one))
      expect(withPlainHost(withPlainHost(spelled))).toBe(withPlainHost(spelled))
    }
  )
})

describe("the words that are read", () => {
  const words = fc.array(fc.stringMatching(/^[a-zéß한!]{1,8}$/u), { minLength: 1, maxLength: 5 })
  const blanks = fc.stringMatching(/^[ \u00a0\u2003\u3000]{1,3}$/u)
  property("are the same with any blanks and marks", [words, blanks], (words, blank) => {
    expect(readWords(blank + words.join(blank).normalize("NFD") + blank)).toBe(words.join(" "))
  })
})

property("what is compared of an item is the same without its brief and its reference", [fc.string()], (text) => {
  expect(comparedItem(item({ brief: text, reference: text }))).toEqual(comparedItem(item()))
})

describe("a target that people are shown", () => {
  it.each([
    ["https://brand.example/ü", "https://brand.example/ü"],
    ["https://аррӏе.com/pay", "https://аррӏе.com/pay (xn--80ak6aa92e.com)"],
    ["https://müller.example:8080?q", "https://müller.example:8080?q (xn--mller-kva.example)"],
    ["https://bbc.co.uk%2E%65vil.com/", "https://bbc.co.uk%2E%65vil.com/ (bbc.co.uk.evil.com)"],
    ["https://xn--mller-kva.example/", "https://xn--mller-kva.example/"]
  ])("%s is %s", (url, shown) => {
    expect(shownTarget(url)).toBe(shown)
  })
})

describe("a host as people are shown it", () => {
  it.each([
    ["https://Shop.example:8443/a?b", "shop.example"],
    ["https://аррӏе.com/pay", "аррӏе.com (xn--80ak6aa92e.com)"],
    ["https://аррӏе.com:444/pay", "аррӏе.com (xn--80ak6aa92e.com)"]
  ])("of %s is %s", (url, shown) => expect(shownHost(url)).toBe(shown))
})
