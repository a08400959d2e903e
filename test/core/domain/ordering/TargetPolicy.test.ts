// The URL policy: hostile URLs are refused for the right reason, valid ones pass.
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkTargetUrl, checkUrl } from "#core/domain/ordering/TargetPolicy.ts"
import { checkAddress } from "#core/domain/shared/PublicAddress.ts"
import { property } from "#test/Property.ts"
import { hostileUrls } from "../webhooks/HostileUrls.ts"

const strict = { insecure: false }
const insecure = { insecure: true }
const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,20}[a-z0-9_])?$/)
const publicHost = fc
  .tuple(
    fc.array(label, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("com", "org", "example", "museum", "xn--p1ai")
  )
  .map(([labels, tld]) => [...labels, tld].join("."))
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029]/u
const path = fc.webPath().filter((one) => !unseen.test(decodeURIComponent(one)))

describe("checkUrl", () => {
  it("is tested with at least 120 different hostile targets", () => {
    expect(new Set(hostileUrls.map(([url]) => url)).size).toBe(hostileUrls.length)
    expect(hostileUrls.length).toBeGreaterThanOrEqual(120)
  })

  it.each(hostileUrls)("refuses %j as %s", (url, fault) => {
    expect(checkUrl(url, strict)).toEqual(Result.fail(fault))
  })

  it.each([
    ["https://example.com", { href: "https://example.com/", host: "example.com", port: 443 }],
    ["HTTPS://Example.COM/Hook?b=1#f", { href: "https://example.com/Hook?b=1#f", host: "example.com", port: 443 }],
    ["https://example.com:443/x", { href: "https://example.com/x", host: "example.com", port: 443 }],
    ["https://example.com:8443/x", { href: "https://example.com:8443/x", host: "example.com", port: 8443 }],
    [
      "https://hooks.shop.example/a@b",
      { href: "https://hooks.shop.example/a@b", host: "hooks.shop.example", port: 443 }
    ],
    ["https://example.com?u=x@y", { href: "https://example.com/?u=x@y", host: "example.com", port: 443 }],
    ["https://bücher.example/", { href: "https://xn--bcher-kva.example/", host: "xn--bcher-kva.example", port: 443 }],
    ["https://пример.рф/", { href: "https://xn--e1afmkfd.xn--p1ai/", host: "xn--e1afmkfd.xn--p1ai", port: 443 }],
    ["https://my_app.example.com/", { href: "https://my_app.example.com/", host: "my_app.example.com", port: 443 }],
    ["https://1.example.com/", { href: "https://1.example.com/", host: "1.example.com", port: 443 }],
    [
      "https://localhost.example.com/",
      { href: "https://localhost.example.com/", host: "localhost.example.com", port: 443 }
    ],
    ["https://notlocalhost.com/", { href: "https://notlocalhost.com/", host: "notlocalhost.com", port: 443 }],
    ["https://thelocal.com/", { href: "https://thelocal.com/", host: "thelocal.com", port: 443 }],
    ["https://my.xlocal/", { href: "https://my.xlocal/", host: "my.xlocal", port: 443 }]
  ])("allows %s", (url, target) => {
    expect(checkUrl(url, strict)).toEqual(Result.succeed({ protocol: "https", ...target }))
  })

  it.each([
    ["https://93.184.215.14/", "93.184.215.14"],
    ["https://0x5db8d70e/", "93.184.215.14"],
    ["https://[2606:4700::1111]:8443/", "2606:4700::1111"],
    ["https://[2606:4700:0:0:0:0:0:1111]/", "2606:4700::1111"],
    ["https://[::ffff:8.8.8.8]/", "::ffff:808:808"]
  ])("allows %s and returns its address", (url, literalAddress) => {
    const target = Result.getOrThrow(checkUrl(url, strict))
    expect(target).toMatchObject({ host: literalAddress, literalAddress })
  })

  it.each([
    ["http://localhost:3000/hook", { protocol: "http", host: "localhost", port: 3000 }],
    ["http://127.0.0.1/", { protocol: "http", host: "127.0.0.1", port: 80, literalAddress: "127.0.0.1" }],
    ["https://127.0.0.1:9443/", { protocol: "https", host: "127.0.0.1", port: 9443, literalAddress: "127.0.0.1" }],
    ["http://[::1]:8080/", { protocol: "http", host: "::1", port: 8080, literalAddress: "::1" }],
    ["http://receiver:8080/", { protocol: "http", host: "receiver", port: 8080 }],
    ["https://10.1.2.3/", { protocol: "https", host: "10.1.2.3", port: 443, literalAddress: "10.1.2.3" }],
    ["https://printer.local/", { protocol: "https", host: "printer.local", port: 443 }]
  ])("allows %s under the development switch only", (url, target) => {
    expect(checkUrl(url, insecure)).toEqual(Result.succeed({ href: url, ...target }))
    expect(Result.isFailure(checkUrl(url, strict))).toBe(true)
  })

  it.each([
    ["http://user:pw@localhost/", "has_credentials"],
    ["https://@localhost/", "has_credentials"],
    ["ftp://localhost/", "not_https"],
    ["file:///etc/passwd", "not_https"],
    ["https://[::1", "unresolvable"]
  ] as const)("refuses %s even under the development switch", (url, fault) => {
    expect(checkUrl(url, insecure)).toEqual(Result.fail(fault))
  })

  property(
    "allows every public name, with any path",
    [publicHost, path, fc.constantFrom("", ":443", ":8443")],
    (host, path, port) => {
      expect(Result.getOrThrow(checkUrl(`https://${host}${port}${path}`, strict)).host).toBe(host)
    }
  )

  const octal = (value: number) => `0${value.toString(8)}`
  const hex = (value: number) => `0x${value.toString(16)}`
  const form = fc.constantFrom(String, octal, hex)
  property(
    "judges an address in a URL like the address alone, in any notation",
    [fc.ipV4(), fc.tuple(form, form, form, form)],
    (address, forms) => {
      const octets = address.split(".").map(Number)
      const disguised = forms.map((form, index) => form(octets[index] ?? 0)).join(".")
      const whole = octets.reduce((sum, octet) => sum * 256 + octet, 0)
      for (const host of [disguised, String(whole), `[::ffff:${address}]`]) {
        const verdict = Result.map(checkUrl(`https://${host}/`, strict), () => undefined)
        expect(verdict).toEqual(checkAddress(address))
      }
    }
  )

  const part = fc.constantFrom(
    "https://",
    "example.com",
    "127.0.0.1",
    "@",
    ":",
    "/",
    "\\",
    "?",
    "#",
    "%",
    "[",
    "]",
    "::1",
    ".",
    "localhost",
    "\t",
    " ",
    "443"
  )
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(part, { maxLength: 10 }).map((parts) => `https://${parts.join("")}`)
  )
  property("never passes a URL whose host the URL parser reads differently, and never throws", [text], (text) => {
    const verdict = checkUrl(text, strict)
    if (Result.isFailure(verdict)) return
    const url = new URL(verdict.success.href)
    expect(url.protocol).toBe("https:")
    expect(url.hostname.replace(/^\[|\]$/g, "")).toBe(verdict.success.host)
    expect(url.username + url.password).toBe("")
    expect(checkUrl(verdict.success.href, strict)).toEqual(verdict)
  })
})

