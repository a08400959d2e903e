// The rule on grants, on a project of one file: the table grants far more than that file imports.

import { describe, expect, it } from "vitest"
import { grantRule } from "./GrantRule.ts"
import { sharedGrants } from "./ImportTable.ts"
import { describeViolation, parse } from "./Source.ts"

const unusedBy = (file: string, text: string) => grantRule([parse(file, text)], sharedGrants).map(describeViolation)

const unusedQr = "adapters/web:1 is granted qr, which it does not import"

describe("grantRule", () => {
  it("names a grant that its room does not use", () => {
    expect(unusedBy("adapters/web/QrCode.ts", "")).toContain(unusedQr)
  })

  it("accepts a grant that one file of the room uses", () => {
    expect(unusedBy("adapters/web/QrCode.ts", 'import encode from "qr"')).not.toContain(unusedQr)
  })

  it("names a file that nothing imports, of a grant of several", () => {
    const message = (file: string) => `bench:1 is granted adapters/app/${file}.ts, which it does not import`
    const violations = unusedBy("bench/Main.ts", 'import { store } from "#adapters/app/Ports.ts"')
    expect(violations).toContain(message("Service"))
    expect(violations).not.toContain(message("Ports"))
  })

  it("asks of a shared list that one of its rooms uses each grant", () => {
    const unused = (violations: ReadonlyArray<string>) => violations.filter((one) => one.includes("share the grant of"))
    expect(unused(unusedBy("core/domain/webhooks/Signature.ts", ""))).toContain(
      "adapters:1 share the grant of effect/crypto, which none of them imports"
    )
    expect(unused(unusedBy("core/domain/webhooks/Signature.ts", 'import { Mac } from "effect/crypto"'))).not.toContain(
      "adapters:1 share the grant of effect/crypto, which none of them imports"
    )
  })
})
