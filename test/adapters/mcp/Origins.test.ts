// Which origins may call: the configured ones, the service's own, and loopback on a loopback host.
import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { originFilter } from "#adapters/mcp/Origins.ts"

const at = (host: string) =>
  originFilter({ publicUrl: "https://links.example:8443", allowed: ["https://chat.example"], host })

const LOOPBACK = [
  "http://localhost",
  "http://localhost:6274",
  "https://127.0.0.1:1",
  "http://127.8.9.10",
  "http://[::1]:99"
]

const FOREIGN = [
  "https://evil.example",
  "http://chat.example",
  "https://chat.example:444",
  "https://chat.example.evil.example",
  "https://evil-chat.example",
  "https://links.example",
  "http://localhost.evil.example",
  "http://127.0.0.1.evil.example",
  "http://0x7f.1",
  "https://chat.example/",
  "https://chat.example/path",
  "https://user@chat.example",
  "HTTPS://chat.example",
  "https://chat.example, https://chat.example",
  "null",
  "",
  "*",
  "file://",
  "localhost"
]

describe("origins", () => {
  for (const host of ["127.0.0.1", "localhost", "::1", "127.0.0.53"]) {
    it(`on ${host}, loopback pages may call`, () => {
      for (const origin of LOOPBACK) expect(at(host)(origin), origin).toBe(true)
    })
  }
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "links.example", "127.0.0.1.example"]) {
    it(`on ${host}, loopback pages may not call`, () => {
      for (const origin of LOOPBACK) expect(at(host)(origin), origin).toBe(false)
    })
  }
  for (const host of ["127.0.0.1", "0.0.0.0"]) {
    it(`on ${host}, the service's own origin and the listed ones may call, and no other`, () => {
      for (const origin of ["https://links.example:8443", "https://chat.example"]) expect(at(host)(origin)).toBe(true)
      for (const origin of FOREIGN) expect(at(host)(origin), origin).toBe(false)
    })
  }
})