describe("checkTargetUrl", () => {
  it.each([
    "https://example.com",
    "http://example.com/page",
    "https://WWW.Example.com/A?b=c#d",
    "https://a.www.example.com/",
    "https://shop.example/",
    "https://example.com:8080/",
    "https://bücher.example/ü",
    "https://example.com/%20%C3%BC%FF%0A",
    "https://example.com/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85",
    "https://example.com/❤️"
  ])("allows %s", (url) => {
    expect(checkTargetUrl(url)).toEqual(Result.void)
  })

  it.each([
    ["", "absolute"],
    ["example.com", "absolute"],
    ["/page", "absolute"],
    ["//example.com/", "absolute"],
    ["https:example.com", "absolute"],
    ["https:///example.com", "absolute"],
    ["javascript:alert(1)", "absolute"],
    ["javascript://example.com/%0aalert(1)", "absolute"],
    ["data:text/html,x", "absolute"],
    ["ftp://example.com/", "absolute"],
    ["mailto:a@example.com", "absolute"],
    ["https://example.com/a b", "spaces"],
    [" https://example.com/", "spaces"],
    ["https://example.com/\n", "control"],
    ["https://example.com/\u0000", "control"],
    ["https://example.com/\u0085", "control"],
    ["https://example.com/\ud800", "absolute"],
    ["https://example.com\\@evil.example/", "backslashes"],
    ["https://exa%00mple.com/", "absolute"],
    ["https://example.com/a\u202Eb", "U+202E, which changes the direction of text"],
    ["https://exam\u200Bple.com/", "U+200B, which has no width"],
    ["https://exam\u00ADple.com/", "U+00AD, which has no width"],
    ["https://example.com/\u0378", "U+0378, to which Unicode assigns no character"],
    ["https://example.com/%E2%80%AE", "U+202E, which changes the direction of text"],
    ["https://example.com/a%e2%80%8bb", "U+200B"],
    ["https://example.com/%EF%BB%BF", "U+FEFF, which has no width"],
    ["https://example.com/?q=%E2%80%8Ca", "U+200C, which has no width"],
    ["https://example.com/%FF%E2%80%A8", "U+2028, which breaks the line"],
    ["https://bbc.co.uk%2E%65vil.com/", "percent-encode its host"],
    ["https://example.com:0/", "port 0"],
    ["https://user:pw@example.com/", "user name"],
    ["https://user@example.com/", "user name"],
    ["https://@example.com/", "user name"],
    ["https://8.8.8.8/", "IP address"],
    ["https://134744072/", "IP address"],
    ["https://[2606:4700::1111]/", "IP address"],
    ["https://127.0.0.1/", "IP address"],
    ["https://localhost/", "public host"],
    ["https://app.localhost/", "public host"],
    ["https://intranet/", "public host"],
    ["https://printer.local/", "public host"],
    ["https://metadata.google.internal/", "public host"],
    ["https://abc.onion/", "public host"],
    ["https://x.invalid/", "public host"],
    ["https://x.test/", "public host"],
    ["https://example.com./", "end its host with a dot"],
    ["https://*.example.com/", "public host"],
    [`https://example.com/${"a".repeat(2029)}`, "2048"]
  ])("refuses %j and says why", (url, word) => {
    const verdict = checkTargetUrl(url)
    expect(Result.isFailure(verdict) && verdict.failure).toMatch(/^Must [^\n]+\.$/)
    expect(Result.isFailure(verdict) && verdict.failure).toContain(word)
  })

  it("allows at most 2,048 characters", () => {
    const base = "https://example.com/"
    expect(Result.isSuccess(checkTargetUrl(base.padEnd(2048, "a")))).toBe(true)
    expect(Result.isSuccess(checkTargetUrl(base.padEnd(2049, "a")))).toBe(false)
    expect(Result.isSuccess(checkTargetUrl(base + "🦊".repeat(2048 - base.length)))).toBe(true)
    expect(Result.isSuccess(checkTargetUrl(base + "🦊".repeat(2049 - base.length)))).toBe(false)
  })

  // Some take a hundredth of that time; with a search that starts again at each dot it was several times as much.
  it.each(["https://a…b.com", "https://a.b.com", "https://a。b.com"])(
    "refuses %j with many dots in time that does not grow with their square",
    (pattern) => {
      const before = process.threadCpuUsage()
      for (let nth = 0; nth < 400; nth++) {
        expect(Result.isFailure(checkTargetUrl(pattern.replace(/[….。]/u, (dot) => dot.repeat(2_000))))).toBe(true)
      }
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1_000).toBeLessThan(2_000)
    }
  )

  property(
    "allows every public name with http and https",
    [fc.constantFrom("http", "https"), publicHost, path],
    (scheme, host, path) => {
      expect(checkTargetUrl(`${scheme}://${host.toUpperCase()}${path}`)).toEqual(Result.void)
    }
  )
})
