// Which forms count as sent by an own page: by Sec-Fetch-Site, and where it is absent by Origin.
import { describe, expect, it } from "vitest"
import { isFromOwnPage } from "#adapters/web/SameSite.ts"

const LOCAL = "http://127.0.0.1:3000"
const HTTPS = "https://links.example"

describe("a form", () => {
  it.each([
    [{ "sec-fetch-site": "same-origin" }, HTTPS],
    [{ "sec-fetch-site": "same-origin", origin: "null" }, HTTPS],
    [{ origin: HTTPS }, HTTPS],
    [{ origin: "http://localhost:3000" }, LOCAL],
    [{ origin: "http://127.0.0.1:3000" }, "http://localhost:3000"],
    [{ origin: "http://[::1]:3000" }, LOCAL]
  ])("with %j comes from %s", (headers, publicUrl) => {
    expect(isFromOwnPage(headers, publicUrl)).toBe(true)
  })

  it.each([
    [{}, HTTPS],
    [{ "sec-fetch-site": "same-site" }, HTTPS],
    [{ "sec-fetch-site": "cross-site", origin: HTTPS }, HTTPS],
    [{ "sec-fetch-site": "none" }, HTTPS],
    [{ "sec-fetch-site": "" }, HTTPS],
    [{ origin: "null" }, HTTPS],
    [{ origin: "http://links.example" }, HTTPS],
    [{ origin: "https://links.example.evil.example" }, HTTPS],
    [{ origin: "https://links.example:8443" }, HTTPS],
    [{ origin: "https://evil.example" }, HTTPS],
    [{ origin: "http://localhost:3001" }, LOCAL],
    [{ origin: "https://localhost:3000" }, LOCAL],
    [{ origin: "http://localhost.evil.example:3000" }, LOCAL]
  ])("with %j does not come from %s", (headers, publicUrl) => {
    expect(isFromOwnPage(headers, publicUrl)).toBe(false)
  })
})
